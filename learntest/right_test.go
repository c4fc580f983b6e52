package learntest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// noLoss is a claim with a margin that the examples of these tests decide on.
var noLoss = verdict.Claim{Kind: verdict.NoRegression, Margin: 0.2}

// knower predicts a share of the numbers right, other ones with each seed.
func knower(name string, share float64) Learner[int, bool] {
	return Func(name, func(_ context.Context, _ Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		return func(x int) bool {
			r := rand.New(rand.NewPCG(seed, uint64(x)))
			return (r.Float64() < share) == (x%2 == 1)
		}, nil
	})
}

// storedVerdict judges the claim on learner a against learner b of result files.
func storedVerdict(t *testing.T, paths ...string) verdict.Verdict {
	t.Helper()
	f, err := record.Open(paths...)
	require.NoError(t, err)
	sel := f.Of("numbers", "a")
	baseline := sel
	baseline.Learner = "b"
	return verdict.Of(sel, baseline, noLoss)
}

// A comparison with its predictions is judged by single examples, and its results give the same
// verdict when they are read back, put together from shards, taken from files, or resumed.
func TestVerdictsByExamplesAreReadBack(t *testing.T) {
	t.Parallel()
	data, learners := []Data[int, bool]{numbers(60)}, []Learner[int, bool]{
		knower("a", 0.75),
		knower("b", 0.8),
	}
	cfg := keeping(t, split.CV(4, 5))
	_, verdicts, err := RunAndJudge(t.Context(), data, learners, cfg, noLoss)
	require.NoError(t, err)
	live := verdicts[0]
	require.NotNil(t, live.Examples)
	require.Equal(t, 60, live.Examples.N)
	require.Positive(t, live.Examples.Differ)
	require.Equal(t, live.String(), storedVerdict(t, cfg.Results.Out).String())

	without := cfg
	without.Results = Results{Out: filepath.Join(t.TempDir(), "r.txt")}
	_, verdicts, err = RunAndJudge(t.Context(), data, learners, without, noLoss)
	require.NoError(t, err)
	require.Nil(t, verdicts[0].Examples)
	require.Equal(t, verdicts[0].Above.Result.P, live.Above.Result.P)
	require.NotContains(t, read(t, without.Results.Out), "\nRight: ")

	var outs []string
	for i := range 3 {
		part := keeping(t, split.CV(4, 5))
		part.Results.Shard = split.Shard{Index: i + 1, Count: 3}
		_, err := Run(t.Context(), data, learners, part)
		require.NoError(t, err)
		outs = append(outs, part.Results.Out)
	}
	require.Equal(t, live.String(), storedVerdict(t, outs...).String())
	in := Config{Protocol: split.CV(4, 5), Results: Results{
		Out: filepath.Join(t.TempDir(), "in.txt"),
		In:  outs,
	}}
	_, verdicts, err = RunAndJudge(t.Context(), data, learners, in, noLoss)
	require.NoError(t, err)
	require.Equal(t, live.String(), verdicts[0].String())
	require.Equal(t, live.String(), storedVerdict(t, in.Results.Out).String())

	resumed := keeping(t, split.CV(4, 5))
	interruptAfter(t, 7, data, learners, resumed)
	forget(resumed.Results.Out)
	resumed.Results.Resume = true
	_, verdicts, err = RunAndJudge(t.Context(), data, learners, resumed, noLoss)
	require.NoError(t, err)
	require.Equal(t, live.String(), verdicts[0].String())
	require.Equal(t, textWithoutTimes(t, cfg.Results.Out), textWithoutTimes(t, resumed.Results.Out))

	// A resumed run that keeps no predictions has no counts.
	forget(resumed.Results.Out)
	resumed.Results.Predictions = ""
	_, verdicts, err = RunAndJudge(t.Context(), data, learners, resumed, noLoss)
	require.NoError(t, err)
	require.Nil(t, verdicts[0].Examples)
	require.Nil(t, storedVerdict(t, resumed.Results.Out).Examples)
}

