package across

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestSignedRankAgreesWithReference(t *testing.T) {
	t.Parallel()
	rules := map[string]zeroRule{"wilcox": dropZeros, "pratt": prattZeros, "zsplit": splitZeros}
	for _, r := range references(t, "signed_rank.json", "wilcoxon/") {
		in := decode[struct {
			D    []number
			Rule string `json:"zero_method"`
		}](t, r.Input)
		rule, ok := rules[in.Rule]
		require.True(t, ok, in.Rule)
		require.Equal(t, in.Rule, rule.String())
		d := numbers(in.D)
		run := func(null Null, alt stat.Alternative) (SignedRankResult, error) {
			return SignedRank(d, zeros(len(d)), alt, SignedRankOptions{zeros: rule, Null: null})
		}
		if r.Edge {
			_, err := run(Exact, stat.TwoSided)
			require.ErrorIs(t, err, stat.ErrNotFinite)
			require.ErrorContains(t, err, "data set 2")
			continue
		}
		want := decode[struct {
			Used        int     `json:"n_used"`
			Zero        int     `json:"n_zero"`
			Plus        float64 `json:"W_plus"`
			Minus       float64 `json:"W_minus"`
			Mean        float64
			Var         float64
			Ties        bool `json:"has_ties"`
			Z           float64
			Normal      float64 `json:"p_normal"`
			Greater     float64 `json:"p_normal_greater"`
			Less        float64 `json:"p_normal_less"`
			ZContinuity float64 `json:"z_continuity_abs"`
			Continuity  float64 `json:"p_normal_continuity"`
			Exact       float64 `json:"exact_p_two_sided"`
			ExactUp     float64 `json:"exact_p_greater"`
			ExactDown   float64 `json:"exact_p_less"`
		}](t, r.Expected)
		check := func(null Null, alt stat.Alternative, p, z float64) {
			got, err := run(null, alt)
			require.NoError(t, err)
			require.Equal(t, []int{want.Used, want.Zero}, []int{got.Ranked, got.Zeros}, r.ID)
			require.Equal(t, want.Ties, got.Tied, r.ID)
			require.Equal(t, null == Exact, got.Exact, r.ID)
			require.Equal(t, []float64{want.Plus, want.Minus, want.Mean}, []float64{
				got.WPlus, got.WMinus,
				got.Mean,
			}, r.ID)
			r.close(t, want.Var, got.SD*got.SD, "variance")
			r.close(t, z, got.Statistic, "statistic")
			r.close(t, p, got.P, null.String()+" "+alt.String())
		}
		check(Exact, stat.TwoSided, want.Exact, want.Z)
		check(Exact, stat.Greater, want.ExactUp, want.Z)
		check(Exact, stat.Less, want.ExactDown, want.Z)
		check(Normal, stat.TwoSided, want.Normal, want.Z)
		check(Normal, stat.Greater, want.Greater, want.Z)
		check(Normal, stat.Less, want.Less, want.Z)
		check(NormalContinuity, stat.TwoSided, want.Continuity, math.Copysign(want.ZContinuity, want.Z))
	}
}

func TestSignedRankOfLearnersThatTieEverywhere(t *testing.T) {
	t.Parallel()
	a := []float64{0.5, 0.25, 0.75}
	for _, test := range allPairTests() {
		for _, alt := range alternatives {
			got, err := test.Run(a, a, alt)
			require.NoError(t, err)
			require.Equal(t, []float64{1, 0}, []float64{got.P, got.Statistic}, test.Name)
			require.ErrorIs(t, got.Warnings[0], ErrNoDifference, test.Name)
		}
	}
}

func TestSignedRankErrors(t *testing.T) {
	t.Parallel()
	one := []float64{1}
	for name, c := range map[string]struct {
		a, b []float64
		alt  stat.Alternative
		opt  SignedRankOptions
		want error
	}{
		"empty":       {nil, nil, 0, SignedRankOptions{}, stat.ErrSampleSize},
		"lengths":     {one, nil, 0, SignedRankOptions{}, stat.ErrSampleSize},
		"infinite":    {one, []float64{math.Inf(1)}, 0, SignedRankOptions{}, stat.ErrNotFinite},
		"alternative": {one, one, 3, SignedRankOptions{}, stat.ErrDomain},
		"zeros":       {one, one, 0, SignedRankOptions{zeros: 3}, stat.ErrDomain},
		"null":        {one, one, 0, SignedRankOptions{Null: 3}, stat.ErrDomain},
	} {
		_, err := SignedRank(c.a, c.b, c.alt, c.opt)
		require.ErrorIs(t, err, c.want, name)
	}
}

func TestSignedRankOfManyDataSetsSaysThatItIsApproximate(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	a := make([]float64, exactLimit+1)
	for i := range a {
		a[i] = rng.NormFloat64() + 0.05
	}
	got, err := SignedRank(a, zeros(len(a)), stat.TwoSided, SignedRankOptions{})
	require.NoError(t, err)
	require.False(t, got.Exact)
	require.ErrorIs(t, got.Warnings[0], errApproximate)
	below, err := SignedRank(a[:exactLimit], zeros(exactLimit), stat.TwoSided, SignedRankOptions{})
	require.NoError(t, err)
	require.True(t, below.Exact)
	require.Empty(t, below.Warnings)
}

func TestSignedRankTailsOfUnanimousSigns(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 10, 63, 64, 200, exactLimit} {
		a := make([]float64, n)
		for i := range a {
			a[i] = float64(i + 1)
		}
		got, err := SignedRank(a, zeros(n), stat.Greater, SignedRankOptions{})
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(got.P, math.Ldexp(1, -n), 0, 1e-12), "n = %d: %v", n, got.P)
		got, err = SignedRank(a, zeros(n), stat.Less, SignedRankOptions{})
		require.NoError(t, err)
		require.Equal(t, 1.0, got.P)
	}
}

func TestCoinSumsAreDistributions(t *testing.T) {
	t.Parallel()
	for _, numbers := range [][]int{{}, {3}, {1, 1}, {1, 2, 4, 8}, {5, 5, 5}, {2, 3, 9, 20, 100}} {
		total := 0
		for _, x := range numbers {
			total += x
		}
		want := make([]float64, total+1)
		for s := range 1 << len(numbers) {
			sum := 0
			for i, x := range numbers {
				sum += x * (s >> i & 1)
			}
			want[sum] += math.Ldexp(1, -len(numbers))
		}
		for bound := 0; bound <= total+2; bound++ {
			require.Equal(t, want[:min(bound, total)+1], coinSums(numbers, bound), "%v to %d",
				numbers, bound)
		}
	}
}
