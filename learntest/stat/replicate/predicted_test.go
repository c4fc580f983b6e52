package replicate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestPredictIsWhatTheScoreSays(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	verdicts := map[bool]int{}
	for range 50 {
		d := randomRuns(rng, 10+rng.IntN(10), 10, 2*rng.NormFloat64())
		q := retest(10)
		q.Level = 0.8
		p, err := q.Predict(d)
		require.NoError(t, err)
		s, err := scoreOf(q, d)
		require.NoError(t, err)
		lo, hi := s.interval(0.8)
		require.Equal(t, s, p.Score)
		require.Equal(t, []float64{s.replicability(), lo, hi, 0.8}, []float64{p.R, p.Lo, p.Hi, p.Level})
		require.Empty(t, p.Warnings)

		first := d
		first.Runs, first.X = 10, d.X[:100]
		r, err := stat.CorrectedCVTTest(first, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, r.P <= 0.05, p.Rejected)
		verdicts[p.Rejected]++
		if p.Rejected {
			require.Equal(t, s.rejects(1), p.P)
		} else {
			require.InDelta(t, 1-s.rejects(1), p.P, 1e-15)
		}
		q.Level = 0
		p, err = q.Predict(d)
		require.NoError(t, err)
		require.Equal(t, 0.9, p.Level)
		lo, hi = s.interval(0.9)
		require.Equal(t, [2]float64{lo, hi}, [2]float64{p.Lo, p.Hi})
	}
	require.True(t, verdicts[true] > 10 && verdicts[false] > 10, "%v", verdicts)
}

// Of many data sets whose own difference and spread are drawn anew, a fraction
// P of those with about that P is confirmed by a rerun.
func TestPredictIsCalibrated(t *testing.T) {
	t.Parallel()
	const bins = 4 // of P from 0.5 to 1
	sets := sized(2000, 6000)
	rng := rand.New(rand.NewPCG(21, 22))
	var n, agreed [bins]int
	var sum [bins]float64
	for range sets {
		mean := 1.2 * rng.NormFloat64()
		effect := 0.2 + 0.3*rng.Float64()
		p, err := retest(10).Predict(runsWithEffect(rng, 10, 5, mean, effect))
		require.NoError(t, err)
		direction := stat.Greater
		if p.Direction == stat.Less {
			direction = stat.Less
		}
		r, err := stat.CorrectedCVTTest(runsWithEffect(rng, 10, 5, mean, effect), stat.TwoSided)
		require.NoError(t, err)
		rejects := r.P <= 0.05 && (r.Statistic > 0) == (direction == stat.Greater)
		b := min(bins-1, int((p.P-0.5)*2*bins))
		n[b]++
		sum[b] += p.P
		if rejects == p.Rejected {
			agreed[b]++
		}
	}
	for b := range bins {
		require.Greater(t, n[b], 100)
		predicted, observed := sum[b]/float64(n[b]), float64(agreed[b])/float64(n[b])
		t.Logf("P %.3f: %.3f of %d agree", predicted, observed, n[b])
		require.InDelta(t, predicted, observed, 0.03+3*math.Sqrt(observed*(1-observed)/float64(n[b])))
	}
}

// Against the replicability itself, from many independent repeats of the test.
func TestPredictIntervalCovers(t *testing.T) {
	t.Parallel()
	repeats := sized(400, 2000)
	for _, mean := range []float64{0.5, 0.7, 0.85} {
		for _, runs := range []int{10, 20} {
			rng := rand.New(rand.NewPCG(uint64(runs), math.Float64bits(mean)))
			rejected := 0
			for range repeats {
				r, err := stat.CorrectedCVTTest(runsWithEffect(rng, 10, 10, mean, 0.1), stat.TwoSided)
				require.NoError(t, err)
				if r.P <= 0.05 {
					rejected++
				}
			}
			p := float64(rejected) / float64(repeats)
			truth := p*p + (1-p)*(1-p)
			covered := 0
			for range repeats {
				p, err := retest(10).Predict(runsWithEffect(rng, runs, 10, mean, 0.1))
				require.NoError(t, err)
				if p.Lo <= truth && truth <= p.Hi {
					covered++
				}
			}
			share := float64(covered) / float64(repeats)
			t.Logf("mean %v: R = %.3f, 90%% interval from %d runs covers %.3f", mean, truth, runs, share)
			require.Greater(t, share, 0.85)
		}
	}
}

// With the direction fixed by the first runs, later ones can speak against it.
func TestPredictLetsLaterRunsSpeakAgainstTheVerdict(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	d := randomRuns(rng, 40, 10, -1.5)
	for i, x := range randomRuns(rng, 10, 10, 1.5).X {
		d.X[i] = x
	}
	p, err := retest(10).Predict(d)
	require.NoError(t, err)
	require.Equal(t, stat.Greater, p.Direction)
	require.True(t, p.Rejected)
	require.Negative(t, p.Z)
	require.Less(t, p.P, 0.2)
	require.Equal(t, p.P, p.rejects(1))

	// In the direction of the later runs the verdict is no rejection, and the
	// same runs speak against that.
	q := retest(10)
	q.Direction = stat.Less
	p, err = q.Predict(d)
	require.NoError(t, err)
	require.False(t, p.Rejected)
	require.Equal(t, stat.Less, p.Direction)
	require.InDelta(t, 1, p.P+p.rejects(1), 1e-14)
}

