package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

type fiveByTwoInput struct {
	A [][]number `json:"a_runs_by_folds"`
	B [][]number `json:"b_runs_by_folds"`
}

func nan() float64 { return math.NaN() }

func TestFiveByTwoTTestReference(t *testing.T) {
	t.Parallel()
	each(t, "5x2cv", "5x2cv_t", func(t *testing.T, v vector) {
		var in fiveByTwoInput
		var w struct {
			wantT
			All [][2]number `json:"all_ten_t"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		d := runDifferences(in.A, in.B)
		for alt, p := range map[stat.Alternative]number{stat.TwoSided: w.PTwo, stat.Greater: w.PGreater} {
			r, err := stat.FiveByTwoTTest(d, alt)
			require.NoError(t, err)
			v.Near(t, "t", r.Statistic, w.T)
			v.Near(t, "df", r.DF, w.DF)
			v.Near(t, "p "+alt.String(), r.P, p)
			require.Equal(t, d.X[0], r.Estimate)
		}
		// Each of the ten differences may be made the first.
		for j := range 5 {
			for i := range 2 {
				x := append([]float64{}, d.X...)
				x[0], x[1], x[2*j], x[2*j+1] = d.X[2*j+i], d.X[2*j+1-i], d.X[0], d.X[1]
				if j == 0 {
					x[0], x[1] = d.X[i], d.X[1-i]
				}
				r, err := stat.FiveByTwoTTest(stat.Differences{Runs: 5, Folds: 2, X: x, Scale: d.Scale},
					stat.TwoSided)
				require.NoError(t, err)
				v.Near(t, "t with another difference first", r.Statistic, w.All[j][i])
			}
		}
	})
}

func TestFiveByTwoFTestReference(t *testing.T) {
	t.Parallel()
	each(t, "5x2cv", "5x2cv_combined_F", func(t *testing.T, v vector) {
		var in fiveByTwoInput
		var w struct {
			F        number
			DF1, DF2 number
			P        number `json:"p_F"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		r, err := stat.FiveByTwoFTest(runDifferences(in.A, in.B), stat.TwoSided)
		require.NoError(t, err)
		v.Near(t, "F", r.Statistic, w.F)
		v.Near(t, "p", r.P, w.P)
		v.Near(t, "df1", r.DF, w.DF1)
		v.Near(t, "df2", r.DF2, w.DF2)
		require.Equal(t, stat.LawF, r.Law)
		lo, hi := r.Interval(0.95)
		require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
	})
}

func TestFiveByTwoEdgeCases(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		x     []float64
		scale float64
		t, pT float64
		f, pF float64
		warn  bool
	}{
		"all zero": {x: make([]float64, 10), pT: 1, pF: 1, warn: true},
		"all equal": {
			x: []float64{.25, .25, .25, .25, .25, .25, .25, .25, .25, .25}, t: inf,
			f: inf, warn: true,
		},
		"runs differ, folds not": {
			x: []float64{.5, .5, .25, .25, 0, 0, .25, .25, .25, .25}, t: inf,
			f: inf, warn: true,
		},
		"first run zero": {
			x: []float64{0, 0, -.25, -.25, 0, 0, .25, .25, .25, .25}, t: 0, pT: 1,
			f: inf, warn: true,
		},
		"round-off": {
			x: []float64{1e-17, 0, 0, 0, 2e-17, 0, 0, 0, 0, 0}, scale: 1, pT: 1,
			pF: 1, warn: true,
		},
		"negative": {
			x: []float64{-.5, -.5, .25, .25, 0, 0, .25, .25, .25, .25}, t: -inf,
			f: inf, warn: true,
		},
		"first difference zero": {
			x: []float64{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, pT: 1, f: 1,
			pF: 0.5348805734621996,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := stat.Differences{Runs: 5, Folds: 2, X: c.x, Scale: c.scale}
			for test, want := range map[string][2]float64{"t": {c.t, c.pT}, "f": {c.f, c.pF}} {
				run := stat.FiveByTwoTTest
				if test == "f" {
					run = stat.FiveByTwoFTest
				}
				r, err := run(d, stat.TwoSided)
				require.NoError(t, err)
				require.NoError(t, floatcmp.Slices([]float64{r.Statistic, r.P}, want[:], 0, 1e-12), test)
				require.Equal(t, c.warn, len(r.Warnings) > 0)
			}
		})
	}
}

func TestFiveByTwoRejectsBadInput(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 5, Folds: 2, X: make([]float64, 10)}
	_, err := stat.FiveByTwoFTest(d, stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
	for _, run := range []testFunc{stat.FiveByTwoTTest, stat.FiveByTwoFTest} {
		_, err = run(stat.Differences{Runs: 10, Folds: 2, X: make([]float64, 20)}, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrDesign)
		_, err = run(stat.Differences{Runs: 5, Folds: 2, X: make([]float64, 9)}, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrSampleSize)
		_, err = run(stat.Differences{Runs: 5, Folds: 2, X: []float64{0, 0, 0, 0, 0, 0, 0, nan(), 0, 0}},
			stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrNotFinite)
		require.ErrorContains(t, err, "X[7], of run 4, fold 2")
	}
	_, err = stat.FiveByTwoTTest(d, 3)
	require.ErrorIs(t, err, stat.ErrDomain)
}
