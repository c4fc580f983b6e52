// Package atomicfile writes files that are there as a whole or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
)

// Write replaces the content of the file at path. A reader sees the old content
// or the new, also after a crash: the new content goes to a file beside it,
// which is synced and then renamed.
//
// A file that exists keeps its permissions, and a symbolic link keeps pointing to it; a new
// file gets 0666 before umask. If the content or the file system returns an error, Write returns it
// and leaves the file unchanged.
func Write(path string, content io.WriterTo) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	err = fill(f, info, content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncDir(filepath.Dir(path))
}

// fill writes the content of f and syncs it. If info is not nil, f gets the permissions of the
// file that it will replace.
func fill(f *os.File, info fs.FileInfo, content io.WriterTo) error {
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := content.WriteTo(f); err != nil {
		return err
	}
	return f.Sync()
}

// createBeside creates a file with a new name in the directory of path.
// Unlike os.CreateTemp it leaves the permissions to umask.
func createBeside(path string) (*os.File, error) {
	for try := 0; ; try++ {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && try < 100 {
			continue
		}
		return f, err
	}
}

// SyncDir makes the entries created, renamed or removed in a directory durable, if the system
// can.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	// Some file systems cannot sync a directory. The file is in place nevertheless.
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) &&
		!errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
