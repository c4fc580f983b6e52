package learntest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// moody learns nothing in a third of all trials.
func moody() Learner[int, bool] {
	return Func("moody", func(_ context.Context, _ Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		return func(x int) bool { return seed%3 > 0 && x%2 == 1 }, nil
	})
}

// Verdicts do not warn of a learner that is constant on purpose, though some folds do not show it.
func TestConstantOnPurpose(t *testing.T) {
	always := Func("always", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return func(int) bool { return false }, nil
	})
	for _, n := range []int{40, 60, 200} {
		v := CompareWith(newRecorder(t), Config{Protocol: split.CV(2, 7), Parallel: 1}, numbers(n),
			always, guesser("b")).Judge(verdict.Claim{})
		for _, w := range v.Warnings {
			require.NotContains(t, w.Error(), "make the same prediction for all test examples", n)
		}
	}
}

// Verdicts on live results, on stored ones, on shards and on an interrupted run that was resumed
// have the same warning of a learner that sometimes learns nothing.
func TestUnsteadyModelsAreStored(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{
		Protocol: split.CV(2, 5), Parallel: 1,
		Results: Results{Out: filepath.Join(dir, "all.txt")},
	}
	data, learners := numbers(60), []Learner[int, bool]{moody(), guesser("b")}
	live := CompareWith(newRecorder(t), cfg, data, learners[0], learners[1]).Judge(verdict.Claim{})
	want := ""
	for _, w := range live.Warnings {
		want += w.Error() + "\n"
	}
	require.Regexp(t, `^[1-9] of 10 models of moody make the same prediction for all test examples: ask for a second opinion\n$`, want)
	requireSame := func(paths ...string) {
		t.Helper()
		f, err := record.Open(paths...)
		require.NoError(t, err)
		require.Equal(t, live.String(), judged(f, data.Name(), "moody", "b",
			verdict.Claim{}).String())
	}
	requireSame(cfg.Results.Out)

	shards, err := filepath.Glob(sharded(t, 3, []Data[int, bool]{data}, learners,
		Config{Protocol: cfg.Protocol}))
	require.NoError(t, err)
	require.Len(t, shards, 3)
	f, err := record.Open(shards...)
	require.NoError(t, err)
	v := judged(f, data.Name(), "moody", "b", verdict.Claim{})
	require.Equal(t, live.Warnings, v.Warnings)

	whole := textWithoutTimes(t, cfg.Results.Out)
	for _, first := range []int{1, 7, 15} {
		again := cfg
		again.Results.Out = filepath.Join(t.TempDir(), "r.txt")
		interruptAfter(t, first, []Data[int, bool]{data}, learners, again)
		forget(again.Results.Out)
		again.Results.Resume = true
		_, err := Run(t.Context(), []Data[int, bool]{data}, learners, again)
		require.NoError(t, err)
		f, err := record.Open(again.Results.Out)
		require.NoError(t, err)
		require.Equal(t, live.Warnings, judged(f, data.Name(), "moody", "b",
			verdict.Claim{}).Warnings, "resumed after %d of\n%s", first, whole)
	}
}
