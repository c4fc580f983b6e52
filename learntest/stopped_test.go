package learntest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requireStops requires that a file has these runs of each learner, and says so where these are not
// all ten.
func requireStops(t *testing.T, f *record.File, runs map[string]int) {
	t.Helper()
	b := f.Experiments()[0]
	have := make(map[string]int)
	for trial := range b.Trials() {
		have[trial.Learner]++
	}
	for name, n := range runs {
		require.Equal(t, 10*n, have[name], name)
		s, ok := b.Header.Of(name).Stop()
		require.Equal(t, n < 10, ok, name)
		if ok {
			require.Equal(t, n, s.Runs, name)
			require.InDelta(t, 0.01, s.Error, 0, name)
		}
	}
}

// opened returns the content of a result file.
func opened(t *testing.T, path string) *record.File {
	t.Helper()
	f, err := record.Open(path)
	require.NoError(t, err)
	return f
}

func TestStoredResultsSayWhereTrainingWasStopped(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv(envOut, out)
	r := newRecorder(t)
	cs := CompareAll(r, settled, numbers(200), knows("worse.", 0.6), knows("better", 0.95),
		knows("equal", 0.6))
	// Until the claims are settled, and should the process be killed, the file is no file that was
	// stopped.
	require.ErrorIs(t, opened(t, out).CheckStopped(), record.ErrIncomplete)
	require.Error(t, storage.Unfinished(out))
	require.True(t, cs[0].Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
	close := cs[1].Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.2}).Settled.After
	require.Greater(t, close, 2)
	require.ErrorIs(t, opened(t, out).CheckStopped(), record.ErrIncomplete)
	r.end()
	require.Empty(t, r.errors)

	f := opened(t, out)
	require.NoError(t, f.CheckStopped())
	require.ErrorIs(t, f.Check(), record.ErrIncomplete)
	require.NoError(t, storage.Unfinished(out))
	requireStops(t, f, map[string]int{"better": 2, "worse.": close, "equal": close})
	s, _ := f.Blocks()[0].Header.Of("better").Stop()
	assert.Equal(t, "better improves on worse. in accuracy", s.Claim)

	// The file alone gives the verdicts of the test. It gives no verdicts that are uncertain, or
	// that take all runs.
	v := judged(f, "numbers", "better", "worse.", verdict.Claim{Kind: verdict.Improves})
	assert.Equal(t, cs[0].Judge(verdict.Claim{Kind: verdict.Improves}).Estimate, v.Estimate)
	assert.True(t, v.Holds)
	for _, claim := range []verdict.Claim{
		{Kind: verdict.Improves, Gain: v.Estimate - 0.05},
		{Kind: verdict.Improves, Replicability: 0.9},
		{Kind: verdict.Improves, AllRuns: true},
		{Kind: verdict.AtLeast, Threshold: 0.5},
	} {
		v := judged(f, "numbers", "better", "worse.", claim)
		assert.Equal(t, verdict.Invalid, v.Outcome, "%+v", claim)
		assert.False(t, v.Holds)
		assert.Contains(t, v.Reason, "training was stopped there: the test that has stored them trains the others under LEARNTEST_RESUME=1")
	}
}

// A test that is resumed with Settle leaves the file alone; one that is resumed for all runs
// completes it.
func TestStoppedTrainingIsResumed(t *testing.T) {
	dir := t.TempDir()
	run := func(out, settle string) (*Comparison, *int) {
		t.Setenv(envOut, out)
		t.Setenv(envSettle, settle)
		forget(out)
		r, fits := newRecorder(t), new(int)
		better, n := countingFits(knows("better", 0.95))
		c := CompareWith(r, Config{Parallel: 1}, numbers(200), better, knows("worse.", 0.6))
		require.Empty(t, r.fatal)
		require.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
		r.end()
		require.Empty(t, r.errors)
		*fits = int(n.Load())
		return c, fits
	}
	whole, out := filepath.Join(dir, "whole.txt"), filepath.Join(dir, "new.txt")
	run(whole, "")
	run(out, "0.01")
	requireStops(t, opened(t, out), map[string]int{"better": 2, "worse.": 2})
	before := opened(t, out).Blocks()[0].Header

	t.Setenv(envResume, "1")
	_, fits := run(out, "0.01")
	assert.LessOrEqual(t, *fits, 2, "nothing is trained but once more")
	assert.Equal(t, before, opened(t, out).Blocks()[0].Header)
	_, fits = run(out, "off")
	assert.LessOrEqual(t, *fits, 80+8)
	require.NoError(t, opened(t, out).Check())
	assert.Equal(t, textWithoutTimes(t, whole), textWithoutTimes(t, out),
		"as if it had never been stopped")
	run(out, "0.01")
	require.NoError(t, opened(t, out).Check(), "no run is thrown away")
}

