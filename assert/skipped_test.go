package assert_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A postponed comparison is judged elsewhere.
type postponed struct{}

func (postponed) Verdicts(c verdict.Claim) []verdict.Verdict {
	v := verdict.Fail(c, fmt.Errorf("%w: somebody else does", verdict.ErrNotJudged))
	v.Candidate, v.Baseline, v.Data = "forest", "bayes", "vehicle"
	return []verdict.Verdict{v}
}

// A skippable is a test that can be skipped.
type skippable struct {
	recorder
	cleanups []func()
	skipped  int
}

func (s *skippable) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }
func (s *skippable) Failed() bool     { return len(s.failures) > 0 }
func (s *skippable) SkipNow()         { s.skipped++ }

func (s *skippable) end() {
	for _, f := range s.cleanups {
		f()
	}
}

// A claim that is not judged skips the test when it ends, so that others are still judged.
func TestClaimsThatAreNotJudgedSkipTheTest(t *testing.T) {
	t.Parallel()
	s := &skippable{}
	testify.False(t, assert.Improves(s, postponed{}, assert.FailNow()))
	testify.Empty(t, s.failures)
	testify.Zero(t, s.skipped, "the test goes on")
	s.end()
	testify.Equal(t, 1, s.skipped)
	require.Len(t, s.logs, 1)
	testify.Contains(t, s.logs[0], "forest improves on bayes on vehicle")
	testify.Contains(t, s.logs[0], ": not judged: somebody else does")

	// A claim that fails fails the test, be it before or after.
	for _, first := range []bool{true, false} {
		s := &skippable{}
		if first {
			assert.Improves(s, comparison(accuracy, worse))
		}
		assert.Improves(s, postponed{})
		if !first {
			assert.Improves(s, comparison(accuracy, worse))
		}
		s.end()
		testify.Len(t, s.failures, 1)
		testify.Zero(t, s.skipped)
	}

	// So does one in a family with others, and whatever cannot be skipped.
	s = &skippable{}
	testify.False(t, assert.Improves(s, assert.Family{postponed{}, comparison(accuracy, worse)}))
	testify.Len(t, s.failures, 1)
	r := &recorder{}
	testify.False(t, assert.Improves(r, postponed{}))
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0], "not judged: somebody else does")
}

// TestShardsOfFailingTests runs shards of tests that fail: claims without a verdict are skipped,
// and failures without a claim remain.
func TestShardsOfFailingTests(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	binary := filepath.Join(t.TempDir(), "failing.test")
	text, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", binary,
		"./testdata/failing").CombinedOutput()
	require.NoError(t, err, "%s", text)
	run := func(name string, settings ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=^"+name+"$")
		cmd.Env = append(os.Environ(), settings...)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	dir := t.TempDir()
	for i := 1; i <= 2; i++ {
		out := filepath.Join(dir, fmt.Sprintf("%d.txt", i))
		text, err := run("TestNoImprovement", "LEARNTEST_OUT="+out, fmt.Sprintf("LEARNTEST_SHARD=%d/2",
			i))
		require.NoError(t, err, text)
		testify.Contains(t, text, "--- SKIP: TestNoImprovement")
		testify.NotContains(t, text, "--- PASS")
		testify.Contains(t, text, fmt.Sprintf("not judged: this is shard %d/2 with ", i))
		testify.FileExists(t, out)
	}
	whole, err := run("TestNoImprovement", "LEARNTEST_IN="+filepath.Join(dir, "*.txt"))
	require.Error(t, err)
	testify.Contains(t, whole, "parity is on a par with twin on numbers in accuracy: equivalent; no significant improvement")
	broken, err := run("TestPanic", "LEARNTEST_OUT="+filepath.Join(dir, "3.out"),
		"LEARNTEST_SHARD=1/2")
	require.Error(t, err)
	testify.Contains(t, broken, "--- FAIL: TestPanic")
	testify.Contains(t, broken, "trial failed: data set numbers, learner panics, run 1, fold ")
}
