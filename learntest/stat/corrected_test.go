package stat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestPairedTTestReference(t *testing.T) {
	t.Parallel()
	each(t, "paired_t", "paired_t", func(t *testing.T, v vector) {
		var in struct{ X, Y []number }
		var w wantT
		v.In(t, &in)
		v.Want(t, &w)
		checkT(t, v, stat.PairedTTest, differences(in.X, in.Y), w)
	})
	each(t, "kfold_t", "kfold_t", func(t *testing.T, v vector) {
		var in struct{ X, Y []number }
		var w wantT
		v.In(t, &in)
		v.Want(t, &w)
		checkT(t, v, stat.PairedTTest, differences(in.X, in.Y), w)
	})
}

func TestCorrectedResampledTTestReference(t *testing.T) {
	t.Parallel()
	each(t, "corrected_resampled_t", "corrected_resampled_t", func(t *testing.T, v vector) {
		var in struct {
			X, Y  []number
			Train number `json:"n_train"`
			Test  number `json:"n_test"`
		}
		var w wantT
		v.In(t, &in)
		v.Want(t, &w)
		d := differences(in.X, in.Y)
		d.Runs, d.Folds = d.Folds, d.Runs
		d.Ratio = float64(in.Test / in.Train)
		checkT(t, v, stat.CorrectedResampledTTest, d, w)
	})
}

func TestCorrectedCVTTestReference(t *testing.T) {
	t.Parallel()
	each(t, "corrected_repeated_kfold_t", "corrected_repeated_kfold_t", func(t *testing.T, v vector) {
		var in struct {
			X [][]number `json:"x_runs_by_folds"`
			Y [][]number `json:"y_runs_by_folds"`
		}
		var w wantT
		v.In(t, &in)
		v.Want(t, &w)
		d := runDifferences(in.X, in.Y)
		checkT(t, v, stat.CorrectedCVTTest, d, w)
		if v.Actual != nil {
			require.NoError(t, json.Unmarshal(v.Actual, &w))
			d.Ratio = float64(w.Ratio)
			checkT(t, v, stat.CorrectedCVTTest, d, w)
		}
	})
	each(t, "kfold_t", "corrected_kfold_t", func(t *testing.T, v vector) {
		var in struct{ X, Y []number }
		var w wantT
		v.In(t, &in)
		v.Want(t, &w)
		checkT(t, v, stat.CorrectedCVTTest, differences(in.X, in.Y), w)
	})
}

// The cases on which other tools fail, with the answers that are documented.
func TestTTestEdgeCases(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	tests := map[string]testFunc{
		"paired": stat.PairedTTest, "corrected": stat.CorrectedCVTTest,
		"resampled": stat.CorrectedResampledTTest,
	}
	type want struct {
		statistic     float64
		p             [3]float64 // two-sided, greater, less
		estimate      float64
		undecided     bool // the statistic is finite and not degenerate
		err           error
		errorContains string
	}
	for name, c := range map[string]struct {
		x     []float64
		scale float64
		want  want
	}{
		"all zero": {x: []float64{0, 0, 0}, want: want{p: [3]float64{1, 1, 1}}},
		"all equal": {
			x: []float64{0.25, 0.25}, want: want{statistic: inf, p: [3]float64{0, 0, 1}, estimate: 0.25},
		},
		"all equal and negative": {
			x: []float64{-0.25, -0.25, -0.25}, want: want{
				statistic: -inf, p: [3]float64{0, 1, 0},
				estimate: -0.25,
			},
		},
		"equal up to round-off": {
			x: []float64{minus(0.9, 0.8), minus(0.8, 0.7), minus(0.7, 0.6)}, scale: 0.9,
			want: want{statistic: inf, p: [3]float64{0, 0, 1}, estimate: 0.1},
		},
		"zero up to round-off": {
			x: []float64{0, 1.1e-16, 0, 0}, scale: 0.9, want: want{p: [3]float64{1, 1, 1}},
		},
		"tiny differences of tiny scores": {x: []float64{0, 1.1e-16, 0, 0}, want: want{undecided: true}},
		"subnormal differences":           {x: []float64{0, 5e-300, 1e-300}, want: want{undecided: true}},
		"huge differences":                {x: []float64{0, 5e300, 1e300}, want: want{undecided: true}},
		"NaN": {
			x:    []float64{0.1, nan, 0.2},
			want: want{err: stat.ErrNotFinite, errorContains: "X[1], of run 1, fold 2, is NaN"},
		},
		"infinite": {
			x:    []float64{0.1, 0.2, -inf},
			want: want{err: stat.ErrNotFinite, errorContains: "X[2], of run 1, fold 3, is -Inf"},
		},
		"opposite infinities": {x: []float64{inf, -inf}, want: want{
			err:           stat.ErrNotFinite,
			errorContains: "X[0]",
		}},
		"sum too large": {
			x:    []float64{1.7e308, 1.7e308},
			want: want{err: stat.ErrNotFinite, errorContains: "sum"},
		},
		"negative scale": {
			x: []float64{1, 2}, scale: -1,
			want: want{err: stat.ErrDomain},
		},
		"NaN scale": {
			x: []float64{1, 2}, scale: nan,
			want: want{err: stat.ErrDomain},
		},
	} {
		for testName, test := range tests {
			t.Run(name+"/"+testName, func(t *testing.T) {
				t.Parallel()
				d := stat.Differences{Runs: 1, Folds: len(c.x), X: c.x, Scale: c.scale, Ratio: 0.25}
				for alt := stat.TwoSided; alt <= stat.Less; alt++ {
					r, err := test(d, alt)
					if c.want.err != nil {
						require.ErrorIs(t, err, c.want.err)
						require.ErrorContains(t, err, c.want.errorContains)
						require.Zero(t, r)
						continue
					}
					require.NoError(t, err)
					if c.want.undecided {
						require.Empty(t, r.Warnings)
						require.Greater(t, r.SE, 0.0)
						require.True(t, r.P > 0.01 && r.P < 0.99, "p = %v", r.P)
						continue
					}
					require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
					require.Equal(t, c.want.statistic, r.Statistic)
					require.Equal(t, c.want.p[alt], r.P)
					require.Zero(t, r.SE)
					require.InDelta(t, c.want.estimate, r.Estimate, 1e-15)
					lo, hi := r.Interval(0.95)
					if alt != stat.Less {
						require.Equal(t, r.Estimate, lo)
					}
					if alt != stat.Greater {
						require.Equal(t, r.Estimate, hi)
					}
				}
			})
		}
	}
}

