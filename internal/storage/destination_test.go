package storage

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckDestination(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	full := textOf(t, sampleSet("a", 1, 1, "x"))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(write("target", full), link))
	nowhere := filepath.Join(dir, "nowhere")
	require.NoError(t, os.Symlink(filepath.Join(dir, "none"), nowhere))
	toDir := filepath.Join(dir, "to-dir")
	require.NoError(t, os.Symlink(dir, toDir))
	for _, path := range []string{
		dir, toDir, filepath.Join(dir, "new.txt"), write("empty", ""), write("results", full), link,
		write("tests", "goos: linux\n\nPASS\n"+full), write("blank", "\n\n"),
		write("pending", "L"+full[1:]), write("retired", "R"+full[1:]),
	} {
		require.NoError(t, newStore(t, path).CheckDestination(), path)
	}
	for path, msg := range map[string]string{
		filepath.Join(dir, "none", "new.txt"): filepath.Join(dir, "none") +
			": no such file or directory: make the directory first",
		filepath.Join(dir, "empty", "new.txt"):    "not a directory",
		nowhere:                                   "is a symbolic link to nothing",
		os.DevNull:                                "is neither a file nor a directory",
		write("text", "\nhello\n"):                `is not a result file, and will not be changed: line 2 is "hello"`,
		write("key", "commit: x\n"):               `will not be changed: line 1 is "commit: x"`,
		write("old", "learnbench-format: 1\n"):    "version 1 of the format is no longer read",
		write("future", "learnbench-format: 4\n"): `version "4" of the format is unknown`,
		write("torn", "learnbench-format: 2"):     "is not a result file: the file is truncated: its last line has no newline",
		write("long", strings.Repeat("x",
			70000)): "is not a result file: limit exceeded: a line of more than 60000 bytes",
	} {
		require.ErrorContains(t, newStore(t, path).CheckDestination(), msg, path)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".learnbench-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	gone := newStore(t, filepath.Join(dir, "new.txt"))
	gone.path = filepath.Join(dir, "none", "new.txt")
	require.ErrorIs(t, gone.CheckDestination(), fs.ErrNotExist)
	require.Error(t, Merge(filepath.Join(dir, "text"), sampleBlock(t, "a", 1, 1, "x")))
}
