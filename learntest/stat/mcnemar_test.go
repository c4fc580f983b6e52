package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestMcNemarReference(t *testing.T) {
	t.Parallel()
	each(t, "mcnemar", "mcnemar", func(t *testing.T, v vector) {
		var in struct{ B, C int }
		var w struct {
			N           int    `json:"n_discordant"`
			Exact       number `json:"exact_p"`
			MidP        number `json:"exact_mid_p"`
			Chi2        number `json:"chi2_edwards"`
			P           number `json:"p_edwards"`
			Uncorrected number `json:"chi2_uncorrected"`
			PUnc        number `json:"p_uncorrected"`
		}
		v.in(t, &in)
		v.want(t, &w)
		c := stat.PairCounts{Both: 7, OnlyFirst: in.B, OnlySecond: in.C, Neither: 3}
		run := func(m stat.McNemarMethod) stat.Result {
			r, err := stat.McNemarTest(c, m, stat.TwoSided)
			require.NoError(t, err)
			require.Equal(t, w.N, r.N)
			return r
		}
		v.near(t, "exact p", run(stat.McNemarExact).P, w.Exact)
		require.True(t, run(stat.McNemarExact).Exact)
		v.near(t, "mid-p", run(stat.McNemarMidP).P, w.MidP)
		v.near(t, "Edwards", run(stat.McNemarEdwards).Statistic, w.Chi2)
		v.near(t, "Edwards p", run(stat.McNemarEdwards).P, w.P)
		v.near(t, "uncorrected", run(stat.McNemarUncorrected).Statistic, w.Uncorrected)
		v.near(t, "uncorrected p", run(stat.McNemarUncorrected).P, w.PUnc)
	})
	each(t, "mcnemar", "mcnemar_table", func(t *testing.T, v vector) {
		var in struct {
			First  []int `json:"correct_1"`
			Second []int `json:"correct_2"`
		}
		var w struct {
			Both, Neither int
			Only1         int `json:"only_1"`
			Only2         int `json:"only_2"`
		}
		v.in(t, &in)
		v.want(t, &w)
		hits := func(x []int) []bool {
			b := make([]bool, len(x))
			for i := range x {
				b[i] = x[i] == 1
			}
			return b
		}
		c, err := stat.CountPairs(hits(in.First), hits(in.Second))
		require.NoError(t, err)
		require.Equal(t, stat.PairCounts{Both: w.Both, OnlyFirst: w.Only1, OnlySecond: w.Only2, Neither: w.Neither}, c)
	})
}

func TestMcNemarOfIdenticalPredictionsIsOne(t *testing.T) {
	t.Parallel()
	c := stat.PairCounts{Both: 10, Neither: 2}
	for m := stat.McNemarExact; m <= stat.McNemarUncorrected; m++ {
		r, err := stat.McNemarTest(c, m, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, []float64{0, 1, 0}, []float64{r.Statistic, r.P, r.Estimate})
	}
	for _, alt := range []stat.Alternative{stat.Greater, stat.Less} {
		for _, m := range []stat.McNemarMethod{stat.McNemarExact, stat.McNemarMidP} {
			r, err := stat.McNemarTest(c, m, alt)
			require.NoError(t, err)
			require.Equal(t, 1.0, r.P)
		}
	}
}

