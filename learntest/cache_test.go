package learntest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goTest runs go test with some more variables and returns its output.
func goTest(t *testing.T, args []string, settings ...string) (text string, ok bool) {
	t.Helper()
	env, err := linkedOnce()
	require.NoError(t, err)
	return command(t, append([]string{"go", "test", "-mod=readonly"}, args...),
		append(env[:len(env):len(env)], settings...)...)
}

// command runs a command with some more variables and returns its output.
func command(t *testing.T, args []string, settings ...string) (text string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "LEARNTEST_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, settings...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// moduleDir returns a directory of the module, as the cache looks nowhere else, for a test that
// builds another one.
func moduleDir(t *testing.T) string {
	t.Helper()
	citest.Need(t, citest.Slow)
	dir, err := os.MkdirTemp("testdata", "cache-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

const cachedTest = "./testdata/cached"

// TestCacheOfGoTest runs a test again and again with variables that are set,
// changed and unset, together and each alone: the cache must not hide any of it.
func TestCacheOfGoTest(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	cached := func(settings ...string) bool {
		t.Helper()
		text, ok := goTest(t, []string{cachedTest}, settings...)
		require.True(t, ok, "%v: %s", settings, text)
		return strings.Contains(text, "(cached)")
	}
	again := func(settings ...string) {
		t.Helper()
		cached(settings...) // by an earlier run of this test, or not
		assert.True(t, cached(settings...), "%v: nothing has changed", settings)
	}
	again()
	variables := []struct{ name, a, b, bad string }{
		{envSeed, "1", "2", "x"},
		{envRuns, "1", "2", "0"},
		{envRunsMax, "1", "2", "none"},
		{envRunsMin, "1", "2", "0"},
		{envAlpha, "0.05", "0.01", "2"},
		{envDegrade, "0.1", "0.5", "0.6"},
	}
	var a, b []string
	for _, c := range variables {
		a, b = append(a, c.name+"="+c.a), append(b, c.name+"="+c.b)
	}
	again(a...)
	again(b...)
	for i, c := range variables {
		again(a[i])
		// Set to a value that is wrong, it is not the cached run without it.
		text, ok := goTest(t, []string{cachedTest}, c.name+"="+c.bad)
		assert.False(t, ok, "%s=%s: %s", c.name, c.bad, text)
		assert.Contains(t, text, "invalid configuration: environment variable "+c.name+"="+c.bad)
	}
	out := filepath.Join(t.TempDir(), "r.txt")
	for range 2 {
		text, ok := goTest(t, []string{cachedTest}, envOut+"="+out)
		assert.False(t, ok, text)
		assert.Contains(t, text, "learntest.CompareWith: invalid configuration: results are to be written to "+out+": add -count=1: a cached run writes no file")
		assert.NoFileExists(t, out)
	}
	for range 2 {
		text, ok := goTest(t, []string{"-count=1", cachedTest}, envOut+"="+out)
		require.True(t, ok, text)
		require.FileExists(t, out)
		require.NoError(t, os.Remove(out))
	}
	for setting, want := range map[string]string{
		envResume + "=1":  "Resume without a result file: name the file of the interrupted run in LEARNTEST_OUT or Config.Results.Out",
		envShard + "=1/2": "a shard without a result file: name one in LEARNTEST_OUT or Config.Results.Out",
		envPredictions + "=" + out + ".pred": "predictions are to be kept in " + out +
			".pred: add -count=1: a cached run writes no file",
		envIn + "=" + out: "results are to be read from " + out +
			": add -count=1: the cache does not see which files there are",
	} {
		text, ok := goTest(t, []string{cachedTest}, setting)
		assert.False(t, ok, setting)
		assert.Contains(t, text, want)
	}
	// Nobody can look up a name that nobody knows: it is refused in every run
	// that happens.
	text, ok := goTest(t, []string{"-count=1", cachedTest}, "LEARNTEST_SEDE=1")
	assert.False(t, ok)
	assert.Contains(t, text, "environment variable LEARNTEST_SEDE=1: unknown variable: the known ones are "+strings.Join(known, ", "))
}

// TestCacheSeesTheBaseline runs a test against a stored baseline: one that has changed makes
// it run again, and one that has not does not.
func TestCacheSeesTheBaseline(t *testing.T) {
	t.Parallel()
	dir := moduleDir(t)
	const pkg = "./testdata/against"
	baseline, err := filepath.Abs(filepath.Join(dir, "baseline.txt"))
	require.NoError(t, err)
	against := func(path string, args []string, settings ...string) (text string, ok bool) {
		t.Helper()
		return goTest(t, append(args, pkg), append(settings, "AGAINST_BASELINE="+path)...)
	}

	text, ok := against(baseline, nil)
	require.False(t, ok, text)
	require.Contains(t, text, "baseline "+baseline+": there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^TestAgainst$'")
	text, ok = against(baseline, nil, "LEARNTEST_UPDATE=1", "CI=")
	require.False(t, ok, text)
	require.Contains(t, text, "baseline.txt is to be written: add -count=1: a cached run writes no file")
	require.NoFileExists(t, baseline)

	write := func(runs string, age time.Duration) {
		text, ok := against(baseline, []string{"-count=1"}, "LEARNTEST_UPDATE=1", "CI=",
			"LEARNTEST_RUNS_MIN="+runs)
		require.True(t, ok, text)
		then := time.Now().Add(-age) // go test caches nothing that reads a file or a directory younger than 2 s
		require.NoError(t, os.Chtimes(baseline, then, then))
		require.NoError(t, os.Chtimes(dir, then, then))
	}
	write("2", time.Hour)
	for i := range 2 {
		text, ok := against(baseline, nil)
		require.True(t, ok, text)
		assert.Equal(t, i > 0, strings.Contains(text, "(cached)"), text)
	}
	write("4", time.Minute)
	for i := range 2 {
		// A new file beside the directory of the baseline does not make the test run again.
		require.NoError(t, os.WriteFile(dir+strconv.Itoa(i), nil, 0o666))
		t.Cleanup(func() { os.Remove(dir + strconv.Itoa(i)) })
		text, ok := against(baseline, nil)
		require.True(t, ok, text)
		assert.Equal(t, i > 0, strings.Contains(text, "(cached)"), text)
	}
	require.NoError(t, os.Remove(baseline))
	text, ok = against(baseline, nil)
	require.False(t, ok, text)

	// What lies outside of the module is not looked at.
	outside := filepath.Join(t.TempDir(), "baseline.txt")
	text, ok = against(outside, nil)
	require.False(t, ok, text)
	require.Contains(t, text, "the baseline "+outside+" lies outside of the module: add -count=1: the cache does not look at it")
}
