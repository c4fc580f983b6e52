package stat_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// J. P. Bradford and C. E. Brodley (2001), "The effect of instance-space
// partition on significance", section 4.
//
// Reproduced: the worked examples of Fisher's combination, and the claims made
// there for the averaged t.
//
// Misprints: p = {0.15, 0.10, 0.10} gives 13.0046 and p = 0.0430, printed as
// 0.05; 55 p-values of 0.25 are to be compared with χ² of 110 degrees of
// freedom, not 10, which is what the printed p = 0.005 comes from. The 5×2CV
// formula of section 2 centres on the mean of all ten differences, which is not
// followed here. Package replicate has the sufficiency test.
func TestBradfordBrodley2001FisherExamples(t *testing.T) {
	t.Parallel()
	combine := func(ps ...float64) stat.Result {
		r, err := stat.FisherCombination(ps)
		require.NoError(t, err)
		return r
	}
	first := combine(0.15, 0.10, 0.10)
	require.Equal(t, "13.0046", fmt.Sprintf("%.4f", first.Statistic))
	require.Equal(t, 6.0, first.DF)
	require.Equal(t, "0.0430", fmt.Sprintf("%.4f", first.P))

	// The same combination with the learners swapped is not one minus that.
	second := combine(0.85, 0.90, 0.90)
	require.Equal(t, "0.746", fmt.Sprintf("%.3f", second.Statistic),
		"0.747 in print, from rounded logarithms")
	require.Equal(t, "0.99", fmt.Sprintf("%.2f", second.P))

	many := combine(slices.Repeat([]float64{0.25}, 55)...)
	require.Equal(t, "152.4924", fmt.Sprintf("%.4f", many.Statistic))
	require.Equal(t, 110.0, many.DF)
	require.Equal(t, "0.005", fmt.Sprintf("%.3f", many.P))
}

// "Independent of the number of partitions used, the averaged significance
// value will be p = 0.25."
func TestBradfordBrodley2001AveragedTDoesNotGrowWithPartitions(t *testing.T) {
	t.Parallel()
	// The t with 9 degrees of freedom whose two-sided p is 0.25.
	at, err := stat.Result{DF: 9, DF2: nan()}.Critical(0.25)
	require.NoError(t, err)
	for _, n := range []int{1, 2, 55, 1000} {
		r, err := stat.AveragedT(slices.Repeat([]float64{at}, n), 9, stat.TwoSided)
		require.NoError(t, err)
		require.InDelta(t, 0.25, r.P, 1e-12)
	}
}

// The 5×2cv statistic about the mean of all ten differences, as section 2
// prints it, next to the one that is used.
func TestBradfordBrodley2001FiveByTwoFormulaIsNotUsed(t *testing.T) {
	t.Parallel()
	each(t, "5x2cv", "5x2cv_t", func(t *testing.T, v vector) {
		var in fiveByTwoInput
		var w struct {
			Literal number `json:"bradford_brodley_formula_read_literally_global_mean"`
			T       number
		}
		v.In(t, &in)
		v.Want(t, &w)
		d := runDifferences(in.A, in.B)
		r, err := stat.FiveByTwoTTest(d, stat.TwoSided)
		require.NoError(t, err)
		var ss float64
		for _, x := range d.X {
			ss += (x - r.Mean) * (x - r.Mean)
		}
		v.Near(t, "literal formula", d.X[0]/math.Sqrt(0.2*ss), w.Literal)
		require.LessOrEqual(t, math.Abs(float64(w.Literal)), math.Abs(r.Statistic)*(1+1e-9))
	})
}
