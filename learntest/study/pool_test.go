package study

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// normalPool returns a pool whose runs have normal means about the given one, and
// normal folds about these.
func normalPool(mean, between, within float64, runs int) *lab.Pool {
	rng := rand.New(rand.NewPCG(7, 7))
	d := stat.Differences{Runs: runs, Folds: 10, Ratio: 1.0 / 9, Scale: 1}
	for range runs {
		m := mean + between*rng.NormFloat64()
		for range d.Folds {
			d.X = append(d.X, m+within*rng.NormFloat64())
		}
	}
	return &lab.Pool{Candidate: "a", Baseline: "b", Data: "normal", All: d}
}

func retest(t *testing.T) replicate.Retest {
	t.Helper()
	return replicate.Retest{Test: stat.MustLookup("corrected-cv-t"), Runs: 10, Alpha: 0.05}
}

func TestTruthOfAPool(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		mean          float64
		better, worse float64
	}{{1, 1, 0}, {-1, 0, 1}, {0, 0, 0}} {
		got, err := truthOf(normalPool(c.mean, 0.01, 0.05, 50), rng, retest(t), 200)
		require.NoError(t, err)
		assert.Equal(t, truth{c.better, c.worse, 200}, got)
		assert.Equal(t, 1.0, got.agreement())
		assert.Zero(t, got.se())
	}

	// On a pool that is large enough to be many repeats of the test, its share of
	// rejections is the share of the repeats.
	p := normalPool(0.0376, 0.01, 0.05, 40_000)
	got, err := truthOf(p, rng, retest(t), 4000)
	require.NoError(t, err)
	c, err := retest(t).Count(p.All, 4000)
	require.NoError(t, err)
	want := float64(c.Rejections) / 4000
	require.Greater(t, want, 0.2)
	require.Less(t, want, 0.8)
	assert.InDelta(t, want, got.better, 4*math.Sqrt(2*want*(1-want)/4000))
	assert.Zero(t, got.worse)
	assert.InDelta(t, c.R, got.agreement(), 0.06)
}

func TestAgreement(t *testing.T) {
	t.Parallel()
	a := truth{better: 0.5, worse: 0.2, repeats: 1000}
	assert.InDelta(t, 0.25+0.04+0.09, a.agreement(), 1e-15)
	assert.InDelta(t, 0.5, a.agrees(true, stat.Greater), 0)
	assert.InDelta(t, 0.2, a.agrees(true, stat.Less), 0)
	assert.InDelta(t, 0.3, a.agrees(false, stat.Greater), 1e-15)
	assert.InDelta(t, 0.3, a.agrees(false, stat.Less), 1e-15)

	// The standard error is the spread of the estimate over samples.
	rng := rand.New(rand.NewPCG(3, 3))
	var sum, squares float64
	const samples = 2000
	for range samples {
		var better, worse float64
		for range a.repeats {
			switch u := rng.Float64(); {
			case u < a.better:
				better++
			case u < a.better+a.worse:
				worse++
			}
		}
		n := float64(a.repeats)
		r := truth{better / n, worse / n, a.repeats}.agreement()
		sum += r
		squares += r * r
	}
	sd := math.Sqrt(squares/samples - sum/samples*sum/samples)
	assert.InEpsilon(t, sd, a.se(), 0.1)
}

func TestPoolsOfADataSet(t *testing.T) {
	t.Parallel()
	iris, err := uci.Load("iris")
	require.NoError(t, err)
	learners := referenceLearners(iris)
	require.Len(t, learners, 5, "the perceptron has two classes")
	pools, err := newPools(t.Context(), iris, learners[:3], 4, lab.Config{Seed: 3, Parallel: 2})
	require.NoError(t, err)
	require.Len(t, pools, 3)
	for _, p := range pools {
		assert.Equal(t, "iris", p.Data)
		assert.Equal(t, 4, p.All.Runs)
		assert.Len(t, p.All.X, 40)
		assert.InDelta(t, 1.0/9, p.All.Ratio, 1e-15)
	}
	// Nothing is trained twice: what a differs from b and b from c is what a differs from c.
	assert.Equal(t, []string{"majority", "naivebayes", "majority", "nn", "naivebayes", "nn"},
		[]string{
			pools[0].Candidate, pools[0].Baseline, pools[1].Candidate, pools[1].Baseline,
			pools[2].Candidate, pools[2].Baseline,
		})
	for i := range pools[0].All.X {
		assert.InDelta(t, pools[1].All.X[i], pools[0].All.X[i]+pools[2].All.X[i], 1e-12)
	}

	vote, err := uci.Load("vote")
	require.NoError(t, err)
	assert.Len(t, referenceLearners(vote), 6)
}