func TestTTestRejectsWrongShapes(t *testing.T) {
	t.Parallel()
	x := []float64{0.1, 0.2, 0.3, 0.4}
	for name, c := range map[string]struct {
		d   stat.Differences
		alt stat.Alternative
		err error
	}{
		"one difference": {
			d:   stat.Differences{Runs: 1, Folds: 1, X: x[:1], Ratio: 1},
			err: stat.ErrSampleSize,
		},
		"none": {d: stat.Differences{Ratio: 1}, err: stat.ErrSampleSize},
		"too few": {
			d:   stat.Differences{Runs: 2, Folds: 3, X: x, Ratio: 1},
			err: stat.ErrSampleSize,
		},
		"too many": {
			d:   stat.Differences{Runs: 1, Folds: 3, X: x, Ratio: 1},
			err: stat.ErrSampleSize,
		},
		"negative shape": {
			d:   stat.Differences{Runs: -2, Folds: -2, X: x, Ratio: 1},
			err: stat.ErrSampleSize,
		},
		"product that wraps": {
			d:   stat.Differences{Runs: math.MaxInt/4 + 1, Folds: 8, Ratio: 1},
			err: stat.ErrSampleSize,
		},
		"unknown alternative": {
			d: stat.Differences{Runs: 2, Folds: 2, X: x, Ratio: 1}, alt: 3,
			err: stat.ErrDomain,
		},
		"negative ratio": {
			d:   stat.Differences{Runs: 2, Folds: 2, X: x, Ratio: -1},
			err: stat.ErrDomain,
		},
		"NaN ratio": {
			d:   stat.Differences{Runs: 2, Folds: 2, X: x, Ratio: math.NaN()},
			err: stat.ErrDomain,
		},
		"infinite ratio": {
			d:   stat.Differences{Runs: 2, Folds: 2, X: x, Ratio: math.Inf(1)},
			err: stat.ErrDomain,
		},
		"no ratio to resampled": {d: stat.Differences{Runs: 2, Folds: 2, X: x}, err: stat.ErrDomain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := stat.CorrectedResampledTTest(c.d, c.alt)
			require.ErrorIs(t, err, c.err)
		})
	}
	_, err := stat.CorrectedCVTTest(stat.Differences{Runs: 4, Folds: 1, X: x, Ratio: 1}, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDesign)
	_, err = stat.CorrectedCVTTest(stat.Differences{Runs: 2, Folds: 2, X: x, Ratio: -0.1},
		stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
}

