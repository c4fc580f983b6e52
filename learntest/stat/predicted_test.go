package stat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

// The formula of the doc comment, word for word, on raw moments.
func predictNaively(t *testing.T, d stat.Differences, runs int, alpha float64) (rejects, r, lo, hi float64) {
	t.Helper()
	n := float64(runs * d.Folds)
	ratio := d.Ratio
	if ratio == 0 {
		ratio = 1 / float64(d.Folds-1)
	}
	c, err := stat.Result{DF: n - 1, DF2: nan()}.Critical(alpha)
	require.NoError(t, err)
	k := c * c * (1/n + ratio) * n / (n - 1)
	var as, bs []float64
	var a, b float64
	for j := range d.Runs {
		var sum, sq float64
		for _, x := range d.X[j*d.Folds : (j+1)*d.Folds] {
			sum += x
			sq += x * x
		}
		as, bs = append(as, sum/float64(d.Folds)), append(bs, sq/float64(d.Folds))
		a += as[j] / float64(d.Runs)
		b += bs[j] / float64(d.Runs)
	}
	root := math.Sqrt(k * (b - a*a))
	var mean, sq float64
	for j := range as {
		u := math.Copysign(as[j], a*as[j]) - (bs[j]-2*a*as[j])*k/(2*root)
		mean += u
		sq += u * u
	}
	N := float64(d.Runs)
	mean /= N
	z := (math.Abs(a) - root) / math.Sqrt((sq-N*mean*mean)/(N-1)/float64(runs))
	phi := func(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
	agree := func(z float64) float64 { return phi(z)*phi(z) + phi(-z)*phi(-z) }
	se := 1.6448536269514727 * math.Sqrt(float64(runs)/N*(N-1)/(N-3))
	lo, hi = agree(z-se), agree(z+se)
	if lo > hi {
		lo, hi = hi, lo
	}
	if math.Abs(z) < se {
		lo = 0.5
	}
	return phi(z), agree(z), lo, hi
}

// randomRuns draws runs that differ by a random effect, and the folds of each.
func randomRuns(rng *rand.Rand, runs, folds int, mean float64) stat.Differences {
	return runsWithEffect(rng, runs, folds, mean, 0.3)
}

func runsWithEffect(rng *rand.Rand, runs, folds int, mean, effect float64) stat.Differences {
	d := stat.Differences{Runs: runs, Folds: folds, X: make([]float64, runs*folds)}
	for j := range runs {
		shift := effect * rng.NormFloat64()
		for i := range folds {
			d.X[j*folds+i] = mean + shift + rng.NormFloat64()
		}
	}
	return d
}

func TestPredictedReplicabilityFollowsItsFormula(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		runs, folds, test int
		mean, ratio       float64
	}{{10, 10, 10, 0.7, 0}, {20, 10, 10, -0.9, 0}, {5, 2, 5, 1.5, 0.9}, {4, 5, 2, 0.2, 0.3}, {40, 10, 1, 3, 0}} {
		d := randomRuns(rng, c.runs, c.folds, c.mean)
		d.Ratio = c.ratio
		p, err := stat.PredictedReplicability(d, c.test, 0.05)
		require.NoError(t, err)
		rejects, r, lo, hi := predictNaively(t, d, c.test, 0.05)
		require.Equal(t, c.test, p.Runs)
		require.Equal(t, c.runs, p.N)
		require.NoError(t, floatcmp.Slices([]float64{p.Rejects, p.R, p.Lo, p.Hi}, []float64{rejects, r, lo, hi}, 0, 1e-9))
	}
}

// Against the probability itself, from many independent repetitions of the
// test. To first order only: the variance within 10 runs leaves out some of
// that between runs.
func TestPredictedReplicabilityPredictsTheTest(t *testing.T) {
	t.Parallel()
	const repeats = 4000
	for _, mean := range []float64{0, 0.35, 0.7, 0.9, 1.3} {
		rng := rand.New(rand.NewPCG(7, math.Float64bits(mean)))
		rejected := 0
		for range repeats {
			r, err := stat.CorrectedCVTTest(randomRuns(rng, 10, 10, mean), stat.TwoSided)
			require.NoError(t, err)
			if r.P <= 0.05 {
				rejected++
			}
		}
		truth := float64(rejected) / repeats
		p, err := stat.PredictedReplicability(randomRuns(rng, 2000, 10, mean), 10, 0.05)
		require.NoError(t, err)
		if math.Abs(p.Rejects-truth) > 0.06 {
			t.Errorf("mean %v: predicted %.3f, the test rejects in %.3f", mean, p.Rejects, truth)
		}
	}
}

