package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

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
		v.in(t, &in)
		v.want(t, &w)
		d := runDifferences(in.A, in.B)
		for alt, p := range map[stat.Alternative]number{stat.TwoSided: w.PTwo, stat.Greater: w.PGreater} {
			r, err := stat.FiveByTwoTTest(d, alt)
			require.NoError(t, err)
			v.near(t, "t", r.Statistic, w.T)
			v.near(t, "df", r.DF, w.DF)
			v.near(t, "p "+alt.String(), r.P, p)
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
				r, err := stat.FiveByTwoTTest(stat.Differences{Runs: 5, Folds: 2, X: x, Scale: d.Scale}, stat.TwoSided)
				require.NoError(t, err)
				v.near(t, "t with another difference first", r.Statistic, w.All[j][i])
			}
		}
	})
}
