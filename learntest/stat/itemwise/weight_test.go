package itemwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/stat"
)

// clustered draws differences from −1 to 1 in clusters, and returns the clusters' means and sizes,
// too.
func clustered(r *rapid.T, least int) (d Data, means, sizes []float64) {
	d = Data{Scale: 1, Range: Range{-1, 1}, Weight: ByCluster}
	for g := range rapid.IntRange(least, 12).Draw(r, "clusters") {
		x := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, -0.5, 0, 0.5, 1}), 1, 6).Draw(r,
			"differences")
		sum := 0.0
		for _, v := range x {
			sum += v
			d.Differences, d.Clusters = append(d.Differences, v), append(d.Clusters, g)
		}
		means, sizes = append(means, sum/float64(len(x))), append(sizes, float64(len(x)))
	}
	return d, means, sizes
}

// Where clusters weigh equally, their means have the mean, SE and constrained t, as if each were an
// item.
func TestClustersWeighEqually(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d, means, sizes := clustered(r, 2)
		s, alone := prepare(t, d), prepare(t, Data{Differences: means, Scale: 1, Range: d.Range})
		null := rapid.SampledFrom([]float64{-0.3, -0.02, 0.1}).Draw(r, "null")
		require.InDelta(t, alone.mean, s.mean, 1e-12)
		require.InDelta(t, alone.se, s.se, 1e-12)
		require.InDelta(t, alone.effective, s.effective, 1e-9)
		if want := alone.constrained(null); math.IsInf(want, 0) {
			require.Equal(t, want, s.constrained(null))
		} else {
			require.InDelta(t, want, s.constrained(null), 1e-9*(1+math.Abs(want)))
		}
		require.InDelta(t, referenceDegrees(sizes, s.icc), s.df, 1e-9*s.df)
		byItem := d
		byItem.Weight = ByItem
		require.Equal(t, prepare(t, byItem).icc, s.icc, "the correlation is of the items")
	})
}

// referenceDegrees is Satterthwaite's formula with each element of the covariance, for equal
// weights.
func referenceDegrees(sizes []float64, icc float64) float64 {
	n := float64(len(sizes))
	v, a, s := make([]float64, len(sizes)), 1/n, 0.0
	for g, size := range sizes {
		v[g] = icc + (1-icc)/size
		s += a * a * v[g]
	}
	trace, squares := 0.0, 0.0
	for g := range v {
		for h := range v {
			x := s - a*v[g] - a*v[h]
			if g == h {
				x += v[g]
				trace += x
			}
			squares += x * x
		}
	}
	return min(max(trace*trace/squares, 1), n-1)
}

// Weights make a difference only where clusters differ in size.
func TestWeightsOfEqualClusters(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	d := Data{Range: Range{-1, 1}, Scale: 1}
	var a, b [][]float64
	for i := range 60 {
		x, y := []float64{random.Float64(), random.Float64()}, []float64{
			random.Float64(),
			random.Float64(),
		}
		a, b = append(a, x), append(b, y)
		d.Differences, d.Clusters = append(d.Differences, (x[0]+x[1]-y[0]-y[1])/2),
			append(d.Clusters, i%12)
	}
	other := d
	other.Weight = ByCluster
	for _, null := range []float64{0, -0.05} {
		one, err := prepare(t, d).Test(null, stat.Greater)
		require.NoError(t, err)
		two, err := prepare(t, other).Test(null, stat.Greater)
		require.NoError(t, err)
		require.InDelta(t, one.P, two.P, 1e-12)
		require.InDelta(t, 11, two.DF, 1e-12)
		noise, err := one.Noise(a, b)
		require.NoError(t, err)
		weighted, err := two.Noise(a, b)
		require.NoError(t, err)
		require.InDelta(t, noise.Within, weighted.Within, 1e-12)
		require.InDelta(t, noise.Between, weighted.Between, 1e-12)
	}
	other.Clusters, d.Clusters = nil, nil
	require.Equal(t, prepare(t, d), prepare(t, other),
		"without clusters both are one, to the last bit")

	d.Weight = ByCluster + 1
	_, err := Prepare(d)
	require.ErrorIs(t, err, stat.ErrDomain)
}

