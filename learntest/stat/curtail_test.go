package stat_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
)

var ten = stat.Curtailment{Runs: 10, Error: 0.01}

// standardised returns differences with the given mean and standard deviation.
func standardised(runs, folds int, mean, sd float64) stat.Differences {
	n := runs * folds
	d := stat.Differences{Runs: runs, Folds: folds, X: make([]float64, n)}
	unit := sd * math.Sqrt(float64(n-1)/float64(n-n%2))
	for i := range n - n%2 {
		d.X[i] = mean + unit*float64(1-2*(i%2))
	}
	return d
}

func look(t require.TestingT, c stat.Curtailment, d stat.Differences) stat.Look {
	l, err := c.Look(stat.MustLookup("corrected-cv-t"), d)
	require.NoError(t, err)
	return l
}

// The thresholds on |m|/S that the doc comment of Look quotes, for a two-sided test at 5%.
func TestLookHasTheDocumentedThresholds(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{2, 3, 5}, ten.Looks())
	for i, runs := range ten.Looks() {
		two := func(mean float64) stat.Prospect {
			l := look(t, ten, standardised(runs, 10, mean, 1))
			return l.Above(0, 0.025).Either(l.Below(0, 0.025))
		}
		different, alike := []float64{1.368, 1.187, 1.006}[i], []float64{0.013, 0.194, 0.375}[i]
		for _, sign := range []float64{1, -1} {
			assert.Equal(t, stat.SettledYes, two(sign*(different+0.0006)), runs)
			assert.Equal(t, stat.Unsettled, two(sign*(different-0.0006)), runs)
			assert.Equal(t, stat.Unsettled, two(sign*(alike+0.0006)), runs)
			assert.Equal(t, stat.SettledNo, two(sign*(alike-0.0006)), runs)
		}
	}
}

func TestLooksComeBeforeTheLastRun(t *testing.T) {
	t.Parallel()
	for runs, want := range map[int][]int{
		1: {}, 2: {}, 3: {2}, 4: {2, 3}, 5: {2, 3}, 6: {2, 3, 5},
		100: {2, 3, 5},
	} {
		assert.Equal(t, want, stat.Curtailment{Runs: runs}.Looks(), runs)
	}
}

// If the other runs are as the first ones, all runs show what the look says: the rule is about the
// tests that judge, with their own critical values.
func TestSettledLooksAgreeWithAllRuns(t *testing.T) {
	t.Parallel()
	settled := make(map[stat.Prospect]int)
	rapid.Check(t, func(t *rapid.T) {
		test := stat.MustLookup(rapid.SampledFrom([]string{
			"corrected-cv-t", "corrected-cv-t/ratio=0.18",
			"corrected-resampled-t",
		}).Draw(t, "test"))
		runs := rapid.SampledFrom([]int{2, 5}).Draw(t, "runs")
		d := drawDifferences(t, runs, rapid.IntRange(4, 12).Draw(t, "folds"))
		for i := range d.X {
			d.X[i] += rapid.Float64Range(-2, 2).Draw(t, "shift")
		}
		d.LeastVariance = rapid.SampledFrom([]float64{0, 1e-6, 1}).Draw(t, "least")
		value, alpha := rapid.Float64Range(-3, 3).Draw(t, "value"),
			rapid.SampledFrom([]float64{0.01, 0.025, 0.05}).Draw(t, "alpha")
		l, err := ten.Look(test, d)
		require.NoError(t, err)
		all := d
		all.Runs, all.X = 10, slices.Repeat(d.X, 10/runs)
		for _, x := range []struct {
			alt stat.Alternative
			is  stat.Prospect
		}{{stat.Greater, l.Above(value, alpha)}, {stat.Less, l.Below(value, alpha)}} {
			if x.is == stat.Unsettled {
				continue
			}
			settled[x.is]++
			r, err := test.Against(all, value, x.alt)
			require.NoError(t, err)
			require.Equal(t, x.is == stat.SettledYes, r.P <= alpha, "%v: p = %v", x.alt, r.P)
		}
		require.Equal(t, l.MeanAbove(value), l.MeanBelow(value).Not())
	})
	require.Positive(t, settled[stat.SettledYes])
	require.Positive(t, settled[stat.SettledNo])
}

