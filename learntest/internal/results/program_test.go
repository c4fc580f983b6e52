package results

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A learner of a test that reads a file of its directory is another one when the file has changed.
func TestProgramOfATestHasItsFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	out, err := filepath.Abs("out.txt")
	require.NoError(t, err)
	write("model/weights.json", "[1]")
	before := program(true, out)
	require.Len(t, before, 64)
	require.Equal(t, executable(), program(false, out), "the command reads what it is told to")
	for path, text := range map[string]string{
		"out.txt": "x", "out.txt.partial-1": "x", "results.txt": "learnbench-format: 2\n", "learner.go": "package p", "NOTES.md": "x",
		".git/index": "x", "__pycache__/m.pyc": "x", "model/.swp": "x",
	} {
		write(path, text)
		require.Equal(t, before, program(true, out), path)
	}
	write("model/weights.json", "[2]")
	changed := program(true, out)
	require.NotEqual(t, before, changed)
	write("model/weights.json", "[1]")
	require.Equal(t, before, program(true, out))
	require.NoError(t, os.Rename("model/weights.json", "model/w.json"))
	require.NotEqual(t, before, program(true, out))
}

// What learners declare is in it by content, and a program that names nothing is never known.
func TestProgramHasDeclaredFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.py")
	require.NoError(t, os.WriteFile(path, []byte("1"), 0o666))
	describe := func(c Settings) string {
		text, err := c.describeProgram(new(Registry))
		require.NoError(t, err)
		return text
	}
	before := describe(Settings{Files: []string{path}})
	require.Equal(t, before, describe(Settings{Files: []string{path}}))
	require.Regexp(t, `^[0-9a-f]{64}\+[0-9a-f]{64}$`, before)
	require.NotEqual(t, before, describe(Settings{Files: []string{dir}}), "under another name")
	require.NoError(t, os.WriteFile(path, []byte("2"), 0o666))
	require.NotEqual(t, before, describe(Settings{Files: []string{path}}))
	require.Equal(t, "unknown", describe(Settings{Files: []string{path}, Unknown: true}))
	_, err := (&Settings{Files: []string{path + "c"}}).describeProgram(new(Registry))
	require.ErrorIs(t, err, ErrConfig)
}
