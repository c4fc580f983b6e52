package learntest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostly predicts a part of the numbers rightly, which depends on the seed.
func mostly(name string, share float64) Learner[int, bool] {
	return Func(name, func(_ context.Context, train Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		r := rand.New(rand.NewPCG(seed, uint64(train.Len())))
		return func(x int) bool { return (x%2 == 1) == (r.Float64() < share) }, nil
	})
}

// halvings is the number of halvings of a second opinion that the tests can afford.
const halvings = 5

// A halfCounter counts the trainings of each learner on no more than half of the examples.
type halfCounter struct {
	counter
	n int // examples
}

func (c *halfCounter) wrap(l Learner[int, bool]) Learner[int, bool] {
	fit := l.Fit
	l.Fit = func(ctx context.Context, train Sample[int, bool], seed uint64) (Model[int, bool], error) {
		if train.Len() <= c.n/2 {
			c.mu.Lock()
			c.fits[l.Name]++
			c.mu.Unlock()
		}
		return fit(ctx, train, seed)
	}
	return l
}

func newHalfCounter(n int) *halfCounter {
	return &halfCounter{counter{fits: make(map[string]int)}, n}
}

// A second opinion is trained where the first test shows a claim, once, and stored trials give
// the same verdict as fresh ones.
func TestSecondOpinionIsTrainedWhereItIsAskedFor(t *testing.T) {
	for _, where := range []string{"r.txt", ""} {
		out := filepath.Join(t.TempDir(), where)
		cfg := Config{Protocol: split.CV(3, 5), Results: Results{Pkg: "p", Test: "T", Out: out}}
		data, n := numbers(60), newHalfCounter(60)
		r := newRecorder(t)
		c := CompareWith(r, cfg, data, n.wrap(mostly("good", 0.9)), n.wrap(guesser("guess")))
		require.Empty(t, r.errors)

		// Neither a claim without one nor one that the first test does not show takes any.
		require.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
		require.False(t, c.Judge(verdict.Claim{
			Kind: verdict.Improves, Gain: 0.45,
			Halvings: halvings,
		}).Holds)
		require.Empty(t, n.fits)
		require.Len(t, open(t, out).Experiments(), 1)

		claims := []verdict.Claim{
			{Kind: verdict.Improves, Halvings: halvings},
			{Halvings: halvings},
			{Kind: verdict.NoRegression, Margin: 0.1, Halvings: halvings},
		}
		for _, claim := range claims {
			v := c.Judge(claim)
			require.True(t, v.Holds, "%v", v)
			require.True(t, v.Second.Asked)
			require.Equal(t, 2*halvings*10, v.Second.Trainings)
			require.Equal(t, map[string]int{"good": halvings * 10, "guess": halvings * 10}, n.fits)
			stored := judged(open(t, out), "numbers", "good", "guess", claim)
			require.Equal(t, stored.String(), v.String())
			require.Equal(t, stored.Decision.P, v.Decision.P)
		}
		r.end()
		f := open(t, out)
		require.Len(t, f.Experiments(), 2)
		require.Len(t, c.Records().Experiments(), 2)
		h := f.Experiments()[1].Header
		if !h.IsSecondOpinion() { // a directory has another order
			h = f.Experiments()[0].Header
		}
		require.Equal(t, "halves m=5 folds=5 seed=1 v1", h.Protocol)
		require.Equal(t, record.Deterministic, h.Of("good").Determinism())

		// It is the same whoever judges first, however many trials run at a time.
		cfg.Results.Out, cfg.Parallel = "", 1
		again := CompareWith(newRecorder(t), cfg, data, mostly("good", 0.9), guesser("guess"))
		require.Equal(t, c.Judge(claims[0]).String(), again.Judge(claims[0]).String())
	}
}

