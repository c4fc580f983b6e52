package results

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A learner whose files cannot be read has no trials in a cache, and says why.
func TestCachesOfFilesThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("weights.json", []byte("[1]"), 0o666))
	open := func(files ...string) *Cache {
		c := &Cache{Learners: map[string]Keyed{"a": {Files: files}, "b": {}}}
		c.Open(&Results{})
		return c
	}
	c := open("weights.json")
	require.Empty(t, c.Learners["a"].Unknown)
	require.Len(t, c.files, 2)
	require.NotEqual(t, c.files["a"], c.files["b"])
	require.NotEqual(t, c.owner("a"), c.owner("b"))
	c.results.Pkg = "example.com/other"
	require.NotEqual(t, open().owner("a"), c.owner("a"))

	c = open("nowhere.json")
	for name, l := range c.Learners {
		require.Contains(t, l.Unknown, "nowhere.json", name)
		require.Contains(t, c.unkept(name, kept{}, 0), "nowhere.json")
	}

	if runtime.GOOS == "windows" {
		t.Skip("a directory that is in use cannot be removed")
	}
	gone := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(gone, 0o777))
	t.Chdir(gone)
	require.NoError(t, os.Remove(gone))
	c = open()
	require.Equal(t, "the files in the test's directory are too many, or cannot be read", c.Learners["a"].Unknown)
}
