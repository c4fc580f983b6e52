package stat_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

// By hand: five halvings of two folds, one in each half. b = 2, 2, 2, 2, 7, so that U = 3 and
// B = (4·1 + 16)/4 = 5; e = ±4, W = 16; V = 16 − 4/5·5 = 12; t = 3/√12 = 0.8660254 with 5
// degrees of freedom. Moved to 2.5 only U changes; with e = ±2, V is its floor W/2 = 2.
func TestHalvesTestByHand(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{1, 2, 6})
	h := stat.Differences{Runs: 5, Folds: 2, X: []float64{6, -2, -2, 6, 6, -2, -2, 6, 11, 3}}
	r, err := stat.HalvesTest(d, h, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, "halves-t", r.Test)
	require.Equal(t, 10, r.N)
	require.Equal(t, 5.0, r.DF)
	require.InDelta(t, 3, r.Estimate, 1e-12)
	require.InDelta(t, 3, r.Mean, 1e-12)
	require.InDelta(t, math.Sqrt(12), r.SE, 1e-12)
	require.InDelta(t, 0.8660254037844386, r.Statistic, 1e-12)
	student, err := stat.StudentT(5)
	require.NoError(t, err)
	p, err := student.P(r.Statistic, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, p, r.P, 1e-14)
	one, err := stat.HalvesTest(d, h, stat.Greater)
	require.NoError(t, err)
	require.InDelta(t, r.P/2, one.P, 1e-12)

	r, err = stat.Halves(h).Against(d, 2.5, stat.Greater)
	require.NoError(t, err)
	require.InDelta(t, 0.5/math.Sqrt(12), r.Statistic, 1e-12)
	require.InDelta(t, 3, r.Estimate, 1e-12)
	require.Equal(t, 2.5, r.Null)
	require.Equal(t, 1, r.Beyond())

	h.X = []float64{4, 0, 0, 4, 4, 0, 0, 4, 9, 5}
	r, err = stat.HalvesTest(d, h, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, math.Sqrt(2), r.SE, 1e-12)
}

// Half of the examples speak for the candidate, all of them for the baseline.
func TestHalvesTestTellsTheOtherDirection(t *testing.T) {
	t.Parallel()
	h := stat.Differences{Runs: 5, Folds: 2, X: []float64{3, 4, 4, 3, 3, 4, 4, 3, 3.5, 4}}
	for _, c := range []struct {
		x      []float64
		null   float64
		beyond int
	}{
		{[]float64{1, 2, 1}, 0, 1},
		{[]float64{-1, -2, -1}, 0, 0},
		{[]float64{1, 2, 1}, 2, 0},
		{[]float64{-1, -2, -1}, 5, -1},
		{[]float64{-1, -2, -1}, -3, 1},
	} {
		r, err := stat.Halves(h).Against(oneRun(c.x), c.null, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, c.beyond, r.Beyond(), "%+v", c)
	}
}

func TestHalvesTestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, rapid.IntRange(1, 4).Draw(t, "runs"),
			rapid.IntRange(2, 5).Draw(t, "folds"))
		k := rapid.IntRange(1, 4).Draw(t, "folds of a half")
		h := drawDifferences(t, rapid.IntRange(5, 9).Draw(t, "m"), 2*k)
		alt := stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		r, err := stat.HalvesTest(d, h, alt)
		if errors.Is(err, stat.ErrZeroVariance) {
			return
		}
		require.NoError(t, err)
		require.True(t, r.P >= 0 && r.P <= 1)

		// Swapped learners mirror it.
		swapped, err := stat.HalvesTest(negated(d), negated(h), alt.Mirror())
		require.NoError(t, err)
		swapped.Statistic = -swapped.Statistic
		require.True(t, near(r, swapped), "%+v\n%+v", r, swapped)

		// Which half is the first one, and the order of halvings, say nothing.
		turned := h
		turned.X = nil
		for m := h.Runs - 1; m >= 0; m-- {
			run := h.X[2*k*m : 2*k*(m+1)]
			if rapid.Bool().Draw(t, "turn") {
				run = append(append([]float64(nil), run[k:]...), run[:k]...)
			}
			turned.X = append(turned.X, run...)
		}
		again, err := stat.HalvesTest(d, turned, alt)
		require.NoError(t, err)
		require.True(t, near(r, again), "%+v\n%+v", r, again)
		if len(r.Warnings) > 0 || r.SE < 1e-9 {
			return
		}
		// A constant on all scores of one learner moves the estimate, and a null hypothesis
		// with it makes up for that.
		const shift = 0.5
		up := func(x float64) float64 { return x + shift }
		shifted, err := stat.HalvesTest(mapped(d, up), mapped(h, up), alt)
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(r.SE, shifted.SE, 1e-12, 1e-9), "%v %v", r.SE, shifted.SE)
		require.True(t, floatcmp.Equal(r.Estimate+shift, shifted.Estimate, 1e-12, 1e-9))
		back, err := stat.Halves(mapped(h, up)).Against(mapped(d, up), shift, alt)
		require.NoError(t, err)
		require.True(t, near(r, back), "%+v\n%+v", r, back)
		require.True(t, floatcmp.Equal(shifted.Estimate, back.Estimate, 1e-12, 1e-9))

		// Another unit: a power of two, which is exact.
		factor := math.Ldexp(1, rapid.IntRange(-300, 300).Draw(t, "exponent"))
		times := func(x float64) float64 { return x * factor }
		sd, sh := mapped(d, times), mapped(h, times)
		sd.Scale, sh.Scale = sd.Scale*factor, sh.Scale*factor
		scaled, err := stat.HalvesTest(sd, sh, alt)
		require.NoError(t, err)
		require.True(t, near(r, scaled), "%+v\n%+v", r, scaled)
	})
}

