package learntest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbers is a data set of n numbers labelled by whether they are odd.
func numbers(n int) *ExampleSet[int, bool] {
	xs, ys := make([]int, n), make([]bool, n)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	return Examples("numbers", xs, ys)
}

// guesser predicts odd for a random part of the numbers, which depends on the
// seed.
func guesser(name string) Learner[int, bool] {
	return Func(name, func(_ context.Context, train Sample[int, bool], seed uint64) (func(int) bool,
		error,
	) {
		r := rand.New(rand.NewPCG(seed, uint64(train.Len())))
		return func(int) bool { return r.IntN(3) > 0 }, nil
	})
}

func constant(name string, y bool) Learner[int, bool] {
	return Pretrained(name, func(int) bool { return y })
}

// allOdd is a model that predicts odd for all numbers.
func allOdd() Model[int, bool] {
	return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
		ys := make([]bool, len(xs))
		for i := range ys {
			ys[i] = true
		}
		return ys, nil
	})
}

func mustRun[X any, Y comparable](t *testing.T, d Data[X, Y], cfg Config,
	learners ...Learner[X, Y],
) *record.Block {
	t.Helper()
	f, err := Run(t.Context(), []Data[X, Y]{d}, learners, cfg)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 1)
	return f.Blocks()[0]
}

func trials(b *record.Block) []record.Trial { return slices.Collect(b.Trials()) }

// timeless returns the trials without their times.
func timeless(ts []record.Trial) []record.Trial {
	out := make([]record.Trial, len(ts))
	for i, t := range ts {
		t.FitSeconds, t.PredictSec = 0, 0
		out[i] = t
	}
	return out
}

// elsewhere returns a header without the machine, which belongs to the times.
func elsewhere(h record.Header) record.Header {
	h.Machine = ""
	return h
}

func TestRunGivesTheSameResultsInParallel(t *testing.T) {
	t.Parallel()
	var want []record.Trial
	for _, parallel := range []int{1, 2, 8, 64} {
		s := mustRun(t, numbers(50), Config{Parallel: parallel}, guesser("a"), guesser("b"),
			constant("c", true))
		require.Equal(t, 300, s.Len())
		if want == nil {
			want = timeless(trials(s))
		}
		assert.Equal(t, want, timeless(trials(s)), "parallel %d", parallel)
	}
}

func TestRunRecordsEachCellInOrder(t *testing.T) {
	t.Parallel()
	s := mustRun(t, numbers(21), Config{
		Protocol: split.CV(2, 3),
		Metrics:  []metric.Metric{metric.Error(), metric.Accuracy()},
	},
		constant("odd", true), constant("even", false))
	i := 0
	for run := 1; run <= 2; run++ {
		for fold := 1; fold <= 3; fold++ {
			for _, l := range []string{"odd", "even"} {
				tr := trials(s)[i]
				assert.Equal(t, record.Cell{Data: "numbers", Learner: l, Run: run, Fold: fold}, tr.Cell())
				assert.Equal(t, []int{14, 7}, []int{tr.TrainN, tr.TestN})
				require.Len(t, tr.Values, 2)
				assert.InDelta(t, 1, tr.Values[0]+tr.Values[1], 1e-12)
				i++
			}
		}
	}
	assert.Equal(t, 2, s.Runs())
	assert.Equal(t, 3, s.Folds())
	assert.Equal(t, "error", s.Units[0].Name)
	assert.Equal(t, "cv runs=2 folds=3 stratified seed=1 v1", s.Header.Protocol)
	assert.NoError(t, record.NewFile(s).Check())
}

func TestLearnersOfAFoldGetTheSameExamplesAndSeed(t *testing.T) {
	t.Parallel()
	type call struct {
		seed uint64
		rows string
	}
	seen := make(map[string][]call)
	spy := func(name string) Learner[int, bool] {
		return Func(name, func(_ context.Context, train Sample[int, bool], seed uint64) (func(int) bool,
			error,
		) {
			seen[name] = append(seen[name], call{seed, fmt.Sprint(train.Rows())})
			return func(int) bool { return true }, nil
		})
	}
	mustRun(t, numbers(20), Config{Protocol: split.CV(3, 2), Parallel: 1}, spy("a"), spy("b"))
	require.GreaterOrEqual(t, len(seen["a"]), 7) // six trials, and some of them twice
	assert.Equal(t, seen["a"][:6], seen["b"][:6])
	for _, again := range slices.Concat(seen["a"][6:], seen["b"][6:]) {
		assert.Contains(t, seen["a"][:6], again)
	}
	assert.Equal(t, seen["a"][0], seen["a"][len(seen["a"])-1], "the first comes last")
	distinct := make(map[uint64]bool)
	for _, c := range seen["a"] {
		distinct[c.seed] = true
	}
	assert.Len(t, distinct, 6)
}

