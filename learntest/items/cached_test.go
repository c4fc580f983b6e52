package items_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/require"
)

const recordedTest = `package model

import (
	"context"
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/items"
)

func TestReplies(t *testing.T) {
	var ids []string
	for i := range 20 {
		ids = append(ids, fmt.Sprint("q", i))
	}
	suite := items.New("replies", ids, func(id string) items.Item { return items.Item{ID: id} })
	ask := items.Recorded("testdata/responses", func(_ context.Context, id string) (string, error) { return id, nil })
	system := func(name string) items.System[string] {
		return items.NewSystem(name, func(ctx context.Context, id string, _ int) (items.Scores, error) {
			_, err := ask(ctx, id)
			return items.Scores{"correct": 1}, err
		})
	}
	assert.NoRegression(t, items.Compare(t, items.Config{}, suite, system("new"), system("old")), assert.Margin(0.5))
}
`

// go test runs a test again when one of its recorded responses has changed, and only then.
func TestTheCacheSeesRecordings(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, usermod.Write(dir, "example.com/model", "../.."))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model_test.go"), []byte(recordedTest), 0o666))
	env, err := usermod.Environment()
	require.NoError(t, err)
	env = slices.DeleteFunc(append(os.Environ(), env...), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(gotest.CIVariables, name)
	})
	env = append(env, "HOME="+dir, "XDG_CACHE_HOME="+dir)
	run := func(variable string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "."}, args...)...)
		cmd.Dir, cmd.Env = dir, append(env, variable)
		out, _ := cmd.CombinedOutput() // the output says it
		return string(out)
	}
	require.Contains(t, run("LEARNTEST_RESPONSES=record"), "add -count=1: a cached run writes no file")
	require.Contains(t, run("LEARNTEST_RESPONSES=record", "-count=1"), "ok  \texample.com/model")
	then := time.Now().Add(-time.Hour) // files that have just been written keep a test out of the cache
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		require.NoError(t, err)
		return os.Chtimes(path, then, then)
	}))
	require.NotContains(t, run("X=1"), "(cached)")
	require.Contains(t, run("X=1"), "(cached)")
	files, err := os.ReadDir(filepath.Join(dir, "testdata", "responses"))
	require.NoError(t, err)
	require.Len(t, files, 40)
	require.NoError(t, os.Remove(filepath.Join(dir, "testdata", "responses", files[3].Name())))
	require.Contains(t, run("X=1"),
		"no response to this request is recorded, in testdata/responses/"+files[3].Name())
}
