// Package filecache keeps contents in a directory that many processes share and that none of them
// trusts: files that are torn, changed, renamed or put there by something else are no contents of
// it.
package filecache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Dir is a cache. A content is in the file OWNER/KEY-SUM, all three being SHA-256 in hexadecimal.
// Since the name has the sum of the content, no file ever changes, and several processes may keep
// contents of one key. Files are written without a sync: a damaged one does not fit its sum.
type Dir struct {
	path string
	most int64
}

// version is the directory below the one that the user names: nothing beside it is read or removed.
const version = "learntest-v1"

// New returns the cache below a directory, which need not be there yet. The contents have the given
// number of bytes at most: the least recently used ones go first.
func New(path string, most int64) Dir { return Dir{filepath.Join(path, version), most} }

var (
	contentName = regexp.MustCompile(`^[0-9a-f]{64}-[0-9a-f]{64}$`)
	ownerName   = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// temporary begins the names of files that are being written.
const temporary = "tmp-"

// Sum returns the SHA-256 of the quoted texts in hexadecimal.
func Sum(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%q\n", text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func sum(owner, key string, content []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", owner, key)
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// Has reports whether there may be contents of an owner.
func (d Dir) Has(owner string) bool {
	_, err := os.Stat(filepath.Join(d.path, owner))
	return err == nil
}

// Get returns the contents of a key of an owner. It removes files that are none, and returns why.
func (d Dir) Get(owner, key string) (contents [][]byte, damaged []error) {
	dir := filepath.Join(d.path, owner)
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			damaged = append(damaged, err)
		}
		return nil, damaged
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), key+"-") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process has removed it
		}
		if err == nil && e.Name() != key+"-"+sum(owner, key, content) {
			err = fmt.Errorf("%s does not have what its name says: it was changed, or not written to its end", path)
		}
		if err != nil {
			damaged = append(damaged, errors.Join(err, os.RemoveAll(path)))
			continue
		}
		contents = append(contents, content)
		now := time.Now()
		_ = os.Chtimes(path, now, now) // it goes a little earlier otherwise
	}
	return contents, damaged
}

// Put keeps a content, and removes the least recently used ones if there are too many.
func (d Dir) Put(owner, key string, content []byte) error {
	dir := filepath.Join(d.path, owner)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, temporary+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, key+"-"+sum(owner, key, content)))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return d.trim()
}

// Drop removes all contents of an owner.
func (d Dir) Drop(owner string) error { return os.RemoveAll(filepath.Join(d.path, owner)) }

// trim removes the least recently used contents, until the others are not too many, and what
// processes that were killed have left.
func (d Dir) trim() error {
	type file struct {
		path string
		size int64
		used time.Time
	}
	var files []file
	total := int64(0)
	owners, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, o := range owners {
		if !o.IsDir() || !ownerName.MatchString(o.Name()) {
			continue
		}
		dir := filepath.Join(d.path, o.Name())
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue // it has just gone, or is not of this package
			}
			path := filepath.Join(dir, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), temporary) && time.Since(info.ModTime()) > time.Hour:
				_ = os.Remove(path)
			case contentName.MatchString(e.Name()):
				files = append(files, file{path, info.Size(), info.ModTime()})
				total += info.Size()
			}
		}
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.used.Compare(b.used),
			cmp.Compare(a.path, b.path))
	})
	for _, f := range files {
		if total <= d.most {
			break
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= f.size
	}
	return nil
}
