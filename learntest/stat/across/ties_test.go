package across

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/effect"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A single learner that diverged on one data set, with a score of 1e8 among accuracies, made
// every other difference a tie when the tolerance came from the largest score of all: p went
// from 0.002 to 1.
func TestADivergedScoreErasesNoOtherDifference(t *testing.T) {
	t.Parallel()
	a := []float64{0.91, 0.83, 0.77, 0.94, 0.69, 0.88, 0.81, 0.72, 0.97, 1e8}
	b := []float64{0.90, 0.81, 0.74, 0.90, 0.64, 0.82, 0.74, 0.64, 0.88, 0.5}
	for _, test := range allPairTests() {
		r, err := test.Run(a, b, stat.TwoSided)
		require.NoError(t, err)
		require.Less(t, r.P, 0.01, test.Name)
	}
	signed, err := SignedRank(a, b, stat.TwoSided, SignedRankOptions{})
	require.NoError(t, err)
	require.Equal(t, []any{2.0 / 1024, 10, 0, false}, []any{
		signed.P, signed.Ranked, signed.Zeros,
		signed.Tied,
	})
	bayes, err := BayesSignedRank(a, b, BayesSignedRankOptions{Samples: 2000})
	require.NoError(t, err)
	require.Greater(t, bayes.P.Better, 0.99)
	// The mean over all pairs except the pseudo-observation with itself.
	require.True(t, floatcmp.Equal(bayes.Mean.Worse, 0.5*0.5*1.5/(10.5*11.5), 1e-15, 0))

	scores := make([][]float64, len(a))
	for i := range a {
		scores[i] = []float64{a[i], b[i], b[i] - 0.1*float64(1+i%3)}
	}
	pairs, err := Pairwise(scores, PairwiseOptions{})
	require.NoError(t, err)
	for _, p := range pairs.Pairs {
		require.Equal(t, []any{10, 0, 0, 2.0 / 1024}, []any{p.Wins, p.Losses, p.Ties, p.P})
	}
	friedman, err := Friedman(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, []float64{1, 2, 3}, friedman.MeanRanks)
	quade, err := Quade(scores, unit.Higher)
	require.NoError(t, err)
	require.Less(t, quade.F.P, 0.001)
	aligned, err := AlignedRanks(scores, unit.Higher)
	require.NoError(t, err)
	modest := slices.Clone(scores)
	modest[9] = []float64{3, 0.5, 0.4}
	want, err := AlignedRanks(modest, unit.Higher)
	require.NoError(t, err)
	require.Less(t, aligned.MeanRanks[0], aligned.MeanRanks[2])
	require.InDelta(t, want.MeanRanks[0], aligned.MeanRanks[0], 0.5)
	size, err := effect.MatchedRankBiserial(a, b)
	require.NoError(t, err)
	require.Equal(t, 1.0, size.Value)
}

func TestTiesDoNotChainInARow(t *testing.T) {
	t.Parallel()
	// Each is within the tolerance of the next, the first not of the third.
	row := []float64{1, 1 + 0.8e-9, 1 + 1.6e-9, 1 + 2.4e-9}
	for better, want := range map[unit.Direction][]int{
		unit.Higher: {7, 7, 3, 3},
		unit.Lower:  {3, 3, 7, 7},
	} {
		twice, ties := rankRows([][]float64{row}, better)
		require.Equal(t, want, twice[0])
		require.Equal(t, 12.0, ties[0])
	}
	// Signed ranks: the differences 0.1 + k·0.8e-10 have scores of about 0.1.
	a, b := make([]float64, 4), zeros(4)
	for i := range a {
		a[i] = 0.1 + 0.8e-10*float64(i)
	}
	r, err := SignedRank(a, b, stat.TwoSided, SignedRankOptions{})
	require.NoError(t, err)
	require.True(t, r.Tied)
	require.True(t, floatcmp.Equal(r.SD*r.SD, (2*1.5*1.5+2*3.5*3.5)/4, 0, 1e-14))
}

