package learntest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goTest runs go test with some more variables and returns what it prints.
func goTest(t *testing.T, args []string, settings ...string) (text string, ok bool) {
	t.Helper()
	return command(t, append([]string{"go", "test"}, args...), settings...)
}

// command runs a command with some more variables and returns what it prints.
func command(t *testing.T, args []string, settings ...string) (text string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, envPrefix) {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, settings...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

const cachedTest = "./testdata/cached"

// TestCacheOfGoTest runs a test again and again with variables that are set,
// changed and unset: the cache must not hide any of it.
func TestCacheOfGoTest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a test")
	}
	cached := func(settings ...string) bool {
		t.Helper()
		text, ok := goTest(t, []string{cachedTest}, settings...)
		require.True(t, ok, "%v: %s", settings, text)
		return strings.Contains(text, "(cached)")
	}
	for _, c := range []struct{ name, a, b, bad string }{
		{envSeed, "1", "2", "x"},
		{envRuns, "1", "2", "0"},
		{envRunsMax, "1", "2", "none"},
		{envRunsMin, "1", "2", "0"},
		{envAlpha, "0.05", "0.01", "2"},
		{envDegrade, "0.1", "0.5", "0.6"},
	} {
		for _, setting := range [][]string{nil, {c.name + "=" + c.a}, {c.name + "=" + c.b}} {
			cached(setting...) // by an earlier run of this test, or not
			assert.True(t, cached(setting...), "%v: nothing has changed", setting)
		}
		// Set to a value that is wrong, it is not the cached run without it.
		text, ok := goTest(t, []string{cachedTest}, c.name+"="+c.bad)
		assert.False(t, ok, "%s=%s: %s", c.name, c.bad, text)
		assert.Contains(t, text, "invalid configuration: environment variable "+c.name+"="+c.bad)
	}
	out := filepath.Join(t.TempDir(), "r.txt")
	for range 2 {
		text, ok := goTest(t, []string{cachedTest}, envOut+"="+out)
		assert.False(t, ok, text)
		assert.Contains(t, text, "learntest.Compare: invalid configuration: results are to be written to "+out+": add -count=1: a cached run writes no file")
		assert.NoFileExists(t, out)
	}
	for range 2 {
		text, ok := goTest(t, []string{"-count=1", cachedTest}, envOut+"="+out)
		require.True(t, ok, text)
		require.FileExists(t, out)
		require.NoError(t, os.Remove(out))
	}
	for setting, want := range map[string]string{
		envResume + "=1":  "Resume without a result file: name that of the interrupted run in LEARNTEST_OUT or Config.Out",
		envShard + "=1/2": "a shard without a result file: name one in LEARNTEST_OUT or Config.Out",
		envIn + "=" + out: "results are to be read from " + out + ": add -count=1: the cache does not see which files there are",
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

const againstTest = `package against

import (
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

func TestAgainst(t *testing.T) {
	data := learntest.Examples("numbers", []int{1, 2, 3, 4, 5, 6, 7, 8}, []bool{true, false, true, false, true, false, true, false})
	odd := learntest.Pretrained("odd", func(i int) bool { return i%2 == 1 || i == 8 })
	c := learntest.AgainstWith(t, learntest.Config{Protocol: split.CV(2, 2)}, data, odd, "baseline.txt")
	t.Log(c.Judge(verdict.Claim{}).Summary())
}
`

// TestCacheSeesTheBaseline runs a test against a stored baseline: one that has changed makes
// it run again, and one that has not does not.
func TestCacheSeesTheBaseline(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a test")
	}
	dir, err := os.MkdirTemp("testdata", "against-") // the cache looks into the module only
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.WriteFile(filepath.Join(dir, "against_test.go"), []byte(againstTest), 0o666))
	pkg := "./" + filepath.ToSlash(dir)
	baseline := filepath.Join(dir, "baseline.txt")

	text, ok := goTest(t, []string{pkg})
	require.False(t, ok, text)
	require.Contains(t, text, "baseline baseline.txt: there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^TestAgainst$'")
	text, ok = goTest(t, []string{pkg}, "LEARNTEST_UPDATE=1", "CI=")
	require.False(t, ok, text)
	require.Contains(t, text, "baseline.txt is to be written: add -count=1: a cached run writes no file")
	require.NoFileExists(t, baseline)

	write := func(runs string, age time.Duration) {
		text, ok := goTest(t, []string{"-count=1", pkg}, "LEARNTEST_UPDATE=1", "CI=", "LEARNTEST_RUNS_MIN="+runs)
		require.True(t, ok, text)
		then := time.Now().Add(-age) // what is younger than 2 s is never cached
		require.NoError(t, os.Chtimes(baseline, then, then))
	}
	write("2", time.Hour)
	for i := range 3 {
		text, ok := goTest(t, []string{pkg})
		require.True(t, ok, text)
		assert.Equal(t, i > 0, strings.Contains(text, "(cached)"), text)
	}
	write("4", time.Minute)
	for i := range 2 {
		text, ok := goTest(t, []string{pkg})
		require.True(t, ok, text)
		assert.Equal(t, i > 0, strings.Contains(text, "(cached)"), text)
	}
	require.NoError(t, os.Remove(baseline))
	text, ok = goTest(t, []string{pkg})
	require.False(t, ok, text)

	// What lies outside of the module is not looked at.
	outside := filepath.Join(t.TempDir(), "baseline.txt")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "against_test.go"), []byte(strings.ReplaceAll(againstTest, `"baseline.txt"`, strconv.Quote(outside))), 0o666))
	text, ok = goTest(t, []string{pkg})
	require.False(t, ok, text)
	require.Contains(t, text, "the baseline "+outside+" lies outside of the module: add -count=1: the cache does not look at it")
}
