package learntest

import (
	"errors"
	"fmt"
	"os"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/results"
)

// tellStale has learnbench refresh know of a baseline on other data, and returns its error with
// the remedy.
func tellStale[X any, Y comparable](t TB, data Data[X, Y], learner, path string, g *group,
	err error,
) error {
	other, ok := errors.AsType[*results.OtherData](err)
	if !ok {
		return err
	}
	h := &other.Stored.Header
	s := gotest.Stale{
		Path: path, Learner: learner, Data: h.Data, Protocol: h.Protocol,
		Pkg: h.Pkg, Test: h.Test, Commit: h.Commit,
		Was: h.DataDigest, Before: other.Before(), Examples: data.Len(), Files: filesOf(data),
	}
	var errs []error
	var e error
	s.Dir, e = os.Getwd()
	errs = append(errs, e)
	s.Is, e = data.Digest()
	errs = append(errs, e)
	s.Kept, e = startsWith(data, s.Before, s.Was)
	if e = errors.Join(append(errs, e)...); e != nil {
		return errors.Join(err, e)
	}
	if a, ok := t.(interface{ Attr(key, value string) }); ok {
		a.Attr(gotest.StaleKey, s.Attribute())
	}
	if s.Kept {
		err = fmt.Errorf("%w; the first %d examples are unchanged", err, s.Before)
	}
	return fmt.Errorf("%w; %s", err, g.howToRefresh())
}

// startsWith reports whether the first n of more examples are known to have a digest.
func startsWith[X any, Y comparable](data Data[X, Y], n int, digest string) (bool, error) {
	switch d := any(data).(type) {
	case *dataset.Table:
		return dataset.StartsWith(d, n, digest), nil
	case dataset.Regression:
		return dataset.StartsWith(d.Table, n, digest), nil
	}
	e, ok := data.(*ExampleSet[X, Y])
	if !ok || e.digest != "" || n >= e.Len() {
		return false, nil
	}
	first := ExampleSet[X, Y]{name: e.name, xs: e.xs[:n], ys: e.ys[:n]}
	if e.groups != nil {
		first.groups = e.groups[:n]
	}
	d, err := first.Digest()
	return d == digest, err
}

// filesOf returns the known files that examples were read from.
func filesOf[X any, Y comparable](data Data[X, Y]) []string {
	if e, ok := data.(*ExampleSet[X, Y]); ok && e.file != "" {
		return []string{e.file}
	}
	if _, ok := any(data).(Data[dataset.Row, Y]); !ok {
		return nil
	}
	ts, err := readTables(data)
	if err != nil {
		return nil // it was read before
	}
	var files []string
	for _, table := range ts.all {
		if table.File() != "" {
			files = append(files, table.File())
		}
	}
	return files
}
