package replicate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

type (
	vector = vectors.Case
	number = vectors.Number
)

// each runs f on the cases of the given procedure, as subtests.
func each(t *testing.T, name, procedure string, f func(t *testing.T, v vector)) {
	t.Helper()
	for _, v := range vectors.Of(t, name, procedure) {
		t.Run(v.ID, func(t *testing.T) { f(t, v) })
	}
}

// scoreOf returns the score of the test from all runs of d.
func scoreOf(q Retest, d stat.Differences) (Score, error) {
	p, err := q.forScore(d)
	if err != nil {
		return Score{}, err
	}
	return p.score(d.Runs)
}

// sized returns the first number, or the second one where slow tests are asked for.
func sized(quick, slow int) int {
	if citest.Has(citest.Slow) {
		return slow
	}
	return quick
}

func nan() float64 { return math.NaN() }

// minus returns a − b in float64; on constants the compiler computes exactly.
func minus(a, b float64) float64 { return a - b }

// oneRun returns differences of one run.
func oneRun(x []float64) stat.Differences {
	return stat.Differences{Runs: 1, Folds: len(x), X: x}
}

// drawDifferences draws differences of moderate size, with ties now and then. They are 0 or not
// much less than a millionth, so that rounding does not decide where others cancel out.
func drawDifferences(t *rapid.T, runs, folds int) stat.Differences {
	moderate := rapid.Map(rapid.Float64Range(-3, 3),
		func(x float64) float64 { return math.Round(x*1e6) / 1e6 })
	value := rapid.OneOf(moderate, rapid.SampledFrom([]float64{0, 0.1, -0.1, 0.5}))
	return stat.Differences{
		Runs: runs, Folds: folds,
		X:     rapid.SliceOfN(value, runs*folds, runs*folds).Draw(t, "x"),
		Ratio: 1 / float64(folds),
		Scale: 4,
	}
}

// negated returns the differences with the learners swapped.
func negated(d stat.Differences) stat.Differences {
	return mapped(d, func(x float64) float64 { return -x })
}

func mapped(d stat.Differences, f func(float64) float64) stat.Differences {
	x := make([]float64, len(d.X))
	for i := range x {
		x[i] = f(d.X[i])
	}
	d.X = x
	return d
}
