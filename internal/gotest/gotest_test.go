package gotest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file lies in the module if its path leads through it, as for go test.
func TestInModule(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	dir := t.TempDir()
	module, outside := filepath.Join(dir, "module"), filepath.Join(dir, "outside")
	for _, file := range []string{"module/go.mod", "module/pkg/in.csv", "outside/out.csv"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o666))
	}
	require.NoError(t, os.Symlink(outside, filepath.Join(module, "linked")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "out.csv"),
		filepath.Join(module, "linked.csv")))
	require.NoError(t, os.Symlink(module, filepath.Join(dir, "alias")))
	for _, wd := range []string{filepath.Join(module, "pkg"), filepath.Join(dir, "alias", "pkg")} {
		t.Chdir(wd)
		for path, want := range map[string]bool{
			"in.csv":                               true,
			"../linked.csv":                        true,
			"../linked/out.csv":                    true,
			filepath.Join(module, "pkg/in.csv"):    true,
			filepath.Join(dir, "alias/pkg/in.csv"): true,
			filepath.Join(outside, "out.csv"):      false,
			"../../outside/out.csv":                false,
			filepath.Join(dir, "module2", "x.csv"): false,
		} {
			assert.Equal(t, want, InModule(path), "%s from %s", path, wd)
		}
	}
	t.Chdir(outside)
	assert.False(t, InModule("out.csv"), "there is no module")
}

func TestTrained(t *testing.T) {
	var sum Trained
	for _, line := range []string{
		"    model_test.go:12: " + Trained{1, 20, 3}.String() + "; not kept: nobody knows\n",
		"cache: 4 of 50 trained, 6 trained again to check",
		"cache: nothing is taken of a: b", "ok",
	} {
		sum.Add(line)
	}
	assert.Equal(t, Trained{5, 70, 9}, sum)
}

func TestWrote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	wrote := func() bool {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return Wrote(info)
	}
	assert.True(t, wrote())
	then := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path, then, then))
	assert.False(t, wrote())
}

func TestDeadline(t *testing.T) {
	end, _ := t.Deadline()
	assert.Equal(t, end, Deadline(t))
	assert.Zero(t, Deadline(struct{ testing.TB }{t}), "it does not say")
	synctest.Test(t, func(t *testing.T) {
		assert.Zero(t, Deadline(t))
		assert.Equal(t, t.Context(), BeforeDeadline(t))
	})
}
