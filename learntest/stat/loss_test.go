package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// In simulations of independent differences a candidate that is worse by the loss fails in the
// given share of cases.
func TestDetectableLossIsCaughtWithItsPower(t *testing.T) {
	t.Parallel()
	test := stat.MustLookup("paired-t")
	const n, sets, mean, sd = 20, 20000, 1.0, 1.0
	for _, c := range []struct {
		null, power float64
		alt         stat.Alternative
	}{
		{0, 0.8, stat.TwoSided},
		{-0.5, 0.8, stat.Greater},
		{0.2, 0.5, stat.TwoSided},
		{0, 0.99, stat.Greater},
	} {
		r := stat.Result{
			Test: test.Name, Alternative: c.alt, Mean: mean, Estimate: mean, Null: c.null,
			SE: sd / math.Sqrt(n), DF: n - 1, DF2: math.NaN(),
		}
		loss, err := r.DetectableLoss(0.05, c.power)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 2))
		caught := 0
		for range sets {
			d := stat.Differences{Runs: 1, Folds: n, X: make([]float64, n)}
			for i := range d.X {
				d.X[i] = mean - loss + sd*rng.NormFloat64()
			}
			got, err := test.Against(d, c.null, c.alt)
			require.NoError(t, err)
			if !(got.P <= 0.05 && got.Beyond() == 1) {
				caught++
			}
		}
		require.InDelta(t, c.power, float64(caught)/sets, 4*math.Sqrt(c.power*(1-c.power)/sets), "%+v", c)
	}
}

func TestDetectableLossSpecialCases(t *testing.T) {
	t.Parallel()
	r := stat.Result{Test: "paired-t", Estimate: 0.5, Null: -0.1, SE: 0, DF: 9, DF2: math.NaN()}
	loss, err := r.DetectableLoss(0.05, 0.8)
	require.NoError(t, err)
	require.InDelta(t, 0.6, loss, 1e-15)
	r.SE = 10
	loss, err = r.DetectableLoss(0.05, 0.8)
	require.NoError(t, err)
	require.Zero(t, loss, "it already fails")
	for _, c := range []struct {
		edit  func(r *stat.Result)
		power float64
		is    error
	}{
		{func(*stat.Result) {}, 0, stat.ErrDomain},
		{func(*stat.Result) {}, 1, stat.ErrDomain},
		{func(*stat.Result) {}, math.NaN(), stat.ErrDomain},
		{func(r *stat.Result) { r.Alternative = stat.Less }, 0.8, stat.ErrDomain},
		{func(r *stat.Result) { r.SE = math.NaN() }, 0.8, stat.ErrDomain},
		{func(r *stat.Result) { r.DF = 0.5 }, 0.8, stat.ErrDomain},
		{func(r *stat.Result) { r.Law = stat.LawF }, 0.8, stat.ErrDomain},
		{func(r *stat.Result) { r.Estimate = math.Inf(1) }, 0.8, stat.ErrNotFinite},
	} {
		s := r
		c.edit(&s)
		_, err := s.DetectableLoss(0.05, c.power)
		require.ErrorIs(t, err, c.is)
	}
	_, err = r.DetectableLoss(0, 0.8)
	require.ErrorIs(t, err, stat.ErrDomain)
}
