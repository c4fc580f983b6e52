package itemwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

// TestDetectableOfAPlan inverts the number of items.
func TestDetectableOfAPlan(t *testing.T) {
	t.Parallel()
	for _, p := range []Plan{
		{Variance: 0.1, Independent: 1, Alpha: 0.05, Power: 0.8},
		{Variance: 0.4, Independent: 0.1, Alpha: 0.05, Power: 0.9},
		{Variance: 0.1, Independent: 1, Alternative: stat.Greater, Alpha: 0.05, Power: 0.8, Worst: 1},
		{Variance: 0.001, Independent: 1, Alternative: stat.Greater, Alpha: 0.05, Power: 0.8, Worst: 1}, // unseen losses decide
		{Variance: 0.3, Independent: 0.25, Alternative: stat.Greater, Alpha: 0.05, Power: 0.8, Worst: 2},
	} {
		for _, n := range []int{20, 100, 1000} {
			d, err := p.Detectable(n)
			require.NoError(t, err)
			enough, err := p.Items(d * (1 + 1e-9))
			require.NoError(t, err)
			require.Equal(t, n, enough, "%+v", p)
		}
	}
	sparse := Plan{
		Variance: 0.0001, Independent: 1, Alternative: stat.Greater, Alpha: 0.05,
		Power: 0.8, Worst: 1,
	}
	d, err := sparse.Detectable(59)
	require.NoError(t, err)
	require.InDelta(t, 1-math.Pow(0.05, 1./59), d, 1e-12)
	for _, n := range []int{-1, 0, 1} {
		_, err = sparse.Detectable(n)
		require.ErrorIs(t, err, stat.ErrSampleSize)
	}
	sparse.Independent = 0.1
	_, err = sparse.Detectable(19)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	sparse.Alpha = 0
	_, err = sparse.Detectable(59)
	require.ErrorIs(t, err, stat.ErrDomain)
}

// TestPlansOfItemsComeTrue counts how often the planned number of items shows the difference: in
// 80% of cases, or for a margin, where the constrained t decides, in up to 5.4 points less.
func TestPlansOfItemsComeTrue(t *testing.T) {
	t.Parallel()
	tries := 800
	if citest.Has(citest.Slow) {
		tries = 1500
	}
	random := rand.New(rand.NewPCG(7, 8))
	shown := func(n, size int, null float64, alt stat.Alternative, ranged bool,
		difference func(cluster float64) float64,
	) float64 {
		hits := 0
		for range tries {
			d := Data{Differences: make([]float64, n), Clusters: make([]int, n), Scale: 1}
			if ranged {
				d.Range = Range{-1, 1}
			}
			var cluster float64
			for i := range n {
				if i%size == 0 {
					cluster = random.NormFloat64()
				}
				d.Differences[i], d.Clusters[i] = difference(cluster), i/size
			}
			if size == 1 {
				d.Clusters = nil
			}
			if r := test(t, prepare(t, d), null, alt); r.P <= 0.05 && r.Mean > null {
				hits++
			}
		}
		return float64(hits) / float64(tries)
	}
	error3 := 3 * math.Sqrt(0.8*0.2/float64(tries)) // three standard errors of the share

	// One of ten items is answered right by just one of two systems of equal quality.
	p := Plan{
		Variance: 0.1, Independent: 1, Alternative: stat.Greater, Alpha: 0.05, Power: 0.8,
		Worst: 1,
	}
	n, err := p.Items(0.05)
	require.NoError(t, err)
	got := shown(n, 1, -0.05, stat.Greater, true, func(float64) float64 {
		switch u := random.Float64(); {
		case u < 0.05:
			return -1
		case u < 0.1:
			return 1
		}
		return 0
	})
	t.Logf("margin: %d items, %.3f", n, got)
	require.InDelta(t, 0.8-0.027, got, 0.027+error3)

	// A true difference of five points, of which a seventh of the items tells.
	p = Plan{Variance: 0.15 - 0.05*0.05, Independent: 1, Alpha: 0.05, Power: 0.8}
	n, err = p.Items(0.05)
	require.NoError(t, err)
	got = shown(n, 1, 0, stat.TwoSided, true, func(float64) float64 {
		switch u := random.Float64(); {
		case u < 0.05:
			return -1
		case u < 0.15:
			return 1
		}
		return 0
	})
	t.Logf("difference: %d items, %.3f", n, got)
	require.InDelta(t, 0.8, got, error3)

	// Clusters of eight, correlated by 0.3: variance and clusters as a guess has them.
	const size, icc = 8, 0.3
	p = Plan{Variance: 1 + (size-1)*icc, Independent: 1. / size, Alpha: 0.05, Power: 0.8}
	n, err = p.Items(0.35)
	require.NoError(t, err)
	n = (n + size - 1) / size * size
	got = shown(n, size, 0, stat.TwoSided, false, func(cluster float64) float64 {
		return 0.35 + math.Sqrt(icc)*cluster + math.Sqrt(1-icc)*random.NormFloat64()
	})
	t.Logf("clusters: %d items, %.3f", n, got)
	require.InDelta(t, 0.8, got, error3+0.01)
}

