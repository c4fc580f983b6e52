package learntest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEnvironmentOverridesTheConfiguration(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv("LEARNTEST_OUT", out)
	t.Setenv("LEARNTEST_SEED", "7")
	t.Setenv("LEARNTEST_RUNS", "3")
	t.Setenv("LEARNTEST_ALPHA", "0.01")
	r := newRecorder(t)
	c := Compare(r, numbers(60), guesser("a"), constant("odd", true))
	require.Empty(t, r.errors)
	v := c.Judge(verdict.Claim{})
	assert.Equal(t, "cv runs=3 folds=10 stratified seed=7 v1", v.CandidateHeader.Protocol)
	assert.Equal(t, 0.01, v.Claim.Alpha)
	assert.Contains(t, v.CandidateHeader.Reproduce,
		"LEARNTEST_ALPHA=0.01 LEARNTEST_RUNS=3 LEARNTEST_SEED=7 go test")

	// The verdict from the file is the live one, bit for bit.
	f, err := record.Open(out)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	stored := judged(f, "numbers", "a", "odd", verdict.Claim{Alpha: 0.01})
	bits := func(v verdict.Verdict) string { // functions apart
		v.Claim.Test = stat.Test{Name: v.Claim.Test.Name}
		header, rerun := *v.CandidateHeader, *v.Rerun
		v.CandidateHeader, v.BaselineHeader, v.Rerun = nil, nil, nil
		return fmt.Sprintf("%+v %+v %+v", v.String(), header, rerun) + fmt.Sprintf("%#v", v.Difference) +
			fmt.Sprintf("%#v", v.Decision)
	}
	assert.Equal(t, bits(v), bits(stored))
	assert.Equal(t, v.String(), stored.String())

	// A posterior probability has no level that the environment could set.
	bayes := verdict.Claim{
		Kind: verdict.NoRegression, Rope: 0.1, Probability: 0.9,
		AllowMajority: true,
	}
	v, stored = c.Judge(bayes), judged(f, "numbers", "a", "odd", bayes)
	require.NotNil(t, v.Posterior, "%v", v)
	assert.Equal(t, *v.Posterior, *stored.Posterior)
	assert.Equal(t, bits(v), bits(stored))
	assert.Equal(t, v.String(), stored.String())

	// Another test joins the first in the file, and running it again replaces it.
	before, err := os.ReadFile(out)
	require.NoError(t, err)
	other := newRecorder(t)
	other.name = "TestOther"
	Compare(other, numbers(60), guesser("a"), constant("even", false))
	require.Empty(t, other.errors)
	again := newRecorder(t)
	Compare(again, numbers(60), guesser("a"), constant("odd", true))
	require.Empty(t, again.errors)
	f, err = record.Open(out)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	assert.Len(t, f.Experiments(), 2)
	after, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Greater(t, len(after), len(before)*3/2)
	for _, r := range []*recorder{r, other, again} {
		r.end()
	}
	requireOnly(t, out)
}

// requireOnly checks that nothing lies beside a file.
func requireOnly(t *testing.T, path string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "%v", left)
}

// environ returns the arguments of parseEnvironment for some variables.
func environ(settings ...string) (func(string) (string, bool), []string) {
	return func(name string) (string, bool) {
		for _, kv := range settings {
			if value, ok := strings.CutPrefix(kv, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}, settings
}

// The variables of continuous integration are looked up by updates alone: some change with each
// build, which would spoil go test's cache.
func TestContinuousIntegrationIsKnownByItsVariables(t *testing.T) {
	t.Parallel()
	for kv, want := range map[string]string{
		"CI=true":                        "CI",
		"CI=1":                           "CI",
		"CI=false":                       "",
		"CI=False":                       "",
		"CI=0":                           "",
		"CI=":                            "",
		"TF_BUILD=True":                  "TF_BUILD",
		"JENKINS_URL=https://ci.example": "JENKINS_URL",
		"TEAMCITY_VERSION=2026.1":        "TEAMCITY_VERSION",
		"CODEBUILD_BUILD_ID=model:7":     "CODEBUILD_BUILD_ID",
		"BUILD_ID=7":                     "",
	} {
		e, err := parseEnvironment(environ("LEARNTEST_UPDATE=1", kv))
		require.NoError(t, err)
		require.Equal(t, want, e.ci, kv)
		lookup, all := environ("LEARNTEST_RUNS=2", kv)
		_, err = parseEnvironment(func(name string) (string, bool) {
			require.NotContains(t, gotest.CIVariables, name, "it is looked up without an update")
			return lookup(name)
		}, all)
		require.NoError(t, err)
	}
}

func TestParseEnvironmentRefusesBadValues(t *testing.T) {
	t.Parallel()
	for kv, text := range map[string]string{
		"LEARNTEST_OUT=new.txt": "LEARNTEST_OUT=$PWD/new.txt",
		"LEARNTEST_SEED=-1":     "invalid syntax",
		"LEARNTEST_RUNS=0":      "at least 1",
		"LEARNTEST_RUNS=many":   "invalid syntax",
		"LEARNTEST_RUNS_MAX=0":  "it must be at least 1",
		"LEARNTEST_RUNS_MAX=1.": "invalid syntax",
		"LEARNTEST_RUNS_MIN=-3": "it must be at least 1",
		"LEARNTEST_RUNS_MIN=x":  "invalid syntax",
		"LEARNTEST_ALPHA=0.5":   "it is looser than the 0.05 of claims that give no level: what a test claims may be made stricter from outside only",
		"LEARNTEST_ALPHA=5":     "between 0 and 1",
		"LEARNTEST_ALPHA=0":     "between 0 and 1",
		"LEARNTEST_ALPHA=1":     "between 0 and 1",
		"LEARNTEST_ALPHA=NaN":   "between 0 and 1",
		"LEARNTEST_RESUME=yes":  "it must be 1 or not set",
		"LEARNTEST_SHARDS=1":    "unknown variable",
	} {
		_, err := parseEnvironment(environ("HOME=/", kv))
		require.ErrorIs(t, err, ErrConfig, kv)
		require.ErrorContains(t, err, text)
		require.ErrorContains(t, err, kv)
	}
	one, err := parseEnvironment(environ("LEARNTEST_RUNS=1"))
	require.NoError(t, err)
	assert.Equal(t, 1, one.runs)
	e, err := parseEnvironment(environ("LEARNTEST_SEED=", "LEARNTESTER=1"))
	require.NoError(t, err)
	assert.Equal(t, environment{}, e)
}

// TestDocListsTheVariables keeps the package comment, which says that no others are known,
// complete.
func TestDocListsTheVariables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(LEARNTEST_\w+) `).FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1])
	}
	assert.ElementsMatch(t, known, listed)
}
