package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// A Side is a source that was read.
type Side struct {
	Source
	File *record.File
}

// Open reads the sources. The problems are runs that have not ended, or were interrupted: what
// there is may be judged all the same. Times are not read.
func Open(sources []Source, stdin io.Reader) (sides []*Side, problems []error, err error) {
	var errs []error
	for _, s := range sources {
		for _, path := range s.Paths {
			problems = append(problems, unfinished(path)...)
		}
		f, err := s.open(stdin)
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = fmt.Errorf("%s: %w", pathError.Path, pathError.Err)
		}
		errs = append(errs, err)
		sides = append(sides, &Side{s, f})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, errors.Join(append(problems, err)...)
	}
	return sides, problems, nil
}

func (s *Source) open(stdin io.Reader) (*record.File, error) {
	reader := record.Reader{NoTimes: true}
	var blocks []*record.Block
	for _, path := range s.Paths {
		f, err := openOne(reader, path, stdin)
		if err != nil {
			return nil, err
		}
		if len(s.Paths) == 1 {
			return f, nil
		}
		blocks = append(blocks, f.Blocks()...)
	}
	return record.NewFile(blocks...), nil
}

// openOne opens a file or a directory; what is neither, such as a pipe, is read.
func openOne(r record.Reader, path string, stdin io.Reader) (*record.File, error) {
	if path == Stdin {
		return r.Read(stdin, "<stdin>")
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close() // it was only read
		return r.Read(f, path)
	}
	return r.Open(path)
}

// unfinished returns a problem for each run that has not stored its results in
// the file yet: what is there may be from the run before.
func unfinished(path string) []error {
	if path == Stdin {
		return nil
	}
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

// Problem says where in the file the error is.
func (s *Side) Problem(err error) error {
	for _, path := range s.Paths {
		if strings.HasPrefix(err.Error(), path+":") {
			return err
		}
	}
	return fmt.Errorf("%s: %w", s.name(), err)
}

// Pos returns where the results of a learner on a data set begin; those of its first
// learner if none is given.
func (s *Side) Pos(data, learner string) string {
	if all := s.File.Learners(data); learner == "" && len(all) > 0 {
		learner = all[0]
	}
	if pos := s.File.Pos(data, learner); pos != (record.Pos{}) {
		return pos.String()
	}
	return s.name()
}

// SameFile reports whether two sides are one file.
func SameFile(a, b *Side) bool {
	if len(a.Paths) != 1 || len(b.Paths) != 1 {
		return false
	}
	x, err := os.Stat(a.Paths[0])
	if err != nil {
		return false
	}
	y, err := os.Stat(b.Paths[0])
	return err == nil && os.SameFile(x, y)
}
