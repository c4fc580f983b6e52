package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
	"github.com/learnbench/learnbench/learntest/stat/effect"
	"github.com/learnbench/learnbench/learntest/unit"
)

func TestNewDifferences(t *testing.T) {
	t.Parallel()
	a := [][]float64{{0.75, 0.5, -2}, {1, 0.25, 0.5}}
	b := [][]float64{{0.5, 0.625, 0.5}, {1, 0.75, 0}}
	d, err := stat.NewDifferences(a, b, stat.TableOptions{})
	require.NoError(t, err)
	require.Equal(t, stat.Differences{Runs: 2, Folds: 3, X: []float64{
		0.25, -0.125, -2.5, 0, -0.5,
		0.5,
	}, Scale: 2}, d)
	r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, 6, r.N)

	d, err = stat.NewDifferences(a, b, stat.TableOptions{Better: unit.Lower, Ratio: 0.25})
	require.NoError(t, err)
	require.Equal(t, []float64{-0.25, 0.125, 2.5, 0, 0.5, -0.5}, d.X)
	require.Equal(t, 0.25, d.Ratio)

	d, err = stat.NewDifferences(a, b, stat.TableOptions{
		Train: [][]int{{20, 20, 22}, {21, 20, 21}}, Test: [][]int{{11, 11, 9}, {10, 11, 10}},
	})
	require.NoError(t, err)
	require.Equal(t, 0.5, d.Ratio)
	d.X[0] = 9
	require.Equal(t, 0.75, a[0][0])
}

func TestNewDifferencesRejectsWhatIsNoTable(t *testing.T) {
	t.Parallel()
	a := [][]float64{{1, 2}, {3, 4}}
	sizes := [][]int{{8, 8}, {8, 8}}
	with := func(j, i int, v float64) [][]float64 {
		c := [][]float64{{1, 2}, {3, 4}}
		c[j][i] = v
		return c
	}
	for name, c := range map[string]struct {
		a, b [][]float64
		opt  stat.TableOptions
		want error
		text string
	}{
		"nothing": {nil, nil, stat.TableOptions{}, stat.ErrSampleSize, "no scores"},
		"no folds": {
			[][]float64{{}},
			[][]float64{{}},
			stat.TableOptions{},
			stat.ErrSampleSize,
			"no scores",
		},
		"runs": {
			a, a[:1],
			stat.TableOptions{},
			stat.ErrSampleSize,
			"baseline's scores of 1 runs, the candidate has 2",
		},
		"ragged": {
			[][]float64{{1, 2}, {3}},
			a,
			stat.TableOptions{},
			stat.ErrSampleSize,
			"candidate's scores of 1 folds in run 2",
		},
		"folds": {
			a,
			[][]float64{{1, 2}, {3, 4, 5}},
			stat.TableOptions{},
			stat.ErrSampleSize,
			"baseline's scores of 3 folds in run 2",
		},
		"NaN": {
			with(1, 0, nan()), a,
			stat.TableOptions{},
			stat.ErrNotFinite,
			"candidate's score in run 2, fold 1 is NaN",
		},
		"infinite": {
			a, with(0, 1, math.Inf(1)),
			stat.TableOptions{},
			stat.ErrNotFinite,
			"baseline's score in run 1, fold 2 is +Inf",
		},
		"overflow": {
			with(1, 1, 1e308), with(1, 1, -1e308),
			stat.TableOptions{},
			stat.ErrNotFinite,
			"run 2, fold 2",
		},
		"direction":  {a, a, stat.TableOptions{Better: 2}, stat.ErrDomain, "Direction(2)"},
		"ratio":      {a, a, stat.TableOptions{Ratio: -1}, stat.ErrDomain, "ratio -1"},
		"NaN ratio":  {a, a, stat.TableOptions{Ratio: nan()}, stat.ErrDomain, "ratio NaN"},
		"huge ratio": {a, a, stat.TableOptions{Ratio: math.Inf(1)}, stat.ErrDomain, "ratio +Inf"},
		"twice": {
			a, a,
			stat.TableOptions{Ratio: 1, Train: sizes, Test: sizes},
			stat.ErrDomain,
			"leave one out",
		},
		"one size": {
			a, a,
			stat.TableOptions{Train: sizes},
			stat.ErrSampleSize,
			"numbers of test examples of 0 runs",
		},
		"shape of size": {
			a, a,
			stat.TableOptions{Train: [][]int{{8, 8}, {8}}, Test: sizes},
			stat.ErrSampleSize, "numbers of training examples of 1 folds in run 2",
		},
		"no examples": {
			a, a,
			stat.TableOptions{Train: sizes, Test: [][]int{{1, 1}, {1, 0}}},
			stat.ErrDomain, "numbers of test examples: 0 in run 2, fold 2",
		},
	} {
		_, err := stat.NewDifferences(c.a, c.b, c.opt)
		require.ErrorIs(t, err, c.want, name)
		require.ErrorContains(t, err, c.text, name)
	}
}

