package contingency_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
)

func TestTwoProportionsReference(t *testing.T) {
	t.Parallel()
	each(t, "mcnemar", "two_proportions_z", func(t *testing.T, v vector) {
		var in struct {
			S1 int `json:"successes_1"`
			N1 int `json:"n_1"`
			S2 int `json:"successes_2"`
			N2 int `json:"n_2"`
		}
		var w struct {
			Z         number `json:"z_pooled"`
			P         number `json:"p_two_sided_pooled"`
			ZUnpooled number `json:"z_unpooled"`
			PUnpooled number `json:"p_two_sided_unpooled"`
		}
		v.In(t, &in)
		v.Want(t, &w)
		for _, pooled := range []bool{true, false} {
			r, err := contingency.TwoProportionsTest(in.S1, in.N1, in.S2, in.N2, pooled, stat.TwoSided)
			require.NoError(t, err)
			z, p := w.Z, w.P
			if !pooled {
				z, p = w.ZUnpooled, w.PUnpooled
			}
			if math.IsNaN(float64(z)) {
				// 0/0 in the formula: no variance and no difference, for which p is 1.
				z, p = 0, 1
				require.Equal(t, []error{stat.ErrZeroVariance}, r.Warnings)
			}
			v.Near(t, "z", r.Statistic, z)
			v.Near(t, "p", r.P, p)
		}
	})
}

func TestTwoProportionsEdgeCases(t *testing.T) {
	t.Parallel()
	r, err := contingency.TwoProportionsTest(5, 5, 0, 5, false, stat.Greater)
	require.NoError(t, err)
	require.Equal(t, []float64{math.Inf(1), 0}, []float64{r.Statistic, r.P})
	r, err = contingency.TwoProportionsTest(5, 5, 0, 5, true, stat.Less)
	require.NoError(t, err)
	require.Empty(t, r.Warnings)
	require.Greater(t, r.P, 0.99)
	lo, hi := r.Interval(0.95)
	require.True(t, math.IsInf(lo, -1) && hi > 1)

	for _, c := range []struct {
		s1, n1, s2, n2 int
		alt            stat.Alternative
		err            error
	}{
		{0, 0, 1, 2, 0, stat.ErrSampleSize},
		{1, 2, 0, -1, 0, stat.ErrSampleSize},
		{3, 2, 0, 1, 0, stat.ErrDomain},
		{1, 2, -1, 1, 0, stat.ErrDomain},
		{1, 2, 1, 1, 3, stat.ErrDomain},
	} {
		_, err := contingency.TwoProportionsTest(c.s1, c.n1, c.s2, c.n2, true, c.alt)
		require.ErrorIs(t, err, c.err)
	}
}

func TestTwoProportionsProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.IntRange(1, 500).Draw(t, "n1"), rapid.IntRange(1, 500).Draw(t, "n2")
		s1, s2 := rapid.IntRange(0, n1).Draw(t, "s1"), rapid.IntRange(0, n2).Draw(t, "s2")
		pooled := rapid.Bool().Draw(t, "pooled")
		alt := stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		r, err := contingency.TwoProportionsTest(s1, n1, s2, n2, pooled, alt)
		require.NoError(t, err)
		require.True(t, r.P >= 0 && r.P <= 1, "p = %v", r.P)
		swapped, err := contingency.TwoProportionsTest(s2, n2, s1, n1, pooled, alt.Mirror())
		require.NoError(t, err)
		failures, err := contingency.TwoProportionsTest(n2-s2, n2, n1-s1, n1, pooled, alt)
		require.NoError(t, err)
		for _, p := range []float64{swapped.P, failures.P} {
			if !floatcmp.Equal(p, r.P, 1e-300, 1e-9) && len(r.Warnings) == 0 {
				t.Errorf("p = %v, mirrored %v", r.P, p)
			}
		}
	})
}
