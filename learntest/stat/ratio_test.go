package stat_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// The bounds, their ranks and the answers agree with scipy's binomial distribution.
func TestRatioReferenceNumbers(t *testing.T) {
	t.Parallel()
	each(t, "ratio_at_most", "ratio_at_most", func(t *testing.T, v vector) {
		var in struct {
			Candidate, Baseline []float64
			Limit               float64
		}
		var want struct {
			Rank  int    `json:"median_upper_rank"`
			Bound number `json:"median_upper"`
			Holds bool   `json:"holds_median"`
		}
		require.NoError(t, json.Unmarshal(v.Input, &in))
		require.NoError(t, json.Unmarshal(v.Expected, &want))
		a, b := slices.Clone(in.Candidate), slices.Clone(in.Baseline)
		r, err := stat.RatioAtMost(a, b, in.Limit, 0.05)
		require.NoError(t, err)
		require.Equal(t, want.Rank, r.Rank)
		v.Near(t, "bound", r.Most, want.Bound)
		require.Equal(t, want.Holds, r.P <= 0.05)
		require.Equal(t, want.Holds, r.Most <= in.Limit)
		require.Equal(t, in.Candidate, a, "the arguments are not sorted")
		require.Equal(t, in.Baseline, b)
	})
}

func TestRatioRanksOfTheSpecification(t *testing.T) {
	t.Parallel()
	for n, rank := range map[int]int{5: 5, 6: 6, 7: 7, 8: 7, 50: 32, 100: 59} {
		ones := slices.Repeat([]float64{1}, n)
		r, err := stat.RatioAtMost(ones, ones, 1.2, 0.05)
		require.NoError(t, err)
		require.Equal(t, rank, r.Rank, n)
	}
}

// The cases on the edge name the error that they want.
func TestRatioReferenceErrors(t *testing.T) {
	t.Parallel()
	edges := 0
	for _, v := range vectors.Read(t, "ratio_at_most") {
		if !v.Edge {
			continue
		}
		edges++
		var in struct {
			Candidate, Baseline []float64
			Limit               float64
		}
		var want struct{ Recommended struct{ Error string } }
		v.In(t, &in)
		v.Want(t, &want)
		require.Contains(t, want.Recommended.Error, "ErrDomain", v.ID)
		_, err := stat.RatioAtMost(in.Candidate, in.Baseline, in.Limit, 0.05)
		require.ErrorIs(t, err, stat.ErrDomain, v.ID)
	}
	require.Positive(t, edges)
}

// fairTail is the probability of k or more heads in n throws, by exact integers.
func fairTail(n, k int) float64 {
	ways := new(big.Int)
	for i := k; i <= n; i++ {
		ways.Add(ways, new(big.Int).Binomial(int64(n), int64(i)))
	}
	p, _ := new(big.Rat).SetFrac(ways, new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
	return p
}

func TestRatioAgreesWithItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 120).Draw(t, "n")
		time := rapid.SampledFrom([]float64{0.5, 1, 1.5, 2, 3, 0.7, 40})
		a, b := rapid.SliceOfN(time, n, n).Draw(t, "candidate"),
			rapid.SliceOfN(time, n, n).Draw(t, "baseline")
		limit := rapid.SampledFrom([]float64{1, 1.2, 2, 0.5, 3}).Draw(t, "limit")
		alpha := rapid.Float64Range(1.0/31, 0.4).Draw(t, "alpha")
		r, err := stat.RatioAtMost(a, b, limit, alpha)
		require.NoError(t, err)
		require.Equal(t, r.P <= alpha, r.Most <= limit, "the answers of p and bound: %+v", r)
		require.InEpsilon(t, fairTail(n, r.Within), r.P, 1e-9)
		require.LessOrEqual(t, fairTail(n, r.Rank), alpha*(1+1e-9))
		require.Greater(t, fairTail(n, r.Rank-1), alpha*(1-1e-9), "a smaller rank would do")
		require.True(t, r.Least <= r.Median && r.Median <= r.Most, "%+v", r)

		swapped, err := stat.RatioAtMost(b, a, limit, alpha)
		require.NoError(t, err)
		require.InEpsilon(t, 1/r.Least, swapped.Most, 1e-12)

		// One cell that takes a million times as long moves the bound by one rank at most.
		slow := slices.Clone(a)
		at := rapid.IntRange(0, n-1).Draw(t, "interrupted")
		slow[at] *= 1e6
		worse, err := stat.RatioAtMost(slow, b, limit, alpha)
		require.NoError(t, err)
		require.GreaterOrEqual(t, worse.Within, r.Within-1)
	})
}

// Where the median ratio is the limit, the claim is shown in no more than 5% of cases, however
// skewed the times are.
func TestRatioKeepsItsLevel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	const cases = 4000
	shown := 0
	for range cases {
		a, b := make([]float64, 50), make([]float64, 50)
		for i := range a {
			b[i] = math.Exp(rng.NormFloat64())
			a[i] = b[i] * math.Exp(math.Pow(rng.NormFloat64(), 3))
		}
		r, err := stat.RatioAtMost(a, b, 1, 0.05)
		require.NoError(t, err)
		if r.P <= 0.05 {
			shown++
		}
	}
	// 50 throws reach 3.2% in 32 heads.
	require.InDelta(t, 0.0325, float64(shown)/cases, 0.012)
}

func TestRatioErrors(t *testing.T) {
	t.Parallel()
	good := []float64{1, 2, 3, 4, 5}
	with := func(x float64) []float64 { return []float64{1, 2, x, 4, 5} }
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name                string
		candidate, baseline []float64
		limit, alpha        float64
		want                error
	}{
		{"zero", with(0), good, 1.2, 0.05, stat.ErrDomain},
		{"zero of the baseline", good, with(0), 1.2, 0.05, stat.ErrDomain},
		{"negative", with(-1), with(-1), 1.2, 0.05, stat.ErrDomain},
		{"NaN", with(nan), good, 1.2, 0.05, stat.ErrNotFinite},
		{"infinite", with(inf), good, 1.2, 0.05, stat.ErrNotFinite},
		{"both infinite", with(inf), with(inf), 1.2, 0.05, stat.ErrNotFinite},
		{"infinite baseline", good, with(inf), 1.2, 0.05, stat.ErrNotFinite},
		{"ratio too large", with(1e308), with(1e-308), 1.2, 0.05, stat.ErrNotFinite},
		{"four cells", good[:4], good[:4], 1.2, 0.2, stat.ErrSampleSize},
		{"no cells", nil, nil, 1.2, 0.05, stat.ErrSampleSize},
		{"five cells at 1%", good, good, 1.2, 0.01, stat.ErrSampleSize},
		{"lengths", good, good[:4], 1.2, 0.05, stat.ErrSampleSize},
		{"limit 0", good, good, 0, 0.05, stat.ErrDomain},
		{"limit NaN", good, good, nan, 0.05, stat.ErrDomain},
		{"limit infinite", good, good, inf, 0.05, stat.ErrDomain},
		{"level 0", good, good, 1.2, 0, stat.ErrDomain},
		{"level of one half", good, good, 1.2, 0.5, stat.ErrDomain},
		{"level NaN", good, good, 1.2, nan, stat.ErrDomain},
	} {
		r, err := stat.RatioAtMost(c.candidate, c.baseline, c.limit, c.alpha)
		require.ErrorIs(t, err, c.want, c.name)
		require.Zero(t, r, c.name)
	}
	_, err := stat.RatioAtMost(good, good, 1.2, 0.05)
	require.NoError(t, err)
}