func TestMcNemarRejectsBadInput(t *testing.T) {
	t.Parallel()
	_, err := stat.McNemarTest(stat.PairCounts{OnlyFirst: -1, Both: 3}, stat.McNemarExact, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.McNemarTest(stat.PairCounts{}, stat.McNemarExact, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.McNemarTest(stat.PairCounts{Both: 1}, 4, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.McNemarTest(stat.PairCounts{Both: 1}, stat.McNemarExact, 4)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.McNemarTest(stat.PairCounts{OnlyFirst: 5}, stat.McNemarEdwards, stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = stat.CountPairs([]bool{true}, nil)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = stat.CountPairs(nil, nil)
	require.ErrorIs(t, err, stat.ErrSampleSize)
}

// All 2^n outcomes of n fair coins, weighed one by one.
func TestMcNemarExactIsBruteForce(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 6; n++ {
		heads := make([]int, n+1)
		for i := range 1 << n {
			k := 0
			for j := range n {
				k += i >> j & 1
			}
			heads[k]++
		}
		for b := range n + 1 {
			var two, greater, less float64
			for k, count := range heads {
				share := float64(count) / float64(int(1)<<n)
				if max(k, n-k) >= max(b, n-b) {
					two += share
				}
				if k >= b {
					greater += share
				}
				if k <= b {
					less += share
				}
			}
			c := stat.PairCounts{OnlyFirst: b, OnlySecond: n - b}
			for alt, want := range map[stat.Alternative]float64{stat.TwoSided: two, stat.Greater: greater, stat.Less: less} {
				r, err := stat.McNemarTest(c, stat.McNemarExact, alt)
				require.NoError(t, err)
				if !floatcmp.Equal(r.P, want, 0, 1e-13) {
					t.Errorf("%d of %d %v: %v, want %v", b, n, alt, r.P, want)
				}
			}
		}
	}
}

func TestMcNemarProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 300)
		c := stat.PairCounts{Both: count.Draw(t, "both") + 1, OnlyFirst: count.Draw(t, "b"), OnlySecond: count.Draw(t, "c"), Neither: count.Draw(t, "neither")}
		swapped := c
		swapped.OnlyFirst, swapped.OnlySecond = c.OnlySecond, c.OnlyFirst
		m := stat.McNemarMethod(rapid.IntRange(0, 3).Draw(t, "method"))
		alt := stat.TwoSided
		if m <= stat.McNemarMidP {
			alt = stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		}
		r, err := stat.McNemarTest(c, m, alt)
		require.NoError(t, err)
		require.True(t, r.P >= 0 && r.P <= 1, "p = %v", r.P)
		mirrored, err := stat.McNemarTest(swapped, m, alt.Mirror())
		require.NoError(t, err)
		if !floatcmp.Equal(mirrored.P, r.P, 1e-300, 1e-11) {
			t.Errorf("p = %v, mirrored %v", r.P, mirrored.P)
		}
		exact, err := stat.McNemarTest(c, stat.McNemarExact, stat.TwoSided)
		require.NoError(t, err)
		mid, err := stat.McNemarTest(c, stat.McNemarMidP, stat.TwoSided)
		require.NoError(t, err)
		require.LessOrEqual(t, mid.P, exact.P)
	})
}

func TestMcNemarExactApproachesChiSquared(t *testing.T) {
	t.Parallel()
	c := stat.PairCounts{OnlyFirst: 50200, OnlySecond: 49800}
	exact, err := stat.McNemarTest(c, stat.McNemarExact, stat.TwoSided)
	require.NoError(t, err)
	edwards, err := stat.McNemarTest(c, stat.McNemarEdwards, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, exact.P, edwards.P, 1e-5)
	mid, err := stat.McNemarTest(c, stat.McNemarMidP, stat.TwoSided)
	require.NoError(t, err)
	uncorrected, err := stat.McNemarTest(c, stat.McNemarUncorrected, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, mid.P, uncorrected.P, 1e-5)
}

func TestPairCountsInterval(t *testing.T) {
	t.Parallel()
	// Agresti and Min's interval by hand: b* = 25.5, c* = 15.5, n* = 102.
	c := stat.PairCounts{Both: 50, OnlyFirst: 25, OnlySecond: 15, Neither: 10}
	lo, hi := c.Interval(0.95)
	estimate, se := 10.0/102, math.Sqrt(41-100.0/102)/102
	require.NoError(t, floatcmp.Slices([]float64{lo, hi}, []float64{estimate - 1.9599639845400543*se, estimate + 1.9599639845400543*se}, 0, 1e-12))
	lo, hi = stat.PairCounts{}.Interval(0.95)
	require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
	lo, hi = c.Interval(1)
	require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
}
