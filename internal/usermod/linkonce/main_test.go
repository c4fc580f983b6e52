package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A workspace has a linker that writes its number of calls.
type workspace struct {
	t         *testing.T
	dir, tool string
}

func newWorkspace(t *testing.T) workspace {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the linker is a script")
	}
	w := workspace{t, t.TempDir(), filepath.Join(t.TempDir(), "link")}
	w.write("config", "# import config\npackagefile a="+w.path("a.a")+"\nmodinfo \"x\"\n")
	w.write("a.a", "package a")
	w.write("main.a", "package main")
	require.NoError(t, os.WriteFile(w.tool, []byte(`#!/bin/sh
[ ! -e fails ] || { echo no >&2; exit 3; }
cd "${0%/*}" && echo call >>calls && wc -l <calls >"$2"
`), 0o755))
	return w
}

func (w workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w workspace) write(name, text string) {
	w.t.Helper()
	require.NoError(w.t, os.WriteFile(w.path(name), []byte(text), 0o666))
}

// args returns the arguments of a link in the order of the go command, with some more.
func (w workspace) args(more ...string) []string {
	return slices.Concat([]string{"-o", w.path("out"), "-importcfg", w.path("config"), "-s", "-w"},
		more, []string{w.path("main.a")})
}

// link returns the number of the call that has made the binary.
func (w workspace) link(args []string) string {
	w.t.Helper()
	require.NoError(w.t, run(w.path("linked"), w.tool, args))
	text, err := os.ReadFile(w.path("out"))
	require.NoError(w.t, err)
	require.NoError(w.t, os.Remove(w.path("out")))
	return strings.TrimSpace(string(text))
}

// Every input that changes makes another binary; the inputs of before get theirs again.
func TestBinariesAreOfTheirInputs(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t)
	require.Equal(t, "1", w.link(w.args()))
	require.Equal(t, "1", w.link(w.args()))
	require.Equal(t, "2", w.link(w.args("-buildid=b")))
	require.Equal(t, "3", w.link(w.args("-X", "a.b=c")))
	require.Equal(t, "4", w.link(w.args("-X", "a.b=d")))
	w.write("main.a", "package main // changed")
	require.Equal(t, "5", w.link(w.args()))
	w.write("a.a", "package a // changed")
	require.Equal(t, "6", w.link(w.args()))
	w.write("config", "packagefile b="+w.path("a.a")+"\nmodinfo \"x\"\n")
	require.Equal(t, "7", w.link(w.args()))
	w.write("config", "packagefile b="+w.path("a.a")+"\nmodinfo \"y\"\n")
	require.Equal(t, "8", w.link(w.args()))
	for i := range 2 { // the names of files in the build cache stand for their content
		name := strings.Repeat(fmt.Sprint(i), 64) + "-d"
		w.write("config", "packagefile b="+w.path(name)+"\n")
		require.Equal(t, fmt.Sprint(9+i), w.link(w.args()))
		require.Equal(t, fmt.Sprint(9+i), w.link(w.args()))
	}
	digest := fmt.Sprintf("%x-d", sha256.Sum256([]byte("package a")))
	w.write("a.a", "package a")
	w.write("config", "packagefile a="+w.path("a.a")+"\n")
	require.Equal(t, "11", w.link(w.args()))
	w.write("config", "packagefile a="+w.path(digest)+"\n")
	require.Equal(t, "11", w.link(w.args()), "the file has moved to the build cache")
}

// Another Go has other binaries.
func TestBinariesAreOfTheirEnvironment(t *testing.T) {
	w := newWorkspace(t)
	require.Equal(t, "1", w.link(w.args()))
	t.Setenv("GOAMD64", "v9")
	require.Equal(t, "2", w.link(w.args()))
}

// A test binary without such a key is linked each time.
func TestUnknownArgumentsAreForTheLinker(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t)
	for i, args := range [][]string{
		w.args("-extldflags=-L."), w.args("-linkmode=external"), w.args("-r", "/lib"),
		slices.DeleteFunc(w.args(), func(a string) bool { return a == "-w" }),
		w.args()[:len(w.args())-1],
	} {
		require.Equal(t, fmt.Sprint(2*i+1), w.link(args), args)
		require.Equal(t, fmt.Sprint(2*i+2), w.link(args), args)
	}
	require.NoDirExists(t, w.path("linked"))
	compile := filepath.Join(filepath.Dir(w.tool), "compile")
	require.NoError(t, os.Rename(w.tool, compile))
	w.tool = compile
	require.Equal(t, "11", w.link(w.args()))
	require.Equal(t, "12", w.link(w.args()))
}

// A link that fails leaves nothing, and missing inputs are errors.
func TestFailuresAreNotKept(t *testing.T) {
	w := newWorkspace(t)
	t.Chdir(w.dir)
	w.write("fails", "")
	require.EqualError(t, run(w.path("linked"), w.tool, w.args()), "exit status 3")
	require.NoError(t, os.Remove(w.path("fails")))
	require.Equal(t, "1", w.link(w.args()))
	require.NoError(t, os.Remove(w.path("a.a")))
	require.ErrorIs(t, run(w.path("linked"), w.tool, w.args()), os.ErrNotExist)
	require.NoError(t, os.Remove(w.path("config")))
	require.ErrorIs(t, run(w.path("linked"), w.tool, w.args()), os.ErrNotExist)
}

// The binaries that were used last stay.
func TestOldBinariesGo(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t)
	for i := range kept + 2 {
		w.link(w.args(fmt.Sprintf("-buildid=%d", i)))
		require.Equal(t, "1", w.link(w.args("-buildid=0")))
	}
	files, err := os.ReadDir(w.path("linked"))
	require.NoError(t, err)
	require.Len(t, files, kept)
	require.Equal(t, fmt.Sprint(kept+2), w.link(w.args(fmt.Sprintf("-buildid=%d", kept+1))))
	require.Equal(t, fmt.Sprint(kept+3), w.link(w.args("-buildid=1")))
}
