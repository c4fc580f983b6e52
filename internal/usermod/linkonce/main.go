// Linkonce is a -toolexec program that keeps what the linker has written. The tests of this module
// link test binaries of small modules again and again, of few sources: a link takes a second of
// processor time, a copy some milliseconds.
//
// The key of a binary is all that the linker reads: its arguments, variables, and the content of the
// packages. A call with an argument that parse does not know is left to the linker. The last binaries
// stay beside this program.
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// kept is the number of binaries that stay, of 6 to 10 MB each.
const kept = 32

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -toolexec=linkonce")
		os.Exit(2)
	}
	self, err := os.Executable()
	if err == nil {
		err = run(filepath.Join(filepath.Dir(self), "linked"), os.Args[1], os.Args[2:])
	}
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			os.Exit(exit.ExitCode())
		}
		fmt.Fprintln(os.Stderr, "linkonce:", err)
		os.Exit(2)
	}
}

// run runs a tool. For a call of the linker that is equal to an earlier one, it copies the binary of
// that one, which is in dir.
func run(dir, tool string, args []string) error {
	l, ok := parse(args)
	if name := filepath.Base(tool); !ok || name != "link" && name != "link.exe" {
		return call(tool, args)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	key, err := l.key(tool)
	if err != nil {
		return err
	}
	at := filepath.Join(dir, key)
	if err := copyFile(at, l.out); !errors.Is(err, os.ErrNotExist) {
		now := time.Now()
		_ = os.Chtimes(at, now, now) // another process may have removed it
		return err
	}
	if err := call(tool, args); err != nil {
		return err
	}
	if err := copyFile(l.out, at); err != nil {
		return err
	}
	return trim(dir)
}

func call(tool string, args []string) error {
	cmd := exec.Command(tool, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// A link is a call of the linker.
type link struct {
	out, config, main string
	rest              []string
}

// plain are arguments that name no file and no directory. Without -w, debugging information would
// have the working directory.
var plain = regexp.MustCompile(`^(-s|-w|-buildmode=exe|-buildmode=pie|-buildid=\S*|-extld=\w+)$`)

// parse returns false for a call that is not one of the linker or has an unknown argument.
func parse(args []string) (link, bool) {
	var l link
	for i := 0; i < len(args); i++ {
		switch next := i + 1; {
		case args[i] == "-o" && next < len(args):
			l.out, i = args[next], next
		case args[i] == "-importcfg" && next < len(args):
			l.config, i = args[next], next
		case args[i] == "-X" && next < len(args):
			l.rest, i = append(l.rest, args[i], args[next]), next
		case plain.MatchString(args[i]):
			l.rest = append(l.rest, args[i])
		case next == len(args) && !strings.HasPrefix(args[i], "-"):
			l.main = args[i]
		default:
			return l, false
		}
	}
	return l, l.out != "" && l.config != "" && l.main != "" && slices.Contains(l.rest, "-w")
}

// key returns the digest of what the linker reads.
func (l link) key(tool string) (string, error) {
	config, err := os.ReadFile(l.config)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", tool, l.rest)
	for _, name := range []string{"GOROOT", "GOOS", "GOARCH", "GOAMD64", "GOEXPERIMENT", "GO_LDSO"} {
		fmt.Fprintf(h, "%s=%q\n", name, os.Getenv(name))
	}
	for line := range strings.Lines(string(config)) {
		name, file, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || !strings.HasPrefix(name, "packagefile ") {
			fmt.Fprintf(h, "%q\n", line)
			continue
		}
		fmt.Fprintf(h, "%q ", name)
		if err := hashFile(h, file); err != nil {
			return "", err
		}
	}
	if err := hashFile(h, l.main); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// named is a file of the build cache, whose name is the digest of its content. A package that has just
// been compiled lies elsewhere.
var named = regexp.MustCompile(`^([0-9a-f]{64})-d$`)

func hashFile(h hash.Hash, path string) error {
	if m := named.FindStringSubmatch(filepath.Base(path)); m != nil {
		fmt.Fprintln(h, m[1])
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	own := sha256.New()
	if _, err := io.Copy(own, f); err != nil {
		return err
	}
	fmt.Fprintf(h, "%x\n", own.Sum(nil))
	return nil
}

// copyFile copies a program. Whoever opens the copy sees all of it.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), "new")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Chmod(0o755), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		_ = os.Remove(out.Name())
	}
	return err
}

// trim removes the binaries that were used longest ago.
func trim(dir string) error {
	type file struct {
		name string
		used time.Time
	}
	var files []file
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // another process may have removed it
			files = append(files, file{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return b.used.Compare(a.used) })
	for _, f := range files[min(kept, len(files)):] {
		if e := os.Remove(filepath.Join(dir, f.name)); !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
