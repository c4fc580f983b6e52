package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestEquivalenceReference(t *testing.T) {
	t.Parallel()
	for procedure, corrected := range map[string]bool{"tost_paired": false, "tost_paired_corrected": true} {
		each(t, "tost", procedure, func(t *testing.T, v vector) {
			var in struct {
				X, Y      []number
				Low, High float64
				Ratio     float64 `json:"n_test_over_n_train"`
			}
			var w struct {
				TLower number `json:"t_lower"`
				PLower number `json:"p_lower"`
				TUpper number `json:"t_upper"`
				PUpper number `json:"p_upper"`
				DF, P  number
				CI90   [2]number
			}
			v.in(t, &in)
			v.want(t, &w)
			d := differences(in.X, in.Y)
			d.Ratio = in.Ratio
			base := stat.PairedTTest
			if corrected {
				base = stat.CorrectedCVTTest
			}
			r, err := base(d, stat.TwoSided)
			require.NoError(t, err)
			e, err := r.Equivalence(in.Low, in.High)
			require.NoError(t, err)
			v.near(t, "lower t", e.Lower.Statistic, w.TLower)
			v.near(t, "lower p", e.Lower.P, w.PLower)
			v.near(t, "upper t", e.Upper.Statistic, w.TUpper)
			v.near(t, "upper p", e.Upper.P, w.PUpper)
			v.near(t, "p", e.P, w.P)
			v.near(t, "df", e.Lower.DF, w.DF)
			lo, hi := r.Interval(0.9)
			v.near(t, "lower bound", lo, w.CI90[0])
			v.near(t, "upper bound", hi, w.CI90[1])
			if corrected {
				again, err := stat.EquivalenceTest(d, in.Low, in.High)
				require.NoError(t, err)
				require.Equal(t, e.P, again.P)
			}
		})
	}
}

func TestNonInferiorityReference(t *testing.T) {
	t.Parallel()
	each(t, "tost", "non_inferiority_corrected", func(t *testing.T, v vector) {
		var in struct {
			X      []number `json:"x_candidate"`
			Y      []number `json:"y_baseline"`
			Margin float64
			Ratio  float64 `json:"n_test_over_n_train"`
		}
		var w struct{ T, DF, P number }
		v.in(t, &in)
		v.want(t, &w)
		d := differences(in.X, in.Y)
		d.Ratio = in.Ratio
		r, err := stat.NonInferiorityTest(d, in.Margin)
		require.NoError(t, err)
		v.near(t, "t", r.Statistic, w.T)
		v.near(t, "df", r.DF, w.DF)
		v.near(t, "p", r.P, w.P)
		require.Equal(t, stat.Greater, r.Alternative)
	})
}

func TestMinimumGainIsNonInferiorityOfTheOtherSign(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{0.1, 0.3, 0.2, 0.15, 0.4})
	gain, err := stat.MinimumGainTest(d, 0.1)
	require.NoError(t, err)
	worse := oneRun([]float64{0, 0.2, 0.1, 0.05, 0.3})
	r, err := stat.CorrectedCVTTest(worse, stat.Greater)
	require.NoError(t, err)
	require.True(t, floatcmp.Equal(gain.P, r.P, 0, 1e-12))
	none, err := stat.MinimumGainTest(d, 0)
	require.NoError(t, err)
	r, err = stat.CorrectedCVTTest(d, stat.Greater)
	require.NoError(t, err)
	require.Equal(t, r.P, none.P)
}

func TestMarginsOfEqualDifferences(t *testing.T) {
	t.Parallel()
	x := []float64{minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6)} // 0.1 up to round-off
	d := stat.Differences{Runs: 1, Folds: 3, X: x, Scale: 0.9}
	for _, c := range []struct{ low, high, want float64 }{
		{-0.2, 0.2, 0},
		{-0.1, 0.1, 1},
		{0.1, 0.2, 1},
		{-0.05, 0.05, 1},
		{0.15, 0.2, 1},
	} {
		e, err := stat.EquivalenceTest(d, c.low, c.high)
		require.NoError(t, err)
		require.Equal(t, c.want, e.P, "%v", c)
		require.Equal(t, []error{stat.ErrZeroVariance}, e.Lower.Warnings)
	}
	for gain, want := range map[float64]float64{0.05: 0, 0.1: 1, 0.15: 1} {
		r, err := stat.MinimumGainTest(d, gain)
		require.NoError(t, err)
		require.Equal(t, want, r.P)
	}
	identical := oneRun([]float64{0, 0, 0})
	e, err := stat.EquivalenceTest(identical, -0.01, 0.01)
	require.NoError(t, err)
	require.Zero(t, e.P)
	r, err := stat.NonInferiorityTest(identical, 0)
	require.NoError(t, err)
	require.Equal(t, 1.0, r.P)
}

func TestMarginsRejectBadInput(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	d := oneRun([]float64{1, 2, 4})
	for _, b := range [][2]float64{{1, 1}, {2, 1}, {nan(), 1}, {0, nan()}, {-inf, 1}, {0, inf}} {
		_, err := stat.EquivalenceTest(d, b[0], b[1])
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	for _, margin := range []float64{-1, nan(), inf} {
		_, err := stat.NonInferiorityTest(d, margin)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = stat.MinimumGainTest(d, margin)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	_, err := stat.EquivalenceTest(oneRun([]float64{1, nan()}), 0, 1)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = stat.NonInferiorityTest(oneRun([]float64{1, nan()}), 0)
	require.ErrorIs(t, err, stat.ErrNotFinite)

	r, err := stat.PairedTTest(d, stat.TwoSided)
	require.NoError(t, err)
	_, err = r.Against(inf, stat.Greater)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = r.Against(0, 3)
	require.ErrorIs(t, err, stat.ErrDomain)
	p, err := stat.PermutationTest(d, stat.TwoSided)
	require.NoError(t, err)
	_, err = p.Against(0, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = p.Equivalence(0, 1)
	require.ErrorIs(t, err, stat.ErrDomain)
}

// Shifting the null hypothesis is shifting the differences.
func TestAgainstIsShiftInvariant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, rapid.IntRange(1, 5).Draw(t, "runs"), rapid.IntRange(2, 6).Draw(t, "folds"))
		d.Scale = 100
		// Quarters are shifted without rounding.
		for i := range d.X {
			d.X[i] = math.Round(4*d.X[i]) / 4
		}
		by := float64(rapid.IntRange(-8, 8).Draw(t, "by")) / 4
		alt := stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		shifted := d
		shifted.X = make([]float64, len(d.X))
		for i, x := range d.X {
			shifted.X[i] = x - by
		}
		r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
		require.NoError(t, err)
		got, err := r.Against(by, alt)
		require.NoError(t, err)
		want, err := stat.CorrectedCVTTest(shifted, alt)
		require.NoError(t, err)
		require.NoError(t, floatcmp.Slices([]float64{got.Statistic, got.P}, []float64{want.Statistic, want.P}, 1e-13, 1e-10))

		// TOST at level α is the interval of level 1−2α.
		e, err := r.Equivalence(-1, 1)
		require.NoError(t, err)
		lo, hi := r.Interval(0.9)
		if math.Abs(e.P-0.05) > 1e-9 {
			require.Equal(t, lo > -1 && hi < 1, e.P < 0.05)
		}
	})
}
