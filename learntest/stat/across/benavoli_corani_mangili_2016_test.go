package across

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/unit"
)

// The numbers that Benavoli, Corani and Mangili (2016), "Should we really use
// post-hoc tests based on mean-ranks?", JMLR 17, print, and what becomes of
// each. The paper gives high ranks to good learners, this package low ones;
// differences of mean ranks change their sign and nothing else.

// requirePrinted checks a number that is printed with so many decimals.
func requirePrinted(t *testing.T, want, got float64, decimals int, what string) {
	t.Helper()
	require.True(t, floatcmp.Equal(got, want, 0.5*math.Pow(10, -float64(decimals))*(1+1e-9), 0),
		"%s: %v, printed %v", what, got, want)
}

// Equation 3. Printed: a sum to n over the learners, which runs to m. The
// statistic as printed has no correction for ties.
func TestBCMEquation3(t *testing.T) {
	t.Parallel()
	scores := bcm(t, 0, 1, 2, 3)
	got, err := Friedman(scores, unit.Higher)
	require.NoError(t, err)
	const n, m = 54, 4
	s := 0.0
	for _, mean := range got.MeanRanks {
		d := n*mean - n*(m+1)/2.0
		s += 12.0 / (n * m * (m + 1)) * d * d
	}
	require.True(t, floatcmp.Equal(got.Uncorrected.Statistic, s, 0, 1e-12))
	require.Greater(t, got.ChiSquared.Statistic, s)
}

// Section 2: for two learners Friedman's test is the sign test.
func TestBCMSection2(t *testing.T) {
	t.Parallel()
	got, err := Friedman(bcm(t, 1, 3), unit.Higher)
	require.NoError(t, err)
	sign, err := SignTest(column(bcm(t), 1), column(bcm(t), 3), stat.TwoSided,
		SignOptions{Null: Normal})
	require.NoError(t, err)
	require.True(t, floatcmp.Equal(got.ChiSquared.P, sign.P, 0, 1e-12))
}

func example1() [][]float64 {
	var scores [][]float64
	for range 10 {
		scores = append(scores, []float64{50, 80, 55, 60, 65})
	}
	for range 10 {
		scores = append(scores, []float64{80, 50, 45, 85, 90})
	}
	return scores
}

// Example 1. Reproduced: mean ranks 2 and 3.5, difference 1.5, critical value
// 2.807 and difference 1.4, significant with C, D and E and p = 1 without.
// Misprint, or loosely put: the Friedman p-value "≈ 10^-10" is 9.4e-10.
func TestBCMExample1(t *testing.T) {
	t.Parallel()
	scores := example1()
	friedman, err := Friedman(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, 48.0, friedman.ChiSquared.Statistic)
	require.True(t, floatcmp.Equal(friedman.ChiSquared.P, 9.437836360697745e-10, 0, 1e-11))

	ranks, err := MeanRanks(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, []float64{6 - 2, 6 - 3.5}, ranks.MeanRanks[:2])
	require.Equal(t, 1.5, math.Abs(ranks.Pairs[0].Difference))
	critical, err := CriticalDifference(20, 5, 0.05)
	require.NoError(t, err)
	requirePrinted(t, 2.807, critical.BonferroniZ, 3, "z*")
	requirePrinted(t, 1.4, critical.Bonferroni, 1, "critical difference")
	require.Less(t, ranks.Pairs[0].Bonferroni, 0.05)

	pool, err := PoolDependence(scores, unit.Higher, 0, 1, 0.05)
	require.NoError(t, err)
	require.True(t, pool.Significant)
	require.False(t, pool.Sizes[0].Pools[0].Significant)
	require.Equal(t, 0.0, pool.Sizes[0].Pools[0].Statistic)

	a, b := column(scores, 0), column(scores, 1)
	for _, test := range PairTests() {
		got, err := test.Run(a, b, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, 1.0, got.P, test.Name)
	}
}

// Example 2. Reproduced: the power of the sign test 0.94 (exactly 0.9423) and the power of the
// mean-ranks test 0.046, both by simulation in the paper. z* is the critical value of a single
// comparison, 1.96: Bonferroni's would be out of reach.
func TestBCMExample2(t *testing.T) {
	t.Parallel()
	win := dist.NormalCDF(1.5 / math.Sqrt2) // A ~ N(0, 1), B ~ N(1.5, 1)
	power, err := SignPower(20, win, 0.05, stat.TwoSided)
	require.NoError(t, err)
	requirePrinted(t, 0.94, power.Power, 2, "power of the sign test")

	const trials, n = 20_000, 20
	critical, err := CriticalDifference(n, 5, 0.05)
	require.NoError(t, err)
	se := critical.Bonferroni / critical.BonferroniZ
	rng := rand.New(rand.NewPCG(2016, 1))
	locations := []float64{0, 1.5, 5, 6, 7}
	scores := make([][]float64, n)
	for i := range scores {
		scores[i] = make([]float64, len(locations))
	}
	rejected := 0
	for range trials {
		for _, row := range scores {
			for j, location := range locations {
				row[j] = location + rng.NormFloat64()
			}
		}
		ranks, err := Friedman(scores, unit.Higher)
		require.NoError(t, err)
		if math.Abs(ranks.MeanRanks[0]-ranks.MeanRanks[1])/se >= dist.NormalInvSF(0.025) {
			rejected++
		}
	}
	// Four standard errors of the simulation.
	require.True(t, floatcmp.Equal(float64(rejected)/trials, 0.0465, 0.006, 0), "%d", rejected)
	// Where C, D and E are always ahead, 20 wins of 20 are needed.
	require.True(t, floatcmp.Equal(math.Pow(win, 20), 0.0442, 5e-5, 0))
	require.Greater(t, critical.Bonferroni, 1.0)
}

