package study

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func nearestAndBayes() []learntest.Learner[dataset.Row, int] {
	return []learntest.Learner[dataset.Row,
		int]{
		learntest.FromClassifier(neighbor.New(neighbor.Config{})),
		learntest.FromClassifier(naivebayes.New(naivebayes.Config{})),
	}
}

// The rate is how often the claim holds on data without a difference: a test that takes folds for
// independent has a high one, the default test does not, a second opinion never raises it, and a
// claim of an improvement has some of the alarms.
func TestFalseAlarmRateTellsTestsApart(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	rate := func(claim verdict.Claim) Alarms {
		f, err := FalseAlarmRate(t.Context(), uci.Iris(), nearestAndBayes(), learntest.Config{}, claim,
			40)
		require.NoError(t, err)
		require.Equal(t, 40, f.Repeats)
		require.LessOrEqual(t, f.Lo, f.Rate())
		require.Greater(t, f.Hi, f.Rate())
		return f
	}
	naive := rate(verdict.Claim{Test: stat.MustLookup("paired-t")})
	corrected := rate(verdict.Claim{})
	both := rate(verdict.Claim{Halvings: 20})
	improves := rate(verdict.Claim{Kind: verdict.Improves, Test: stat.MustLookup("paired-t")})
	assert.Greater(t, naive.Rate(), 0.3)
	assert.Less(t, corrected.Rate(), 0.25)
	assert.LessOrEqual(t, both.Alarms, corrected.Alarms)
	assert.Less(t, improves.Alarms, naive.Alarms)
	assert.Positive(t, improves.Alarms)
}

// A coin is a learner that learns nothing, and whose predictions its seed fixes.
func coin(note func(seed uint64)) learntest.Learner[int, bool] {
	return learntest.Func("coin", func(_ context.Context, _ learntest.Sample[int, bool],
		seed uint64,
	) (func(int) bool, error) {
		note(seed)
		return func(x int) bool { return rand.New(rand.NewPCG(seed, uint64(x))).IntN(2) == 0 }, nil
	})
}

// A learner that draws random numbers is compared with itself: each trial of either side has a
// seed of its own, and the result does not depend on how many run at once.
func TestFalseAlarmRateOfALearnerAndItself(t *testing.T) {
	t.Parallel()
	xs, ys := make([]int, 60), make([]bool, 60)
	for i := range xs {
		xs[i], ys[i] = i, i%3 == 0
	}
	data := learntest.Examples("x", xs, ys)
	var mu sync.Mutex
	seeds := make(map[uint64]bool)
	learner := coin(func(seed uint64) {
		mu.Lock()
		defer mu.Unlock()
		seeds[seed] = true
	})
	f, err := FalseAlarmRate(t.Context(), data, []learntest.Learner[int, bool]{learner},
		learntest.Config{Protocol: split.CV(2, 5)}, verdict.Claim{}, 20)
	require.NoError(t, err)
	assert.LessOrEqual(t, f.Alarms, 3)
	require.Len(t, seeds, 20*2*10) // experiments, learners and trials
	again, err := FalseAlarmRate(t.Context(), data, []learntest.Learner[int, bool]{learner},
		learntest.Config{Protocol: split.CV(2, 5), Parallel: 1}, verdict.Claim{}, 20)
	require.NoError(t, err)
	require.Equal(t, f, again)
}