// TestOtherRepeatsArePredicted compares the standard error that answers with four repeats predict
// with the one that fewer and more repeats have.
func TestOtherRepeatsArePredicted(t *testing.T) {
	t.Parallel()
	const n = 300
	random := rand.New(rand.NewPCG(9, 10))
	answers := func(repeats int) (candidate, baseline [][]float64, s *Sample) {
		d := Data{Differences: make([]float64, n), Scale: 1, Range: Range{-1, 1}}
		for i := range n {
			var means [2]float64
			var scores [2][]float64
			right := random.Float64()
			for side := range scores {
				p := right
				if side == 1 && i%5 == 0 {
					p = 1 - p
				}
				for range repeats {
					x := 0.0
					if random.Float64() < p {
						x = 1
					}
					scores[side] = append(scores[side], x)
					means[side] += x / float64(repeats)
				}
			}
			candidate, baseline = append(candidate, scores[0]), append(baseline, scores[1])
			d.Differences[i] = means[0] - means[1]
		}
		return candidate, baseline, prepare(t, d)
	}
	const tries = 100
	for _, repeats := range []int{1, 2, 10} {
		var predicted, seen float64
		for range tries {
			a, b, s := answers(4)
			noise, err := test(t, s, 0, stat.TwoSided).Noise(a, b)
			require.NoError(t, err)
			predicted += noise.SE(n, repeats) / tries
			_, _, other := answers(repeats)
			seen += other.se / tries
		}
		require.InEpsilon(t, seen, predicted, 0.015, "%d repeats", repeats)
	}
}

// TestOutcomesAtTheirEnds has differences without variance, nulls at the mean, and nulls out of the
// range.
func TestOutcomesAtTheirEnds(t *testing.T) {
	t.Parallel()
	same := prepare(t, Data{
		Differences: []float64{0.5, 0.5, 0.5, 0.5}, Clusters: []int{0, 0, 1, 1},
		Range: Range{-1, 1},
	})
	require.Zero(t, test(t, same, 0.1, stat.Greater).ICC, "nothing varies")
	for _, null := range []float64{1, -1, 2} {
		_, err := same.Test(null, stat.Greater)
		require.ErrorIs(t, err, stat.ErrDomain, "%v is not inside of the range", null)
	}
	varied := prepare(t, Data{Differences: []float64{0.25, 0.75, 0, 1}, Range: Range{-1, 1}})
	r := test(t, varied, 0.5, stat.Greater)
	require.Zero(t, r.Constrained)
	require.Zero(t, r.Statistic)
	require.InDelta(t, 0.5, r.P, 1e-12)
}
