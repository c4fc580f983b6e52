package stat_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

// By hand: two halvings with the means 0.5 and 0.1, 0.2 and 0.4 of two folds each, so that
// V̂ = (0.16 + 0.04)/8 = 0.025; θ̂ = 0.3; t = 0.3/√0.025 = 1.897367 with 2 degrees of
// freedom, of which the two-sided p is 1 − t/√(2+t²) = 0.198218 in closed form.
func TestHalvesTestByHand(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{0.1, 0.2, 0.6})
	h := stat.Differences{Runs: 2, Folds: 4, X: []float64{0.3, 0.7, 0, 0.2, 0.2, 0.2, 0.1, 0.7}}
	r, err := stat.HalvesTest(d, h, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, "halves-t", r.Test)
	require.Equal(t, 3, r.N)
	require.Equal(t, 2.0, r.DF)
	statistic := 0.3 / math.Sqrt(0.025)
	require.InDelta(t, statistic, r.Statistic, 1e-12)
	require.InDelta(t, 1-statistic/math.Sqrt(2+statistic*statistic), r.P, 1e-12)
	require.InDelta(t, math.Sqrt(0.025), r.SE, 1e-12)
	one, err := stat.HalvesTest(d, h, stat.Greater)
	require.NoError(t, err)
	require.InDelta(t, r.P/2, one.P, 1e-12)

	// Against a value the mean moves, and nothing else does.
	r, err = stat.Halves(h).Against(d, -0.2, stat.Greater)
	require.NoError(t, err)
	require.InDelta(t, 0.5/math.Sqrt(0.025), r.Statistic, 1e-12)
	require.InDelta(t, 0.3, r.Estimate, 1e-12)
}

func TestHalvesTestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawDifferences(t, rapid.IntRange(1, 4).Draw(t, "runs"), rapid.IntRange(2, 5).Draw(t, "folds"))
		k := rapid.IntRange(1, 4).Draw(t, "folds of a half")
		h := drawDifferences(t, rapid.IntRange(1, 6).Draw(t, "m"), 2*k)
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

		// Which half is the first one, the order of halvings, and what the difference is on
		// the whole, say nothing of the variance.
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
		if len(r.Warnings) == 0 && r.SE > 1e-9 {
			shifted, err := stat.HalvesTest(d, mapped(h, func(x float64) float64 { return x + 0.5 }), alt)
			require.NoError(t, err)
			require.True(t, floatcmp.Equal(r.SE, shifted.SE, 1e-12, 1e-9), "%v %v", r.SE, shifted.SE)

			// Another unit: a power of two, which is exact.
			factor := math.Ldexp(1, rapid.IntRange(-300, 300).Draw(t, "exponent"))
			times := func(x float64) float64 { return x * factor }
			sd, sh := mapped(d, times), mapped(h, times)
			sd.Scale, sh.Scale = sd.Scale*factor, sh.Scale*factor
			scaled, err := stat.HalvesTest(sd, sh, alt)
			require.NoError(t, err)
			require.True(t, near(r, scaled), "%+v\n%+v", r, scaled)
		}
	})
}

func TestHalvesTestSpecialCases(t *testing.T) {
	t.Parallel()
	same := stat.Differences{Runs: 2, Folds: 2, X: []float64{minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6), minus(0.8, 0.7)}, Scale: 0.9}
	for _, c := range []struct {
		name      string
		x         []float64
		alt       stat.Alternative
		statistic float64
		p         float64
	}{
		{"no difference at all", []float64{0, 0, 0}, stat.TwoSided, 0, 1},
		{"folds that cancel up to round-off", []float64{minus(0.9, 0.8) - 0.1, 0.1 - minus(0.9, 0.8), 0}, stat.Greater, 0, 1},
		{"a difference", []float64{minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6)}, stat.TwoSided, math.Inf(1), 0},
		{"in the other direction", []float64{-0.1, -0.1, -0.1}, stat.Greater, math.Inf(-1), 1},
	} {
		d := oneRun(c.x)
		d.Scale = 0.9
		r, err := stat.HalvesTest(d, same, c.alt)
		require.NoError(t, err, c.name)
		require.Equal(t, c.statistic, r.Statistic, c.name)
		require.Equal(t, c.p, r.P, c.name)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings, c.name)
	}
}