// The variance from repeats belongs to the mean of the clusters' means: a large cluster damps the
// noise of its items.
func TestNoiseOfWeightedClusters(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	d := Data{Weight: ByCluster}
	var a, b [][]float64
	want, sizes := 0.0, []int{1, 2, 3, 4, 5, 15}
	for g, size := range sizes {
		for range size {
			x, y := []float64{random.Float64(), random.Float64(), random.Float64()},
				[]float64{random.Float64(), random.Float64()}
			a, b = append(a, x), append(b, y)
			d.Differences, d.Clusters = append(d.Differences, mean(x)-mean(y)), append(d.Clusters, g)
			weight := 1 / float64(len(sizes)*size)
			for _, z := range [][]float64{x, y} {
				ss := 0.0
				for _, v := range z {
					ss += (v - mean(z)) * (v - mean(z))
				}
				want += weight * weight * ss / float64(len(z)-1) / float64(len(z))
			}
		}
	}
	r, err := prepare(t, d).Test(0, stat.TwoSided)
	require.NoError(t, err)
	noise, err := r.Noise(a, b)
	require.NoError(t, err)
	require.InDelta(t, want*float64(r.N), noise.Within, 1e-12)
	require.InDelta(t, r.SE*r.SE*float64(r.N), noise.Variance, 1e-12)
}

// A ratio of costs takes the weighted means, and its bound agrees with the test.
func TestRatioOfWeightedClusters(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	var a, b []float64
	var clusters []int
	sizes := []int{1, 1, 2, 3, 5, 8, 30}
	var ma, mb float64
	for g, size := range sizes {
		for range size {
			x := 1 + float64(g) + random.Float64()
			y := 1 + random.Float64()
			a, b, clusters = append(a, x), append(b, y), append(clusters, g)
			ma, mb = ma+x/float64(size*len(sizes)), mb+y/float64(size*len(sizes))
		}
	}
	r, err := RatioAtMost(a, b, clusters, ByCluster, 4, 0.05)
	require.NoError(t, err)
	require.InDelta(t, ma/mb, r.Ratio, 1e-12)
	byItem, err := RatioAtMost(a, b, clusters, ByItem, 4, 0.05)
	require.NoError(t, err)
	require.Greater(t, byItem.Ratio, r.Ratio+1, "the largest cluster is the dearest one")
	for limit := 3.0; limit < 9; limit += 0.01 {
		r, err := RatioAtMost(a, b, clusters, ByCluster, limit, 0.05)
		require.NoError(t, err)
		require.Equal(t, r.Upper <= limit, r.Holds, "limit %v", limit)
	}
}

// The level holds where clusters differ in size and items of a cluster agree, for both weights.
func TestLevelsOfWeights(t *testing.T) {
	t.Parallel()
	sets, by := 1500., 0.02 // 3.5 standard errors
	if citest.Has(citest.Slow) {
		sets, by = 4000, 0.012
	}
	random := rand.New(rand.NewPCG(9, 10))
	for _, weight := range []Weight{ByItem, ByCluster} {
		rejected := 0
		for range int(sets) {
			d := Data{Weight: weight}
			for g := range 20 {
				shared := random.NormFloat64()
				for range 1 + random.IntN(20) {
					d.Differences, d.Clusters = append(d.Differences, shared+random.NormFloat64()),
						append(d.Clusters, g)
				}
			}
			r, err := prepare(t, d).Test(0, stat.TwoSided)
			require.NoError(t, err)
			if r.P <= 0.05 {
				rejected++
			}
		}
		require.InDelta(t, 0.05, float64(rejected)/sets, by, "weight %d", weight)
	}
}
