package filetree

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Links are followed to files and to directories, by the names that they have here, and in no
// circle.
func TestWalkFollowsLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"own/a.txt", "own/deep/b.txt", "shared/c.txt", "shared/deep/d.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(name), 0o666))
	}
	for link, to := range map[string]string{
		"root": "own", "own/file": "a.txt", "own/all": filepath.Join(dir, "shared"),
		"shared/deep/back": filepath.Join("..", "..", "own"),
		"own/nowhere":      "nothing", "own/itself": ".",
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skip(err)
		}
	}
	for _, root := range []string{"own", "root"} {
		found := make(map[string]int)
		require.NoError(t, Walk(filepath.Join(dir, root), func(path string, d fs.DirEntry,
			err error,
		) error {
			require.NoError(t, err)
			require.Equal(t, filepath.Clean(path), path)
			rel, err := filepath.Rel(filepath.Join(dir, root), path)
			require.NoError(t, err)
			if d.IsDir() && rel == filepath.Join("all", "deep") {
				return fs.SkipDir
			}
			found[filepath.ToSlash(rel)]++
			return nil
		}))
		for _, name := range []string{
			".", "a.txt", "deep", "deep/b.txt", "file", "nowhere", "all",
			"all/c.txt",
		} {
			require.Equal(t, 1, found[name], "%s of %s: %v", name, root, found)
		}
		require.NotContains(t, found, "all/deep/d.txt")
		require.Less(t, len(found), 30, "%v", found)
	}
	stop := Walk(filepath.Join(dir, "own"), func(path string, _ fs.DirEntry, _ error) error {
		if filepath.Base(path) == "c.txt" {
			return os.ErrClosed
		}
		return nil
	})
	require.ErrorIs(t, stop, os.ErrClosed)
	require.ErrorIs(t, Walk(filepath.Join(dir, "none"), func(_ string, _ fs.DirEntry,
		err error,
	) error {
		return err
	}), fs.ErrNotExist)
}

// A tree that has everything below itself ends.
func TestWalkOfCirclesEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
		for _, to := range []string{"a", "b", "c"} {
			if err := os.Symlink(filepath.Join("..", to), filepath.Join(dir, name, "to-"+to)); err != nil {
				t.Skip(err)
			}
		}
	}
	n := 0
	require.NoError(t, Walk(dir, func(string, fs.DirEntry, error) error { n++; return nil }))
	require.Less(t, n, 200)
}
