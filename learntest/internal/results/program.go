package results

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/learntest/record"
)

// A run takes over results of another run, be it one that was interrupted or another shard,
// only if the same learners have made them. Header.Binary says of the learners:
//
//	DIGEST           of the program and, in a test, of what its directory has
//	DIGEST+DIGEST    and of the files that learners declare, which programs in other languages are
//	unknown          of a program in another language that names no file
//
// Learners are taken for the same ones if all of it agrees, at any commits. If only the first digest
// differs, or is missing, both must be of one commit without uncommitted changes.

// describeProgram returns what a header says of the learners that are run here.
func (c *Settings) describeProgram(known *Registry) (string, error) {
	if c.Unknown {
		return record.UnknownProgram, nil
	}
	own := known.program(c.Pkg != "", c.Out)
	if len(c.Files) == 0 {
		return own, nil
	}
	h := sha256.New()
	for _, path := range c.Files {
		if err := digestFiles(h, path, func(string, fs.DirEntry) bool { return true }); err != nil {
			return "", fmt.Errorf("%w: a learner depends on %s: %w", ErrConfig, path, err)
		}
	}
	return own + "+" + hex.EncodeToString(h.Sum(nil)), nil
}

// sameProgram returns an error unless two results were made by the same learners, whoever else they are of.
func sameProgram(a, b *record.Header) error {
	ownA, filesA, _ := strings.Cut(a.Binary, "+")
	ownB, filesB, _ := strings.Cut(b.Binary, "+")
	switch {
	case a.Binary == record.UnknownProgram || b.Binary == record.UnknownProgram:
		return errors.New("it is of a program in another language, and nothing says whether that program has changed: name its files among its arguments, or in Depends")
	case filesA != filesB:
		return errors.New("the files that its learners depend on have changed")
	case ownA != "" && ownA == ownB:
		return nil
	case a.Commit == b.Commit && isClean(a.Commit):
		return nil
	}
	return errors.New("it was written by another build of the program, whose learners may differ, and is not of the same commit without changes")
}

// program returns what program does, found out once.
func (r *Registry) program(inTest bool, out string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if here, err := filepath.Abs("."); err != nil || !strings.HasPrefix(out, here+string(filepath.Separator)) {
		out = ""
	}
	own, _, _ := entry(&r.programs, fmt.Sprint(inTest, out), func() (string, error) { return program(inTest, out), nil })
	return own
}

// program returns the digest of the running program, and in a test also of the files in its directory,
// since a test reads files there. The digest is "" if it cannot be found out.
func program(inTest bool, out string) string {
	own := executable()
	if own == "" || !inTest {
		return own
	}
	h := sha256.New()
	files := 0
	err := digestFiles(h, ".", func(path string, d fs.DirEntry) bool {
		name := d.Name()
		if path == "." || d.IsDir() {
			return path == "." || !strings.HasPrefix(name, ".") && name != "__pycache__"
		}
		if files++; files > mostFiles {
			return false
		}
		full, err := filepath.Abs(path)
		switch {
		case err == nil && out != "" && (full == out || strings.HasPrefix(full, out+".") || strings.HasPrefix(full, out+string(filepath.Separator))):
			return false // the program writes it
		case strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "."):
			return false // compiled, or never read
		}
		return !isResult(path)
	})
	if err != nil || files > mostFiles {
		return ""
	}
	if files == 0 {
		return own
	}
	fmt.Fprint(h, own)
	return hex.EncodeToString(h.Sum(nil))
}

// mostFiles is how many files of a directory are looked at.
const mostFiles = 10000

// isResult reports whether a file has, or had, results, which differ from run to run, or is a ledger
// or a history of them, in which learnbench writes.
func isResult(path string) bool {
	if strings.Contains(filepath.Base(path), ".partial-") {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 100)
	n, _ := io.ReadFull(f, start)
	line, _, _ := strings.Cut(string(start[:n]), "\n")
	return strings.HasPrefix(line, "learnbench-format") || strings.HasPrefix(line, "How ") && strings.Contains(line, ", by learnbench ")
}

// digestFiles adds a file, or all below a directory that is wanted, to a digest.
func digestFiles(h hash.Hash, root string, wanted func(path string, d fs.DirEntry) bool) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !wanted(path, d) && d.IsDir():
			return filepath.SkipDir
		case d.IsDir() || !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0 || !wanted(path, d):
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil // a link to nothing, or to a directory
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %d\n", filepath.ToSlash(rel), info.Size())
		_, err = io.Copy(h, f)
		return err
	})
}

// executable returns the digest of the running program; "" if it cannot be read.
var executable = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	h := sha256.New()
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// ofOne returns the blocks of an identity under one commit if the same learners have made them,
// and says so: a commit that differs between equal programs changes nothing. Among several commits
// it chooses one with uncommitted changes, if there is one: no merge makes a dirty one clean.
func ofOne(blocks []*record.Block, note func(format string, args ...any)) ([]*record.Block, error) {
	first, of := make(map[record.Identity]*record.Block), make(map[record.Identity]*record.Header)
	for _, b := range blocks {
		id := b.Header.Identity()
		one := first[id]
		if one == nil {
			first[id], of[id] = b, &b.Header
			continue
		}
		if err := sameProgram(&one.Header, &b.Header); err != nil {
			return nil, fmt.Errorf("%v and %v are not of one model: %w", one.Pos(), b.Pos(), err)
		}
		if one.Header.Commit != b.Header.Commit {
			note("%v is of commit %q, and %v of %q: they are of the same program", one.Pos(), one.Header.Commit, b.Pos(), b.Header.Commit)
		}
		if isClean(of[id].Commit) && !isClean(b.Header.Commit) {
			of[id] = &b.Header
		}
	}
	all := slices.Clone(blocks)
	for i, b := range all {
		all[i] = ofCommit(b, of[b.Header.Identity()])
	}
	return all, nil
}

// isClean reports whether a commit is one without changes that nobody committed.
func isClean(commit string) bool { return commit != "" && !strings.HasSuffix(commit, "-dirty") }

// ofCommit returns a block under the commit of another header.
func ofCommit(b *record.Block, h *record.Header) *record.Block {
	if b.Header.Commit == h.Commit && b.Header.CommitTime == h.CommitTime {
		return b
	}
	b = b.Clone()
	b.Header.Commit, b.Header.CommitTime = h.Commit, h.CommitTime
	return b
}
