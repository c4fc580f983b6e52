package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/learnbench/learnbench/learntest/record"
)

// CheckDestination returns an error unless results can be stored at the path: the
// directory must exist and can be written to, and an existing path must be a directory, an empty
// file or a result file.
func (s *Store) CheckDestination() error {
	if s.file == nil {
		return writable(s.path)
	}
	info, err := os.Lstat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return writable(filepath.Dir(s.path))
	}
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(s.path); err != nil {
			return fmt.Errorf("%s is a symbolic link to nothing: %w", s.path, err)
		}
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a directory", s.path)
	}
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(record.CheckBegin(f, s.path), f.Close())
}

// probeMark begins the names of the files that show whether a directory can be written
// to.
const probeMark = ".learnbench-probe-"

// writable returns an error unless files can be created in a directory. It removes the file it
// creates, and the files of a process that was killed here.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, probeMark)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: make the directory first", dir, pathError.Err)
	} else if ok {
		return fmt.Errorf("no file can be created in %s: %w", dir, pathError.Err)
	}
	if err != nil {
		return err
	}
	err = f.Close()
	paths, lerr := blockfile.List(dir,
		func(name string) bool { return strings.HasPrefix(name, probeMark) })
	for _, path := range paths {
		if rerr := os.Remove(path); path == f.Name() && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return errors.Join(err, lerr)
}