func TestDrawsAreRunsOfThePool(t *testing.T) {
	t.Parallel()
	p := normalPool(0, 1, 1, 5)
	d := p.Room(200)
	p.Draw(rand.New(rand.NewPCG(1, 1)), &d)
	require.Len(t, d.X, 2000)
	var counts [5]int
	for j := range d.Runs {
		found := false
		for i := range p.All.Runs {
			if d.X[j*10] == p.All.X[i*10] {
				assert.Equal(t, p.All.X[i*10:i*10+10], d.X[j*10:j*10+10])
				counts[i]++
				found = true
			}
		}
		assert.True(t, found)
	}
	for _, n := range counts {
		assert.InDelta(t, 40, n, 25)
	}
}

// On normal runs, as the methods assume, the methods keep their promises.
func TestAppraisalOfANormalPool(t *testing.T) {
	t.Parallel()
	p := normalPool(0.0376, 0.01, 0.05, 2000)
	draws := 150
	if citest.Has(citest.Slow) {
		draws = 400
	}
	n := float64(draws)
	a, err := appraise(p, effort{repeats: 5000, draws: draws, splits: 50}, 11)
	require.NoError(t, err)
	r := a.truth.agreement()
	require.Greater(t, r, 0.5)
	require.Less(t, r, 0.8)
	for _, est := range estimators() {
		s := a.errors[est]
		require.Equal(t, draws, s.n)
		bias, rmse := s.sum/n, math.Sqrt(s.sumSquare/n)
		switch est.name {
		case pooled, counted:
			assert.Less(t, math.Abs(bias), 4*rmse/math.Sqrt(n), "%v: they are unbiased", est)
			assert.Zero(t, s.covered)
		case posterior:
			assert.InDelta(t, 0.92, float64(s.covered)/n, 0.08, "%v", est)
		}
		assert.GreaterOrEqual(t, rmse, math.Abs(bias))
		assert.Less(t, rmse, 0.5)
	}
	verdicts := 0
	for _, bySign := range a.agree {
		for _, s := range bySign {
			verdicts += s.n
		}
	}
	assert.Equal(t, draws, verdicts)
	assert.InDelta(t, a.truth.better*n, a.rule.n, 2.25*math.Sqrt(n))
	assert.LessOrEqual(t, a.rule.shown+a.rule.refuted, a.rule.n)
	assert.LessOrEqual(t, a.rule.strict, a.rule.shown)
	assert.Less(t, a.rule.shown, a.rule.n/8)
	assert.Greater(t, a.rule.looked, 20*a.rule.n)
}

func TestErrorSums(t *testing.T) {
	t.Parallel()
	var s errorSum
	s.add(0.8, 0.7, 0.9, 0.6)
	s.add(0.5, 0.5, 0.65, 0.6)
	assert.Equal(t, 2, s.n)
	assert.Equal(t, 1, s.covered)
	assert.InDelta(t, 0.1, s.sum, 1e-12)
	assert.InDelta(t, 0.05, s.sumSquare, 1e-12)
	// Near 1 the truth is not known to be within an interval.
	for _, c := range []struct {
		lo, hi, truth float64
		covered       int
	}{
		{0.9995, 1, 1, 1},
		{0.9995, 0.9999, 1, 1},
		{0.9, 0.998, 1, 0},
		{0.9995, 1, 0.9991, 1},
		{0.9995, 1, 0.9985, 0},
		{0.6, 0.7, 0.7, 1},
		{0.6, 0.7, 0.6, 1},
		{math.NaN(), math.NaN(), 0.7, 0},
	} {
		var s errorSum
		s.add(0, c.lo, c.hi, c.truth)
		assert.Equal(t, c.covered, s.covered, "%v", c)
	}
}

func TestBins(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]int{
		0.2: 0, 0.5: 0, 0.599: 0, 0.6: 1, 0.95: 5, 0.989: 5,
		0.99: 6, 1: 6,
	} {
		assert.Equal(t, want, bin(p), "%v", p)
	}
}

func TestNormalInterval(t *testing.T) {
	t.Parallel()
	lo, hi := normalInterval(replicate.Score{Z: 0.1, Runs: 10, N: 40})
	assert.InDelta(t, 0.5, lo, 0)
	assert.InDelta(t, replicability(0.1+1.6448536269514722/2), hi, 1e-12)
	lo, hi = normalInterval(replicate.Score{Z: -2, Runs: 10, N: 40})
	assert.InDelta(t, replicability(2-1.6448536269514722/2), lo, 1e-12)
	assert.InDelta(t, replicability(2+1.6448536269514722/2), hi, 1e-12)
	assert.InDelta(t, 0.9, replicability(1.618417), 1e-6)
}