func TestOneSidedIntervalsAreBounds(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 2, Folds: 3, X: []float64{0.1, 0.3, 0.2, 0.15, 0.4, 0.12}}
	two, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	lo, hi := two.Interval(0.9)
	greater, err := stat.CorrectedCVTTest(d, stat.Greater)
	require.NoError(t, err)
	glo, ghi := greater.Interval(0.95)
	less, err := stat.CorrectedCVTTest(d, stat.Less)
	require.NoError(t, err)
	llo, lhi := less.Interval(0.95)
	require.InEpsilon(t, lo, glo, 1e-14)
	require.InEpsilon(t, hi, lhi, 1e-14)
	require.Equal(t, math.Inf(1), ghi)
	require.Equal(t, math.Inf(-1), llo)

	for _, level := range []float64{0, 1, -1, 2, math.NaN()} {
		lo, hi := two.Interval(level)
		require.True(t, math.IsNaN(lo) && math.IsNaN(hi), "level %v", level)
	}
	// A p-value of p is the level at which the interval touches zero.
	lo, _ = two.Interval(1 - two.P)
	require.InDelta(t, 0, lo, 1e-13)
}

// Studies call the default test and its Bayesian twin by the million.
func TestCorrectedTestsDoNotAllocate(t *testing.T) {
	d := stat.Differences{Runs: 10, Folds: 10, X: make([]float64, 100)}
	for i := range d.X {
		d.X[i] = float64(i * i % 17)
	}
	for name, f := range map[string]func() error{
		"corrected-cv-t": func() error { _, err := stat.CorrectedCVTTest(d, stat.TwoSided); return err },
		"bayesian":       func() error { _, err := stat.BayesianCorrelatedT(d, 0.1); return err },
	} {
		require.NoError(t, f(), name)
		require.Zero(t, testing.AllocsPerRun(100, func() { _ = f() }), name)
	}
}

func BenchmarkCorrectedCVTTest(b *testing.B) {
	d := stat.Differences{Runs: 10, Folds: 10, Ratio: 1.0 / 9, Scale: 1, X: make([]float64, 100)}
	for i := range d.X {
		d.X[i] = float64(i*i%17)/100 - 0.06
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stat.CorrectedCVTTest(d, stat.TwoSided); err != nil {
			b.Fatal(err)
		}
	}
}

// Reference: the formula, with df in place of n-1 in the root and in Student's t.
func TestCorrectedResampledTWithDegreesOfFreedom(t *testing.T) {
	t.Parallel()
	resampled := func(df float64) stat.Test { return stat.MustLookup(fmt.Sprintf("corrected-resampled-t/df=%v", df)) }
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		d := stat.Differences{Runs: n, Folds: 1, Ratio: rapid.Float64Range(0.01, 1).Draw(t, "ratio")}
		for range n {
			d.X = append(d.X, rapid.Float64Range(-1, 1).Draw(t, "x"))
		}
		df := rapid.Float64Range(0.5, 60).Draw(t, "df")
		own, err := stat.CorrectedResampledTTest(d, stat.TwoSided)
		require.NoError(t, err)
		got, err := resampled(df).Run(d, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, df, got.DF)
		require.Equal(t, own.Estimate, got.Estimate)
		if own.SE == 0 {
			require.Equal(t, own.P, got.P)
			return
		}
		z := own.Statistic * math.Sqrt((df+1)/float64(n))
		require.InEpsilon(t, math.Abs(z)+1, math.Abs(got.Statistic)+1, 1e-12)
		student, err := stat.StudentT(df)
		require.NoError(t, err)
		q, err := student.Quantile(got.P / 2)
		require.NoError(t, err)
		if got.P > 1e-200 {
			require.InDelta(t, math.Abs(z), math.Abs(q), 1e-8*(1+math.Abs(z)))
		}
		same, err := resampled(float64(n-1)).Run(d, stat.TwoSided)
		require.NoError(t, err)
		require.InEpsilon(t, own.P+1, same.P+1, 1e-12)
	})
	_, err := stat.Lookup("corrected-resampled-t/df=0")
	require.ErrorIs(t, err, stat.ErrDomain)
}

// A least variance takes the place of a smaller one, in the corrected tests alone.
func TestLeastVariance(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 1, Folds: 2, X: []float64{0.02, 0.02}, Ratio: 1}
	r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	require.Zero(t, r.P)
	d.LeastVariance = 0.0004
	r, err = stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	// SE = 0.02·√(1/2 + 1), t with one degree of freedom: P = 1 − 2·atan(t)/π.
	require.InDelta(t, 0.02*math.Sqrt(1.5), r.SE, 1e-15)
	require.InDelta(t, 1-2*math.Atan(1/math.Sqrt(1.5))/math.Pi, r.P, 1e-12)
	require.Empty(t, r.Warnings)
	naive, err := stat.PairedTTest(d, stat.TwoSided)
	require.NoError(t, err)
	require.Zero(t, naive.P, "other tests do not change")
	d.X = []float64{0.5, -0.5}
	wide, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, math.Sqrt(0.5*1.5), wide.SE, 1e-12, "a larger variance stays")
	for _, least := range []float64{-1, math.NaN(), math.Inf(1)} {
		d.LeastVariance = least
		_, err = stat.CorrectedCVTTest(d, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
}
