package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestAveragedTReference(t *testing.T) {
	t.Parallel()
	fromFolds, fromFiveByTwo := 0, 0
	each(t, "averaged_t", "averaged_t", func(t *testing.T, v vector) {
		var in struct {
			X    [][]number   `json:"x_partitions_by_folds"`
			A    [][][]number `json:"a_sets"`
			B    [][][]number `json:"b_sets"`
			Ts   []number     `json:"t_values"`
			DF   number
			Kind string `json:"scheme"`
		}
		var w struct {
			Ts    []number `json:"t_values"`
			TMean number   `json:"t_mean"`
			DF    number
			P     number `json:"p_two_sided"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		r, err := stat.AveragedT(vectors.Floats(w.Ts), float64(w.DF), stat.TwoSided)
		require.NoError(t, err)
		v.Near(t, "mean t", r.Statistic, w.TMean)
		v.Near(t, "p", r.P, w.P)
		require.Equal(t, len(w.Ts), r.N)

		var d stat.Differences
		run := stat.AveragedTTest
		switch {
		case in.X != nil:
			fromFolds++
			d = stat.Differences{Runs: len(in.X), Folds: len(in.X[0])}
			for _, x := range in.X {
				d.X = append(d.X, vectors.Floats(x)...)
			}
		case in.A != nil:
			fromFiveByTwo++
			run = stat.AveragedFiveByTwoTTest
			d = stat.Differences{Runs: 5 * len(in.A), Folds: 2}
			for i := range in.A {
				d.X = append(d.X, runDifferences(in.A[i], in.B[i]).X...)
			}
		default:
			return
		}
		r, err = run(d, stat.TwoSided)
		require.NoError(t, err)
		v.Near(t, "mean t", r.Statistic, w.TMean)
		v.Near(t, "p", r.P, w.P)
		v.Near(t, "df", r.DF, w.DF)
		require.True(t, math.IsNaN(r.SE))
	})
	require.NotZero(t, fromFolds)
	require.NotZero(t, fromFiveByTwo)
}

func TestAveragedTEdgeCases(t *testing.T) {
	t.Parallel()
	// Equal differences in one run only, up to round-off.
	d := stat.Differences{Runs: 3, Folds: 3, X: []float64{
		1, 2, 3, minus(.9, .8), minus(.8, .7),
		minus(.7, .6), 2, 2, 1,
	}}
	_, err := stat.AveragedTTest(d, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "run 2")

	five := make([]float64, 20)
	five[0] = 1
	_, err = stat.AveragedFiveByTwoTTest(stat.Differences{Runs: 10, Folds: 2, X: five}, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrZeroVariance)
	require.ErrorContains(t, err, "run 6")

	r, err := stat.AveragedTTest(stat.Differences{Runs: 2, Folds: 2, X: []float64{.5, .5, .5, .5}},
		stat.Less)
	require.NoError(t, err)
	require.Equal(t, []float64{math.Inf(1), 1}, []float64{r.Statistic, r.P})
	require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)

	for _, c := range []struct {
		d   stat.Differences
		alt stat.Alternative
		err error
	}{
		{stat.Differences{Runs: 3, Folds: 1, X: []float64{1, 2, 3}}, 0, stat.ErrDesign},
		{stat.Differences{Runs: 1, Folds: 2, X: []float64{1, nan()}}, 0, stat.ErrNotFinite},
		{stat.Differences{Runs: 1, Folds: 2, X: []float64{1}}, 0, stat.ErrSampleSize},
		{stat.Differences{Runs: 1, Folds: 2, X: []float64{1, 2}}, 7, stat.ErrDomain},
	} {
		_, err := stat.AveragedTTest(c.d, c.alt)
		require.ErrorIs(t, err, c.err)
	}
	_, err = stat.AveragedFiveByTwoTTest(stat.Differences{Runs: 6, Folds: 2, X: make([]float64, 12)},
		stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDesign)

	_, err = stat.AveragedT([]float64{2, math.Inf(1), 1.5}, 9, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	require.ErrorContains(t, err, "statistic 1 is +Inf")
	_, err = stat.AveragedT(nil, 9, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.AveragedT([]float64{1}, 0, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.AveragedT([]float64{1}, 9, 5)
	require.ErrorIs(t, err, stat.ErrDomain)
}