// Of several candidates only those are trained in halves that a claim is about, and the
// baseline once.
func TestSecondOpinionOnOneOfSeveral(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	n := newHalfCounter(60)
	r := newRecorder(t)
	cs := CompareAll(r, Config{Protocol: split.CV(3, 5), Results: Results{Out: out}}, numbers(60),
		n.wrap(guesser("guess")), n.wrap(mostly("good", 0.9)), n.wrap(mostly("better", 0.95)))
	require.Empty(t, r.errors)
	claim := verdict.Claim{Kind: verdict.Improves, Halvings: halvings}
	first := cs[0].Judge(claim)
	require.True(t, first.Holds, "%v", first)
	require.Equal(t, map[string]int{"good": halvings * 10, "guess": halvings * 10}, n.fits)
	require.Equal(t, first.String(), judged(open(t, out), "numbers", "good", "guess",
		claim).String())
	second := cs[1].Judge(claim)
	require.True(t, second.Holds)
	require.Equal(t, map[string]int{
		"good": halvings * 10, "guess": halvings * 10,
		"better": halvings * 10,
	}, n.fits)
	require.Equal(t, second.String(), judged(open(t, out), "numbers", "better", "guess",
		claim).String())
	require.Equal(t, first.String(), cs[0].Judge(claim).String())
	r.end()
	requireOnly(t, out)
}

// An opinion on results that have been replaced is none on the new ones.
func TestSecondOpinionOnEarlierResultsIsNoneOnLaterOnes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(3, 5), Results: Results{Out: out}}
	claim := verdict.Claim{Kind: verdict.Improves, Halvings: halvings}
	r := newRecorder(t)
	require.True(t, CompareWith(r, cfg, numbers(60), mostly("good", 0.9),
		guesser("guess")).Judge(claim).Holds)
	r.end()
	r = newRecorder(t)
	c := CompareWith(r, cfg, numbers(60), mostly("good", 0.95), guesser("guess"))
	r.end()
	v := judged(open(t, out), "numbers", "good", "guess", claim)
	require.True(t, v.NeedSecond)
	require.ErrorContains(t, v.Err, "the second opinion on the candidate good")
	require.ErrorContains(t, v.Err, "is on other results of it than these: run it again")
	require.True(t, c.Judge(claim).Holds)
	require.Equal(t, c.Judge(claim).String(), judged(open(t, out), "numbers", "good", "guess",
		claim).String())
}

func TestSecondOpinionsThatCannotBeHad(t *testing.T) {
	claim := verdict.Claim{Kind: verdict.Improves, Halvings: halvings}
	compare := func(cfg Config, data Data[int, bool], candidate Learner[int, bool]) verdict.Verdict {
		r := newRecorder(t)
		return CompareWith(r, cfg, data, candidate, constant("odd", true)).Judge(claim)
	}
	v := compare(Config{Protocol: split.Subsample(20, 0.5)}, numbers(60), mostly("good", 0.9))
	require.ErrorContains(t, v.Err, "it takes cross-validation, with groups or without")
	v = compare(Config{Protocol: split.CV(3, 3)}, numbers(9), mostly("good", 1))
	require.ErrorIs(t, v.Err, split.ErrTooFew)
	require.ErrorContains(t, v.Err,
		`second opinion on data set "numbers": "halves m=5 folds=5 seed=1 v1" on 9 examples: split: too few examples: a half of them is fewer than folds`)

	// A trial that fails in a half is named.
	good := mostly("good", 0.9)
	fit := good.Fit
	good.Fit = func(ctx context.Context, train Sample[int, bool], seed uint64) (Model[int, bool],
		error,
	) {
		if train.Len() <= 30 {
			return Model[int, bool]{}, errors.New("too little to learn from")
		}
		return fit(ctx, train, seed)
	}
	v = compare(Config{Protocol: split.CV(3, 5)}, numbers(60), good)
	require.False(t, v.Holds)
	require.ErrorIs(t, v.Err, record.ErrFailedTrial)
	require.ErrorContains(t, v.Err,
		"second opinion on the candidate good: trials failed: data set numbers, learner good, run 1, fold 1")
	require.ErrorContains(t, v.Err, "too little to learn from")

	// A stored baseline was not trained in halves.
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(3, 5), Results: Results{Pkg: "p", Test: "T"}}
	update(t, cfg, numbers(60), mostly("good", 0.5), path)
	r := newRecorder(t)
	v = AgainstWith(r, cfg, numbers(60), mostly("good", 0.9), path).Judge(claim)
	require.ErrorIs(t, v.Err, verdict.ErrClaim)
	require.ErrorContains(t, v.Err, "a stored baseline has none of its own")
}