// Tests, counts and pairs have one rule for ties: the sign test, the signed-rank test,
// Friedman's ranks, the Bayesian tests and the effect size agree on any two scores.
func TestOneRuleForTies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := math.Ldexp(rapid.Float64Range(1, 2).Draw(t, "x"),
			rapid.IntRange(-40, 40).Draw(t, "exponent"))
		y := x * (1 + rapid.Float64Range(-2.5e-9, 2.5e-9).Draw(t, "relative difference"))
		a, b := []float64{x, 3}, []float64{y, 1}
		tied := stat.Tied(x, y)
		sign, err := SignTest(a, b, stat.TwoSided, SignOptions{})
		require.NoError(t, err)
		require.Equal(t, tied, sign.Ties == 1)
		signed, err := SignedRank(a, b, stat.TwoSided, SignedRankOptions{})
		require.NoError(t, err)
		require.Equal(t, tied, signed.Zeros == 1)
		bayes, err := BayesSign(a, b, BayesSignOptions{})
		require.NoError(t, err)
		require.Equal(t, tied, bayes.Counts.Rope == 1)
		friedman, err := Friedman([][]float64{{x, y}, {3, 1}}, unit.Higher)
		require.NoError(t, err)
		require.Equal(t, tied, friedman.TieCorrection < 1)
		cliff, err := effect.CliffsDelta(a[:1], b[:1], 0.9)
		require.NoError(t, err)
		require.Equal(t, tied, cliff.Value == 0)
	})
}

// The posterior means against their definition, sum by sum, with slacks of very
// different sizes.
func TestWalshSumsAreJudgedByTheirOwnScores(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		value := rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) })
		d := rapid.SliceOfN(value, n, n).Draw(t, "d")
		slack := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 3}), n, n).Draw(t, "slack")
		rope := rapid.SampledFrom([]float64{0, 0, 0.5, 1, 1.5}).Draw(t, "rope")
		prior := rapid.SampledFrom([]float64{0.5, 1, 7}).Draw(t, "prior")
		got := newWalsh(d, slack, rope).mean(prior)

		z, s, alpha := append([]float64{0}, d...), append([]float64{0}, slack...), []float64{prior}
		for range d {
			alpha = append(alpha, 1)
		}
		sum := float64(n) + prior
		var want Regions
		for i := range z {
			for j := range z {
				w := alpha[i] * (alpha[j] + indicator(i == j)) / (sum * (sum + 1))
				v, tol := z[i]+z[j], max(s[i], s[j])
				upper := 0.5*indicator(v > 2*rope+tol) + 0.5*indicator(v >= 2*rope-tol)
				lower := 0.5*indicator(v < -2*rope-tol) + 0.5*indicator(v <= -2*rope+tol)
				want.Better += w * upper
				want.Worse += w * lower
				want.Rope += w * (1 - upper - lower)
			}
		}
		if rope == 0 {
			want.Rope = 0
		}
		if tight := 2 * rope; tight == 0 || tight > slices.Max(slack) { // else the boundaries overlap
			require.NoError(t, floatcmp.Slices(slice(got), slice(want), 1e-13, 0))
		} else {
			require.NoError(t, floatcmp.Slices([]float64{got.Worse, got.Better},
				[]float64{want.Worse, want.Better}, 1e-13, 0))
		}
	})
}

func TestBayesSignedRankWithAnyPrior(t *testing.T) {
	t.Parallel()
	a := []float64{1, 2, 3, -1, 5}
	var last Regions
	for k, prior := range []float64{1e9, 1e15, 1e17, 1e150, 1e300, math.MaxFloat64} {
		got, err := BayesSignedRank(a, zeros(5), BayesSignedRankOptions{Prior: prior, Samples: 4000})
		require.NoError(t, err)
		// With all weight on 0, better and worse differ by the sums with it alone:
		// four exponential variables against one.
		require.True(t, floatcmp.Equal(got.P.Better, 1-1.0/16, 4*got.SE.Better, 0), "prior %v: %v", prior,
			got.P)
		require.NoError(t, floatcmp.Slices(slice(got.Mean), []float64{0.5, 0, 0.5}, 1e-8, 0))
		if k > 0 {
			require.Equal(t, last, got.P, "prior %v", prior)
		}
		last = got.P
		got, err = BayesSignedRank(a, zeros(5), BayesSignedRankOptions{
			Prior: prior, Samples: 100,
			Rope: 1,
		})
		require.NoError(t, err)
		require.Equal(t, Regions{Rope: 1}, got.P)
		require.True(t, floatcmp.Equal(got.Mean.Rope, 1, 1e-7, 0))
	}
}

