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
		v.In(t, &in)
		v.Want(t, &w)
		c := contingency.PairCounts{Both: 7, OnlyFirst: in.B, OnlySecond: in.C, Neither: 3}
		run := func(m contingency.Method) stat.Result {
			r, err := contingency.McNemarTest(c, m, stat.TwoSided)
			require.NoError(t, err)
			require.Equal(t, w.N, r.N)
			return r
		}
		v.Near(t, "exact p", run(contingency.Exact).P, w.Exact)
		require.True(t, run(contingency.Exact).Exact)
		v.Near(t, "mid-p", run(contingency.MidP).P, w.MidP)
		v.Near(t, "Edwards", run(contingency.Edwards).Statistic, w.Chi2)
		v.Near(t, "Edwards p", run(contingency.Edwards).P, w.P)
		v.Near(t, "uncorrected", run(contingency.Uncorrected).Statistic, w.Uncorrected)
		v.Near(t, "uncorrected p", run(contingency.Uncorrected).P, w.PUnc)
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
		v.In(t, &in)
		v.Want(t, &w)
		hits := func(x []int) []bool {
			b := make([]bool, len(x))
			for i := range x {
				b[i] = x[i] == 1
			}
			return b
		}
		c, err := contingency.CountPairs(hits(in.First), hits(in.Second))
		require.NoError(t, err)
		require.Equal(t, contingency.PairCounts{
			Both: w.Both, OnlyFirst: w.Only1, OnlySecond: w.Only2,
			Neither: w.Neither,
		}, c)
	})
}

func TestMcNemarOfIdenticalPredictionsIsOne(t *testing.T) {
	t.Parallel()
	c := contingency.PairCounts{Both: 10, Neither: 2}
	for m := contingency.Exact; m <= contingency.Uncorrected; m++ {
		r, err := contingency.McNemarTest(c, m, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, []float64{0, 1, 0}, []float64{r.Statistic, r.P, r.Estimate})
	}
	for _, alt := range []stat.Alternative{stat.Greater, stat.Less} {
		for _, m := range []contingency.Method{contingency.Exact, contingency.MidP} {
			r, err := contingency.McNemarTest(c, m, alt)
			require.NoError(t, err)
			require.Equal(t, 1.0, r.P)
		}
	}
}

func TestMcNemarRejectsBadInput(t *testing.T) {
	t.Parallel()
	_, err := contingency.McNemarTest(contingency.PairCounts{OnlyFirst: -1, Both: 3},
		contingency.Exact, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = contingency.McNemarTest(contingency.PairCounts{}, contingency.Exact, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = contingency.McNemarTest(contingency.PairCounts{Both: 1}, 4, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = contingency.McNemarTest(contingency.PairCounts{Both: 1}, contingency.Exact, 4)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = contingency.McNemarTest(contingency.PairCounts{OnlyFirst: 5}, contingency.Edwards,
		stat.Greater)
	require.ErrorIs(t, err, stat.ErrDomain)
	_, err = contingency.CountPairs([]bool{true}, nil)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = contingency.CountPairs(nil, nil)
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
			c := contingency.PairCounts{OnlyFirst: b, OnlySecond: n - b}
			for alt, want := range map[stat.Alternative]float64{
				stat.TwoSided: two, stat.Greater: greater,
				stat.Less: less,
			} {
				r, err := contingency.McNemarTest(c, contingency.Exact, alt)
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
		c := contingency.PairCounts{
			Both: count.Draw(t, "both") + 1, OnlyFirst: count.Draw(t, "b"),
			OnlySecond: count.Draw(t, "c"), Neither: count.Draw(t, "neither"),
		}
		swapped := c
		swapped.OnlyFirst, swapped.OnlySecond = c.OnlySecond, c.OnlyFirst
		m := contingency.Method(rapid.IntRange(0, 3).Draw(t, "method"))
		alt := stat.TwoSided
		if m <= contingency.MidP {
			alt = stat.Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		}
		r, err := contingency.McNemarTest(c, m, alt)
		require.NoError(t, err)
		require.True(t, r.P >= 0 && r.P <= 1, "p = %v", r.P)
		mirrored, err := contingency.McNemarTest(swapped, m, alt.Mirror())
		require.NoError(t, err)
		if !floatcmp.Equal(mirrored.P, r.P, 1e-300, 1e-11) {
			t.Errorf("p = %v, mirrored %v", r.P, mirrored.P)
		}
		exact, err := contingency.McNemarTest(c, contingency.Exact, stat.TwoSided)
		require.NoError(t, err)
		mid, err := contingency.McNemarTest(c, contingency.MidP, stat.TwoSided)
		require.NoError(t, err)
		require.LessOrEqual(t, mid.P, exact.P)
	})
}

func TestMcNemarExactApproachesChiSquared(t *testing.T) {
	t.Parallel()
	c := contingency.PairCounts{OnlyFirst: 50200, OnlySecond: 49800}
	exact, err := contingency.McNemarTest(c, contingency.Exact, stat.TwoSided)
	require.NoError(t, err)
	edwards, err := contingency.McNemarTest(c, contingency.Edwards, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, exact.P, edwards.P, 1e-5)
	mid, err := contingency.McNemarTest(c, contingency.MidP, stat.TwoSided)
	require.NoError(t, err)
	uncorrected, err := contingency.McNemarTest(c, contingency.Uncorrected, stat.TwoSided)
	require.NoError(t, err)
	require.InDelta(t, mid.P, uncorrected.P, 1e-5)
}

func TestPairCountsInterval(t *testing.T) {
	t.Parallel()
	// Agresti and Min's interval by hand: b* = 25.5, c* = 15.5, n* = 102.
	c := contingency.PairCounts{Both: 50, OnlyFirst: 25, OnlySecond: 15, Neither: 10}
	lo, hi := c.Interval(0.95)
	estimate, se := 10.0/102, math.Sqrt(41-100.0/102)/102
	require.NoError(t, floatcmp.Slices([]float64{lo, hi}, []float64{
		estimate - 1.9599639845400543*se,
		estimate + 1.9599639845400543*se,
	}, 0, 1e-12))
	lo, hi = contingency.PairCounts{}.Interval(0.95)
	require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
	lo, hi = c.Interval(1)
	require.True(t, math.IsNaN(lo) && math.IsNaN(hi))
}
