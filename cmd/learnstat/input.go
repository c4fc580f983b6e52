package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

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
		f, err := record.Open(s.path)
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = fmt.Errorf("%s: %w", s.path, pathError.Err)
		}
		errs = append(errs, err)
		sides = append(sides, &side{s, f})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	for _, s := range sides {
		for _, err := range leaves(s.file.Check()) {
			problems = append(problems, s.problem(err))
		}
	}
	return sides, problems, nil
}

// problem says where in the file the error is.
func (s *side) problem(err error) error {
	if cell, ok := errors.AsType[*record.CellError](err); ok && errors.Is(err, record.ErrDouble) {
		var last record.Pos
		for t := range s.trials {
			if t.Cell() == cell.Cells[0] {
				last = t.Pos
			}
		}
		return fmt.Errorf("%v: %w", last, err)
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// trials yields the trials in the order of the file.
func (s *side) trials(yield func(*record.Trial) bool) {
	for i := range s.file.Sets {
		for j := range s.file.Sets[i].Trials {
			if !yield(&s.file.Sets[i].Trials[j]) {
				return
			}
		}
	}
}

// find returns the position of the first trial that satisfies the condition.
func (s *side) find(ok func(*record.Trial) bool) record.Pos {
	for t := range s.trials {
		if ok(t) {
			return t.Pos
		}
	}
	return record.Pos{}
}

// metrics returns the metrics of a learner on a data set.
func (s *side) metrics(data, learner string) []string {
	var names []string
	for i := range s.file.Sets {
		set := &s.file.Sets[i]
		if set.Trials[0].Data != data || !slices.Contains(set.Learners, learner) {
			continue
		}
		for _, u := range set.Units {
			if !slices.Contains(names, u.Name) {
				names = append(names, u.Name)
			}
		}
	}
	return names
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
