package process

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process removes the training data that a killed process has left, and none of a living one.
func TestTrainingDataOfKilledProcessesAreSwept(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if os.TempDir() != temp {
		t.Skip("the system has another directory of temporary files")
	}
	left := func(name string, files ...string) string {
		dir := filepath.Join(temp, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		for _, f := range files {
			path := filepath.Join(dir, f)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, nil, 0o600))
		}
		return dir
	}
	killed := left(placePrefix+"1", placeLock, "trial/train.csv")
	living := left(placePrefix+"2", placeLock, "trial/train.csv")
	young := left(placePrefix + "3")
	foreign := left("learnbench-compare-1", placeLock, "train.csv")
	lock := flock.New(filepath.Join(living, placeLock))
	locked, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, locked)
	defer lock.Close()

	first, removeFirst, err := tempDir()
	require.NoError(t, err)
	assert.NoDirExists(t, killed)
	for _, dir := range []string{living, young, foreign, first} {
		assert.DirExists(t, dir)
	}
	// The directory of this process is there while somebody uses it, and another process leaves it
	// alone.
	own := filepath.Dir(first)
	second, removeSecond, err := tempDir()
	require.NoError(t, err)
	assert.Equal(t, own, filepath.Dir(second))
	assert.NotEqual(t, first, second)
	require.NoError(t, removeFirst())
	assert.NoDirExists(t, first)
	sweepPlaces()
	assert.DirExists(t, second)
	assert.FileExists(t, filepath.Join(living, "trial", "train.csv"))
	require.NoError(t, removeSecond())
	assert.NoDirExists(t, own)
	third, removeThird, err := tempDir()
	require.NoError(t, err)
	assert.DirExists(t, third)
	require.NoError(t, removeThird())

	// Where nothing can be written, that is the error.
	t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
	_, _, err = tempDir()
	require.Error(t, err)
	t.Setenv("TMPDIR", temp)
	_, remove, err := tempDir()
	require.NoError(t, err)
	require.NoError(t, remove())
	all, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Len(t, all, 3)
}
