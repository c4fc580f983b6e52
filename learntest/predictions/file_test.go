package predictions

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// named returns a block of another test.
func named(t testing.TB, test string, n int) *Block {
	b := made(t, form{n: n, classes: 2, folds: 4, runs: 2})
	b.Test, b.sum = test, ""
	return b
}

// tests returns the tests whose predictions are in a file, with their numbers of examples.
func tests(t testing.TB, path string) (all []string) {
	blocks, err := Open(path)
	require.NoError(t, err)
	for _, b := range blocks {
		all = append(all, fmt.Sprint(b.Test, b.Examples))
	}
	return all
}

// Blocks take the place of the blocks of their identity, and others stay unchanged, byte for byte.
func TestPut(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"new.pred", "new.pred.gz"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, CheckDestination(path))
		require.NoError(t, Put(path, named(t, "A", 40), named(t, "B", 40), named(t, "B", 41)))
		require.NoError(t, CheckDestination(path))
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, Put(path, named(t, "C", 40)))
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(after, before))
		require.NoError(t, Put(path, named(t, "B", 42)))
		require.Equal(t, []string{"A40", "C40", "B42"}, tests(t, path))
		left, err := filepath.Glob(path + "?*")
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// Files that somebody has put together are one member of several blocks.
func TestPutIntoConcatenatedFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "all.pred.gz")
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	require.NoError(t, Write(w, named(t, "A", 40), named(t, "B", 40)))
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, zipped.Bytes(), 0o666))
	require.NoError(t, Put(path, named(t, "A", 41)))
	require.Equal(t, []string{"B40", "A41"}, tests(t, path))
}

// Files of something else are left alone.
func TestPutIntoOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"a.pred": {
			"learnbench-format: 2\n",
			"a.pred is no file of predictions, and will not be changed: it has the line",
		},
		"b.pred":      {"learnbench-predictions: 1\n", "it ends before the name of a data set"},
		"c.pred":      {"\x1f\x8b", "have names that end with .gz: rename it"},
		"d.pred.gz":   {"learnbench-predictions: 1\n", "have names that end with .gz: rename it"},
		"e.pred.gz":   {"\x1f\x8b", "unexpected EOF"},
		"f.pred":      {"learnbench-predictions: 1\nData: %2\n", "without two hexadecimal digits"},
		"no/dir/pred": {"", "make the directory first"},
	} {
		path := filepath.Join(dir, name)
		if c.text != "" {
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
			require.ErrorContains(t, Put(path, named(t, "A", 40)), c.want)
			now, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.text, string(now))
		}
		require.ErrorContains(t, CheckDestination(path), c.want)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "empty.pred"), nil, 0o666))
	require.NoError(t, Put(filepath.Join(dir, "empty.pred"), named(t, "A", 40)))
	require.ErrorContains(t, CheckDestination(filepath.Join(dir, "a.pred", "x")), "is no directory")
}

// Writers do not lose the blocks of each other.
func TestPutAtTheSameTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.pred.gz")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := Put(path, named(t, fmt.Sprint("Test", i, "/"), 40)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.Len(t, tests(t, path), 8)
}
