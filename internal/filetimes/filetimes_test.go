package filetimes

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// checkout makes a repository with a file at its root, one two directories down, one that is
// not tracked, a link and a file that was removed.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	run("init", "-q")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o777))
	for _, name := range []string{"root.txt", "a/b/deep file.txt", "gone.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666))
	}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("root.txt", filepath.Join(dir, "link")))
	}
	run("add", ".")
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.txt")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "untracked.txt"), []byte("x"), 0o666))
	return dir
}

func modified(t *testing.T, path ...string) time.Time {
	t.Helper()
	info, err := os.Lstat(filepath.Join(path...))
	require.NoError(t, err)
	return info.ModTime()
}

func setAll(t *testing.T, dir string) {
	t.Helper()
	files, dirs, err := Set(dir)
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, []int{files, dirs})
}

func TestTimesFollowFromContents(t *testing.T) {
	t.Parallel()
	first, second := checkout(t), checkout(t)
	start := time.Now().Add(-time.Hour)
	setAll(t, first)
	setAll(t, filepath.Join(second, "a"))
	for _, path := range []string{"root.txt", "a/b/deep file.txt", ".", "a", "a/b"} {
		at := modified(t, first, path)
		require.Equal(t, at, modified(t, second, path), path)
		require.True(t, at.After(time.Unix(999_999_999, 0)) && at.Before(time.Unix(1_600_000_000, 0)),
			"%s: %v", path, at)
	}
	require.NotEqual(t, modified(t, first, "root.txt"), modified(t, first, "a/b/deep file.txt"))
	for _, path := range []string{"untracked.txt", "link"} {
		if path != "link" || runtime.GOOS != "windows" {
			require.True(t, modified(t, first, path).After(start), path)
		}
	}
}

// A change of a tracked file counts without a commit, and a new name changes its directory.
func TestAnotherContentHasAnotherTime(t *testing.T) {
	t.Parallel()
	dir := checkout(t)
	setAll(t, dir)
	file, root, inner := modified(t, dir, "root.txt"), modified(t, dir), modified(t, dir, "a", "b")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "root.txt"), []byte("root.tyt"), 0o666))
	setAll(t, dir)
	require.NotEqual(t, file, modified(t, dir, "root.txt"))
	require.Equal(t, root, modified(t, dir))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "b", "untracked.txt"), nil, 0o666))
	setAll(t, dir)
	require.NotEqual(t, inner, modified(t, dir, "a", "b"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "root.txt"), []byte("root.txt"), 0o666))
	require.NoError(t, os.Remove(filepath.Join(dir, "a", "b", "untracked.txt")))
	setAll(t, dir)
	require.Equal(t, file, modified(t, dir, "root.txt"))
	require.Equal(t, inner, modified(t, dir, "a", "b"))
}

func TestWhatIsWrittenMeanwhileIsAnError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte("one"), 0o666))
	before, err := os.Lstat(path)
	require.NoError(t, err)
	require.NoError(t, unchanged(path, before))
	then := time.Now().Add(-time.Minute)
	require.NoError(t, os.Chtimes(path, then, then))
	require.EqualError(t, unchanged(path, before),
		path+" was written meanwhile: run nothing else in the checkout")
	require.NoError(t, os.WriteFile(path, []byte("longer"), 0o666))
	require.NoError(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
	require.Error(t, unchanged(path, before))
}

func TestNothingToGoBy(t *testing.T) {
	t.Parallel()
	_, _, err := Set(t.TempDir())
	require.ErrorContains(t, err, "not a git repository")
	empty := t.TempDir()
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir = empty
	require.NoError(t, cmd.Run())
	_, _, err = Set(empty)
	require.ErrorContains(t, err, "git tracks no files")
}
