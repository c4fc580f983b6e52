package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestPermutationReference(t *testing.T) {
	t.Parallel()
	each(t, "permutation_sign_flip", "paired_permutation_mean", func(t *testing.T, v vector) {
		var in struct{ D []number }
		var w struct {
			P        number `json:"p_two_sided"`
			PGreater number `json:"p_greater"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		d := oneRun(vectors.Floats(in.D))
		for alt, p := range map[stat.Alternative]number{stat.TwoSided: w.P, stat.Greater: w.PGreater} {
			r, err := stat.PermutationTest(d, alt)
			require.NoError(t, err)
			v.Near(t, "p "+alt.String(), r.P, p)
			require.True(t, r.Exact)
			require.Zero(t, r.PError)
		}
	})
}

// oneRun returns differences of one run.
func oneRun(x []float64) stat.Differences {
	return stat.Differences{Runs: 1, Folds: len(x), X: x}
}

// permuteNaively goes through all sign changes.
func permuteNaively(x []float64, alt stat.Alternative) float64 {
	observed, tol := 0.0, 0.0
	for _, v := range x {
		observed += v
		tol = max(tol, 1e-9*math.Abs(v))
	}
	tol *= float64(len(x)) // of sums, where it is meant for means
	extreme := 0
	for signs := range 1 << len(x) {
		sum := 0.0
		for i, v := range x {
			if signs>>i&1 == 1 {
				v = -v
			}
			sum += v
		}
		switch {
		case alt == stat.Greater && sum >= observed-tol,
			alt == stat.Less && sum <= observed+tol,
			alt == stat.TwoSided && math.Abs(sum) >= math.Abs(observed)-tol:
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(x))
}

func TestPermutationIsBruteForce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Few distinct values make ties of sums.
		value := rapid.OneOf(rapid.Float64Range(-1, 1),
			rapid.SampledFrom([]float64{0, 0.1, -0.1, 0.3, 0.05, -0.2}))
		x := rapid.SliceOfN(value, 1, 6).Draw(t, "x")
		alt := stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		r, err := stat.PermutationTest(oneRun(x), alt)
		require.NoError(t, err)
		require.Equal(t, permuteNaively(x, alt), r.P)
		require.True(t, r.Exact)
	})
}

func TestPermutationTakesMeansForEqualThatDifferByTheTolerance(t *testing.T) {
	t.Parallel()
	// Four of the 16 sums of signs are near the observed one, which is the largest:
	// those with one or both of the small ones negative. The scale is 1, and sums
	// may be 4e-9 apart.
	for offset, want := range map[float64]float64{
		0.5e-9: 4 / 16.0, 1.5e-9: 3 / 16.0,
		2.5e-9: 2 / 16.0,
	} {
		d := oneRun([]float64{1, 1, 1e-9, offset})
		for alt, times := range map[stat.Alternative]float64{stat.Greater: 1, stat.TwoSided: 2} {
			r, err := stat.PermutationTest(d, alt)
			require.NoError(t, err)
			require.Equal(t, times*want, r.P, "offset %v, %v", offset, alt)
		}
	}
}

func TestPermutationApproachesT(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	x := make([]float64, 400)
	for i := range x {
		x[i] = 0.08 + rng.NormFloat64()
	}
	for alt := stat.TwoSided; alt <= stat.Less; alt++ {
		want, err := stat.PairedTTest(oneRun(x), alt)
		require.NoError(t, err)
		r, err := stat.PermutationTest(oneRun(x), alt)
		require.NoError(t, err)
		require.False(t, r.Exact)
		require.InDelta(t, want.P, r.P, 0.01)
	}
	// Exact with as many as are exact, too.
	want, err := stat.PairedTTest(oneRun(x[:30]), stat.TwoSided)
	require.NoError(t, err)
	r, err := stat.PermutationTest(oneRun(x[:30]), stat.TwoSided)
	require.NoError(t, err)
	require.True(t, r.Exact)
	require.InDelta(t, want.P, r.P, 0.02)
}

func TestMonteCarloPermutationEstimatesTheExactP(t *testing.T) {
	t.Parallel()
	x := []float64{0.3, -0.1, 0.25, 0.4, -0.2, 0.1, 0.05, -0.3, 0.6, 0.22, 0.01, 0.3}
	for alt := stat.TwoSided; alt <= stat.Less; alt++ {
		exact, err := stat.PermutationTest(oneRun(x), alt)
		require.NoError(t, err)
		mc, err := stat.MonteCarloPermutationTest(oneRun(x), alt, 50000, 7)
		require.NoError(t, err)
		require.Greater(t, mc.PError, 0.0)
		require.InDelta(t, exact.P, mc.P, 4*mc.PError)
		again, err := stat.MonteCarloPermutationTest(oneRun(x), alt, 50000, 7)
		require.NoError(t, err)
		require.Equal(t, mc.P, again.P)
		other, err := stat.MonteCarloPermutationTest(oneRun(x), alt, 50000, 8)
		require.NoError(t, err)
		require.NotEqual(t, mc.P, other.P)
	}
}

func TestPermutationEdgeCases(t *testing.T) {
	t.Parallel()
	r, err := stat.PermutationTest(oneRun(make([]float64, 5)), stat.Greater)
	require.NoError(t, err)
	require.Equal(t, 1.0, r.P)
	r, err = stat.PermutationTest(oneRun([]float64{0.5}), stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, 1.0, r.P)
	// 0.1+0.2 and 0.3 tie although float64 does not think so.
	r, err = stat.PermutationTest(oneRun([]float64{0.1, 0.2, -0.3}), stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, 1.0, r.P)
	lo, _ := r.Interval(0.95)
	require.True(t, math.IsNaN(lo))

	for _, c := range []struct {
		d   stat.Differences
		alt stat.Alternative
		err error
	}{
		{stat.Differences{}, 0, stat.ErrSampleSize},
		{oneRun([]float64{1, nan()}), 0, stat.ErrNotFinite},
		{oneRun([]float64{1.7e308, 1.7e308}), 0, stat.ErrNotFinite},
		{oneRun([]float64{1, 2}), 3, stat.ErrDomain},
		{stat.Differences{Runs: 1, Folds: 1, X: []float64{1}, Scale: -1}, 0, stat.ErrDomain},
	} {
		_, err := stat.PermutationTest(c.d, c.alt)
		require.ErrorIs(t, err, c.err)
		_, err = stat.MonteCarloPermutationTest(c.d, c.alt, 10, 1)
		require.ErrorIs(t, err, c.err)
	}
	_, err = stat.MonteCarloPermutationTest(oneRun([]float64{1, 2}), stat.TwoSided, 0, 1)
	require.ErrorIs(t, err, stat.ErrDomain)
}

func TestMonteCarloPermutationIsNeverZero(t *testing.T) {
	t.Parallel()
	x := make([]float64, 60)
	for i := range x {
		x[i] = 1
	}
	r, err := stat.MonteCarloPermutationTest(oneRun(x), stat.Greater, 99, 1)
	require.NoError(t, err)
	require.Equal(t, 0.01, r.P)
	require.False(t, r.Exact)
}

func TestMonteCarloPermutationOfEveryLength(t *testing.T) {
	t.Parallel()
	// The signs come in blocks of 8 and 64 bits.
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 7, 8, 9, 64, 65, 130} {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64() + 0.1
		}
		r, err := stat.MonteCarloPermutationTest(oneRun(x), stat.Greater, 20000, 1)
		require.NoError(t, err)
		want := 0.0
		if n <= 9 {
			want = permuteNaively(x, stat.Greater)
		} else {
			p, err := stat.PairedTTest(oneRun(x), stat.Greater)
			require.NoError(t, err)
			want = p.P
		}
		if !floatcmp.Equal(r.P, want, 4*r.PError+0.003, 0) {
			t.Errorf("n = %d: %v, want %v", n, r.P, want)
		}
	}
}

func BenchmarkPermutationExact(b *testing.B) {
	d := oneRun(make([]float64, 20))
	for i := range d.X {
		d.X[i] = float64(i*i%17)/10 - 0.6
	}
	for b.Loop() {
		if _, err := stat.PermutationTest(d, stat.TwoSided); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPermutationMonteCarlo(b *testing.B) {
	d := oneRun(make([]float64, 100))
	for i := range d.X {
		d.X[i] = float64(i*i%17)/10 - 0.6
	}
	for b.Loop() {
		if _, err := stat.PermutationTest(d, stat.TwoSided); err != nil {
			b.Fatal(err)
		}
	}
}