// A test at level α rejects just if the interval of level 1−α leaves the null hypothesis out.
func TestHalvesTestFitsItsInterval(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, 2, 3)
		h := drawDifferences(t, rapid.IntRange(5, 9).Draw(t, "m"), 4)
		null := rapid.Float64Range(-1, 1).Draw(t, "null")
		r, err := stat.Halves(h).Against(d, null, stat.TwoSided)
		if err != nil || len(r.Warnings) > 0 || math.Abs(r.P-0.1) < 1e-9 {
			return
		}
		lo, hi := r.Interval(0.9)
		require.Equal(t, r.P < 0.1, null < lo || null > hi)
	})
}

func TestHalvesTestSpecialCases(t *testing.T) {
	t.Parallel()
	halvings := func(x ...float64) stat.Differences {
		h := stat.Differences{Folds: 2, Scale: 0.9}
		for h.Runs < 6 {
			h.Runs, h.X = h.Runs+len(x)/2, append(h.X, x...)
		}
		return h
	}
	tenth := halvings(minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6), minus(0.8, 0.7))
	nothing := halvings(0, minus(0.9, 0.8)-0.1)
	for _, c := range []struct {
		name      string
		x         []float64
		h         stat.Differences
		alt       stat.Alternative
		statistic float64
		p         float64
	}{
		{"no difference at all", []float64{0, 0, 0}, nothing, stat.TwoSided, 0, 1},
		{
			"folds that cancel up to round-off",
			[]float64{minus(0.9, 0.8) - 0.1, 0.1 - minus(0.9, 0.8), 0},
			nothing, stat.Greater, 0, 1,
		},
		{
			"a difference",
			[]float64{minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6)},
			tenth,
			stat.TwoSided, math.Inf(1), 0,
		},
		{
			"in the other direction",
			[]float64{-0.1, -0.1, -0.1},
			negated(tenth), stat.Greater,
			math.Inf(-1), 1,
		},
		{
			"a constant with half of the examples only",
			[]float64{0, 0, 0},
			tenth, stat.TwoSided,
			math.Inf(1), 0,
		},
	} {
		d := oneRun(c.x)
		d.Scale = 0.9
		r, err := stat.HalvesTest(d, c.h, c.alt)
		require.NoError(t, err, c.name)
		require.Equal(t, c.statistic, r.Statistic, c.name)
		require.Equal(t, c.p, r.P, c.name)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings, c.name)
	}
}

func TestHalvesTestRefuses(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{1, 2, 4})
	h := stat.Differences{Runs: 5, Folds: 2, X: []float64{1, 2, 3, 5, 1, 2, 3, 5, 1, 2}}
	halvings := func(x ...float64) stat.Differences {
		return stat.Differences{
			Runs:  5,
			Folds: 2, X: x,
		}
	}
	for _, c := range []struct {
		name string
		d, h stat.Differences
		alt  stat.Alternative
		is   error
		text string
	}{
		{
			"odd folds", d,
			stat.Differences{Runs: 1, Folds: 3, X: []float64{1, 2, 3}},
			0, stat.ErrDesign,
			"halvings: test does not fit the design: 3 folds are not as many in both halves",
		},
		{"no halvings", d, stat.Differences{}, 0, stat.ErrSampleSize, "halvings"},
		{
			"few halvings", d,
			stat.Differences{Runs: 4, Folds: 2, X: h.X[:8]},
			0, stat.ErrSampleSize,
			"halvings: wrong sample size: 4 of them, need at least 5",
		},
		{
			"a fold is missing", d,
			stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 3}},
			0,
			stat.ErrSampleSize, "3 differences for 2 runs of 2 folds",
		},
		{
			"NaN in a half", d, halvings(1, 2, nan(), 5, 1, 2, 3, 5, 1, 2), 0, stat.ErrNotFinite,
			"halvings: not finite: X[2], of run 2, fold 1, is NaN",
		},
		{
			"infinity in a half", d, halvings(1, 2, 1, math.Inf(-1), 1, 2, 3, 5, 1, 2), 0, stat.ErrNotFinite,
			"X[3]",
		},
		{"NaN in a run", oneRun([]float64{1, nan()}), h, 0, stat.ErrNotFinite, "X[1]"},
		{
			"too much", d,
			stat.Differences{Runs: 5, Folds: 4, X: append(make([]float64, 16),
				math.MaxFloat64, math.MaxFloat64, 0, 0)},
			0, stat.ErrNotFinite,
			"the mean or the difference of the halves",
		},
		{
			"halves that agree where folds do not", d, halvings(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 0,
			stat.ErrZeroVariance, "halvings: zero variance: the halves agree in each of them, and other folds do not",
		},
		{"halves that agree where halvings do not", oneRun([]float64{1, 1}), halvings(1, 1, 3, 3, 1, 1, 3,
			3, 1, 1), 0, stat.ErrZeroVariance, "the halves agree in each of them, and other folds do not"},
		{"one difference", oneRun([]float64{1}), h, 0, stat.ErrSampleSize, "1 difference"},
		{
			"scale", d,
			stat.Differences{Runs: 5, Folds: 2, X: h.X, Scale: -1},
			0, stat.ErrDomain,
			"scale -1",
		},
		{"alternative", d, h, 3, stat.ErrDomain, "Alternative(3)"},
	} {
		_, err := stat.HalvesTest(c.d, c.h, c.alt)
		require.ErrorIs(t, err, c.is, c.name)
		require.ErrorContains(t, err, c.text, c.name)
	}
}
