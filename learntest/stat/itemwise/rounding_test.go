package itemwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
	"github.com/stretchr/testify/require"
)

// Differences that are the null but for rounding say nothing against it.
func TestDifferencesThatAreTheNullButForRounding(t *testing.T) {
	t.Parallel()
	all := make([]float64, 8)
	score := 0.3
	for i := range all {
		all[i] = score - 0.2
	}
	require.NotEqual(t, 0.1, all[0])
	r, err := prepare(t, Data{Differences: all, Scale: 1, Range: Range{-1, 1}}).Test(0.1,
		stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, []float64{0, 1}, []float64{r.T, r.P})
}

// TestSmallSpreads has differences that vary by more than rounding, though the mean of so many
// hardly does.
func TestSmallSpreads(t *testing.T) {
	t.Parallel()
	all := make([]float64, 400)
	for i := range all {
		all[i] = 3 * sample.Tolerance(1) * float64(i%2)
	}
	s := prepare(t, Data{Differences: all, Scale: 1})
	require.Positive(t, s.se)
	require.Less(t, s.se, s.tol)
}

// A difference that rounding has moved out of the range counts as its end.
func TestDifferencesBeyondTheRange(t *testing.T) {
	t.Parallel()
	test := func(worst float64) Result {
		all := []float64{worst, 0, 1, 0, 0, worst, 0.5, 0, 0, 1}
		r, err := prepare(t, Data{Differences: all, Scale: 1, Range: Range{-1, 1}}).Test(-0.25,
			stat.Greater)
		require.NoError(t, err)
		return r
	}
	require.InDelta(t, test(-1).Constrained, test(math.Nextafter(-1, -2)).Constrained, 1e-12)
	_, err := Prepare(Data{
		Differences: []float64{0, 0, -1 - 4*sample.Tolerance(1)}, Scale: 1,
		Range: Range{-1, 1},
	})
	require.ErrorIs(t, err, stat.ErrDomain)
}

// If each cost is the same multiple of the baseline's, the bound is that multiple.
func TestRatioOfMultiples(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		a, b := make([]float64, 30), make([]float64, 30)
		for i := range b {
			b[i] = random.Float64()
			a[i] = 1.1 * b[i]
		}
		r, err := RatioAtMost(a, b, nil, ByItem, 1.2, 0.05)
		require.NoError(t, err)
		require.True(t, r.Holds)
		require.InDelta(t, 1.1, r.Upper, 1e-6)
	}
}

// Halves of four repeats are two and two: of these scores, they differ by 2 either way, and two
// items in one direction each second time. One and three would do so more often.
func TestHalvesAreEqual(t *testing.T) {
	t.Parallel()
	share, err := Halves([][]float64{{1, 1, 1, -3}, {1, 1, 1, -3}}, nil, ByItem, 0.05, 4000, 1)
	require.NoError(t, err)
	require.InDelta(t, 0.5, share, 0.03)
}

// A margin as large as the worst loss takes no items that would show it, and no plan is endless.
func TestPlansAtTheEnds(t *testing.T) {
	t.Parallel()
	p := Plan{
		Variance: 0.1, Independent: 1, Alternative: stat.Greater, Alpha: 0.05, Power: 0.8,
		Worst: 1,
	}
	var last int
	for _, margin := range []float64{0.9, 1, 2} {
		n, err := p.Items(margin)
		require.NoError(t, err)
		require.True(t, last == 0 || n <= last)
		last = n
	}
	p.Variance = 1e300
	_, err := p.Items(1e-100)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = p.Detectable(1)
	require.ErrorIs(t, err, stat.ErrSampleSize)
}