func TestResultsCarryTheNullValue(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 5, Folds: 2, X: []float64{1, 2, 0.5, 1, 3, 1, 2, 0, 1, 1}, Ratio: 1}
	for _, test := range stat.Tests() {
		r, err := test.Run(d, stat.TwoSided)
		if err == nil {
			require.Zero(t, r.Null, test.Name)
		}
	}
	test := stat.MustLookup("corrected-cv-t")
	r, err := test.Against(d, -0.25, stat.Greater)
	require.NoError(t, err)
	require.Equal(t, -0.25, r.Null)
	r, err = test.Against(d, 0.25, stat.Greater)
	require.NoError(t, err)
	require.Equal(t, 0.25, r.Null)
	e, err := test.Equivalence(d, -2, 3)
	require.NoError(t, err)
	require.Equal(t, []float64{-2, 3}, []float64{e.Lower.Null, e.Upper.Null})
	// The statistic is the distance from it, and an interval that just reaches it
	// belongs to the p-value.
	require.InEpsilon(t, (r.Estimate-r.Null)/r.SE, r.Statistic, 1e-14)
	require.InEpsilon(t, 1.25, r.Mean, 1e-14)
	lo, _ := r.Interval(1 - r.P)
	require.InDelta(t, r.Null, lo, 1e-12)
	r, err = stat.FisherCombination([]float64{0.5})
	require.NoError(t, err)
	require.True(t, math.IsNaN(r.Null))
}

// Without variance an interval is the estimate, whatever the alternative.
func TestIntervalsWithoutVariance(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 1, Folds: 4, X: []float64{0.25, 0.25, 0.25, 0.25}}
	for alt := stat.TwoSided; alt <= stat.Less; alt++ {
		for _, level := range []float64{1e-300, 0.95, 1 - 0x1p-53} {
			r, err := stat.CorrectedCVTTest(d, alt)
			require.NoError(t, err)
			lo, hi := r.Interval(level)
			require.Equal(t, []float64{0.25, 0.25}, []float64{lo, hi}, "%v %v", alt, level)
			p, err := contingency.TwoProportionsTest(3, 3, 0, 5, false, alt)
			require.NoError(t, err)
			lo, hi = p.Interval(level)
			require.Equal(t, []float64{1, 1}, []float64{lo, hi}, "%v %v", alt, level)
		}
		lo, hi := stat.Result{Alternative: alt, Estimate: 2, DF: 0.001, DF2: nan()}.Interval(0.999)
		require.Equal(t, []float64{2, 2}, []float64{lo, hi})
	}
	lo, hi := stat.Posterior{Mean: 2, DF: 0.001}.HDI(0.999)
	require.Equal(t, []float64{2, 2}, []float64{lo, hi})
}

