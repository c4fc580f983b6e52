// Package filetimes gives the files of a git checkout modification times that follow from their
// contents, so that go test finds its cached results in a fresh checkout: it recognises the files
// that a test opened by size and modification time, and git gives all of them the time of the
// checkout.
package filetimes

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/revision"
)

// Set gives each tracked file of the repository around dir, and each directory with tracked files,
// a modification time between 2001 and 2018. The time of a file follows from its content in the
// working tree, changed or not, and the time of a directory from the names in it. Two contents have
// the same time with a probability of 2⁻⁵⁸ where the file system keeps nanoseconds.
//
// Symbolic links and submodules are left alone, and so are tracked files that were removed. A file
// that something else writes meanwhile is an error.
func Set(dir string) (files, dirs int, err error) {
	root, tracked, err := list(dir)
	if err != nil {
		return 0, 0, err
	}
	parents := map[string]bool{".": true}
	for _, path := range tracked {
		for parent := filepath.Dir(path); !parents[parent]; parent = filepath.Dir(parent) {
			parents[parent] = true
		}
		done, err := set(filepath.Join(root, path), false)
		if err != nil {
			return files, dirs, err
		}
		if done {
			files++
		}
	}
	for parent := range parents {
		done, err := set(filepath.Join(root, parent), true)
		if err != nil {
			return files, dirs, err
		}
		if done {
			dirs++
		}
	}
	return files, dirs, nil
}

// list returns the root of the repository around dir, and the tracked files below it.
func list(dir string) (root string, tracked []string, err error) {
	out, err := revision.Git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", dir, err)
	}
	root = filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if out, err = revision.Git(root, "ls-files", "-z"); err != nil {
		return "", nil, err
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if path != "" {
			tracked = append(tracked, filepath.FromSlash(path))
		}
	}
	if len(tracked) == 0 {
		return "", nil, fmt.Errorf("%s: git tracks no files", root)
	}
	return root, tracked, nil
}

// set sets the time of a directory or a regular file, as wanted, and reports whether the path is
// one.
func set(path string, dir bool) (bool, error) {
	before, err := os.Lstat(path)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return false, err
	}
	h := sha256.New()
	switch {
	case dir && before.IsDir():
		err = hashNames(h, path)
	case !dir && before.Mode().IsRegular():
		err = hashContent(h, path)
	default:
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// A later change gets a time of its own.
	if err := unchanged(path, before); err != nil {
		return false, err
	}
	return true, setTime(path, h)
}

func hashContent(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // it was only read
	_, err = io.Copy(h, f)
	return err
}

func hashNames(h hash.Hash, path string) error {
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		io.WriteString(h, e.Name()+"\x00") // a hash does not fail
	}
	return err
}

// unchanged returns an error if the file or directory was written since before.
func unchanged(path string, before fs.FileInfo) error {
	after, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return fmt.Errorf("%s was written meanwhile: run nothing else in the checkout", path)
	}
	return nil
}

// setTime sets the modification time to one that follows from the hash.
func setTime(path string, h hash.Hash) error {
	sum := h.Sum(nil)
	const since = 1_000_000_000 // 2001-09-09
	seconds := int64(binary.BigEndian.Uint32(sum) >> 3)
	nanoseconds := int64(binary.BigEndian.Uint64(sum[4:]) % 1_000_000_000)
	return os.Chtimes(path, time.Time{}, time.Unix(since+seconds, nanoseconds))
}
