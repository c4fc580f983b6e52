package across

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

func TestPairwiseAgreesWithReference(t *testing.T) {
	t.Parallel()
	r := references(t, "bcm_pairs.json", "benavoli/")[0]
	want := decode[struct {
		Pairs struct {
			Wins, Losses, Ties []int
			Normal             []float64 `json:"wilcoxon_normal_p"`
			Exact              []float64 `json:"wilcoxon_exact_p"`
			Sign               []float64 `json:"sign_p"`
			Holm               []float64 `json:"wilcoxon_normal_p_holm"`
			Bonferroni         []float64 `json:"wilcoxon_normal_p_bonferroni"`
			Split              []float64 `json:"wilcoxon_zsplit_normal_p"`
		}
	}](t, r.Expected)
	pairwise := func(test, adjustment string) PairwiseResult {
		var opt PairwiseOptions
		var err error
		if test != "" {
			opt.Test, err = Lookup(test)
			require.NoError(t, err)
		}
		if adjustment != "" {
			opt.Adjust, err = adjust.Lookup(adjustment)
			require.NoError(t, err)
		}
		got, err := Pairwise(bcm(t), opt)
		require.NoError(t, err)
		require.Len(t, got.Pairs, 21)
		return got
	}
	def := pairwise("", "")
	require.Equal(t, []string{"signed-rank", "holm"}, []string{def.Test, def.Adjust})
	normal, bonferroni, sign := pairwise("signed-rank-normal", ""), pairwise("signed-rank-normal",
		"bonferroni"), pairwise("sign", "none")
	for k, pair := range adjust.Pairs(7) {
		require.Equal(t, pair, [2]int{def.Pairs[k].I, def.Pairs[k].J})
		require.Equal(t, []int{want.Pairs.Wins[k], want.Pairs.Losses[k], want.Pairs.Ties[k]},
			[]int{def.Pairs[k].Wins, def.Pairs[k].Losses, def.Pairs[k].Ties})
		require.True(t, def.Pairs[k].Exact)
		require.False(t, normal.Pairs[k].Exact)
		r.close(t, want.Pairs.Exact[k], def.Pairs[k].P, "exact")
		r.close(t, want.Pairs.Normal[k], normal.Pairs[k].P, "normal")
		r.close(t, want.Pairs.Holm[k], normal.Pairs[k].Adjusted, "Holm")
		r.close(t, want.Pairs.Bonferroni[k], bonferroni.Pairs[k].Adjusted, "Bonferroni")
		r.close(t, want.Pairs.Sign[k], sign.Pairs[k].P, "sign")
		require.Equal(t, sign.Pairs[k].P, sign.Pairs[k].Adjusted)
		a, b := column(bcm(t), pair[0]), column(bcm(t), pair[1])
		split, err := SignedRank(a, b, stat.TwoSided, SignedRankOptions{zeros: splitZeros, Null: Normal})
		require.NoError(t, err)
		r.close(t, want.Pairs.Split[k], split.P, "zeros split")
	}
}

func TestPairwisePValuesDoNotDependOnThePool(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := genTable(t, 12, 6)
		m := len(scores[0])
		all, err := Pairwise(scores, PairwiseOptions{})
		require.NoError(t, err)
		for k, pair := range all.Pairs {
			two := make([][]float64, len(scores))
			for i, row := range scores {
				two[i] = []float64{row[pair.I], row[pair.J]}
			}
			alone, err := Pairwise(two, PairwiseOptions{})
			require.NoError(t, err)
			require.Equal(t, pair.P, alone.Pairs[0].P)
			require.Equal(t, pair.P, alone.Pairs[0].Adjusted)
			require.GreaterOrEqual(t, pair.Adjusted, pair.P)
			require.Equal(t, adjust.Pairs(m)[k], [2]int{pair.I, pair.J})
			require.Equal(t, len(scores), pair.Wins+pair.Losses+pair.Ties)
		}
	})
}

