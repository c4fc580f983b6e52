package results

import (
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
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

	"github.com/learnbench/learnbench/internal/filetree"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

// A run takes over results of another run, be it one that was interrupted or another shard,
// only if the same learners have made them. Header.Binary says of the learners:
//
//	DIGEST           of the program and, in a test, of what its directory has
//	DIGEST+DIGEST    and of the files and variables that learners declare, which programs in other
//	                 languages are
//	unknown          of a program in another language that names no file
//
// Learners are taken for the same ones if all of it agrees, at any commits. If only the first
// digest differs, or is missing, both must be of one commit without uncommitted changes.

// Executable returns the digest of the running program; "" if it cannot be read.
func Executable() string { return executable() }

// SameProgram returns an error unless two results were made by the same program.
func SameProgram(a, b *record.Header) error { return sameProgram(a, b) }

// describeProgram returns what a header says of the learners that are run here.
func (c *Settings) describeProgram(known *Registry) (string, error) {
	if c.Unknown {
		return record.UnknownProgram, nil
	}
	own := known.program(c.Pkg != "", c.Out)
	if len(c.Files)+len(c.Variables) == 0 {
		return own, nil
	}
	h := sha256.New()
	if err := digestDeclared(h, c.Files, c.Variables); err != nil {
		return "", err
	}
	return own + "+" + hex.EncodeToString(h.Sum(nil)), nil
}

// digestDeclared adds the files and variables that learners depend on to a digest.
func digestDeclared(h hash.Hash, files, variables []string) error {
	for _, path := range files {
		if err := digestFiles(h, path, func(string, fs.DirEntry) bool { return true }); err != nil {
			return fmt.Errorf("%w: a learner depends on %s: %w", ErrConfig, path, err)
		}
	}
	for _, name := range variables {
		value, set := os.LookupEnv(name)
		fmt.Fprintf(h, "$%q %v %q\n", name, set, value)
	}
	return nil
}

// sameProgram returns an error unless two results were made by the same learners, whoever else they
// are of.
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
	if here, err := filepath.Abs("."); err != nil ||
		!strings.HasPrefix(out, here+string(filepath.Separator)) {
		out = ""
	}
	own, _, _ := entry(&r.programs, fmt.Sprint(inTest, out),
		func() (string, error) { return program(inTest, out), nil })
	return own
}

// program returns the digest of the running program, and in a test also of the files in its
// directory, since a test reads files there. The digest is "" if it cannot be found out.
func program(inTest bool, out string) string {
	own := executable()
	if own == "" || !inTest {
		return own
	}
	h := sha256.New()
	switch files, ok := digestOfTest(h, out); {
	case !ok:
		return ""
	case files == 0:
		return own
	}
	fmt.Fprint(h, own)
	return hex.EncodeToString(h.Sum(nil))
}

// digestOfTest adds the files of a test's directory to a digest, and returns how many there are,
// and whether that could be done.
func digestOfTest(h hash.Hash, out string) (files int, ok bool) {
	here, err := filepath.Abs(".")
	if err != nil {
		return 0, false
	}
	err = digestFiles(h, ".", func(path string, d fs.DirEntry) bool {
		name := d.Name()
		if path == "." || d.IsDir() {
			return files <= mostFiles && (path == "." || !strings.HasPrefix(name, ".") &&
				name != "__pycache__")
		}
		if files++; files > mostFiles {
			return false
		}
		full := filepath.Join(here, path)
		switch {
		case out != "" && (full == out || strings.HasPrefix(full, out+".") ||
			strings.HasPrefix(full, out+string(filepath.Separator))):
			return false // the program writes it
		case strings.HasPrefix(name, "."):
			return false // never read
		case strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".md"):
			// Compiled, or never read, but where they are data, such as the text of a prompt.
			return slices.Contains(strings.Split(path, string(filepath.Separator)), "testdata")
		}
		return !isResult(path)
	})
	return files, err == nil && files <= mostFiles
}

// mostFiles is how many files of a directory are looked at.
const mostFiles = 10000

// isResult reports whether a file has, or had, results or predictions, which differ from run to
// run, or is a ledger or a history of them, in which learnbench writes.
func isResult(path string) bool {
	if strings.Contains(filepath.Base(path), ".partial-") {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, predictions.Compressed) {
		// Of all that it is given, a decompressor fills its window, for the 100 bytes that are wanted.
		if in, err = gzip.NewReader(io.LimitReader(f, 2048)); err != nil {
			return false
		}
	}
	start := make([]byte, 100)
	n, _ := io.ReadFull(in, start)
	line, _, _ := strings.Cut(string(start[:n]), "\n")
	return strings.HasPrefix(line, "learnbench-format") ||
		strings.HasPrefix(line, predictions.Marker) || strings.HasPrefix(line, "How ") &&
		strings.Contains(line, ", by learnbench ")
}

// digestFiles adds a file, or all below a directory that is wanted, to a digest.
func digestFiles(h hash.Hash, root string, wanted func(path string, d fs.DirEntry) bool) error {
	return filetree.Walk(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if !wanted(path, d) {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0 || !wanted(path, d):
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil // a link to nothing
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

// executable returns the digest of the running program; "" if it cannot be read. Of a program in
// ELF it is what the program loads and runs, without the tables of names and line numbers: a
// comment that moves a line is another file, and the same program.
var executable = sync.OnceValue(func() string {
	f, err := openSelf()
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if digestLoaded(h, f) {
		return hex.EncodeToString(h.Sum(nil))
	}
	h.Reset()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// openSelf opens the running program: on Linux the very one, whatever a build has put in its place
// since.
func openSelf() (*os.File, error) {
	if f, err := os.Open("/proc/self/exe"); err == nil {
		return f, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// digestLoaded adds the sections that a program in ELF loads to a digest, and reports whether it is
// one that the linker of Go has left its names in. Left out are notes, such as the digest of the
// build, and the tables of functions, files and lines with their directory.
func digestLoaded(h hash.Hash, r io.ReaderAt) bool {
	f, err := elf.NewFile(r)
	if err != nil || f.Section(".gopclntab") == nil {
		return false
	}
	fmt.Fprintf(h, "%v %d\n", f.FileHeader.Machine, f.FileHeader.Entry)
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOTE || s.Name == ".gopclntab" ||
			s.Name == ".go.module" {
			continue
		}
		fmt.Fprintf(h, "%q %v %v %d %d\n", s.Name, s.Type, s.Flags, s.Addr, s.Size)
		if s.Type == elf.SHT_NOBITS {
			continue
		}
		if _, err := io.Copy(h, s.Open()); err != nil {
			return false
		}
	}
	return true
}

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
			note("%v is of commit %q, and %v of %q: they are of the same program", one.Pos(),
				one.Header.Commit, b.Pos(), b.Header.Commit)
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