func TestBayesSignWithAnyPrior(t *testing.T) {
	t.Parallel()
	for _, prior := range []float64{1e4, 1e10, 1e15, 1e20, 1e160, 1e300, math.MaxFloat64} {
		for place, want := range map[Region]Regions{
			Rope: {Rope: 1}, Worse: {Worse: 1},
			Better: {Better: 1},
		} {
			got, err := bayesSignCounts(3, 1, 5, BayesSignOptions{Prior: prior, Place: place})
			require.NoError(t, err)
			require.NoError(t, floatcmp.Slices(slice(got.P), slice(want), 1e-300, 0), "%v in the %v", prior,
				place)
			for _, m := range slice(got.Mean) {
				require.False(t, math.IsNaN(m))
			}
		}
	}
	// Large counts are normal: the largest of two with means a standard error
	// apart.
	for _, n := range []float64{1e6, 1e10, 1e14} {
		got := dirichletArgmax([3]float64{n, 2, n + math.Sqrt(2*n)})
		want := 0.841344746068543 // Φ(1)
		require.True(t, floatcmp.Equal(got[2], want, 2/math.Sqrt(n)+1e-8, 0), "n %v: %v", n, got)
		require.Zero(t, got[1])
	}
	got := dirichletArgmax([3]float64{9e18, 9e18, 9e18})
	require.NoError(t, floatcmp.Slices(got[:], []float64{1. / 3, 1. / 3, 1. / 3}, 1e-12, 0))
	// A count that cannot be the largest costs nothing, however far it is.
	got = dirichletArgmax([3]float64{1e18, 1e18, 1e-4})
	require.NoError(t, floatcmp.Slices(got[:], []float64{0.5, 0.5, 0}, 1e-12, 0))
	// Half of the binomial distribution: P(γ_a > γ_b) = I_1/2(b, a).
	got = dirichletArgmax([3]float64{60, 1, 1e-4})
	require.True(t, floatcmp.Equal(got[1], math.Ldexp(1, -60), 0, 1e-2), "%v", got)
}

// F of data that agree but for one pair: the sums of squares exceed 2^53, where
// the test for unanimity once compared rounded ones.
func TestQuadeTestsUnanimityInIntegers(t *testing.T) {
	t.Parallel()
	const n, m = 3000, 40
	rng := rand.New(rand.NewPCG(3, 5))
	order := rng.Perm(m)
	scores := make([][]float64, n)
	for i := range scores {
		scores[i] = make([]float64, m)
		for j := range m {
			scores[i][j] = float64(order[j])
		}
	}
	got, err := Quade(scores, unit.Higher)
	require.NoError(t, err)
	require.True(t, math.IsInf(got.F.Statistic, 1))
	require.True(t, got.Exact)
	friedman, err := Friedman(scores, unit.Higher)
	require.NoError(t, err)
	require.True(t, math.IsInf(friedman.ImanDavenport.Statistic, 1))
	require.Equal(t, 1.0, friedman.KendallW)

	// Neighbours swapped on one data set.
	for j, v := range scores[n-1] {
		switch v {
		case 20:
			scores[n-1][j] = 21
		case 21:
			scores[n-1][j] = 20
		}
	}
	got, err = Quade(scores, unit.Higher)
	require.NoError(t, err)
	require.False(t, got.Exact)
	require.Empty(t, got.Warnings)
	// All weights are the mean rank w: A = n·w²·m(m²−1)/12, and the swap takes
	// from B what its two columns lose.
	square := float64(m*(m*m-1)) / 12
	up, down := 21-(m-1)/2.0, 20-(m-1)/2.0
	nf := float64(n)
	b := nf*square + (math.Pow(nf*up-1, 2)-math.Pow(nf*up, 2)+math.Pow(nf*down+1, 2)-math.Pow(nf*down,
		2))/nf
	residual := 2 - 2/nf // A−B: (up−down)² = 1 in either column
	require.True(t, floatcmp.Equal(got.F.Statistic, (nf-1)*b/residual, 0, 1e-12), "%v, want %v",
		got.F.Statistic, (nf-1)*b/residual)
	friedman, err = Friedman(scores, unit.Higher)
	require.NoError(t, err)
	require.False(t, friedman.Exact)
	require.True(t, floatcmp.Equal(friedman.ImanDavenport.Statistic, got.F.Statistic, 0, 1e-12))
}

