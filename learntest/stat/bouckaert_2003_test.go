package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// R. R. Bouckaert (2003), "Choosing between two learning algorithms based on
// calibrated tests".
//
// Reproduced: the means of figure 1, by what the tests report. The statistics
// of table 1 on these data are not in print; they are computed by hand here,
// and elsewhere from the reference cases.
//
// Misprints: the mean of run 3 in figure 1 is −2.22, not 2.22; section 2.2
// prints sums for means and a variance without its denominator; table 1 divides
// by df+1 where √(df+1) is meant, and takes the variances of the sorted tests
// about the unsorted means.
func TestBouckaert2003Figure1(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 3, Folds: 3, X: []float64{
		3.33, 10, -6.66,
		6.66, 3.33, 0,
		6.66, -10, -3.33,
	}}
	r, err := stat.UseAllData.Test(d, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, 1.11, r.Mean, 1e-12)

	// A test's SE gives back the variance that it took, and with it the means.
	variance := func(b stat.Bouckaert) float64 {
		r, err := b.Test(d, stat.TwoSided)
		require.NoError(t, err)
		return r.SE * r.SE * (r.DF + 1)
	}
	of := func(means ...float64) float64 {
		var m, ss float64
		for _, x := range means {
			m += x / float64(len(means))
		}
		for _, x := range means {
			ss += (x - m) * (x - m)
		}
		return ss / float64(len(means)-1)
	}
	// The print is cut off, not rounded, after two digits.
	require.InDelta(t, of(6.67/3, 9.99/3, -6.67/3), variance(stat.MeanFolds), 1e-9, "Xi column")
	require.Greater(t, math.Abs(of(2.22, 3.33, 2.22)-variance(stat.MeanFolds)), 5.0,
		"the misprint would show")
	require.InDelta(t, of(16.65/3, 3.33/3, -9.99/3), variance(stat.MeanRuns), 1e-9, "bottom row")
	require.InDelta(t, of(-16.66/3, 3.33/3, 23.32/3), variance(stat.MeanSortedRuns), 1e-9,
		"bottom row of the sorted matrix")
	for _, c := range []struct{ printed, exact float64 }{
		{2.22, 6.67 / 3},
		{3.33, 9.99 / 3},
		{5.55, 16.65 / 3},
		{1.11, 3.33 / 3},
		{-3.33, -9.99 / 3},
		{-5.55, -16.66 / 3},
		{7.77, 23.32 / 3},
	} {
		require.InDelta(t, c.printed, c.exact, 0.01)
	}
}

// Section 6: the recommended test, 10×10 folds with 10 degrees of freedom.
func TestBouckaert2003RecommendedTest(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 10, Folds: 10, X: make([]float64, 100)}
	for i := range d.X {
		d.X[i] = float64(i*i%17)/100 - 0.06
	}
	plain, err := stat.UseAllData.Test(d, stat.TwoSided)
	require.NoError(t, err)
	calibrated, err := stat.UseAllData.Calibrated(10).Run(d, stat.TwoSided)
	require.NoError(t, err)
	require.InEpsilon(t, plain.Statistic*math.Sqrt(11.0/100), calibrated.Statistic, 1e-12)
	require.Equal(t, 10.0, calibrated.DF)
	require.Greater(t, calibrated.P, plain.P)
}