func TestFalseAlarmRateRefuses(t *testing.T) {
	t.Parallel()
	two := nearestAndBayes()
	table := uci.Iris()
	for name, test := range map[string]struct {
		learners []learntest.Learner[dataset.Row, int]
		cfg      learntest.Config
		claim    verdict.Claim
		repeats  int
		err      string
	}{
		"no experiments": {two, learntest.Config{}, verdict.Claim{}, 0, "0 experiments"},
		"no regression": {
			two,
			learntest.Config{},
			verdict.Claim{Kind: verdict.NoRegression},
			1,
			"improves on the other, has false alarms",
		},
		"fixed folds": {
			two,
			learntest.Config{Protocol: split.LeaveOneOut()},
			verdict.Claim{},
			1,
			"no random partitions",
		},
		"a file": {
			two,
			learntest.Config{Results: learntest.Results{Out: "x"}},
			verdict.Claim{},
			1, "are not kept",
		},
		"no learner": {nil, learntest.Config{}, verdict.Claim{}, 1, "0 learners: want two"},
		"three": {
			append(nearestAndBayes(), two[0]),
			learntest.Config{},
			verdict.Claim{},
			1,
			"3 learners: want two",
		},
		"log loss": {
			two,
			learntest.Config{Metrics: []metric.Metric{metric.LogLoss()}},
			verdict.Claim{},
			1, "need not have the same logloss",
		},
		"its metric": {two, learntest.Config{Metrics: []metric.Metric{
			metric.Accuracy(),
			metric.LogLoss(),
		}}, verdict.Claim{Metric: "logloss"}, 1, "need not have the same logloss"},
		"no luck": {
			two[:1],
			learntest.Config{Protocol: split.CV(1, 2)},
			verdict.Claim{},
			2,
			"equal scores in all experiments",
		},
		"no judgement": {
			two,
			learntest.Config{Protocol: split.CV(1, 2)},
			verdict.Claim{Test: stat.MustLookup("5x2cv-t")},
			2, "experiment 1: ",
		},
	} {
		_, err := FalseAlarmRate(t.Context(), table, test.learners, test.cfg, test.claim, test.repeats)
		assert.ErrorContains(t, err, test.err, name)
	}
	numbers := learntest.Examples("n", []int{1, 2, 3, 4}, []float64{1, 2, 3, 4})
	mean := learntest.Func("mean", func(context.Context, learntest.Sample[int, float64],
		uint64,
	) (func(int) float64, error) {
		return func(int) float64 { return 0 }, nil
	})
	_, err := FalseAlarmRate(t.Context(), numbers, []learntest.Learner[int, float64]{mean, mean},
		learntest.Config{}, verdict.Claim{}, 1)
	require.ErrorContains(t, err, "no two classes")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err = FalseAlarmRate(ctx, table, two, learntest.Config{
		Protocol: split.CV(1, 2),
		Progress: func(done, total int) {
			assert.Equal(t, 9, total)
			if done == 2 {
				cancel()
			}
		},
	}, verdict.Claim{}, 9)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "experiment 3: ")
}

// Examples of any type get classes that occur in the data.
func TestExamplesGetRandomClasses(t *testing.T) {
	t.Parallel()
	words := learntest.Examples("w", []int{1, 2, 3, 4, 5}, []string{"a", "b", "a", "c", "a"})
	two := []learntest.Learner[int, string]{{Name: "x"}, {Name: "y"}}
	draw, err := withoutDifference(words, two, learntest.Config{}, verdict.Claim{})
	require.NoError(t, err)
	seen := make(map[string]bool)
	for seed := range uint64(20) {
		drawn, err := draw(rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, err)
		labels := ""
		counts := make(map[string]int)
		for i := range drawn.Len() {
			require.Equal(t, i+1, drawn.Example(i))
			labels += drawn.Label(i)
			counts[drawn.Label(i)]++
		}
		seen[labels] = true
		require.Len(t, counts, 3) // 2, 2 and 1
	}
	require.Greater(t, len(seen), 10)
	require.Equal(t, "c", words.Label(3))
	rows := learntest.Examples("r", []dataset.Row{uci.Iris().Example(0), uci.Iris().Example(149)},
		[]int{0, 2})
	drawRows, err := withoutDifference(rows, nearestAndBayes(), learntest.Config{}, verdict.Claim{})
	require.NoError(t, err)
	_, err = drawRows(rand.New(rand.NewPCG(1, 1)))
	require.ErrorContains(t, err, "give the table itself")
}
