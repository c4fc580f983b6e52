package across

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

type locate = func(a, b []float64, level float64, alt stat.Alternative) (Location, error)

// Depression scores before and after: Hollander and Wolfe (1999), table 3.1. The
// estimate and both intervals are theirs: example 3.3 has −0.46, example 3.4
// has (−.786, −.010) with coverage .961.
func TestHodgesLehmannOfHollanderAndWolfe(t *testing.T) {
	t.Parallel()
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	got, err := HodgesLehmann(after, before, 0.95, stat.TwoSided)
	require.NoError(t, err)
	require.NoError(t, floatcmp.Slices([]float64{got.Estimate, got.Lo, got.Hi}, []float64{-0.46, -0.786, -0.01}, 1e-12, 0))
	require.Equal(t, 1-2*10.0/512, got.Coverage) // ten sets of ranks have sums below 6
	require.True(t, got.Exact)
	require.Empty(t, got.Warnings)
}

func TestIntervalsAgainstAllPossibilities(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		d := rapid.SliceOfN(rapid.Float64Range(-5, 5), n, n).Draw(t, "d")
		level := rapid.Float64Range(0.05, 0.99).Draw(t, "level")
		alt := rapid.SampledFrom(alternatives).Draw(t, "alt")
		var averages []float64
		for i := range d {
			for j := i; j < n; j++ {
				averages = append(averages, 0.5*d[i]+0.5*d[j])
			}
		}
		slices.Sort(averages)
		single := slices.Sorted(slices.Values(d))
		// The distributions of the sum of the ranks and of the number of heads.
		sums, heads := make([]float64, len(averages)+1), make([]float64, n+1)
		for signs := range 1 << n {
			sum, count := 0, 0
			for i := range n {
				if signs>>i&1 == 1 {
					sum += i + 1
					count++
				}
			}
			sums[sum] += math.Ldexp(1, -n)
			heads[count] += math.Ldexp(1, -n)
		}
		for _, c := range []struct {
			f      locate
			values []float64
			p      []float64
		}{{HodgesLehmann, averages, sums}, {MedianDifference, single, heads}} {
			got, err := c.f(d, zeros(n), level, alt)
			require.NoError(t, err)
			m := len(c.values)
			require.Equal(t, 0.5*c.values[(m-1)/2]+0.5*c.values[m/2], got.Estimate)
			tails := 1.0
			if alt == stat.TwoSided {
				tails = 2
			}
			want := Location{Lo: math.Inf(-1), Hi: math.Inf(1), Coverage: 1}
			missed := 0.0
			for k := 1; k <= max(1, m/2); k++ {
				missed += c.p[k-1]
				if tails*missed > 1-level {
					break
				}
				want.Lo, want.Hi, want.Coverage = c.values[k-1], c.values[m-k], 1-tails*missed
			}
			require.Equal(t, want.Coverage == 1, len(got.Warnings) == 1)
			switch alt {
			case stat.Greater:
				want.Hi = math.Inf(1)
			case stat.Less:
				want.Lo = math.Inf(-1)
			}
			require.Equal(t, []float64{want.Lo, want.Hi}, []float64{got.Lo, got.Hi})
			require.True(t, floatcmp.Equal(got.Coverage, want.Coverage, 1e-14, 0))
			require.GreaterOrEqual(t, got.Coverage, level-1e-14)
		}
	})
}