// The exact p of unanimity is not comparable with approximate ones, and the
// documentation says so: data that agree less can have a smaller p.
func TestTheExactPOfUnanimityIsNotComparable(t *testing.T) {
	t.Parallel()
	row, swapped := []float64{5, 4, 3, 2, 1}, []float64{5, 4, 3, 1, 2}
	unanimous, err := Friedman([][]float64{row, row}, unit.Higher)
	require.NoError(t, err)
	nearly, err := Friedman([][]float64{row, row, row, swapped}, unit.Higher)
	require.NoError(t, err)
	require.True(t, unanimous.Exact)
	require.False(t, nearly.Exact)
	require.True(t, floatcmp.Equal(unanimous.ImanDavenport.P, 1.0/120, 0, 1e-14))
	require.Less(t, nearly.KendallW, unanimous.KendallW)
	require.Less(t, nearly.ImanDavenport.P, unanimous.ImanDavenport.P)
	require.ErrorIs(t, unanimous.Warnings[0], errUnanimous)
	require.ErrorContains(t, unanimous.Warnings[0], "not comparable")
	// A tie that the other data set breaks is no agreement.
	broken, err := Friedman([][]float64{{3, 2, 1}, {3, 2, 2}}, unit.Higher)
	require.NoError(t, err)
	require.False(t, broken.Exact)
	require.False(t, math.IsInf(broken.ImanDavenport.Statistic, 0))
	// With ties inside of the data sets the uncorrected F is finite, and so is not
	// exact.
	tied, err := Friedman([][]float64{{1, 2, 2}, {3, 4, 4}}, unit.Higher)
	require.NoError(t, err)
	require.True(t, tied.Exact)
	require.False(t, math.IsInf(tied.UncorrectedImanDavenport.Statistic, 0))
}

// Scores at the end of the range give an answer or an error, not NaN.
func TestNoNaNWithoutAnError(t *testing.T) {
	t.Parallel()
	extremes := [][]float64{
		{1e300, -1e300, 3e299, 1},
		{1e308, 1e307, 0, -1e307},
		{5e-324, 0, 0, 1e-300},
		{1.7e308, 1.7e308, 1.6e308, 1.7e308},
		{1, 2, 3, 4},
	}
	finite := func(what string, values ...float64) {
		for _, v := range values {
			require.False(t, math.IsNaN(v), "%s: %v", what, values)
		}
	}
	for _, a := range extremes {
		for _, b := range extremes {
			for _, test := range allPairTests() {
				if r, err := test.Run(a, b, stat.TwoSided); err == nil {
					finite(test.Name, r.P, r.Statistic)
				}
			}
			for _, rope := range []float64{0, 1e-300, 1, 1e300, math.MaxFloat64} {
				for _, prior := range []float64{1e-300, 1, 1e300} {
					if r, err := BayesSignedRank(a, b, BayesSignedRankOptions{
						Rope: rope, Prior: prior,
						Samples: 5,
					}); err == nil {
						finite("signed rank", append(slice(r.P), slice(r.Mean)...)...)
						require.True(t, floatcmp.Equal(r.Mean.Worse+r.Mean.Rope+r.Mean.Better, 1, 1e-12, 0),
							"%+v", r.Mean)
					}
					if r, err := BayesSign(a, b, BayesSignOptions{Rope: rope, Prior: prior}); err == nil {
						finite("sign", append(slice(r.P), slice(r.Mean)...)...)
					}
				}
			}
			for name, test := range omnibusTests() {
				scores := [][]float64{{a[0], b[0], 1}, {a[1], b[1], 2}, {a[2], b[2], 0}}
				if name == "quade" || name == "aligned" {
					if _, err := Quade(scores, unit.Higher); err != nil {
						continue
					}
					if _, err := AlignedRanks(scores, unit.Higher); err != nil {
						continue
					}
				}
				statistic, p, ranks := test(t, scores, unit.Higher)
				finite(name, append(ranks, statistic, p)...)
			}
		}
	}
}
