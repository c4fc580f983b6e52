// Package gotest tells a test what the go command does with it.
package gotest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/filetree"
)

// began is when the process began, less what the clock of a file system may be slow.
var began = time.Now().Add(-50 * time.Millisecond)

// Wrote reports whether a file was written since the process began, like the files in
// testing.TB's TempDir: its content then follows from the tests.
func Wrote(f fs.FileInfo) bool { return !f.ModTime().Before(began) }

// MayBeCached reports whether go test may cache the outcome of this run: only then it logs the
// files that tests open.
func MayBeCached() bool {
	f := flag.Lookup("test.testlogfile")
	return f != nil && f.Value.String() != ""
}

// Short reports whether tests are to be short: testing.Short without package testing.
func Short() bool {
	f := flag.Lookup("test.short")
	return f != nil && f.Value.String() == "true"
}

// Pattern returns the pattern of -run that means one test.
func Pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// Verbose reports whether go test shows what a test logs although it passes: testing.Verbose
// without package testing.
func Verbose() bool {
	f := flag.Lookup("test.v")
	return f != nil && f.Value.String() != "false"
}

// InModule reports whether a file lies in the module of the working directory, which is
// where the cache of go test looks: also through links there to what lies elsewhere.
func InModule(path string) bool {
	root := ModuleRoot(".")
	path, err := filepath.Abs(path)
	if root == "" || err != nil {
		return false
	}
	return within(root, path) || within(resolved(root), resolved(path))
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// resolved returns the path without symbolic links, if there is such a file.
func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// ModuleRoot returns the directory of the module that a directory is in; "" if it is in none.
func ModuleRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// OpenAll opens a file, or a directory with all that is below it, so that go test learns that the
// outcome depends on it.
func OpenAll(path string) error {
	return filetree.Walk(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return f.Close()
	})
}
