package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// halfWritten is content that fails after its first half.
type halfWritten struct{ err error }

func (h halfWritten) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, "half")
	return int64(n), errors.Join(err, h.err)
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
	require.NoError(t, Write(path, strings.NewReader("old and long")))
	requireOnly(t, path, "old and long")
	require.NoError(t, Write(path, strings.NewReader("new")))
	requireOnly(t, path, "new")
}

func TestWriteLeavesTheFileOnError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, Write(path, strings.NewReader("old")))
	boom := errors.New("boom")
	require.ErrorIs(t, Write(path, halfWritten{boom}), boom)
	requireOnly(t, path, "old")
}

func TestWriteKeepsPermissions(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	path := filepath.Join(t.TempDir(), "f.txt")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, Write(path, strings.NewReader("x")))
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
	require.NoError(t, Write(link, strings.NewReader("new")))
	requireOnly(t, path, "new")
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
}

func TestWriteRefusesDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Error(t, Write(dir, strings.NewReader("x")))
	require.Error(t, Write(filepath.Join(dir, "no", "such", "file"), strings.NewReader("x")))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}