// The interval holds 0 just if the test does not reject.
func TestIntervalsBelongToTheirTests(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		shift := rapid.Float64Range(-1, 1).Draw(t, "shift")
		d := rapid.SliceOfNDistinct(rapid.Float64Range(-2, 2), n, n, math.Abs).Draw(t, "d")
		for i := range d {
			d[i] += shift
		}
		alt := rapid.SampledFrom(alternatives).Draw(t, "alt")
		level := rapid.Float64Range(0.5, 0.99).Draw(t, "level")
		for name, c := range map[string]struct {
			f    locate
			test func() (float64, error)
		}{
			"signed rank": {HodgesLehmann, func() (float64, error) {
				r, err := SignedRank(d, zeros(n), alt, SignedRankOptions{})
				if r.Tied || r.Zeros > 0 {
					return 1 - level, err // skipped below
				}
				return r.P, err
			}},
			"sign": {MedianDifference, func() (float64, error) {
				r, err := SignTest(d, zeros(n), alt, SignOptions{})
				return r.P, err
			}},
		} {
			p, err := c.test()
			require.NoError(t, err)
			got, err := c.f(d, zeros(n), level, alt)
			require.NoError(t, err)
			if math.Abs(p-(1-level)) < 1e-9 || slices.Contains(d, 0) {
				continue
			}
			require.Equal(t, p > 1-level, got.Lo <= 0 && 0 <= got.Hi, "%s: p %v, %+v", name, p, got)
			mirrored, err := c.f(zeros(n), d, level, alt.Mirror())
			require.NoError(t, err)
			require.Equal(t, []float64{-got.Estimate, -got.Hi, -got.Lo}, []float64{mirrored.Estimate, mirrored.Lo, mirrored.Hi}, name)
		}
	})
}

func TestLocationOfManyDataSets(t *testing.T) {
	t.Parallel()
	// At the limit the exact cut and that of the approximation are neighbours.
	d := make([]float64, exactLimit+1)
	for i := range d {
		d[i] = math.Sin(float64(i*i)) + 0.1
	}
	exact, err := HodgesLehmann(d[1:], zeros(exactLimit), 0.95, stat.TwoSided)
	require.NoError(t, err)
	require.True(t, exact.Exact)
	normal, err := HodgesLehmann(d, zeros(exactLimit+1), 0.95, stat.TwoSided)
	require.NoError(t, err)
	require.False(t, normal.Exact)
	require.ErrorIs(t, normal.Warnings[0], ErrApproximate)
	require.NoError(t, floatcmp.Slices([]float64{normal.Estimate, normal.Lo, normal.Hi, normal.Coverage},
		[]float64{exact.Estimate, exact.Lo, exact.Hi, exact.Coverage}, 3e-3, 0))
	require.True(t, floatcmp.Equal(exact.Coverage, 0.95, 1e-5, 0))

	median, err := MedianDifference(d, zeros(len(d)), 0.95, stat.Greater)
	require.NoError(t, err)
	require.True(t, median.Exact)
	require.True(t, median.Lo < median.Estimate && math.IsInf(median.Hi, 1))
	require.True(t, floatcmp.Equal(median.Coverage, 0.95, 0.02, 0))
}

func TestLocationErrors(t *testing.T) {
	t.Parallel()
	one := []float64{1}
	for _, f := range []locate{HodgesLehmann, MedianDifference} {
		for _, c := range []struct {
			a, b  []float64
			level float64
			alt   stat.Alternative
			want  error
		}{
			{nil, nil, 0.9, 0, stat.ErrSampleSize},
			{one, nil, 0.9, 0, stat.ErrSampleSize},
			{one, []float64{math.NaN()}, 0.9, 0, stat.ErrNotFinite},
			{[]float64{1e308}, []float64{-1e308}, 0.9, 0, stat.ErrNotFinite},
			{one, one, 1, 0, stat.ErrDomain},
			{one, one, math.NaN(), 0, stat.ErrDomain},
			{one, one, 0.9, 3, stat.ErrDomain},
		} {
			_, err := f(c.a, c.b, c.level, c.alt)
			require.ErrorIs(t, err, c.want)
		}
		got, err := f([]float64{1.5e308, 1.7e308}, zeros(2), 0.95, stat.TwoSided)
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(got.Estimate, 1.6e308, 0, 1e-15))
		require.ErrorIs(t, got.Warnings[0], ErrFewDataSets)
		require.True(t, math.IsInf(got.Lo, -1) && math.IsInf(got.Hi, 1))
	}
}

func BenchmarkHodgesLehmann(b *testing.B) {
	scores := bcm(b)
	x, y := column(scores, 0), column(scores, 1)
	many := make([]float64, 1000)
	for i := range many {
		many[i] = math.Sin(float64(i * i))
	}
	for name, c := range map[string][2][]float64{"n=54": {x, y}, "n=1000": {many, zeros(1000)}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := HodgesLehmann(c[0], c[1], 0.95, stat.TwoSided); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
