package itemwise

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A draw makes data: of scores 0 and 1, graded, or dense; with or without clusters.
func draw(r *rand.Rand) Data {
	n := 2 + r.IntN(40)
	d := Data{Differences: make([]float64, n), Range: Range{-1, 1}, Scale: 1}
	kind := r.IntN(3)
	for i := range d.Differences {
		switch kind {
		case 0:
			d.Differences[i] = float64(r.IntN(3) - 1)
		case 1:
			d.Differences[i] = float64(r.IntN(9)-4) / 4
		default:
			d.Differences[i] = 2*r.Float64() - 1
		}
	}
	if r.IntN(2) == 0 {
		d.Clusters = make([]int, n)
		for i := range d.Clusters {
			d.Clusters[i] = int(math.Sqrt(float64(r.IntN(n * n / 2))))
		}
		d.Clusters[0], d.Clusters[1] = -1, -2
	}
	return d
}

// A drawing is a sample that varies, and the data behind it.
type drawing struct {
	data   Data
	sample *Sample
}

// drawings are drawn once, for all properties.
var drawings = sync.OnceValue(func() (all []drawing) {
	r := rand.New(rand.NewPCG(1, 40))
	for range 500 {
		d := draw(r)
		s, err := Prepare(d)
		if err != nil {
			panic(err)
		}
		if s.se > 0 {
			all = append(all, drawing{d, s})
		}
	}
	return all
})

// draws calls f with all drawings, of which f changes nothing.
func draws(t *testing.T, f func(r *rand.Rand, d Data, s *Sample)) {
	t.Helper()
	require.Greater(t, len(drawings()), 400)
	r := rand.New(rand.NewPCG(1, 41))
	for _, x := range drawings() {
		f(r, x.data, x.sample)
	}
}

func test(t *testing.T, s *Sample, null float64, alt stat.Alternative) Result {
	r, err := s.Test(null, alt)
	if err != nil {
		t.Helper()
		require.NoError(t, err)
	}
	return r
}

// TestWithoutClustersIsPairedT compares with the test of package stat.
func TestWithoutClustersIsPairedT(t *testing.T) {
	t.Parallel()
	draws(t, func(_ *rand.Rand, d Data, _ *Sample) {
		d.Clusters, d.Range = nil, Range{}
		want, err := stat.PairedTTest(stat.Differences{
			Runs: 1, Folds: len(d.Differences),
			X: d.Differences, Scale: 1,
		}, stat.Greater)
		require.NoError(t, err)
		got := test(t, prepare(t, d), 0, stat.Greater)
		require.Equal(t, want.DF, got.DF)
		require.InDelta(t, want.P, got.P, 1e-12)
		require.InDelta(t, want.SE, got.SE, 1e-14)
		require.Zero(t, got.ICC)
		require.InDelta(t, 1/float64(got.N), got.Largest, 1e-15)
	})
}

