package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCacheOfPrograms runs a test of a program again and again, and changes what the program
// depends on: the cache must not hide it.
func TestCacheOfPrograms(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := otherModule(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		old := time.Now().Add(-time.Hour) // go test caches nothing that depends on new files
		require.NoError(t, os.Chtimes(path, old, old))
	}
	run := func(args []string, settings ...string) (string, bool) {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off"},
			append(args, "./...")...)...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), append(settings, "GOFLAGS=-mod=mod")...)
		out, err := cmd.CombinedOutput()
		return string(out), err == nil
	}
	cached := func(settings ...string) bool {
		t.Helper()
		text, ok := run(nil, settings...)
		require.True(t, ok, text)
		return strings.Contains(text, "(cached)")
	}
	write("model.txt", "1")
	write("lib/a.py", "1")
	const model, depends = "PROGRAM_MODEL=model.txt", "PROGRAM_DEPENDS=lib"
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "lib"), old, old))
	cached(model, depends)
	assert.True(t, cached(model, depends), "nothing has changed")
	write("model.txt", "22")
	assert.False(t, cached(model, depends), "a file that an argument names")
	assert.True(t, cached(model, depends))
	write("lib/a.py", "22")
	assert.False(t, cached(model, depends), "a file below a directory that Depends names")
	assert.True(t, cached(model, depends))
	write("lib/sub/b.py", "1")
	assert.False(t, cached(model, depends), "a new file")

	for _, c := range []struct{ setting, want string }{
		{"X=1", "go test may cache the outcome and does not see what another process reads: add -count=1, or name the files in Depends"},
		{
			"PROGRAM_DEPENDS=/etc/hosts",
			"depends on /etc/hosts, which is outside the module, where go test does not look: add -count=1",
		},
		{
			"PROGRAM_DEPENDS=nowhere.py",
			"depends on what cannot be opened: lstat nowhere.py: no such file or directory",
		},
	} {
		text, ok := run(nil, model, c.setting)
		assert.False(t, ok, text)
		assert.Contains(t, text, c.want)
	}
	text, ok := run([]string{"-count=1"}, model)
	assert.True(t, ok, text)
	text, ok = run([]string{"-count=1"}, model, "PROGRAM_DEPENDS=/etc/hosts")
	assert.True(t, ok, text)
	cached(model, "PROGRAM_DEPENDS=")
	assert.True(t, cached(model, "PROGRAM_DEPENDS="), "no other files")
}

// otherModule returns the directory of a module of its own with the test in testdata/cached,
// so that nothing is written into this one.
func otherModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	const module = "github.com/learnbench/learnbench"
	text := strings.Replace(string(mod), "module "+module, "module example.com/cached", 1)
	text += "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666))
	for _, f := range []struct{ from, to string }{
		{filepath.Join(root, "go.sum"), "go.sum"}, {
			filepath.Join("testdata", "cached", "cached_test.go"),
			"cached_test.go",
		},
	} {
		text, err := os.ReadFile(f.from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.to), text, 0o666))
	}
	return dir
}