func TestPredictWithoutVariation(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	constant := []float64{0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25}
	sameRuns := []float64{0.2, 0.3, 0.3, 0.2, 0.2, 0.3, 0.3, 0.2}
	sameWeakRuns := []float64{-0.2, 0.3, 0.3, -0.2, -0.2, 0.3, 0.3, -0.2}
	for name, c := range map[string]struct {
		x         []float64
		null      float64
		direction stat.Alternative
		z         float64
		rejected  bool
		p         float64
	}{
		"identical learners":         {x: make([]float64, 8), z: -inf, p: 1},
		"constant difference":        {x: constant, z: inf, rejected: true, p: 1},
		"constant, other direction":  {x: constant, direction: stat.Less, z: -inf, p: 1},
		"constant in few runs":       {x: constant[:4], z: inf, rejected: true, p: 1},
		"constant within the margin": {x: constant, null: 0.25, z: -inf, p: 1},
		"up to the gain's round-off": {
			x: []float64{0, 1e-17, 0, 0, 1e-17, 0}, null: 0.1,
			direction: stat.Greater, z: -inf, p: 1,
		},
		"constant up to round-off": {x: []float64{
			minus(0.9, 0.7), 0.2, minus(0.8, 0.6), 0.2, 0.2,
			minus(0.3, 0.1),
		}, z: inf, rejected: true, p: 1},
		"same runs that reject": {x: sameRuns, z: inf, rejected: true, p: 1},
		"same runs that do not": {x: sameWeakRuns, z: -inf, p: 1},
		"same runs up to round-off": {x: []float64{
			minus(0.9, 0.7), 0.3, 0.3, minus(0.8, 0.6), 0.2,
			minus(0.9, 0.6), 0.3, 0.2,
		}, z: inf, rejected: true, p: 1},
		"very large scores": {x: []float64{
			2e300, 3e300, 3e300, 2e300, 2e300, 3e300, 3e300,
			2e300,
		}, z: inf, rejected: true, p: 1},
		"very small scores": {x: []float64{
			2e-300, 3e-300, 3e-300, 2e-300, 2e-300, 3e-300,
			3e-300, 2e-300,
		}, z: inf, rejected: true, p: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := stat.Differences{Runs: len(c.x) / 2, Folds: 2, X: c.x, Ratio: 0.01}
			q := retest(2)
			q.Null, q.Direction = c.null, c.direction
			p, err := q.Predict(d)
			require.NoError(t, err)
			require.Equal(t, c.z, p.Z)
			require.Equal(t, c.rejected, p.Rejected)
			require.Equal(t, []float64{c.p, 1, 1, 1}, []float64{p.P, p.R, p.Lo, p.Hi})
			require.Len(t, p.Warnings, 1)
			require.ErrorIs(t, p.Warnings[0], stat.ErrZeroVariance)
			require.ErrorContains(t, p.Warnings[0], "a partition of its own")
		})
	}
	// The t of runs that are all equal, though not all differences are.
	q := retest(2)
	var err error
	q.Test, err = stat.Lookup("averaged-t")
	require.NoError(t, err)
	p, err := q.Predict(stat.Differences{Runs: 4, Folds: 2, X: sameRuns})
	require.NoError(t, err)
	require.Equal(t, -inf, p.Z) // t = 5 on one degree of freedom
	// A run without variance has no t.
	_, err = q.Predict(stat.Differences{Runs: 4, Folds: 2, X: []float64{1, 2, 2, 3, 4, 5, 1, 1}})
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "run 4")
}

// Where the folds of a run do not differ, the mean alone decides.
func TestPredictWhereTheTestDividesByZero(t *testing.T) {
	t.Parallel()
	test, err := stat.Lookup("b03-folds-averaged-var")
	require.NoError(t, err)
	s, err := scoreOf(Retest{Test: test, Runs: 2, Alpha: 0.05}, stat.Differences{
		Runs: 4, Folds: 2,
		X: []float64{1, 1, 2, 2, 3, 3, 6, 6},
	})
	require.NoError(t, err)
	require.InDelta(t, 3/math.Sqrt(14.0/3)*math.Sqrt2, s.Z, 1e-14)
}

func TestPredictFromTwoRuns(t *testing.T) {
	t.Parallel()
	p, err := retest(2).Predict(stat.Differences{Runs: 2, Folds: 3, X: []float64{1, 2, 3, 2, 2, 2.5}})
	require.NoError(t, err)
	require.True(t, p.Lo >= 0.5 && p.Lo < p.R && p.R < p.Hi && p.Hi <= 1, "%+v", p)
	p, err = retest(1).Predict(stat.Differences{Runs: 2, Folds: 3, X: []float64{1, 2, 3, 2, 2, 2.5}})
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 2}, [2]int{p.Runs, p.N})
}

func BenchmarkRetestPredict(b *testing.B) {
	d := randomRuns(rand.New(rand.NewPCG(1, 1)), 10, 10, 0.5)
	q := retest(10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := q.Predict(d); err != nil {
			b.Fatal(err)
		}
	}
}