func TestHalvesTestRefuses(t *testing.T) {
	t.Parallel()
	d := oneRun([]float64{1, 2, 4})
	h := stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 3, 5}}
	for _, c := range []struct {
		name string
		d, h stat.Differences
		alt  stat.Alternative
		is   error
		text string
	}{
		{"odd folds", d, stat.Differences{Runs: 1, Folds: 3, X: []float64{1, 2, 3}}, 0, stat.ErrDesign, "halvings: test does not fit the design: 3 folds are not as many in both halves"},
		{"no halvings", d, stat.Differences{}, 0, stat.ErrSampleSize, "halvings"},
		{"a fold is missing", d, stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, 3}}, 0, stat.ErrSampleSize, "3 differences for 2 runs of 2 folds"},
		{"NaN in a half", d, stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 2, nan(), 5}}, 0, stat.ErrNotFinite, "halvings: not finite: X[2], of run 2, fold 1, is NaN"},
		{"NaN in a run", oneRun([]float64{1, nan()}), h, 0, stat.ErrNotFinite, "X[1]"},
		{"too much", d, stat.Differences{Runs: 1, Folds: 2, X: []float64{math.MaxFloat64, -math.MaxFloat64}}, 0, stat.ErrNotFinite, "the difference of the halves"},
		{"halves that agree where folds do not", d, stat.Differences{Runs: 2, Folds: 2, X: []float64{1, 1, 3, 3}}, 0, stat.ErrZeroVariance, "halvings: zero variance: the halves agree in each of them, and the folds of the ordinary runs do not"},
		{"one difference", oneRun([]float64{1}), h, 0, stat.ErrSampleSize, "1 difference"},
		{"scale", d, stat.Differences{Runs: 2, Folds: 2, X: h.X, Scale: -1}, 0, stat.ErrDomain, "scale -1"},
		{"alternative", d, h, 3, stat.ErrDomain, "Alternative(3)"},
	} {
		_, err := stat.HalvesTest(c.d, c.h, c.alt)
		require.ErrorIs(t, err, c.is, c.name)
		require.ErrorContains(t, err, c.text, c.name)
	}
}

// cutHalves draws examples whose differences are independent of one another and of training,
// so that every cross-validation of all of them has the mean of all, and one in a half the
// mean of that half. It returns one ordinary run and m halvings.
func cutHalves(rng *rand.Rand, n, m, k int) (d, h stat.Differences) {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	folds := func(examples []int, folds int) []float64 {
		means := make([]float64, folds)
		for at, i := range examples {
			means[at%folds] += x[i] * float64(folds) / float64(len(examples))
		}
		return means
	}
	d = stat.Differences{Runs: 1, Folds: 10, X: folds(rng.Perm(n), 10)}
	h = stat.Differences{Runs: m, Folds: 2 * k}
	for range m {
		order := rng.Perm(n)
		h.X = append(h.X, folds(order[:n/2], k)...)
		h.X = append(h.X, folds(order[n/2:], k)...)
	}
	return d, h
}

// Where the variance falls as 1/n, V̂ is unbiased, whatever m, and with one halving the
// level is exact, since (μ−μ′)² is then χ² with one degree of freedom.
func TestHalvesTestIsUnbiased(t *testing.T) {
	t.Parallel()
	for _, m := range []int{1, 20} {
		rng := rand.New(rand.NewPCG(7, uint64(m)))
		const sets, n = 4000, 40
		var sum, sq float64
		rejected := 0
		for range sets {
			d, h := cutHalves(rng, n, m, 5)
			r, err := stat.HalvesTest(d, h, stat.TwoSided)
			require.NoError(t, err)
			v := r.SE * r.SE * n // of which the expectation is the variance of an example, 1
			sum += v
			sq += v * v
			if r.P <= 0.05 {
				rejected++
			}
		}
		mean := sum / sets
		se := math.Sqrt((sq/sets - mean*mean) / sets)
		require.InDelta(t, 1, mean, 4*se, "m = %d: V̂ is %v ± %v of the variance", m, mean, se)
		share := float64(rejected) / sets
		require.InDelta(t, 0.05, share, 4*math.Sqrt(0.05*0.95/sets), "m = %d: %v of true null hypotheses are rejected", m, share)
	}
}
