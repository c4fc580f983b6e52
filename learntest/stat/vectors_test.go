package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

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

// differences returns x − y as one run, or as runs of folds, with their scale.
func differences(x, y []number) stat.Differences {
	d := stat.Differences{Runs: 1, Folds: len(x)}
	for i := range x {
		d.X = append(d.X, float64(x[i]-y[i]))
		d.Scale = max(d.Scale, math.Abs(float64(x[i])), math.Abs(float64(y[i])))
	}
	if math.IsInf(d.Scale, 0) {
		d.Scale = 0
	}
	return d
}

func runDifferences(x, y [][]number) stat.Differences {
	d := stat.Differences{Runs: len(x), Folds: len(x[0])}
	for j := range x {
		run := differences(x[j], y[j])
		d.X = append(d.X, run.X...)
		d.Scale = max(d.Scale, run.Scale)
	}
	return d
}

// wantT is what the reference has for a t test.
type wantT struct {
	N        int
	MeanDiff number `json:"mean_diff"`
	SE       number
	T        number
	DF       number
	PTwo     number `json:"p_two_sided"`
	PGreater number `json:"p_greater"`
	PLess    number `json:"p_less"`
	CI95     [2]number
	Ratio    number `json:"ratio_sum_test_over_sum_train"`
}

type testFunc = func(stat.Differences, stat.Alternative) (stat.Result, error)

// checkT compares a t test, in all three alternatives, with its reference.
func checkT(t *testing.T, v vector, test testFunc, d stat.Differences, w wantT) {
	t.Helper()
	for alt, p := range map[stat.Alternative]number{
		stat.TwoSided: w.PTwo, stat.Greater: w.PGreater,
		stat.Less: w.PLess,
	} {
		r, err := test(d, alt)
		require.NoError(t, err)
		v.Near(t, "p "+alt.String(), r.P, p)
		v.Near(t, "t", r.Statistic, w.T)
		v.Near(t, "df", r.DF, w.DF)
		v.Near(t, "se", r.SE, w.SE)
		v.Near(t, "mean", r.Estimate, w.MeanDiff)
		require.Equal(t, w.N, r.N)
		require.Equal(t, alt, r.Alternative)
		require.True(t, math.IsNaN(r.DF2))
		if alt == stat.TwoSided {
			lo, hi := r.Interval(0.95)
			v.Near(t, "lower bound", lo, w.CI95[0])
			v.Near(t, "upper bound", hi, w.CI95[1])
		}
	}
}

// minus returns a − b in float64; on constants the compiler computes exactly.
func minus(a, b float64) float64 { return a - b }