// Example 3. Reproduced: mean ranks, z = 3.06 and 2.46, z* = 2.64, and
// Friedman's test significant in both pools with the correction for ties.
// Misprints: without it, as equation 3 has it, the second pool's p-value is
// 0.059; the mean ranks 2.518 of C1 and 2.888 of C3 in the first pool should
// be 2.519 and 2.889.
func TestBCMExample3(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns []int // the learners, C2 and C4 first
		ranks   []float64
		z       float64
		full    float64
		reject  bool
	}{
		{[]int{1, 3, 0, 2}, []float64{2.676, 1.917, 2.519, 2.889}, 3.06, 3.056, true},
		{[]int{1, 3, 0, 4}, []float64{2.713, 2.102, 2.528, 2.657}, 2.46, 2.460, false},
	} {
		scores := bcm(t, c.columns...)
		friedman, err := Friedman(scores, unit.Higher)
		require.NoError(t, err)
		require.Less(t, friedman.ChiSquared.P, 0.05)
		require.Equal(t, c.reject, friedman.Uncorrected.P < 0.05)
		got, err := MeanRanks(scores, unit.Higher)
		require.NoError(t, err)
		for j, printed := range c.ranks {
			requirePrinted(t, printed, 5-got.MeanRanks[j], 3, "mean rank")
		}
		requirePrinted(t, c.z, got.Pairs[0].Statistic, 2, "z")
		requirePrinted(t, c.full, got.Pairs[0].Statistic, 3, "z")
		require.Equal(t, c.reject, got.Pairs[0].Bonferroni < 0.05)
	}
	critical, err := CriticalDifference(54, 4, 0.05)
	require.NoError(t, err)
	requirePrinted(t, 2.64, critical.BonferroniZ, 2, "z*")
}

// Table 1. Reproduced entirely: 7/10, 9/10, 3/5; 1/10; 2/10; 9/10, 5/10; and
// no other pair of the seven learners depends on pools of these sizes.
func TestBCMTable1(t *testing.T) {
	t.Parallel()
	printed := map[[2]int][3]string{ // learners from 0; "" is the paper's "-"
		{1, 3}: {"7/10", "9/10", "3/5"},
		{1, 6}: {"1/10", "", ""},
		{2, 6}: {"2/10", "", ""},
		{3, 5}: {"9/10", "5/10", ""},
	}
	for _, pair := range adjust.Pairs(7) {
		got, err := PoolDependence(bcm(t), unit.Higher, pair[0], pair[1], 0.05)
		require.NoError(t, err)
		for k := range 3 {
			size := got.Sizes[2+k]
			cell := ""
			if size.Depends() {
				cell = size.String()
			}
			require.Equal(t, printed[pair][k], cell, "C%d and C%d, %d others", pair[0]+1, pair[1]+1,
				size.Others)
		}
	}
}

// Section 5. Reproduced: the signed-rank p-value 0.0002 of C2 and C4, whose
// normal approximation is 0.000197; the exact one is 0.000117. Misprint: the
// threshold 0.0042 is α/m(m−1), which is right for the tail of a normal
// quantile but not for a two-sided p-value, whose threshold for m = 4 is
// α/(m(m−1)/2) = 0.0083.
func TestBCMSection5(t *testing.T) {
	t.Parallel()
	a, b := column(bcm(t), 1), column(bcm(t), 3)
	normal, err := SignedRank(a, b, stat.TwoSided, SignedRankOptions{Null: Normal})
	require.NoError(t, err)
	requirePrinted(t, 0.0002, normal.P, 4, "normal")
	requirePrinted(t, 0.000197, normal.P, 6, "normal")
	exact, err := SignedRank(a, b, stat.TwoSided, SignedRankOptions{})
	require.NoError(t, err)
	requirePrinted(t, 0.000117, exact.P, 6, "exact")

	const alpha, m = 0.05, 4
	requirePrinted(t, 0.0042, alpha/(m*(m-1)), 4, "threshold as printed")
	// The adjusted p-value of a pair reaches α exactly at the right threshold.
	p := []float64{alpha / (m * (m - 1) / 2), 1, 1, 1, 1, 1}
	requirePrinted(t, 0.0083, p[0], 4, "threshold")
	adjusted, err := adjust.MustLookup("bonferroni").Adjust(p)
	require.NoError(t, err)
	require.True(t, floatcmp.Equal(adjusted[0], alpha, 0, 1e-15))

	// The pair's p-value is equal in every pool.
	for _, others := range [][]int{{0, 2}, {0, 4}, {5, 6}} {
		pool, err := Pairwise(bcm(t, 1, 3, others[0], others[1]), PairwiseOptions{})
		require.NoError(t, err)
		require.Equal(t, exact.P, pool.Pairs[0].P)
		require.Less(t, pool.Pairs[0].Adjusted, alpha)
	}
}
