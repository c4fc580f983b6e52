package itemwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
)

// bruteFlips counts all changes of the clusters' signs, in numbers of whole sixtieths so that equal
// sums are equal.
func bruteFlips(d Data, alt stat.Alternative) float64 {
	sums, sizes := make(map[int]float64), make(map[int]float64)
	for i, g := range d.Clusters {
		sums[g] += d.Differences[i]
		sizes[g]++
	}
	var x []int
	for g, sum := range sums {
		if d.Weight == ByCluster {
			sum /= sizes[g]
		}
		x = append(x, int(math.Round(sum*120)))
	}
	observed := 0
	for _, v := range x {
		observed += v
	}
	extreme := 0
	for signs := range 1 << len(x) {
		sum := 0
		for g, v := range x {
			if signs>>g&1 == 1 {
				v = -v
			}
			sum += v
		}
		switch {
		case alt == stat.TwoSided && max(sum, -sum) >= max(observed, -observed),
			alt == stat.Greater && sum >= observed, alt == stat.Less && sum <= observed:
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(x))
}

// P is the share of all changes of signs, and never below the share of the observed ones.
func TestClusterFlipsAreCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d, means, _ := clustered(r, LeastFlipped)
		d.Weight = rapid.SampledFrom([]Weight{ByItem, ByCluster}).Draw(r, "weight")
		alt := rapid.SampledFrom([]stat.Alternative{stat.TwoSided, stat.Greater, stat.Less}).Draw(r,
			"alternative")
		got, err := ClusterFlip(d, alt)
		require.NoError(t, err)
		require.InDelta(t, bruteFlips(d, alt), got.P, 1e-12)
		least := math.Ldexp(1, -len(means))
		if alt == stat.TwoSided {
			least *= 2
		}
		require.GreaterOrEqual(t, got.P, least)
		require.True(t, got.Exact)
		require.Equal(t, "cluster-flip", got.Test)
		require.Equal(t, len(d.Differences), got.N)
		require.Equal(t, len(means), got.Clusters)
		require.InDelta(t, prepare(t, d).mean, got.Estimate, 0)
		require.True(t, math.IsNaN(got.SE))

		other := d
		other.Differences = nil
		for _, x := range d.Differences {
			other.Differences = append(other.Differences, -x)
		}
		mirror := map[stat.Alternative]stat.Alternative{
			stat.TwoSided: stat.TwoSided,
			stat.Greater:  stat.Less, stat.Less: stat.Greater,
		}
		swapped, err := ClusterFlip(other, mirror[alt])
		require.NoError(t, err)
		require.InDelta(t, got.P, swapped.P, 1e-12)
	})
}

// Six clusters that all get better have the least p, 2/2⁶; no result of five would be significant.
func TestFewClustersAreNotFlipped(t *testing.T) {
	t.Parallel()
	of := func(clusters int) Data {
		d := Data{}
		for i := range 4 * clusters {
			d.Differences, d.Clusters = append(d.Differences, 0.1+float64(i%7)/70),
				append(d.Clusters, i%clusters)
		}
		return d
	}
	r, err := ClusterFlip(of(6), stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, 2./64, r.P, 0)
	_, err = ClusterFlip(of(5), stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	require.ErrorContains(t, err, "5 clusters, need at least 6: no p of 5 clusters is below 0.05")

	d := of(30)
	r, err = ClusterFlip(d, stat.Greater)
	require.NoError(t, err)
	require.True(t, r.Exact)
	require.InDelta(t, 0x1p-30, r.P, 0)
	for _, clusters := range []int{31, 500} {
		d := of(clusters)
		r, err := ClusterFlip(d, stat.TwoSided)
		require.NoError(t, err)
		require.False(t, r.Exact)
		require.InDelta(t, 1./100001, r.P, 0)
		require.Positive(t, r.PError)
		again, err := ClusterFlip(d, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, r.P, again.P)
	}
	small := Data{Differences: []float64{1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6}, Scale: 1}
	r, err = ClusterFlip(small, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, 2./64, r.P, 0, "sums that differ by more than rounding are not equal")
	none := of(8)
	clear(none.Differences)
	r, err = ClusterFlip(none, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, 1, r.P, 0)
	_, err = ClusterFlip(of(1), stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = ClusterFlip(of(8), 7)
	require.ErrorIs(t, err, stat.ErrDomain)
}

// The level holds from six clusters on, and with random signs, whatever the sizes and however alike
// the items of a cluster are.
func TestClusterFlipsKeepTheLevel(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	share := 4
	if citest.Has(citest.Slow) {
		share = 1
	}
	for _, c := range []struct {
		clusters, sets int
		weight         Weight
	}{{6, 4000, ByItem}, {10, 4000, ByItem}, {10, 4000, ByCluster}, {20, 1000, ByItem}} {
		rejected, sets := 0, c.sets/share
		for range sets {
			d := Data{Weight: c.weight}
			for g := range c.clusters {
				shared := random.NormFloat64()
				for range max(1, int(5*math.Exp(random.NormFloat64()))) {
					d.Differences, d.Clusters = append(d.Differences, shared+random.NormFloat64()),
						append(d.Clusters, g)
				}
			}
			r, err := ClusterFlip(d, stat.TwoSided)
			require.NoError(t, err)
			if r.P <= 0.05 {
				rejected++
			}
		}
		error3 := 3 * math.Sqrt(0.05*0.95/float64(sets))
		require.LessOrEqual(t, float64(rejected)/float64(sets), 0.05+error3, "%+v", c)
		require.Greater(t, float64(rejected)/float64(sets), 0.02, "%+v", c)
	}
}

// McNemar is the exact binomial test on the items on which one system alone is right: R 4.2.2 has
// binom.test(2, 12)$p.value = 0.03857421875 and, with alternative = "less", 0.019287109375.
func TestMcNemarOfItems(t *testing.T) {
	t.Parallel()
	d := Data{Differences: make([]float64, 50), Scale: 1, Range: Range{-1, 1}}
	for i := range 10 {
		d.Differences[i] = -1
	}
	d.Differences[10], d.Differences[11] = 1, 1
	r, err := McNemar(d, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, 0.03857421875, r.P, 1e-15)
	require.InDelta(t, -0.16, r.Estimate, 1e-15)
	require.Equal(t, []any{"mcnemar", 50, true}, []any{r.Test, r.N, r.Exact})
	r, err = McNemar(d, stat.Less)
	require.NoError(t, err)
	require.InDelta(t, 0.019287109375, r.P, 1e-15)
	same, err := contingency.McNemarTest(contingency.PairCounts{
		OnlyFirst: 2, OnlySecond: 10,
		Neither: 38,
	}, contingency.Exact, stat.Greater)
	require.NoError(t, err)
	r, err = McNemar(d, stat.Greater)
	require.NoError(t, err)
	require.InDelta(t, same.P, r.P, 0)

	half := d
	half.Differences = append([]float64{0.5}, d.Differences[1:]...)
	_, err = McNemar(half, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	require.ErrorContains(t, err, "the difference of item 0 is 0.5: McNemar's test takes scores of 0 and 1")
	d.Clusters = make([]int, 50)
	for i := range d.Clusters {
		d.Clusters[i] = i / 2
	}
	_, err = McNemar(d, stat.TwoSided)
	require.ErrorContains(t, err, "50 items in 25 clusters: McNemar's test takes independent items")
}
