package plot

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pairsOf returns pairs with the given differences of runs, in accuracy or in an error.
func pairsOf(better unit.Direction, runs ...[]float64) *record.Pairs {
	p := &record.Pairs{Data: "d", Candidate: "a", Baseline: "b", Unit: unit.Unit{
		Name:   "accuracy",
		Better: better, Min: 0, Max: 1,
	}, Runs: len(runs), Folds: len(runs[0])}
	for _, run := range runs {
		for _, x := range run {
			p.A, p.B = append(p.A, 0.5+x), append(p.B, 0.5)
			p.TrainN, p.TestN = append(p.TrainN, 90), append(p.TestN, 10)
		}
	}
	return p
}

// TestComparisonByHand checks the numbers of a small comparison.
//
// Means of the runs .02 and .04, their standard deviation .0141421, t of one degree of freedom at
// 95% 6.313752: half the band is 6.313752 · .0141421 · √(2/2) = .0892899. The t of the first run is
// .02/(.0141421/√2) = 2, the t of the second .04/(.0282843/√2) = 2: with one degree of freedom P(T
// ≤ 2) = 1/2 + atan(2)/π = .8524164.
func TestComparisonByHand(t *testing.T) {
	t.Parallel()
	c, err := NewComparison(pairsOf(unit.Higher, []float64{0.03, 0.01}, []float64{0.06, 0.02}),
		Finding{
			Outcome: verdict.Improved.String(), Difference: 0.03, Lo: -0.01, Hi: 0.07, Alpha: 0.05,
			Margin: 0.005,
		})
	require.NoError(t, err)
	near := func(want, got float64) {
		t.Helper()
		assert.InDelta(t, want, got, 1e-6)
	}
	require.Len(t, c.Runs, 2)
	for i, want := range [][]float64{{3, 1}, {6, 2}} {
		for j, x := range want {
			near(x, c.Runs[i][j])
		}
	}
	near(2, c.RunMeans[0])
	near(4, c.RunMeans[1])
	near(3, c.Mean)
	near(-1, c.Lo)
	near(7, c.Hi)
	near(0.5, c.Margin)
	near(4, c.Beyond)
	near(3-8.928993, c.Band[0])
	near(3+8.928993, c.Band[1])
	require.Len(t, c.P, 2)
	near(0.8524164, c.P[0])
	near(0.8524164, c.P[1])
	near(0.8524164, c.AveragedP)
	assert.Equal(t, [2]int{}, c.Significant)
	assert.Equal(t, "accuracy, points", c.Axis)
	assert.False(t, c.LowerBetter)

	// Half of the level is for either direction.
	for _, sign := range []float64{1, -1} {
		for _, x := range []struct {
			alpha float64
			runs  int
		}{{0.29, 0}, {0.30, 2}} {
			c, err := NewComparison(pairsOf(unit.Higher, []float64{sign * 0.03, sign * 0.01},
				[]float64{sign * 0.06, sign * 0.02}), Finding{Alpha: x.alpha})
			require.NoError(t, err)
			want := [2]int{0, x.runs}
			if sign < 0 {
				want = [2]int{x.runs, 0}
			}
			assert.Equal(t, want, c.Significant, "%v %v", sign, x.alpha)
		}
	}
}

// TestRunsWithoutADifference checks that equal learners are in the middle.
func TestRunsWithoutADifference(t *testing.T) {
	t.Parallel()
	c, err := NewComparison(pairsOf(unit.Higher, []float64{0, 0}, []float64{0, 0}),
		Finding{Alpha: 0.05})
	require.NoError(t, err)
	assert.Equal(t, []float64{0.5, 0.5}, c.P)
	assert.Equal(t, [2]float64{0, 0}, c.Band)
}

func TestComparisonOfAnErrorRate(t *testing.T) {
	t.Parallel()
	runs := [][]float64{{-0.03, -0.01, -0.02, -0.021}, {-0.06, -0.04, -0.05, -0.049}}
	p := pairsOf(unit.Lower, runs...)
	c, err := NewComparison(p, Finding{Alpha: 0.05})
	require.NoError(t, err)
	assert.True(t, c.LowerBetter)
	assert.InDelta(t, -3, c.Runs[0][0], 1e-9, "candidate − baseline, whichever is better")
	for _, x := range c.P {
		assert.Greater(t, x, 0.975, "the candidate is better")
	}
	assert.Equal(t, [2]int{0, 2}, c.Significant)
	p.Unit.Better = unit.Higher
	c, err = NewComparison(p, Finding{Alpha: 0.05})
	require.NoError(t, err)
	assert.Equal(t, [2]int{2, 0}, c.Significant)
	assert.Less(t, c.AveragedP, 0.025)
	p.Unit.Max = math.Inf(1)
	c, err = NewComparison(p, Finding{Alpha: 0.05})
	require.NoError(t, err)
	assert.InDelta(t, -0.03, c.Runs[0][0], 1e-9, "in its own unit")
	assert.Equal(t, "accuracy", c.Axis)
}