func TestLookProperties(t *testing.T) {
	t.Parallel()
	rank := map[stat.Prospect]int{stat.SettledNo: 0, stat.Unsettled: 1, stat.SettledYes: 2}
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SampledFrom(ten.Looks()).Draw(t, "runs")
		d := drawDifferences(t, runs, rapid.IntRange(2, 12).Draw(t, "folds"))
		value, alpha := rapid.Float64Range(-1, 1).Draw(t, "value"), rapid.Float64Range(0.001, 0.2).Draw(t,
			"alpha")
		l := look(t, ten, d)
		is := l.Above(value, alpha)
		require.Equal(t, is, look(t, ten, negated(d)).Below(-value, alpha), "swapped learners")
		require.LessOrEqual(t, rank[is], rank[l.MeanAbove(value)], "a bound lies below the mean")
		higher := rapid.Float64Range(0, 1).Draw(t, "higher")
		require.LessOrEqual(t, rank[l.Above(value+higher, alpha)], rank[is], "a higher value")
		strict := look(t, stat.Curtailment{Runs: 10, Error: 0.001}, d).Above(value, alpha)
		require.True(t, strict == is || strict == stat.Unsettled, "a smaller error settles no more")
		shuffled := d
		shuffled.X = slices.Clone(d.X)
		slices.Reverse(shuffled.X)
		if again := look(t, ten, shuffled).Above(value, alpha); again != is {
			require.True(t, again == stat.Unsettled || is == stat.Unsettled, "the order of folds")
		}
	})
}

func TestProspectsJoin(t *testing.T) {
	t.Parallel()
	const no, open, yes = stat.SettledNo, stat.Unsettled, stat.SettledYes
	for _, x := range []struct{ a, b, both, either stat.Prospect }{
		{yes, yes, yes, yes},
		{yes, no, no, yes},
		{yes, open, open, yes},
		{no, no, no, no},
		{no, open, no, open},
		{open, open, open, open},
	} {
		assert.Equal(t, x.both, x.a.Both(x.b), x)
		assert.Equal(t, x.both, x.b.Both(x.a), x)
		assert.Equal(t, x.either, x.a.Either(x.b), x)
		assert.Equal(t, x.either, x.b.Either(x.a), x)
	}
}

func TestLookSettlesNothingWithoutVariance(t *testing.T) {
	t.Parallel()
	for _, least := range []float64{0, 1} { // which is for means over few examples
		d := stat.Differences{
			Runs: 2, Folds: 10, X: slices.Repeat([]float64{0.5}, 20),
			LeastVariance: least,
		}
		l := look(t, ten, d)
		for _, p := range []stat.Prospect{
			l.Above(0, 0.05), l.Below(0, 0.05), l.MeanAbove(0),
			l.MeanBelow(0), l.Above(9, 0.05),
		} {
			assert.Equal(t, stat.Unsettled, p)
		}
	}
}

func TestLookRefusesWhatItCannotJudge(t *testing.T) {
	t.Parallel()
	d := standardised(2, 10, 5, 1)
	cv := stat.MustLookup("corrected-cv-t")
	for _, x := range []struct {
		c    stat.Curtailment
		test stat.Test
		runs int
		want string
	}{
		{
			stat.Curtailment{Runs: 10},
			cv, 2,
			"a probability of 0 that all runs would show something else: it is above 0 and at most 0.05",
		},
		{stat.Curtailment{Runs: 10, Error: 0.06}, cv, 2, "at most 0.05"},
		{stat.Curtailment{Runs: 10, Error: math.NaN()}, cv, 2, "at most 0.05"},
		{stat.Curtailment{Error: 0.01}, cv, 2, "a test of 0 runs"},
		{stat.Curtailment{Runs: 2, Error: 0.01}, cv, 2, "2 runs are too few to stop earlier"},
		{
			ten, stat.MustLookup("paired-t"), 2,
			"paired-t takes all runs: only corrected t tests can be settled by the first of them",
		},
		{ten, stat.MustLookup("5x2cv-t"), 2, "5x2cv-t takes all runs"},
		{
			ten, stat.MustLookup("corrected-resampled-t/df=90"), 2,
			"corrected-resampled-t/df=90 takes all runs",
		},
		{ten, cv, 4, "a look after 4 of 10 runs: there are looks after [2 3 5]"},
		{ten, cv, 10, "a look after 10 of 10 runs"},
	} {
		e := standardised(x.runs, 10, 5, 1)
		_, err := x.c.Look(x.test, e)
		require.ErrorIs(t, err, stat.ErrDomain, x.want)
		require.ErrorContains(t, err, x.want)
	}
	d.X[3] = math.NaN()
	_, err := ten.Look(cv, d)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	d = standardised(2, 10, 5, 1)
	_, err = ten.Look(stat.MustLookup("corrected-resampled-t"), d) // which needs the ratio
	require.ErrorIs(t, err, stat.ErrDomain)
}

// The least variance takes the place of a smaller one, as in the test.
func TestLookHeedsTheLeastVariance(t *testing.T) {
	t.Parallel()
	d := standardised(2, 10, 1.4, 1)
	require.Equal(t, stat.SettledYes, look(t, ten, d).Above(0, 0.025))
	d.LeastVariance = 4
	require.Equal(t, stat.Unsettled, look(t, ten, d).Above(0, 0.025))
	d = standardised(2, 10, 2*1.369, 1)
	d.LeastVariance = 4
	require.Equal(t, stat.SettledYes, look(t, ten, d).Above(0, 0.025))
}
