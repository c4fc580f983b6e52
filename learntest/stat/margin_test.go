package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
)

var corrected = stat.MustLookup("corrected-cv-t")

func TestEquivalenceReference(t *testing.T) {
	t.Parallel()
	for procedure, name := range map[string]string{
		"tost_paired":           "paired-t",
		"tost_paired_corrected": "corrected-cv-t",
	} {
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
			v.In(t, &in)
			v.Want(t, &w)
			d := differences(in.X, in.Y)
			d.Ratio = in.Ratio
			test := stat.MustLookup(name)
			e, err := test.Equivalence(d, in.Low, in.High)
			require.NoError(t, err)
			r, err := test.Run(d, stat.TwoSided)
			require.NoError(t, err)
			v.Near(t, "lower t", e.Lower.Statistic, w.TLower)
			v.Near(t, "lower p", e.Lower.P, w.PLower)
			v.Near(t, "upper t", e.Upper.Statistic, w.TUpper)
			v.Near(t, "upper p", e.Upper.P, w.PUpper)
			v.Near(t, "p", e.P, w.P)
			v.Near(t, "df", e.Lower.DF, w.DF)
			lo, hi := r.Interval(0.9)
			v.Near(t, "lower bound", lo, w.CI90[0])
			v.Near(t, "upper bound", hi, w.CI90[1])
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
		v.In(t, &in)
		v.Want(t, &w)
		d := differences(in.X, in.Y)
		d.Ratio = in.Ratio
		r, err := corrected.Against(d, -in.Margin, stat.Greater)
		require.NoError(t, err)
		v.Near(t, "t", r.Statistic, w.T)
		v.Near(t, "df", r.DF, w.DF)
		v.Near(t, "p", r.P, w.P)
		require.Equal(t, stat.Greater, r.Alternative)
	})
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
		e, err := corrected.Equivalence(d, c.low, c.high)
		require.NoError(t, err)
		require.Equal(t, c.want, e.P, "%v", c)
		require.Equal(t, []error{stat.ErrZeroVariance}, e.Lower.Warnings)
	}
	for gain, want := range map[float64]float64{0.05: 0, 0.1: 1, 0.15: 1} {
		r, err := corrected.Against(d, gain, stat.Greater)
		require.NoError(t, err)
		require.Equal(t, want, r.P)
	}
	identical := oneRun([]float64{0, 0, 0})
	e, err := corrected.Equivalence(identical, -0.01, 0.01)
	require.NoError(t, err)
	require.Zero(t, e.P)
	r, err := corrected.Against(identical, 0, stat.Greater)
	require.NoError(t, err)
	require.Equal(t, 1.0, r.P)
}

func TestMarginsRejectBadInput(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	d := oneRun([]float64{1, 2, 4})
	for _, b := range [][2]float64{{1, 1}, {2, 1}, {nan(), 1}, {0, nan()}, {-inf, 1}, {0, inf}} {
		_, err := corrected.Equivalence(d, b[0], b[1])
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	for _, value := range []float64{-inf, nan(), inf} {
		_, err := corrected.Against(d, value, stat.Greater)
		require.ErrorIs(t, err, stat.ErrNotFinite)
	}
	_, err := corrected.Against(d, 0, 3)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = corrected.Against(d, 1, 3)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = corrected.Equivalence(oneRun([]float64{1, nan()}), 0, 1)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = corrected.Against(oneRun([]float64{1, nan()}), 0, stat.Greater)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = stat.MustLookup("5x2cv-f").Against(d, 1, stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.Test{}.Against(d, 1, stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
}

// A margin shifts the differences of any test, and nothing else of its result.
func TestMarginsShiftTheDifferencesOfAnyTest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, 5, 2)
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
		test := rapid.SampledFrom(stat.Tests()).Draw(t, "test")
		got, err := test.Against(d, by, alt)
		want, wantErr := test.Run(shifted, alt)
		if wantErr != nil {
			require.EqualError(t, err, wantErr.Error())
			return
		}
		require.NoError(t, err)
		require.Equal(t, []float64{want.Statistic, want.P}, []float64{got.Statistic, got.P},
			"%s", test.Name)
		require.Equal(t, by, got.Null)
		require.Equal(t, got.Mean, want.Mean+by)
		require.Equal(t, got.Estimate, want.Estimate+by)
		if want.Beyond() != 0 && math.Abs(want.Mean) > 1e-9 && math.Abs(want.Estimate) > 1e-9 {
			require.Equal(t, want.Beyond(), got.Beyond())
		}
	})
}

// TOST at level α is the interval of level 1−2α.
func TestEquivalenceIsTheIntervalInsideOfTheBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, rapid.IntRange(1, 5).Draw(t, "runs"),
			rapid.IntRange(2, 6).Draw(t, "folds"))
		r, err := corrected.Run(d, stat.TwoSided)
		require.NoError(t, err)
		e, err := corrected.Equivalence(d, -1, 1)
		require.NoError(t, err)
		lo, hi := r.Interval(0.9)
		if math.Abs(e.P-0.05) > 1e-9 {
			require.Equal(t, lo > -1 && hi < 1, e.P < 0.05)
		}
	})
}

func TestBeyondTakesMeanAndEstimate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		estimate, mean float64
		want           int
	}{{2, 2, 1}, {1, 2, 0}, {2, 0.5, 0}, {0.5, 0.5, -1}, {0.5, 1, 0}} {
		require.Equal(t, c.want, stat.Result{Estimate: c.estimate, Mean: c.mean, Null: 1}.Beyond(), "%v",
			c)
	}
}