func TestPredictedReplicabilityIntervalCovers(t *testing.T) {
	t.Parallel()
	const repeats = 2000
	for _, mean := range []float64{0.5, 0.6, 0.7, 0.8, 0.85} {
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
			p := float64(rejected) / repeats
			truth := p*p + (1-p)*(1-p)
			covered := 0
			for range repeats {
				p, err := stat.PredictedReplicability(runsWithEffect(rng, runs, 10, mean, 0.1), 10, 0.05)
				require.NoError(t, err)
				if p.Lo <= truth && truth <= p.Hi {
					covered++
				}
			}
			share := float64(covered) / repeats
			t.Logf("mean %v: R = %.3f, 90%% interval from %d runs covers %.3f", mean, truth, runs, share)
			require.Greater(t, share, 0.85)
		}
	}
}

func TestPredictedReplicabilityEdgeCases(t *testing.T) {
	t.Parallel()
	constant := []float64{0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25}
	sameRuns := []float64{0.2, 0.3, 0.3, 0.2, 0.2, 0.3, 0.3, 0.2}
	sameWeakRuns := []float64{-0.2, 0.3, 0.3, -0.2, -0.2, 0.3, 0.3, -0.2}
	for name, c := range map[string]struct {
		x       []float64
		runs    int
		want    stat.Prediction
		folds   int
		testRun int
	}{
		"all zero":                   {x: make([]float64, 8), runs: 4, want: stat.Prediction{Rejects: 0, R: 1, Lo: 1, Hi: 1}},
		"all equal":                  {x: constant, runs: 4, want: stat.Prediction{Rejects: 1, R: 1, Lo: 1, Hi: 1}},
		"all equal in few runs":      {x: constant[:6], runs: 3, want: stat.Prediction{Rejects: 1, R: 1, Lo: 0.5, Hi: 1}},
		"same runs that reject":      {x: sameRuns, runs: 4, want: stat.Prediction{Rejects: 1, R: 1, Lo: 1, Hi: 1}},
		"same runs that do not":      {x: sameWeakRuns, runs: 4, want: stat.Prediction{Rejects: 0, R: 1, Lo: 1, Hi: 1}},
		"same runs up to round-off":  {x: []float64{minus(0.9, 0.7), 0.3, 0.3, minus(0.8, 0.6), 0.2, minus(0.9, 0.6), 0.3, 0.2}, runs: 4, want: stat.Prediction{Rejects: 1, R: 1, Lo: 1, Hi: 1}},
		"scale of very large scores": {x: []float64{2e300, 3e300, 3e300, 2e300, 2e300, 3e300, 3e300, 2e300}, runs: 4, want: stat.Prediction{Rejects: 1, R: 1, Lo: 1, Hi: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := stat.Differences{Runs: c.runs, Folds: 2, X: c.x, Ratio: 0.01}
			p, err := stat.PredictedReplicability(d, 2, 0.05)
			require.NoError(t, err)
			c.want.Runs, c.want.N = 2, c.runs
			require.Equal(t, c.want, p)
		})
	}
}

func TestPredictedReplicabilityOfFewRunsHasNoInterval(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 3, Folds: 3, X: []float64{1, 2, 3, 2, 2, 1, 0, 1, 4}}
	p, err := stat.PredictedReplicability(d, 3, 0.05)
	require.NoError(t, err)
	require.Equal(t, [2]float64{0.5, 1}, [2]float64{p.Lo, p.Hi})
	require.True(t, p.R >= 0.5 && p.R <= 1)
}

func TestPredictedReplicabilityRejectsBadInput(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 3, Folds: 3, X: []float64{1, 2, 3, 2, 2, 1, 0, 1, 4}}
	for _, c := range []struct {
		runs  int
		alpha float64
		err   error
	}{{0, 0.05, stat.ErrDomain}, {4, 0.05, stat.ErrSampleSize}, {3, 0, stat.ErrDomain}, {3, 1, stat.ErrDomain}, {3, nan(), stat.ErrDomain}} {
		_, err := stat.PredictedReplicability(d, c.runs, c.alpha)
		require.ErrorIs(t, err, c.err, "%+v", c)
	}
	_, err := stat.PredictedReplicability(stat.Differences{Runs: 1, Folds: 3, X: d.X[:3]}, 1, 0.05)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.PredictedReplicability(stat.Differences{Runs: 2, Folds: 3, X: []float64{1, 2, 3, 4, 5, nan()}}, 1, 0.05)
	require.ErrorIs(t, err, stat.ErrNotFinite)
}

func BenchmarkPredictedReplicability(b *testing.B) {
	d := randomRuns(rand.New(rand.NewPCG(1, 1)), 10, 10, 0.5)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stat.PredictedReplicability(d, 10, 0.05); err != nil {
			b.Fatal(err)
		}
	}
}
