package dist_test

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

type specialCase struct {
	ID, Procedure string
	Input         struct {
		DF, DF1, DF2 float64
		K            int
		M            []int
		T, F, X, Q   []float64
		Upper        []float64 `json:"upper_tail"`
	}
	Expected struct {
		SF       []float64
		Lower    []float64 `json:"cdf_of_minus_t"`
		TwoSided []float64 `json:"two_sided"`
		T, Z     []float64
		Q05, Q10 []float64
	}
	Tolerance struct{ Rel, Abs float64 }
}

// apply returns f of each x.
func apply(x []float64, f func(float64) float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = f(x[i])
	}
	return y
}

func TestSpecialFunctionsReference(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/special_functions.json.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var cases []specialCase
	require.NoError(t, json.NewDecoder(z).Decode(&cases))
	require.Len(t, cases, 37)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			check := func(got, want []float64) {
				t.Helper()
				require.NotEmpty(t, want)
				require.NoError(t, floatcmp.Slices(got, want, c.Tolerance.Abs, c.Tolerance.Rel))
			}
			in, want := c.Input, c.Expected
			nemenyi := func(p float64) []float64 {
				q := make([]float64, len(in.M))
				for i, m := range in.M {
					q[i] = dist.RangeInvSF(p, m, math.Inf(1)) / math.Sqrt2
				}
				return q
			}
			switch c.Procedure {
			case "student_t":
				check(apply(in.T, func(x float64) float64 { return dist.StudentSF(x, in.DF) }), want.SF)
				check(apply(in.T, func(x float64) float64 { return 2 * dist.StudentSF(math.Abs(x), in.DF) }),
					want.TwoSided)
				check(apply(in.T, func(x float64) float64 { return dist.StudentSF(x, in.DF) }), want.Lower)
			case "student_t_quantile":
				check(apply(in.Upper, func(p float64) float64 { return dist.StudentInvSF(p, in.DF) }), want.T)
			case "f_distribution":
				check(apply(in.F, func(x float64) float64 { return dist.FSF(x, in.DF1, in.DF2) }), want.SF)
			case "chi_squared":
				check(apply(in.X, func(x float64) float64 { return dist.ChiSquaredSF(x, in.DF) }), want.SF)
			case "normal_quantile":
				check(apply(in.Upper, dist.NormalInvSF), want.Z)
			case "studentized_range_inf_df":
				check(apply(in.Q, func(q float64) float64 { return dist.RangeSF(q, in.K, math.Inf(1)) }),
					want.SF)
			case "nemenyi_q_alpha":
				check(nemenyi(0.05), want.Q05)
				check(nemenyi(0.1), want.Q10)
			default:
				t.Fatalf("unknown procedure %s", c.Procedure)
			}
		})
	}
}