func TestPairwiseWithLowerScoresBetter(t *testing.T) {
	t.Parallel()
	errorRates := [][]float64{{0.1, 0.2, 0.3}, {0.15, 0.25, 0.25}, {0.1, 0.3, 0.2}}
	got, err := Pairwise(errorRates, PairwiseOptions{Better: unit.Lower})
	require.NoError(t, err)
	require.Equal(t, []int{3, 0, 0}, []int{got.Pairs[0].Wins, got.Pairs[0].Losses, got.Pairs[0].Ties})
	require.Less(t, got.Pairs[0].Median, 0.0)
	require.Equal(t, []int{1, 1, 1}, []int{got.Pairs[2].Wins, got.Pairs[2].Losses, got.Pairs[2].Ties})
}

func TestVersusControlComparesAllWithOne(t *testing.T) {
	t.Parallel()
	scores := bcm(t)
	none, err := adjust.Lookup("none")
	require.NoError(t, err)
	got, err := VersusControl(scores, 3, stat.Greater, PairwiseOptions{Adjust: none})
	require.NoError(t, err)
	require.Len(t, got.Pairs, 6)
	holm, err := VersusControl(scores, 3, stat.Greater, PairwiseOptions{})
	require.NoError(t, err)
	for k, pair := range got.Pairs {
		require.Equal(t, 3, pair.J)
		require.NotEqual(t, 3, pair.I)
		want, err := SignedRank(column(scores, pair.I), column(scores, 3), stat.Greater,
			SignedRankOptions{})
		require.NoError(t, err)
		require.Equal(t, want.P, pair.P)
		require.Equal(t, pair.P, pair.Adjusted)
		require.LessOrEqual(t, holm.Pairs[k].Adjusted, min(1, 6*pair.P))
	}
	require.Equal(t, stat.Greater, got.Alternative)
}

func TestPairwiseErrors(t *testing.T) {
	t.Parallel()
	scores := [][]float64{{1, 2, 3}, {2, 3, 4}}
	bergmann, err := adjust.Lookup("bergmann-hommel")
	require.NoError(t, err)
	_, err = VersusControl(scores, 0, stat.TwoSided, PairwiseOptions{Adjust: bergmann})
	require.ErrorIs(t, err, stat.ErrDomain)
	require.ErrorContains(t, err, "bergmann-hommel")
	for _, control := range []int{-1, 3} {
		_, err = VersusControl(scores, control, stat.TwoSided, PairwiseOptions{})
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	_, err = VersusControl(scores, 0, 5, PairwiseOptions{})
	require.ErrorIs(t, err, stat.ErrDomain)

	broken := errors.New("broken")
	_, err = Pairwise(scores, PairwiseOptions{Test: PairTest{Name: "mine", Run: func(_, _ []float64,
		_ stat.Alternative,
	) (PairOutcome, error) {
		return PairOutcome{}, broken
	}}})
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "learners 0 and 1: mine")
	_, err = Pairwise(scores, PairwiseOptions{Test: PairTest{Name: "mine", Run: func(_, _ []float64,
		_ stat.Alternative,
	) (PairOutcome, error) {
		return PairOutcome{P: math.NaN()}, nil
	}}})
	require.ErrorContains(t, err, "not a p-value")
	_, err = Pairwise(scores, PairwiseOptions{Adjust: adjust.Method{
		Name: "short",
		Adjust: func([]float64) ([]float64, error) {
			return []float64{1}, nil
		},
	}})
	require.ErrorIs(t, err, stat.ErrSampleSize)

	_, err = Lookup("t")
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, "signed-rank-pratt")
}

func TestPairwiseWarnsUnlessTheFamilyWiseErrorRateIsControlled(t *testing.T) {
	t.Parallel()
	scores := [][]float64{{1, 2, 3}, {2, 3, 4}}
	for _, method := range adjust.Methods() {
		got, err := Pairwise(scores, PairwiseOptions{Adjust: method})
		require.NoError(t, err)
		require.Equal(t, method.Name, got.Adjust)
		require.ErrorIs(t, got.Pairs[0].Warnings[0], errFewDataSets)
		switch method.Name {
		case "none", "benjamini-hochberg", "benjamini-yekutieli":
			require.ErrorIs(t, got.Warnings[0], errNotFamilyWise, method.Name)
		default:
			require.Empty(t, got.Warnings, method.Name)
		}
	}
}