// Groups are not divided by the halves either.
func TestSecondOpinionOnGroups(t *testing.T) {
	t.Parallel()
	names := make([]string, 60)
	for i := range names {
		names[i] = strconv.Itoa(i / 3)
	}
	c := CompareWith(newRecorder(t), Config{Protocol: split.Groups(3, 5)},
		numbers(60).WithGroups(names), mostly("good", 0.95), guesser("guess"))
	v := c.Judge(verdict.Claim{Kind: verdict.Improves, Halvings: halvings})
	require.True(t, v.Holds, "%v", v)
	require.Equal(t, "grouphalves m=5 folds=5 unstratified seed=1 v1", v.Second.Protocol)
}

// Shards train none. What another run has stored is judged without any training.
func TestSecondOpinionFromResultFiles(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{Protocol: split.CV(3, 5), Results: Results{Pkg: "p", Test: "T", Commit: "c"}}
	data := numbers(60)
	claim := verdict.Claim{Kind: verdict.Improves, Halvings: halvings}
	for i := 1; i <= 2; i++ {
		shard := cfg
		shard.Results.Shard, shard.Results.Out = split.Shard{Index: i, Count: 2},
			filepath.Join(dir, fmt.Sprintf("shard%d.txt", i))
		r := newRecorder(t)
		v := CompareWith(r, shard, data, mostly("good", 0.9), guesser("guess")).Judge(claim)
		r.end()
		require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	}
	from := cfg
	from.Results.In = []string{filepath.Join(dir, "shard*.txt")}
	c := CompareWith(newRecorder(t), from, data, mostly("good", 0.9), guesser("guess"))
	require.True(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
	v := c.Judge(claim)
	require.ErrorContains(t, v.Err,
		"there is no second opinion on data set numbers under \"cv runs=3 folds=5 stratified seed=1 v1\", test T of p: shards train none; run the test without them")

	whole := cfg
	whole.Results.Out = filepath.Join(dir, "whole.txt")
	r := newRecorder(t)
	want := CompareWith(r, whole, data, mostly("good", 0.9), guesser("guess")).Judge(claim)
	require.True(t, want.Holds)
	r.end()
	n := newHalfCounter(1000)
	from.Results.In = []string{whole.Results.Out}
	c = CompareWith(newRecorder(t), from, data, n.wrap(mostly("good", 0.9)), n.wrap(guesser("guess")))
	require.Equal(t, want.String(), c.Judge(claim).String())
	require.Empty(t, n.fits)

	// A second opinion by another formula of the metric is none on these results.
	f := open(t, whole.Results.Out)
	blocks := slices.Clone(f.Blocks())
	for i, b := range blocks {
		if b.Header.IsSecondOpinion() {
			require.NotEmpty(t, b.Header.FormulaOf("accuracy"))
			blocks[i] = b.Clone()
			blocks[i].Header.Metrics = ""
			blocks[i].Header.AddFormula("accuracy", "0123456789abcdef")
		}
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, blocks...))
	from.Results.In = []string{filepath.Join(dir, "other.txt")}
	require.NoError(t, os.WriteFile(from.Results.In[0], []byte(text.String()), 0o600))
	c = CompareWith(newRecorder(t), from, data, mostly("good", 0.9), guesser("guess"))
	require.ErrorContains(t, c.Judge(claim).Err, "the second opinion is not of this run")
	require.ErrorContains(t, c.Judge(claim).Err, "metric accuracy is another formula now")
}