// The difference of two accuracies is never beyond −1 and 1; the interval of a
// single example, which only the first got right, once ended at 1.18.
func TestDiscordantPairsStayWithinTheirRange(t *testing.T) {
	t.Parallel()
	lo, hi := contingency.PairCounts{OnlyFirst: 1}.Interval(0.95)
	require.Equal(t, 1.0, hi)
	require.InDelta(t, 1.0/3-1.959963984540054*math.Sqrt(2-1.0/3)/3, lo, 1e-15)
	lo, hi = contingency.PairCounts{OnlySecond: 2}.Interval(0.999)
	require.Equal(t, -1.0, lo)
	require.Less(t, hi, 1.0)
}

// Numbers at the end of the range give an answer or an error, not NaN.
func TestNoNaNWithoutAnError(t *testing.T) {
	t.Parallel()
	xs := [][]float64{
		{1, 2, 3, 5},
		{1e300, -1e300, 1e299, 3e299},
		{1e-300, 2e-300, 0, 5e-300},
		{1e160, 1, 2, 3},
		{1e154, 1e154, -1e154, 3e154},
		{5e-324, 0, 0, 5e-324},
		{1, 1, 1, 1},
	}
	for _, x := range xs {
		for _, ratio := range []float64{0.5, 1e300, 1e-300, math.MaxFloat64} {
			for _, scale := range []float64{0, 1e-300, 1e300} {
				for _, shape := range [][2]int{{1, 4}, {2, 2}} {
					d := stat.Differences{Runs: shape[0], Folds: shape[1], X: x, Ratio: ratio, Scale: scale}
					checkNoNaN(t, d)
				}
			}
		}
	}
	for _, df := range []float64{1e15, 1e160, 1e300, math.MaxFloat64} {
		r, err := stat.AveragedT([]float64{1.5, 2.5}, df, stat.TwoSided)
		require.NoError(t, err)
		require.InDelta(t, 0.045500263896358, r.P, 1e-12) // normal, at 2
		test, err := stat.Lookup("b03-folds")
		require.NoError(t, err)
		require.NotNil(t, test.Run)
		b, err := stat.MeanFolds.TestDF(stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 3, 5}},
			stat.TwoSided, df)
		require.NoError(t, err)
		require.False(t, math.IsNaN(b.P) || math.IsNaN(b.Statistic))
		c, err := stat.CalibrateDF([]float64{0.1, -0.5, 1e-80}, df, 0.05)
		require.NoError(t, err)
		require.False(t, c.DF > 0 && math.IsNaN(c.TypeI))
	}
}

func checkNoNaN(t *testing.T, d stat.Differences) {
	t.Helper()
	for _, test := range stat.Tests() {
		for alt := stat.TwoSided; alt <= stat.Less; alt++ {
			r, err := test.Run(d, alt)
			if err != nil {
				continue
			}
			require.False(t, math.IsNaN(r.P) || math.IsNaN(r.Statistic) || math.IsNaN(r.Estimate),
				"%s: %+v of %+v", test.Name, r, d)
			if math.IsNaN(r.SE) {
				continue
			}
			lo, hi := r.Interval(0.95)
			require.False(t, math.IsNaN(lo) || math.IsNaN(hi), "%s: interval %v, %v of %+v", test.Name, lo,
				hi, d)
			against, err := test.Against(d, 1e300, stat.Less)
			require.True(t, err != nil || !math.IsNaN(against.P), "%s: %+v", test.Name, against)
			detectable, err := r.Detectable(0.05, 0.8)
			require.True(t, err != nil || detectable >= 0, "%s: %v of %+v", test.Name, detectable, d)
		}
	}
	if p, err := stat.BayesianCorrelatedT(d, 1e-3); err == nil {
		require.False(t, math.IsNaN(p.Better) || math.IsNaN(p.Equivalent) || math.IsNaN(p.Worse),
			"%+v of %+v", p, d)
	}
	if e, err := effect.CohenDz(d, 0.95); err == nil && !math.IsInf(e.Value, 0) && e.Value != 0 {
		require.True(t, e.Lo <= e.Value && e.Value <= e.Hi, "%+v of %+v", e, d)
	}
}
