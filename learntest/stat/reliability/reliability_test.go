package reliability

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
)

// Limits belong to the bin below them. The means were computed by hand.
func TestBins(t *testing.T) {
	t.Parallel()
	bins, err := Bins([]float64{0, 0.3, 0.2 + 0.3, 0.85, 1, 1}, []bool{
		false, true, false, true,
		true, false,
	}, 2)
	require.NoError(t, err)
	require.Equal(t, []Bin{{0, 0.5, 3, 0.8 / 3, 1. / 3}, {0.5, 1, 3, 0.95, 2. / 3}}, rounded(bins))
	require.InDelta(t, (3*(1./3-0.8/3)+3*(0.95-2./3))/6, Error(bins), 1e-15)

	bins, err = Bins([]float64{0.3, 0.7, 0.6}, []bool{true, true, false}, 10)
	require.NoError(t, err)
	require.Len(t, bins, 10)
	for i, b := range bins {
		n := 0
		if i == 2 || i == 5 || i == 6 {
			n = 1
		}
		require.Equal(t, n, b.N, "%v to %v", b.Lo, b.Hi)
	}
	require.InDelta(t, (0.7+0.3+0.6)/3, Error(bins), 1e-15)
	require.Zero(t, Error(make([]Bin, 3)))
}

// rounded returns the bins with means as 4-digit decimals would give them.
func rounded(bins []Bin) []Bin {
	for i := range bins {
		for _, x := range []*float64{&bins[i].Probability, &bins[i].Right} {
			for _, exact := range []float64{0.8 / 3, 1. / 3, 0.95, 2. / 3} {
				if math.Abs(*x-exact) < 1e-15 {
					*x = exact
				}
			}
		}
	}
	return bins
}

// Every prediction is in the bin that its probability says, whatever the order; the error is at
// most 1, and the probability of predictions that are all right is as far from 1 as they say.
func TestBinsProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(1, 20).Draw(t, "bins")
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "p")
		right := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "right")
		bins, err := Bins(p, right, k)
		require.NoError(t, err)
		require.Len(t, bins, k)
		all, lo := 0, 0.0
		for i, b := range bins {
			require.Equal(t, lo, b.Lo)
			lo = b.Hi
			inside := 0
			for _, x := range p {
				if x > b.Lo && x <= b.Hi || i == 0 && x == 0 {
					inside++
				}
			}
			require.Equal(t, inside, b.N)
			all += b.N
			if b.N > 0 {
				require.GreaterOrEqual(t, b.Probability, b.Lo-1e-12)
				require.LessOrEqual(t, b.Probability, b.Hi+1e-12)
			}
		}
		require.Equal(t, n, all)
		require.Equal(t, 1.0, lo)
		require.GreaterOrEqual(t, Error(bins), 0.0)
		require.LessOrEqual(t, Error(bins), 1.0)
		certain, mean := make([]bool, n), 0.0
		for i := range certain {
			certain[i] = true
			mean += p[i] / float64(n)
		}
		bins, err = Bins(p, certain, k)
		require.NoError(t, err)
		require.InDelta(t, 1-mean, Error(bins), 1e-9)
	})
}

func TestBinsRefuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p     []float64
		right []bool
		bins  int
		is    error
		says  string
	}{
		{nil, nil, 10, stat.ErrSampleSize, "0 probabilities of 0 predictions in 10 bins"},
		{[]float64{1}, []bool{true, false}, 10, stat.ErrSampleSize, "1 probabilities of 2 predictions"},
		{[]float64{1}, []bool{true}, 0, stat.ErrSampleSize, "in 0 bins"},
		{
			[]float64{1, 1.5},
			[]bool{true, true},
			10, stat.ErrDomain,
			"probability 1.5 of prediction 1 is not from 0 to 1",
		},
		{[]float64{-0.1}, []bool{true}, 10, stat.ErrDomain, "of prediction 0"},
		{[]float64{math.NaN()}, []bool{true}, 10, stat.ErrDomain, "probability NaN"},
	} {
		_, err := Bins(c.p, c.right, c.bins)
		require.ErrorIs(t, err, c.is)
		require.ErrorContains(t, err, c.says)
	}
}