// Results that nothing settles are no results: the test says so.
func TestStoredResultsWithoutAClaimFailTheTest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv(envOut, out)
	r := newRecorder(t)
	CompareAll(r, settled, numbers(100), knows("worse.", 0.6), knows("better", 0.95),
		knows("other", 0.9))[0].Judge(verdict.Claim{})
	r.end()
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0],
		"nothing was claimed of other vs worse. when the test ended, so that nothing settles the 2 of 10 runs that are stored: claim something, or train all runs with LEARNTEST_SETTLE=off")
	require.ErrorIs(t, opened(t, out).CheckStopped(), record.ErrIncomplete)
	forget(out)
	r = newRecorder(t)
	CompareWith(r, Config{Settle: 0.01, NoClaim: true}, numbers(100), knows("better", 0.95),
		knows("worse.", 0.6))
	r.end()
	require.Empty(t, r.errors)
	require.NoError(t, opened(t, out).Check())
}

// Comparisons of one test share a learner: the file has as many runs of it as the closest claim
// takes.
func TestStopsOfComparisonsThatShareALearner(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv(envOut, out)
	r := newRecorder(t)
	clear := CompareWith(r, settled, numbers(200), knows("better", 0.95), knows("worse.", 0.6))
	close := CompareWith(r, settled, numbers(200), knows("equal", 0.6), knows("worse.", 0.6))
	require.Equal(t, 2, clear.Judge(verdict.Claim{}).Settled.After)
	after := close.Judge(verdict.Claim{Kind: verdict.NoRegression, Margin: 0.2}).Settled.After
	require.Greater(t, after, 2)
	r.end()
	require.Empty(t, r.errors)
	requireStops(t, opened(t, out), map[string]int{"better": 2, "equal": after, "worse.": after})
}

// A claim that takes all runs has them stored, whatever others take.
func TestStoredResultsAreWholeWhereAClaimTakesAllRuns(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv(envOut, out)
	r := newRecorder(t)
	c := CompareWith(r, settled, numbers(200), knows("better", 0.95), knows("worse.", 0.6))
	require.Equal(t, 2, c.Judge(verdict.Claim{}).Settled.After)
	require.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves, AllRuns: true}).Holds)
	r.end()
	require.NoError(t, opened(t, out).Check())
}

// A baseline is whole, and so is what LEARNTEST_IN judges.
func TestStoppedTrainingIsNoBaseline(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv(envOut, out)
	r := newRecorder(t)
	CompareWith(r, settled, numbers(200), knows("better", 0.95),
		knows("worse.", 0.6)).Judge(verdict.Claim{})
	r.end()
	requireStops(t, opened(t, out), map[string]int{"better": 2})
	t.Setenv(envOut, "")

	r = newRecorder(t)
	Against(r, numbers(200), knows("better", 0.95), out)
	assert.Contains(t, r.fatal, "the training of better was stopped after 2 of 10 runs, once these had settled that better differs from worse. in accuracy or not, and here all count")
	r = newRecorder(t)
	cfg := Config{Results: Results{In: []string{out}}}
	CompareWith(r, cfg, numbers(200), knows("better", 0.95), knows("worse.", 0.6))
	assert.Contains(t, r.fatal+strings.Join(r.errors, ""),
		"the training of better was stopped after 2 of 10 runs")

	// An update makes it whole.
	t.Setenv(envUpdate, "force")
	r = newRecorder(t)
	Against(r, numbers(200), knows("better", 0.95), out)
	require.Empty(t, r.fatal)
	t.Setenv(envUpdate, "")
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "Stopped:")
}
