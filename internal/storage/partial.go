package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/blockfile"
)

// settling is longer than it takes to lock a journal that has been created, on a
// machine that is busy, too.
const settling = 2 * time.Second

// A Partial is a journal: the trials of a run that has not been completed.
type Partial struct {
	Path string // of the file
	Live bool   // its process is still running
}

// Partials returns the journals that lie beside the result file at path, or in the
// directory there. As long as there is one, the results in the file may be from an earlier run.
func Partials(path string) ([]Partial, error) {
	return make(directories).partials(path)
}

// Unfinished returns an error for each run that has not stored its results in one of the files
// or directories yet, joined: the results there may be from the run before. The error says what
// to do. A directory that does not exist has no runs. Each directory is read once.
func Unfinished(paths ...string) error {
	read := make(directories)
	var errs []error
	for _, path := range paths {
		partials, err := read.partials(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		for _, p := range partials {
			if p.Live {
				errs = append(errs, fmt.Errorf("%s: a run that writes to %s has not ended: wait for it",
					p.Path, path))
			} else {
				errs = append(errs, fmt.Errorf("%s: a run that writes to %s was interrupted, and the results there may be from the run before: "+
					"run it again, or remove this file to do without it", p.Path, path))
			}
		}
	}
	return errors.Join(errs...)
}

// Directories are the paths of the journals in directories that were read, by the names of their
// result files.
type directories map[string]map[string][]string

func (d directories) partials(path string) ([]Partial, error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	info, err := os.Stat(path)
	whole := err == nil && info.IsDir()
	if whole {
		dir = path
	}
	journals, err := d.journals(dir)
	if err != nil {
		return nil, err
	}
	paths := journals[base]
	if whole {
		paths = slices.Concat(slices.Collect(maps.Values(journals))...)
	}
	slices.SortFunc(paths, func(a, b string) int {
		if len(a) != len(b) { // 9 before 10
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	var found []Partial
	settled := time.Now().Add(settling)
	for _, path := range paths {
		live, err := isLive(path, settled)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it has just been completed
			continue
		case errors.Is(err, blockfile.ErrNoLocks):
			live = true // nobody can tell
		case err != nil:
			return nil, err
		}
		found = append(found, Partial{path, live})
	}
	return found, nil
}

func (d directories) journals(dir string) (map[string][]string, error) {
	if found, ok := d[dir]; ok {
		return found, nil
	}
	paths, err := blockfile.List(dir, func(name string) bool {
		_, number, ok := cutLast(name, partialMark)
		return ok && isNumber(number)
	})
	if err != nil {
		return nil, err
	}
	d[dir] = make(map[string][]string)
	for _, path := range paths {
		of, _, _ := cutLast(filepath.Base(path), partialMark)
		d[dir][of] = append(d[dir][of], path)
	}
	return d[dir], nil
}

// isLive reports whether a journal is locked, or is about to be: one that is new has
// no text before it is locked, and is locked by the time settled. Names are used again.
func isLive(path string, settled time.Time) (bool, error) {
	for pause := time.Millisecond; ; pause = min(2*pause, 16*time.Millisecond) {
		before, err := os.Stat(path)
		if err != nil {
			return false, err
		}
		if locked, err := blockfile.Locked(path); locked || err != nil {
			return locked, err
		}
		after, err := os.Stat(path)
		if err != nil {
			return false, err
		}
		same := os.SameFile(before, after) && after.Size() >= before.Size()
		if same && before.Size() > 1 || time.Now().After(settled) {
			return !same, nil
		}
		time.Sleep(pause)
	}
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// mostNumber bounds the numbers in the names of journals.
const mostNumber = 1 << 24

// isNumber reports whether a text is such a number.
func isNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= mostNumber && text == strconv.Itoa(n)
}