// TestByMatrices compares with the definitions: residuals of clusters, adjusted by their share, and
// the covariance of the means' residuals written out as a matrix.
func TestByMatrices(t *testing.T) {
	t.Parallel()
	draws(t, func(_ *rand.Rand, d Data, s *Sample) {
		if d.Clusters == nil {
			return
		}
		got := test(t, s, 0, stat.TwoSided)
		sum, size := map[int]float64{}, map[int]float64{}
		n, mean := float64(len(d.Differences)), 0.
		for i, x := range d.Differences {
			sum[d.Clusters[i]] += x
			size[d.Clusters[i]]++
			mean += x / n
		}
		var a, v, w []float64
		variance := 0.
		for g := range size {
			share := size[g] / n
			variance += math.Pow(sum[g]-size[g]*mean, 2) / (1 - share) / (n * n)
			a, v, w = append(a, share), append(v, got.ICC+(1-got.ICC)/size[g]),
				append(w, share*share/(1-share))
		}
		require.InEpsilon(t, math.Sqrt(variance), got.SE, 1e-12)
		trace, squares := 0., 0.
		for g := range a {
			for h := range a {
				// The residual of a mean is (e_g − a)·means, and the means have variances v.
				covariance := 0.
				for l := range a {
					covariance += (one(l == g) - a[l]) * (one(l == h) - a[l]) * v[l]
				}
				if g == h {
					trace += w[g] * covariance
				}
				squares += w[g] * w[h] * covariance * covariance
			}
		}
		require.InEpsilon(t, trace*trace/squares, got.DF, 1e-9)
		require.GreaterOrEqual(t, got.DF, 1.)
		require.LessOrEqual(t, got.DF, float64(got.Clusters-1))
	})
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func TestOrderAndLabelsDoNotCount(t *testing.T) {
	t.Parallel()
	draws(t, func(r *rand.Rand, d Data, s *Sample) {
		e := Data{Range: d.Range, Scale: d.Scale}
		for _, i := range r.Perm(len(d.Differences)) {
			e.Differences = append(e.Differences, d.Differences[i])
			if d.Clusters != nil {
				e.Clusters = append(e.Clusters, 7-3*d.Clusters[i])
			}
		}
		want, got := test(t, s, -0.1, stat.Greater), test(t, prepare(t, e), -0.1, stat.Greater)
		require.InDelta(t, want.P, got.P, 1e-12)
		require.InDelta(t, want.Statistic, got.Statistic, 1e-10*max(1, math.Abs(want.Statistic)))
	})
}

func TestMirror(t *testing.T) {
	t.Parallel()
	draws(t, func(r *rand.Rand, d Data, s *Sample) {
		d.Differences = slices.Clone(d.Differences)
		for i := range d.Differences {
			d.Differences[i] *= -1
		}
		d.Range = Range{-d.Range.Most, -d.Range.Least}
		m := prepare(t, d)
		null := r.Float64() - 0.5
		want, got := test(t, s, null, stat.Greater), test(t, m, -null, stat.Less)
		require.InDelta(t, want.P, got.P, 1e-12)
		require.InDelta(t, 1, got.P+test(t, m, -null, stat.Greater).P, 1e-12)
		require.InDelta(t, 2*min(want.P, 1-want.P), test(t, s, null, stat.TwoSided).P, 1e-12)
		lo, hi, err := s.Bounds(0.05)
		require.NoError(t, err)
		lower, upper, err := m.Bounds(0.05)
		require.NoError(t, err)
		require.InDelta(t, lo, -upper, 1e-12)
		require.InDelta(t, hi, -lower, 1e-12)
	})
}

// TestUnit multiplies scores, null and range by powers of two.
func TestUnit(t *testing.T) {
	t.Parallel()
	draws(t, func(r *rand.Rand, d Data, s *Sample) {
		unit := math.Ldexp(1, r.IntN(200)-100)
		e := Data{Clusters: d.Clusters, Scale: unit, Range: Range{-unit, unit}}
		for _, x := range d.Differences {
			e.Differences = append(e.Differences, x*unit)
		}
		got := prepare(t, e)
		require.Equal(t, test(t, s, -0.1, stat.Greater).P, test(t, got, -0.1*unit, stat.Greater).P)
		require.Equal(t, test(t, s, 0, stat.TwoSided).P, test(t, got, 0, stat.TwoSided).P)
	})
}

// TestUnitsBeyondSquares takes differences that have no squares.
func TestUnitsBeyondSquares(t *testing.T) {
	t.Parallel()
	d := []float64{1, 2, -1, 4, 0.5}
	want := test(t, prepare(t, Data{Differences: d, Clusters: []int{1, 1, 2, 3, 4}}), 0, stat.Greater)
	for _, unit := range []float64{0x1p900, 0x1p-900} {
		e := make([]float64, len(d))
		for i := range d {
			e[i] = d[i] * unit
		}
		got := test(t, prepare(t, Data{Differences: e, Clusters: []int{1, 1, 2, 3, 4}}), 0, stat.Greater)
		require.Equal(t, want.P, got.P)
		require.Equal(t, want.ICC, got.ICC)
		require.Equal(t, want.SE*unit, got.SE)
	}
}

// TestBoundsInvertTheTest holds margins on both sides of the bounds.
func TestBoundsInvertTheTest(t *testing.T) {
	t.Parallel()
	inside := 0
	draws(t, func(r *rand.Rand, _ Data, s *Sample) {
		alpha := []float64{0.01, 0.05, 0.2}[r.IntN(3)]
		lo, hi, err := s.Bounds(alpha)
		require.NoError(t, err)
		require.LessOrEqual(t, lo, s.mean)
		require.GreaterOrEqual(t, hi, s.mean)
		require.GreaterOrEqual(t, lo, -1.)
		require.LessOrEqual(t, hi, 1.)
		if null := lo - 1e-9; null > -1 {
			inside++
			require.Less(t, test(t, s, null, stat.Greater).P, alpha)
		}
		if null := lo + 1e-9; null != 0 {
			require.Greater(t, test(t, s, null, stat.Greater).P, alpha)
		}
		if null := hi + 1e-9; null < 1 {
			require.Less(t, test(t, s, null, stat.Less).P, alpha)
		}
		if null := hi - 1e-9; null != 0 {
			require.Greater(t, test(t, s, null, stat.Less).P, alpha)
		}
		wider, _, err := s.Bounds(alpha / 2)
		require.NoError(t, err)
		require.LessOrEqual(t, wider, lo)
	})
	require.Greater(t, inside, 100)
}

// TestFallsInTheNull checks that a larger margin is never harder to show.
func TestFallsInTheNull(t *testing.T) {
	t.Parallel()
	draws(t, func(r *rand.Rand, _ Data, s *Sample) {
		if r.IntN(4) > 0 {
			return
		}
		last := math.Inf(1)
		for null := -0.995; null < 1; null += 0.01 {
			now := test(t, s, null, stat.Greater)
			if !(math.Abs(now.Statistic) <= math.Abs(now.T) && now.Statistic*(s.mean-null) >= 0) ||
				math.Abs(now.Statistic) < 4 && last < 4 && !(now.Statistic <= last+1e-9) {
				require.Fail(t, "it rises, or is on the other side", "%v: %+v after %v", null, now, last)
			}
			last = now.Statistic
		}
	})
}

// TestNothingDiffers compares the bound where no item differs with the exact one.
func TestNothingDiffers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{20, 50, 100, 300, 1000} {
		s := prepare(t, Data{Differences: make([]float64, n), Range: Range{-1, 1}})
		lo, hi, err := s.Bounds(0.05)
		require.NoError(t, err)
		exact, err := stat.Unseen(n, 0.05)
		require.NoError(t, err)
		require.InDelta(t, 0.9*exact, -lo, 0.1*exact)
		require.Equal(t, -lo, hi)
		r := test(t, s, 0, stat.TwoSided)
		require.Equal(t, 1., r.P)
		require.Zero(t, r.Statistic)
		require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
		r = test(t, s, -exact/2, stat.Greater)
		require.Greater(t, r.P, 0.05)
		require.Empty(t, r.Warnings)
		require.True(t, math.IsInf(r.T, 1))
	}
}
