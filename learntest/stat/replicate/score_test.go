package replicate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

func phi(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// agree is R(θ).
func agree(theta float64) float64 { return phi(theta)*phi(theta) + phi(-theta)*phi(-theta) }

func TestScoreReference(t *testing.T) {
	t.Parallel()
	each(t, "predicted_replicability", "predicted_replicability_from_score",
		func(t *testing.T, v vector) {
			var s Score
			var in struct {
				N, R int
				Z    float64
			}
			var w struct {
				R, Agrees, Lo, Hi number
				ThetaLo           number `json:"theta_lo"`
				ThetaHi           number `json:"theta_hi"`
			}
			v.In(t, &in)
			v.Want(t, &w)
			s = Score{Z: in.Z, Runs: in.R, N: in.N}
			v.Near(t, "R", s.replicability(), w.R)
			v.Near(t, "agrees", max(s.rejects(1), 1-s.rejects(1)), w.Agrees)
			lo, hi := s.bounds(0.9)
			v.Near(t, "lower θ", lo, w.ThetaLo)
			v.Near(t, "upper θ", hi, w.ThetaHi)
			lo, hi = s.interval(0.9)
			v.Near(t, "Lo", lo, w.Lo)
			v.Near(t, "Hi", hi, w.Hi)
			require.InDelta(t, in.Z*math.Sqrt(float64(in.N)/float64(in.R)), s.statistic(), 1e-15)
		})
}

// R by its integral, taken by Simpson's rule in many steps.
func TestScoreRIsItsIntegral(t *testing.T) {
	t.Parallel()
	for _, s := range []Score{
		{Z: 0, Runs: 2, N: 2},
		{Z: 0.7, Runs: 1, N: 3000},
		{Z: 1.5, Runs: 10, N: 5000},
		{Z: 4, Runs: 10, N: 100},
		{Z: -8, Runs: 10, N: 10},
		{Z: 30, Runs: 10, N: 10},
		{Z: 300, Runs: 2, N: 2},
		{Z: 1e6, Runs: 2, N: 2},
	} {
		const steps = 10000
		v, share := float64(s.N-1), float64(s.Runs)/float64(s.N)
		h, a := s.Z/math.Sqrt(1+share), 1/math.Sqrt(1+2*share)
		var sum float64
		for i := 0; i <= steps; i++ {
			x := a * float64(i) / steps
			weight := float64(2 + 2*(i%2))
			if i == 0 || i == steps {
				weight = 1
			}
			sum += weight * math.Pow(1+h*h*(1+x*x)/v, -v/2) / (1 + x*x)
		}
		want := sum * a / (3 * steps) * 2 / math.Pi // 1 − R, which may be tiny
		got := 1 - s.replicability()
		if !floatcmp.Equal(got, want, 4e-16, 1e-11) {
			t.Errorf("%+v: 1 − R is %v, want %v", s, got, want)
		}
	}
}

// The closed forms are expectations over the posterior of θ, whose draws are
// (T·S + Z)·√(r/N) with S the root of a mean of N−1 squares.
func TestScoreIsTheMeanOverThePosterior(t *testing.T) {
	t.Parallel()
	draws := float64(sized(25000, 100000))
	for _, s := range []Score{
		{Z: 1.2, Runs: 4, N: 4},
		{Z: -0.8, Runs: 10, N: 20},
		{Z: 2.5, Runs: 5, N: 7},
	} {
		rng := rand.New(rand.NewPCG(3, uint64(s.N)))
		var r, rejects float64
		for range int(draws) {
			var w float64
			for range s.N - 1 {
				e := rng.NormFloat64()
				w += e * e
			}
			theta := (s.statistic()*math.Sqrt(w/float64(s.N-1)) +
				rng.NormFloat64()) * math.Sqrt(float64(s.Runs)/float64(s.N))
			r += agree(theta) / draws
			rejects += phi(theta) / draws
		}
		// The standard deviations of R(θ) and Φ(θ) are at most 0.25 and 0.5.
		require.InDelta(t, r, s.replicability(), 4*0.25/math.Sqrt(draws))
		require.InDelta(t, rejects, s.rejects(1), 4*0.5/math.Sqrt(draws))
	}
}

func TestScoreProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := Score{
			Z:    rapid.Float64Range(-20, 20).Draw(t, "z"),
			Runs: rapid.IntRange(1, 30).Draw(t, "runs"),
			N:    rapid.IntRange(2, 300).Draw(t, "N"),
		}
		mirrored, further, more := s, s, s
		mirrored.Z = -s.Z
		further.Z += math.Copysign(0.1, s.Z)
		more.N *= 1000

		require.InDelta(t, s.replicability(), mirrored.replicability(), 1e-15)
		require.InDelta(t, 1, s.rejects(1)+mirrored.rejects(1), 1e-14)
		require.True(t, s.replicability() >= 0.5 && s.replicability() <= 1, "%v", s.replicability())
		require.GreaterOrEqual(t, further.replicability(), s.replicability()-1e-15)
		if math.Abs(s.Z) > 1e-9 {
			require.Equal(t, s.Z > 0, s.rejects(1) > 0.5)
		}

		lo, hi := s.bounds(0.9)
		require.True(t, lo < hi)
		wideLo, wideHi := s.bounds(0.95)
		require.True(t, wideLo < lo && hi < wideHi)
		rlo, rhi := s.interval(0.9)
		require.True(t, 0.5 <= rlo && rlo <= rhi && rhi <= 1)
		require.Equal(t, lo < 0 && hi > 0, rlo == 0.5, "%v %v", lo, hi)

		// With many runs the uncertainty goes, and with it the difference
		// from the plug-in values.
		if math.Abs(s.Z) < 4 && more.N > 1000*s.Runs {
			require.InDelta(t, agree(s.Z), more.replicability(), 0.003)
			require.InDelta(t, phi(s.Z), more.rejects(1), 0.003)
		}
	})
}

func TestScoreSpecialCases(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	up := Score{Z: inf, Runs: 10, N: 10}
	lo, hi := up.interval(0.9)
	require.Equal(t, []float64{1, 1, 1, 1, inf}, []float64{
		up.replicability(), up.rejects(1), lo, hi,
		up.statistic(),
	})
	down := Score{Z: -inf, Runs: 10, N: 10}
	lo, hi = down.interval(0.9)
	require.Equal(t, []float64{1, 0, 1, 1}, []float64{down.replicability(), down.rejects(1), lo, hi})
	require.Equal(t, 1.0, Score{Z: 1e200, Runs: 10, N: 10}.replicability())

	for _, s := range []Score{
		{Z: nan(), Runs: 10, N: 10},
		{Z: 1, Runs: 0, N: 10},
		{Z: 1, Runs: 10, N: 1},
		{},
	} {
		lo, hi := s.interval(0.9)
		for _, x := range []float64{s.replicability(), s.rejects(1), s.statistic(), lo, hi} {
			require.True(t, math.IsNaN(x), "%+v", s)
		}
	}
	for _, level := range []float64{0, 1, nan(), -0.5} {
		lo, hi := Score{Z: 1, Runs: 10, N: 10}.interval(level)
		require.True(t, math.IsNaN(lo) && math.IsNaN(hi), "%v", level)
	}
}

func BenchmarkScoreInterval(b *testing.B) {
	for b.Loop() {
		Score{Z: 3.2, Runs: 10, N: 10}.interval(0.9)
	}
}

func BenchmarkScoreR(b *testing.B) {
	for b.Loop() {
		Score{Z: 3.2, Runs: 10, N: 10}.replicability()
	}
}
