package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestFisherCombinationReference(t *testing.T) {
	t.Parallel()
	each(t, "averaged_t", "fisher_combination", func(t *testing.T, v vector) {
		var in struct{ P []number }
		var w struct{ Chi2, DF, P number }
		v.In(t, &in)
		v.Want(t, &w)
		r, err := stat.FisherCombination(vectors.Floats(in.P))
		require.NoError(t, err)
		v.Near(t, "chi2", r.Statistic, w.Chi2)
		v.Near(t, "df", r.DF, w.DF)
		v.Near(t, "p", r.P, w.P)
	})
}

func TestFisherCombinationEdgeCases(t *testing.T) {
	t.Parallel()
	r, err := stat.FisherCombination([]float64{0, 0.5})
	require.NoError(t, err)
	require.NoError(t, floatcmp.Slices([]float64{r.Statistic, r.P}, []float64{math.Inf(1), 0}, 0, 0))
	r, err = stat.FisherCombination([]float64{1, 1})
	require.NoError(t, err)
	require.Equal(t, 1.0, r.P)
	_, err = r.Critical(0.05)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.FisherCombination(nil)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.FisherCombination([]float64{0.1, nan()})
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = stat.FisherCombination([]float64{0.1, 1.1})
	require.ErrorIs(t, err, stat.ErrDomain)
	require.ErrorContains(t, err, "p-value 1")
}
