package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func writing(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// requireOnly checks the content of the file at path, and that there is no
// other file beside it.
func requireOnly(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(got))
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestWriteCreatesAndReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, Write(path, writing("old and long")))
	requireOnly(t, path, "old and long")
	require.NoError(t, Write(path, writing("new")))
	requireOnly(t, path, "new")
}

func TestWriteLeavesTheFileOnError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, Write(path, writing("old")))
	boom := errors.New("boom")
	err := Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, boom)
	})
	require.ErrorIs(t, err, boom)
	requireOnly(t, path, "old")
}

func TestWriteKeepsPermissions(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, Write(path, writing("x")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestWriteFollowsSymbolicLinks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	require.NoError(t, Write(link, writing("new")))
	requireOnly(t, path, "new")
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
}

func TestWriteRefusesDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Error(t, Write(dir, writing("x")))
	require.Error(t, Write(filepath.Join(dir, "no", "such", "file"), writing("x")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}