// TestAloneIsAveragedT checks the averaged p against the p of the test itself, and the p of each
// run against the p of the test on it.
func TestAloneIsAveragedT(t *testing.T) {
	t.Parallel()
	p := samplePairs(7, 10, unit.Higher)
	c, err := NewComparison(p, Finding{Alpha: 0.05})
	require.NoError(t, err)
	d := stat.Differences{Runs: p.Runs, Folds: p.Folds}
	for i := range p.A {
		d.X = append(d.X, p.A[i]-p.B[i])
	}
	want, err := stat.AveragedTTest(d, stat.Less)
	require.NoError(t, err)
	assert.InDelta(t, want.P, c.AveragedP, 1e-12)
	assert.True(t, slices.IsSorted(c.P))
	for r := range p.Runs {
		one, err := stat.PairedTTest(stat.Differences{
			Runs: 1, Folds: p.Folds,
			X: d.X[r*p.Folds : (r+1)*p.Folds],
		}, stat.Greater)
		require.NoError(t, err)
		at := slices.IndexFunc(c.P, func(x float64) bool { return math.Abs(x-(1-one.P)) < 1e-12 })
		assert.GreaterOrEqual(t, at, 0)
	}
}

// TestBandCatchesReruns checks that the band has nine of ten means of as many other runs in it.
func TestBandCatchesReruns(t *testing.T) {
	t.Parallel()
	caught, n := 0, 0
	pool := samplePairs(4000, 5, unit.Higher)
	part := func(from, runs int) *record.Pairs {
		q := *pool
		lo, hi := from*q.Folds, (from+runs)*q.Folds
		q.Runs, q.A, q.B = runs, pool.A[lo:hi], pool.B[lo:hi]
		return &q
	}
	for from := 0; from+20 <= pool.Runs; from += 20 {
		c, err := NewComparison(part(from, 10), Finding{Alpha: 0.05})
		require.NoError(t, err)
		again, err := NewComparison(part(from+10, 10), Finding{Alpha: 0.05})
		require.NoError(t, err)
		mean := 0.0
		for _, m := range again.RunMeans {
			mean += m / 10
		}
		if n++; c.Band[0] <= mean && mean <= c.Band[1] {
			caught++
		}
	}
	assert.InDelta(t, 0.9, float64(caught)/float64(n), 0.06, "of %d", n)
}

func TestComparisonWithoutVariance(t *testing.T) {
	t.Parallel()
	for _, runs := range [][][]float64{
		{{0, 0}, {0, 0}},              // equal folds
		{{0.1, 0.1}, {0.1, 0.1}},      // equal in all folds
		{{0, 0}, {0.1, 0.3}},          // one run without variance
		{{0.1, 0.1}, {0.2, 0.2}},      // no run has any
		{{0.1}, {0.2}},                // a fold a run
		{{0.25}},                      // nothing to vary
		{{0.1, -0.1}},                 // one run
		{{1e-300, 0}, {0, 1e-300}},    // hardly any
		{{1e300, -1e300}, {1e300, 0}}, // far too much
	} {
		c, err := NewComparison(pairsOf(unit.Higher, runs...), Finding{
			Outcome: inconclusive, Alpha: 0.05,
			Lo: math.NaN(), Hi: math.NaN(),
		})
		if err != nil {
			assert.ErrorIs(t, err, stat.ErrNotFinite, "%v", runs)
			continue
		}
		check(t, read(t, c.Picture().SVG(Wide)))
		check(t, read(t, c.Picture().SVG(Narrow)))
	}
	_, err := NewComparison(&record.Pairs{Runs: 2, Folds: 2, A: []float64{1}, B: []float64{1}},
		Finding{})
	assert.Error(t, err)
}

// TestComparisonIsGolden compares the numbers of a picture with ones that were looked at.
func TestComparisonIsGolden(t *testing.T) {
	t.Parallel()
	c, err := NewComparison(samplePairs(5, 10, unit.Higher), Finding{
		Outcome:    improved,
		Difference: 0.012, Lo: -0.004, Hi: 0.028, Alpha: 0.05, Margin: 0.01, Test: "corrected-cv-t",
		Title: "a vs b",
	})
	require.NoError(t, err)
	text, err := json.MarshalIndent(c, "", "\t")
	require.NoError(t, err)
	golden(t, filepath.Join("comparison.json"), text, func(t *testing.T, want, got []byte) {
		t.Helper()
		a, b := numeral.ReplaceAll(want, []byte("0")), numeral.ReplaceAll(got, []byte("0"))
		require.Equal(t, string(a), string(b))
		x, y := numeral.FindAll(want, -1), numeral.FindAll(got, -1)
		for i := range x {
			assert.InDelta(t, parse(t, string(x[i])), parse(t, string(y[i])), 1e-9)
		}
	})
}