// A run that is interrupted in the halves goes on from there.
func TestSecondOpinionIsResumed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(3, 5), Parallel: 1}
	data, claim := []Data[int, bool]{numbers(60)}, verdict.Claim{Halvings: halvings}
	learners := func(n *halfCounter) []Learner[int, bool] {
		return []Learner[int, bool]{n.wrap(mostly("good", 0.9)), n.wrap(guesser("guess"))}
	}
	_, want, err := RunAndJudge(t.Context(), data, learners(newHalfCounter(60)), cfg, claim)
	require.NoError(t, err)
	require.True(t, want[0].Second.Agrees)

	cfg.Results.Out = out
	ctx, cancel := context.WithCancel(t.Context())
	done := 0
	cfg.Progress = func(int, int) {
		if done++; done == 2*15+17 {
			cancel()
		}
	}
	_, verdicts, err := RunAndJudge(ctx, data, learners(newHalfCounter(60)), cfg, claim)
	e, ok := errors.AsType[*interruptedError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, []int{17, 100}, []int{e.Done, e.Total})
	require.Empty(t, verdicts)
	require.Len(t, open(t, out).Experiments(), 1, "only complete experiments are stored")

	forget(out)
	cfg.Progress, cfg.Results.Resume = nil, true
	n := newHalfCounter(60)
	f, verdicts, err := RunAndJudge(t.Context(), data, learners(n), cfg, claim)
	require.NoError(t, err)
	require.Equal(t, want[0].String(), verdicts[0].String())
	require.Equal(t, 100-17, n.fits["good"]+n.fits["guess"])
	require.Len(t, f.Experiments(), 2)
	require.Equal(t, want[0].String(), judged(open(t, out), "numbers", "good", "guess",
		claim).String())
	requireOnly(t, out)
}

// A verdict on each candidate and data set, and nothing of the kind if a trial fails.
func TestRunAndJudge(t *testing.T) {
	t.Parallel()
	others := Examples("others", numbers(40).xs, numbers(40).ys)
	learners := []Learner[int, bool]{mostly("good", 0.9), guesser("guess"), mostly("same", 0.9)}
	f, verdicts, err := RunAndJudge(t.Context(), []Data[int, bool]{numbers(60), others}, learners,
		Config{Protocol: split.CV(2, 5)}, verdict.Claim{Halvings: halvings})
	require.NoError(t, err)
	require.Len(t, verdicts, 4)
	var asked []string
	for i, v := range verdicts {
		assert.Equal(t, []string{"numbers", "others"}[i/2], v.Data)
		assert.Equal(t, "good", v.Candidate)
		assert.Equal(t, learners[1+i%2].Name, v.Baseline)
		require.NoError(t, v.Err)
		if v.Second.Asked {
			asked = append(asked, v.Data+" "+v.Baseline)
		}
	}
	require.Equal(t, []string{"numbers guess", "others guess"}, asked)
	require.Len(t, f.Experiments(), 4)
	bad := Func("bad", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return nil, errors.New("boom")
	})
	f, verdicts, err = RunAndJudge(t.Context(), []Data[int, bool]{numbers(60)},
		[]Learner[int, bool]{mostly("good", 0.9), bad}, Config{Protocol: split.CV(2, 5)},
		verdict.Claim{Halvings: halvings})
	require.NoError(t, err)
	require.Empty(t, verdicts)
	require.Len(t, f.Failures(), 10)
	_, _, err = RunAndJudge(t.Context(), nil, learners, Config{}, verdict.Claim{})
	require.ErrorIs(t, err, ErrConfig)
	require.True(t, strings.HasPrefix(err.Error(), "invalid configuration: 0 data sets"))
}
