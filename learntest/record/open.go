package record

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/blockfile"
)

// The extensions of the result files in a directory.
const (
	extension  = ".txt"
	compressed = extension + ".gz"
)

// Open reads files as if they were one: the blocks of each follow those of the
// one before. A directory stands for the files in it whose names end with .txt or
// .txt.gz, in the order of their names. It returns the errors of the file system and of
// [Reader.Read].
func (r Reader) Open(paths ...string) (*File, error) {
	files, err := Expand(paths)
	if err != nil {
		return nil, err
	}
	units := make(map[string]declaration)
	room := r.Limits.Cells
	var all []*Block
	for _, path := range files {
		one := r
		one.Limits.Cells = room
		p, blocks, err := one.openFile(path, units)
		for tries := 0; errors.Is(err, blockfile.ErrChanged) && tries < 10; tries++ { // a writer came in between
			p, blocks, err = one.openFile(path, units)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, blocks...)
		room, units = max(p.room, 1), p.units
	}
	return NewFile(all...), nil
}

// Open is [Reader.Open] with the default limits.
func Open(paths ...string) (*File, error) { return Reader{}.Open(paths...) }

// openFile reads the blocks of one file, which declare units as others have done.
func (r Reader) openFile(path string, units map[string]declaration) (*parser, []*Block, error) {
	f, err := blockfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	p, err := r.newParser(f, path)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	p.units = maps.Clone(units)
	var blocks []*Block
	for {
		b, err := p.next()
		switch {
		case err != nil:
			if cerr := f.Close(); cerr != nil {
				err = errors.Join(err, cerr)
			}
			return nil, nil, err
		case b == nil:
			return p, blocks, f.Close()
		}
		blocks = append(blocks, b)
	}
}

// Expand returns the paths of the files that [Open] reads: those of the result files in it in
// place of a directory.
func Expand(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: no result files given", ErrNotFound)
	}
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := list(path, func(name string) bool {
			return strings.HasSuffix(name, extension) || strings.HasSuffix(name, compressed)
		})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%w: no result files (*%s) in the directory %s", ErrNotFound, extension, path)
		}
		files = append(files, found...)
	}
	return files, nil
}

// list returns the paths of the files in a directory whose names are wanted, in
// the order of their names.
func list(dir string, wanted func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && wanted(e.Name()) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}

// settling is longer than it takes to lock a journal that has been created, on a
// machine that is busy, too.
const settling = 2 * time.Second

// A Partial is a journal: the trials of a run that has not been completed.
type Partial struct {
	Path string // of the file
	Live bool   // its process is still running
}

// Partials returns the journals that lie beside the result file at path, or in the
// directory there. As long as there is one, the results in the file may be those of a run
// before it.
func Partials(path string) ([]Partial, error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir, base = path, ""
	}
	paths, err := list(dir, func(name string) bool {
		of, number, ok := cutLast(name, partialMark)
		return ok && (of == base || base == "") && isCount(number)
	})
	if err != nil {
		return nil, err
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

// Unfinished returns an error for each run that has not stored its results in the file
// or directory yet, joined: what is there may be from the run before. It says what to do.
func Unfinished(path string) error {
	partials, err := Partials(path)
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range partials {
		if p.Live {
			errs = append(errs, fmt.Errorf("%s: a run that writes to %s has not ended: wait for it", p.Path, path))
		} else {
			errs = append(errs, fmt.Errorf("%s: a run that writes to %s was interrupted, and the results there may be those of the run before: "+
				"run it again, or remove this file to do without it", p.Path, path))
		}
	}
	return errors.Join(errs...)
}

// isLive reports whether a journal is locked, or is about to be: one that is new has
// no text before it is locked, and is locked by the time settled. Names are used again.
func isLive(path string, settled time.Time) (bool, error) {
	for ; ; time.Sleep(time.Millisecond) {
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
	}
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
