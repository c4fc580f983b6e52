package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

// A side is a result file that was read.
type side struct {
	source
	file *record.File
}

// openSides reads the files and checks each. The problems are those of files
// that are not complete and consistent: some of their results may be judged
// all the same.
func openSides(sources []source) (sides []*side, problems []error, err error) {
	var errs []error
	for _, s := range sources {
		problems = append(problems, unfinished(s.path)...)
		f, err := record.Open(s.path)
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = fmt.Errorf("%s: %w", pathError.Path, pathError.Err)
		}
		errs = append(errs, err)
		sides = append(sides, &side{s, f})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, errors.Join(append(problems, err)...)
	}
	for _, s := range sides {
		for _, err := range cli.Leaves(s.file.Check()) {
			problems = append(problems, s.problem(err))
		}
	}
	return sides, problems, nil
}

// unfinished returns a problem for each run that has not stored its results in
// the file yet: what is there may be from the run before.
func unfinished(path string) []error {
	partials, err := record.Partials(path)
	if err != nil {
		return nil // it is that of opening the file
	}
	var problems []error
	for _, p := range partials {
		if p.Live {
			problems = append(problems, fmt.Errorf("%s: a run that writes to %s has not ended: wait for it", p.Path, path))
		} else {
			problems = append(problems, fmt.Errorf("%s: a run that writes to %s was interrupted, and the results there may be those of the run before: run it again, or remove this file to do without it", p.Path, path))
		}
	}
	return problems
}

// problem says where in the file the error is.
func (s *side) problem(err error) error {
	if strings.HasPrefix(err.Error(), s.path+":") {
		return err
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// pos returns where the results of a learner on a data set begin; those of its first
// learner if none is given.
func (s *side) pos(data, learner string) string {
	if all := s.file.Learners(data); learner == "" && len(all) > 0 {
		learner = all[0]
	}
	if pos := s.file.Pos(data, learner); pos != (record.Pos{}) {
		return pos.String()
	}
	return s.path
}

// shortened returns the paths without the directories that they share.
func shortened(paths []string) []string {
	parts := make([][]string, len(paths))
	for i, p := range paths {
		parts[i] = strings.Split(filepath.ToSlash(p), "/")
	}
	shared := 0
	for ; shared < len(parts[0])-1; shared++ {
		if slices.ContainsFunc(parts, func(p []string) bool { return shared >= len(p)-1 || p[shared] != parts[0][shared] }) {
			break
		}
	}
	short := make([]string, len(paths))
	for i, p := range parts {
		short[i] = strings.Join(p[shared:], "/")
	}
	return short
}