// Comparisons of one test that share a learner, and the further runs of a required replicability,
// are counted once.
func TestExamplesOfSeveralComparisons(t *testing.T) {
	t.Parallel()
	cfg := keeping(t, split.CV(2, 5))
	r := newRecorder(t)
	c := CompareWith(r, cfg, numbers(60), knower("a", 0.75), knower("b", 0.8))
	d := CompareWith(r, cfg, numbers(60), knower("a", 0.75), knower("c", 0.7))
	again := noLoss
	again.Repeats = 3
	v := c.Judge(again)
	require.Empty(t, r.errors)
	require.NotNil(t, v.Rerun)
	require.Equal(t, 3, v.Rerun.Repeats)
	require.Equal(t, 60, v.Examples.N)
	r.end()
	require.Equal(t, c.Judge(noLoss).String(), storedVerdict(t, cfg.Results.Out).String())
	require.NotNil(t, d.Judge(noLoss).Examples)
	b := open(t, cfg.Results.Out).Experiments()[0]
	for _, name := range []string{"a", "b", "c"} {
		require.Len(t, b.Header.Of(name).Right(), 60, name)
	}
	require.NotContains(t, read(t, cfg.Results.Out), "Right: a 0 3") // no run counts twice
	proven(t, cfg.Results.Out, cfg.Results.Predictions)
}

// A baseline has counts if it was updated with predictions. Without them on either side the verdict
// says whose are lacking.
func TestExamplesOfBaselines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "baseline.txt")
	cfg := Config{Protocol: split.CV(4, 5), Results: Results{
		Pkg: "example.com/p", Test: "TestForest",
		Commit: "c0ffee",
	}}
	kept := cfg
	kept.Results.Predictions = filepath.Join(dir, "new.pred")
	judge := func(cfg Config) verdict.Verdict {
		r := newRecorder(t)
		cfg.Results.Commit = "decade"
		c := AgainstWith(r, cfg, numbers(60), knower("forest", 0.75), path)
		require.Empty(t, r.fatal)
		require.Empty(t, r.errors)
		return c.Judge(noLoss)
	}
	update(t, cfg, numbers(60), knower("forest", 0.7), path)
	require.Nil(t, judge(cfg).Examples)
	require.Equal(t, "forest at c0ffee", judge(kept).Examples.Lacking)

	update(t, kept, numbers(60), knower("forest", 0.7), path)
	require.Contains(t, read(t, path), "\nRight: forest 0 ")
	require.Equal(t, "forest now", judge(cfg).Examples.Lacking)
	both := judge(kept)
	require.Equal(t, 60, both.Examples.N)
	update(t, cfg, numbers(60), knower("forest", 0.7), path) // which has nothing new
	require.Contains(t, read(t, path), "\nRight: forest 0 ")
	require.Equal(t, both.String(), judge(kept).String())
}

// Groups and protocols that test some examples more often have no counts.
func TestExamplesThatAreNotCounted(t *testing.T) {
	t.Parallel()
	for _, p := range []split.Protocol{split.Subsample(5, 0.7), split.TimeSeries(4, split.Window{})} {
		cfg := keeping(t, p)
		mustRun(t, numbers(60), cfg, knower("a", 0.75), knower("b", 0.8))
		require.NotContains(t, read(t, cfg.Results.Out), "\nRight: ", p.String())
	}
	cfg := keeping(t, split.Groups(2, 5))
	groups := make([]string, 60)
	for i := range groups {
		groups[i] = string(rune('a' + i/3))
	}
	mustRun(t, numbers(60).WithGroups(groups), cfg, knower("a", 0.75), knower("b", 0.8))
	require.NotContains(t, read(t, cfg.Results.Out), "\nRight: ")
}

// Counts of other examples with the right sum, under a checksum that was made anew, are found by
// the predictions.
func TestExamplesThatWereExchanged(t *testing.T) {
	t.Parallel()
	cfg := keeping(t, split.CV(4, 5))
	mustRun(t, numbers(60), cfg, knower("a", 0.75), knower("b", 0.8))
	f := open(t, cfg.Results.Out)
	b := f.Experiments()[0].Clone()
	among, err := predictions.Open(cfg.Results.Predictions)
	require.NoError(t, err)
	_, _, err = predictions.Of(b, among)
	require.NoError(t, err)
	line, rest, _ := strings.Cut(b.Header.Right, "\n")
	letters := []byte(line)
	at := len("a 0 ")
	for i := at + 1; letters[at] == letters[i]; i++ {
		at = i
	}
	letters[at], letters[at+1] = letters[at+1], letters[at]
	b.Header.Right = string(letters) + "\n" + rest
	path := filepath.Join(t.TempDir(), "edited.txt")
	var text strings.Builder
	require.NoError(t, record.Write(&text, b))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	_, _, err = predictions.Of(open(t, path).Experiments()[0], among)
	require.ErrorIs(t, err, predictions.ErrMismatch)
	require.ErrorContains(t, err, "a is right on example ")
}