func TestRepeatsStartWithTheRunsOfTheProtocol(t *testing.T) {
	t.Parallel()
	once := mustRun(t, numbers(30), Config{Protocol: split.CV(2, 5)}, guesser("a"))
	thrice := mustRun(t, numbers(30), Config{Protocol: split.CV(2, 5), Repeats: 3}, guesser("a"))
	assert.Equal(t, 30, thrice.Len())
	assert.Equal(t, "numbers", mustRun(t, numbers(30), Config{Protocol: split.CV(1, 2)},
		guesser("numbers")).Learners[0], "a data set may have the name of a learner")
	assert.Equal(t, timeless(trials(once)), timeless(trials(thrice)[:10]))
	once.Header.Machine, thrice.Header.Machine = "", "" // which has the number of trials at the same time
	assert.Equal(t, once.Header, thrice.Header, "it does not say which runs there are")
	assert.Equal(t, 2, thrice.Runs())
}

// The header has the digest of the partitions, also where it takes longer than the trainings.
func TestHeaderHasTheDigestOfThePartitions(t *testing.T) {
	t.Parallel()
	for _, out := range []string{"", filepath.Join(t.TempDir(), "r.txt")} {
		protocol := split.Subsample(2, 0.9)
		few, many := numbers(30), numbers(20000)
		many.name = "many"
		f, err := Run(t.Context(), []Data[int, bool]{few, many},
			[]Learner[int, bool]{constant("odd", true)}, Config{
				Protocol: protocol,
				Results:  Results{Out: out},
			})
		require.NoError(t, err)
		for i, n := range []int{30, 20000} {
			class := make([]int, n)
			for i := range class {
				class[i] = i % 2
			}
			plan, err := protocol.Plan(split.Examples{N: n, Class: class})
			require.NoError(t, err)
			assert.Equal(t, plan.Digest(), f.Blocks()[i].Header.SplitDigest)
		}
	}
}

func TestExtendedSessionEqualsOneRunAtOnce(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(2, 5)}
	s, err := newExperiment(new(results.Registry), []Data[int, bool]{numbers(30)},
		[]Learner[int, bool]{guesser("a"), guesser("b")}, cfg)
	require.NoError(t, err)
	var progress []string
	s.cfg.Progress = func(done, total int) {
		progress = append(progress,
			fmt.Sprint(done, "/", total))
	}
	require.NoError(t, s.run(t.Context(), 2))
	first := s.there.File()
	require.NoError(t, s.run(t.Context(), 6))
	require.NoError(t, s.run(t.Context(), 4)) // nothing is left to do
	cfg.Repeats = 3
	want := mustRun(t, numbers(30), cfg, guesser("a"), guesser("b"))
	got := s.there.File().Blocks()[0]
	assert.Equal(t, timeless(trials(want)), timeless(trials(got)))
	assert.Equal(t, elsewhere(want.Header), elsewhere(got.Header))
	assert.Equal(t, 20, first.Blocks()[0].Len(), "records that were handed out do not change")
	require.Len(t, progress, 60)
	assert.Equal(t, []string{"20/20", "1/40", "40/40"}, []string{
		progress[19], progress[20],
		progress[59],
	})
}

func TestRunRefusesWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	one := []Data[int, bool]{numbers(20)}
	a, b := constant("a", true), constant("b", true)
	nameless := constant("", true)
	noDirection := metric.Accuracy()
	noDirection.Better = 0
	noRange := metric.Accuracy()
	noRange.Max = 0
	noName, noFunction, badName := metric.Accuracy(), metric.Accuracy(), metric.Accuracy()
	noName.Name, noFunction.Eval, badName.Name = "", nil, "train-n"
	for _, c := range []struct {
		name     string
		data     []Data[int, bool]
		learners []Learner[int, bool]
		cfg      Config
		want     error
		text     string
	}{
		{"no data", nil, []Learner[int, bool]{a}, Config{}, ErrConfig, "0 data sets"},
		{"no learners", one, nil, Config{}, ErrConfig, "0 learners"},
		{
			"same name", one,
			[]Learner[int, bool]{a, b, a},
			Config{},
			ErrConfig,
			`two learners are named "a"`,
		},
		{"no name", one, []Learner[int, bool]{a, nameless}, Config{}, ErrConfig, "learner 1 has no name"},
		{"no fit", one, []Learner[int, bool]{{Name: "x"}}, Config{}, ErrConfig, "no Fit"},
		{
			"two data sets of one name", append(one, one...),
			[]Learner[int, bool]{a},
			Config{},
			ErrConfig,
			"two data sets",
		},
		{"negative", one, []Learner[int, bool]{a}, Config{Repeats: -1}, ErrConfig, "Repeats"},
		{"protocol", one, []Learner[int, bool]{a}, Config{Protocol: split.CV(0, 10)}, ErrConfig, "runs"},
		{
			"too many folds", one,
			[]Learner[int, bool]{a},
			Config{Protocol: split.CV(1, 30)},
			split.ErrTooFew, "numbers",
		},
		{
			"negative timeout", one,
			[]Learner[int, bool]{a},
			Config{TrialTimeout: -1},
			ErrConfig,
			"TrialTimeout is negative",
		},
		{
			"negative parallel", one,
			[]Learner[int, bool]{a},
			Config{Parallel: -1},
			ErrConfig,
			"Parallel is negative",
		},
		{
			"data without a name",
			[]Data[int, bool]{Examples("", []int{1}, []bool{true})},
			[]Learner[int, bool]{a},
			Config{},
			dataset.ErrUnusable, "it has no name",
		},
		{
			"no examples",
			[]Data[int, bool]{numbers(0)},
			[]Learner[int, bool]{a},
			Config{},
			dataset.ErrUnusable, "no examples",
		},
		{
			"lengths",
			[]Data[int, bool]{Examples("d", []int{1, 2}, []bool{true})},
			[]Learner[int, bool]{a},
			Config{},
			dataset.ErrUnusable, "2 examples with 1 labels",
		},
		{
			"groups",
			[]Data[int, bool]{numbers(20).WithGroups([]string{"x"})},
			[]Learner[int, bool]{a},
			Config{},
			dataset.ErrUnusable, "20 examples with 1 groups",
		},
		{
			"metric direction", one,
			[]Learner[int, bool]{a},
			Config{Metrics: []metric.Metric{noDirection}},
			ErrConfig, "no direction",
		},
		{
			"metric range", one,
			[]Learner[int, bool]{a},
			Config{Metrics: []metric.Metric{noRange}},
			ErrConfig, "range",
		},
		{
			"metric twice", one,
			[]Learner[int, bool]{a},
			Config{Metrics: []metric.Metric{metric.Kappa(), metric.Kappa()}},
			ErrConfig, "twice",
		},
		{
			"metric without a name", one,
			[]Learner[int, bool]{a},
			Config{Metrics: []metric.Metric{noName}},
			ErrConfig, "metric 0",
		},
		{
			"metric without a function", one,
			[]Learner[int, bool]{a},
			Config{Metrics: []metric.Metric{metric.Kappa(), noFunction}},
			ErrConfig, "metric 1",
		},
		{
			"metric with a bad name", one,
			[]Learner[int, bool]{a},
			Config{Metrics: []metric.Metric{badName}},
			record.ErrInvalid, `data set "numbers": `,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := Run(t.Context(), c.data, c.learners, c.cfg)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.text)
			assert.NotContains(t, err.Error(), "groups from a file", "only where they are missing")
			assert.Nil(t, f)
		})
	}
}

func TestGroupsAreKeptTogether(t *testing.T) {
	t.Parallel()
	groups := make([]string, 30)
	for i := range groups {
		groups[i] = fmt.Sprint("g", i%6)
	}
	checker := Func("checker", func(_ context.Context, train Sample[int, bool],
		_ uint64,
	) (func(int) bool, error) {
		in := make(map[int]bool)
		for x := range train.All() {
			in[x%6] = true
		}
		return func(x int) bool {
			if in[x%6] {
				panic("group in training and test set")
			}
			return true
		}, nil
	})
	s := mustRun(t, numbers(30).WithGroups(groups), Config{Protocol: split.Groups(2, 3)}, checker)
	for _, tr := range trials(s) {
		assert.Empty(t, tr.Err)
	}
}

func TestModelsGetTheContextOfTheTrial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := Func("slow", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
			return func(int) bool { time.Sleep(10 * time.Millisecond); return true }, nil
		})
		batch := Learner[int, bool]{Name: "batch", Fit: func(fit context.Context, _ Sample[int, bool],
			_ uint64,
		) (Model[int, bool], error) {
			return LabelModel(func(ctx context.Context, xs []int) ([]bool, error) {
				assert.Same(t, fit, ctx)
				_, limited := ctx.Deadline()
				assert.True(t, limited)
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}), nil
		}}
		cfg := Config{Protocol: split.CV(1, 2), Parallel: 1, TrialTimeout: 40 * time.Millisecond}
		start := time.Now()
		b := mustRun(t, numbers(4000), cfg, slow, batch)
		assert.Less(t, time.Since(start), 20*time.Second, "predictions stop when the time is over")
		for tr := range b.Trials() {
			assert.Contains(t, tr.Err, "trial timed out after 40ms")
		}
	})
}
