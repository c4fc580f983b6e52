package effect_test

import (
	"math"
	"testing"

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

func nan() float64 { return math.NaN() }

// oneRun returns the differences as one run.
func oneRun(x []float64) stat.Differences {
	return stat.Differences{Runs: 1, Folds: len(x), X: x}
}

// differences returns x − y as one run, with their scale.
func differences(x, y []number) stat.Differences {
	d := oneRun(nil)
	for i := range x {
		d.X = append(d.X, float64(x[i]-y[i]))
		d.Scale = max(d.Scale, math.Abs(float64(x[i])), math.Abs(float64(y[i])))
	}
	d.Folds = len(d.X)
	return d
}

// minus returns a − b in float64; on constants the compiler computes exactly.
func minus(a, b float64) float64 { return a - b }

func negated(x []float64) stat.Differences {
	d := oneRun(make([]float64, len(x)))
	for i := range x {
		d.X[i] = -x[i]
	}
	return d
}
