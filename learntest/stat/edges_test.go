package stat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// The edge cases of the reference files, on which tools disagree: what a
// careful one should answer is what this package answers.
func TestEdgeCasesOfTheReference(t *testing.T) {
	t.Parallel()
	type input struct {
		X, Y      []number
		A         [][]number `json:"a_runs_by_folds"`
		B         [][]number `json:"b_runs_by_folds"`
		Ts        []number   `json:"t_values"`
		DF        float64
		Low, High float64
		Rope      float64
		Runs      int
	}
	type advice struct {
		Recommended struct {
			T     *number
			P2    number `json:"p_two_sided"`
			P     number
			Error string
		}
	}
	seen := 0
	for _, file := range []string{"paired_t", "5x2cv", "averaged_t", "tost"} {
		for _, v := range vectors.Read(t, file) {
			if !v.Edge {
				continue
			}
			seen++
			t.Run(v.ID, func(t *testing.T) {
				var in input
				var w advice
				v.In(t, &in)
				v.Want(t, &w)
				rec := w.Recommended
				var got []float64
				var err error
				var r stat.Result
				switch v.Procedure {
				case "paired_t":
					r, err = stat.PairedTTest(differences(in.X, in.Y), stat.TwoSided)
					got = []float64{r.Statistic, r.P}
				case "5x2cv_t":
					r, err = stat.FiveByTwoTTest(runDifferences(in.A, in.B), stat.TwoSided)
					got = []float64{r.Statistic, r.P}
				case "5x2cv_combined_F":
					r, err = stat.FiveByTwoFTest(runDifferences(in.A, in.B), stat.TwoSided)
					got = []float64{r.Statistic, r.P}
				case "averaged_t":
					_, err = stat.AveragedT(vectors.Floats(in.Ts), in.DF, stat.TwoSided)
				case "tost_paired":
					e, err := stat.MustLookup("paired-t").Equivalence(differences(in.X, in.Y), in.Low, in.High)
					require.NoError(t, err)
					v.Near(t, "p", e.P, rec.P)
					return
				default:
					t.Fatalf("unknown procedure %s", v.Procedure)
				}
				if rec.Error != "" {
					require.Error(t, err)
					return
				}
				require.NoError(t, err)
				require.NotNil(t, rec.T)
				require.NoError(t, floatcmp.Slices(got, []float64{float64(*rec.T), float64(rec.P2)}, 0, 0))
			})
		}
	}
	require.Equal(t, 11, seen)

	for _, v := range vectors.Read(t, "bayes_correlated_t") {
		if !v.Edge {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			var in input
			var w struct{ Recommended []float64 }
			v.In(t, &in)
			v.Want(t, &w)
			p, err := stat.BayesianCorrelatedT(differences(in.X, in.Y), in.Rope)
			require.NoError(t, err)
			got := []float64{p.Better, p.Equivalent, p.Worse}
			if len(w.Recommended) == 2 {
				got = []float64{p.Better, p.Worse}
			}
			require.Equal(t, w.Recommended, got)
		})
	}
}
