package across

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/unit"
)

func TestMeanRanksAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "mean_ranks.json", "mean_ranks/") {
		want := decode[struct {
			N, M        int
			SE          float64            `json:"se_diff"`
			ZBonferroni map[string]float64 `json:"z_crit_bonferroni"`
			Bonferroni  map[string]float64 `json:"cd_bonferroni"`
			ZNemenyi    map[string]float64 `json:"q_alpha_over_sqrt2"`
			Nemenyi     map[string]float64 `json:"cd_nemenyi"`
			Dunn        map[string]float64 `json:"cd_bonferroni_dunn_vs_control"`
			Pairs       struct {
				Difference []float64 `json:"diff_mean_rank"`
				Z          []float64
				P          []float64 `json:"p_raw"`
				Bonferroni []float64 `json:"p_bonferroni"`
				Nemenyi    []float64 `json:"p_nemenyi"`
			}
		}](t, r.Expected)
		got, err := MeanRanks(r.scores(t), unit.Higher)
		require.NoError(t, err)
		require.Equal(t, []int{want.N, want.M}, []int{got.DataSets, got.Learners})
		require.ErrorIs(t, got.Warnings[0], errPoolDependent)
		r.close(t, want.SE, got.SE, "standard error")
		var difference, z, p, bonferroni, nemenyi []float64
		for _, pair := range got.Pairs {
			difference, z = append(difference, pair.Difference), append(z, pair.Statistic)
			p, bonferroni, nemenyi = append(p, pair.P), append(bonferroni, pair.Bonferroni),
				append(nemenyi, pair.Nemenyi)
		}
		r.closeAll(t, want.Pairs.Difference, difference, "differences")
		r.closeAll(t, want.Pairs.Z, z, "z")
		r.closeAll(t, want.Pairs.P, p, "p")
		r.closeAll(t, want.Pairs.Bonferroni, bonferroni, "Bonferroni")
		r.closeAll(t, want.Pairs.Nemenyi, nemenyi, "Nemenyi")
		require.Len(t, want.ZNemenyi, 3)
		for key, z := range want.ZNemenyi {
			alpha, err := strconv.ParseFloat(key, 64)
			require.NoError(t, err)
			c, err := CriticalDifference(want.N, want.M, alpha)
			require.NoError(t, err)
			r.close(t, z, c.NemenyiZ, "Nemenyi z")
			r.close(t, want.Nemenyi[key], c.Nemenyi, "Nemenyi difference")
			if b, ok := want.Bonferroni[key]; ok {
				r.close(t, want.ZBonferroni[key], c.BonferroniZ, "Bonferroni z")
				r.close(t, b, c.Bonferroni, "Bonferroni difference")
				r.close(t, want.Dunn[key], c.Dunn, "Dunn difference")
			}
		}
	}
}

func TestNemenyiQuantilesAgreeWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "studentized_range.json", "special/nemenyi_q") {
		in := decode[struct{ M []int }](t, r.Input)
		want := decode[struct{ Q05, Q10 []float64 }](t, r.Expected)
		for alpha, want := range map[float64][]float64{0.05: want.Q05, 0.1: want.Q10} {
			require.Len(t, want, len(in.M))
			for i, m := range in.M {
				got, err := CriticalDifference(10, m, alpha)
				require.NoError(t, err)
				r.close(t, want[i], got.NemenyiZ, "q")
			}
		}
	}
}

func TestRangeAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "studentized_range.json", "special/srange") {
		in := decode[struct {
			K int
			Q []float64
		}](t, r.Input)
		want := decode[struct{ SF []float64 }](t, r.Expected)
		for i, q := range in.Q {
			r.close(t, want.SF[i], dist.RangeSF(q, in.K, math.Inf(1)), "tail")
		}
	}
}

func TestPoolDependenceAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "mean_ranks.json", "pool/") {
		in := decode[struct {
			Pair  []string
			Alpha float64
		}](t, r.Input)
		want := decode[struct {
			Cards []struct {
				Card, Significant, Subsets int
				Detail                     []struct {
					Others      []string
					Z           float64
					Critical    float64 `json:"z_crit"`
					Significant bool
				}
			}
		}](t, r.Expected)
		got, err := PoolDependence(bcm(t), unit.Higher, learner(t, in.Pair[0]), learner(t, in.Pair[1]),
			in.Alpha)
		require.NoError(t, err)
		require.Len(t, want.Cards, 3)
		for _, card := range want.Cards {
			size := got.Sizes[card.Card]
			require.Equal(t, card.Card, size.Others)
			require.Equal(t, []int{card.Significant, card.Subsets}, []int{size.Significant, len(size.Pools)})
			require.Equal(t, card.Significant > 0 && card.Significant < card.Subsets, size.Depends())
			for i, d := range card.Detail {
				require.Len(t, size.Pools[i].Others, len(d.Others))
				for k, name := range d.Others {
					require.Equal(t, learner(t, name), size.Pools[i].Others[k])
				}
				r.close(t, d.Critical, size.Critical, "critical")
				r.close(t, d.Z, size.Pools[i].Statistic, "z")
				require.Equal(t, d.Significant, size.Pools[i].Significant)
			}
		}
	}
}

// learner turns a name such as "C1" into a number from 0.
func learner(t *testing.T, name string) int {
	t.Helper()
	k, err := strconv.Atoi(name[1:])
	require.NoError(t, err)
	return k - 1
}

func TestPoolDependenceIsMeanRanksInEachPool(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := genTable(t, 10, 6)
		m := len(scores[0])
		better := rapid.SampledFrom([]unit.Direction{unit.Higher, unit.Lower}).Draw(t, "better")
		i := rapid.IntRange(0, m-1).Draw(t, "i")
		j := (i + rapid.IntRange(1, m-1).Draw(t, "j")) % m
		alpha := rapid.Float64Range(0.01, 0.5).Draw(t, "alpha")
		got, err := PoolDependence(scores, better, i, j, alpha)
		require.NoError(t, err)
		pools, changes := 0, 0
		for k, size := range got.Sizes {
			require.Equal(t, k, size.Others)
			significant := 0
			for _, pool := range size.Pools {
				require.Len(t, pool.Others, k)
				sub := make([][]float64, len(scores))
				for d, row := range scores {
					sub[d] = []float64{row[i], row[j]}
					for _, l := range pool.Others {
						sub[d] = append(sub[d], row[l])
					}
				}
				ranks, err := MeanRanks(sub, better)
				require.NoError(t, err)
				require.True(t, floatcmp.Equal(pool.Difference, ranks.Pairs[0].Difference, 1e-14, 1e-14))
				require.True(t, floatcmp.Equal(pool.Statistic, ranks.Pairs[0].Statistic, 1e-13, 1e-13))
				if math.Abs(pool.Statistic-size.Critical) > 1e-9 {
					require.Equal(t, ranks.Pairs[0].Bonferroni <= alpha, pool.Significant)
				}
				if pool.Significant {
					significant++
				}
				if pool.Significant != got.Significant {
					changes++
				}
				pools++
			}
			require.Equal(t, significant, size.Significant)
		}
		require.Equal(t, 1<<(m-2), pools)
		require.Equal(t, []int{pools, changes}, []int{got.Pools, got.Changes})
		require.Equal(t, got.Sizes[m-2].Pools[0].Significant, got.Significant)
	})
}

func TestMeanRanksPropertiesOfPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := genTable(t, 12, 6)
		up, err := MeanRanks(scores, unit.Higher)
		require.NoError(t, err)
		down, err := MeanRanks(scores, unit.Lower)
		require.NoError(t, err)
		for k, pair := range up.Pairs {
			for _, p := range []float64{pair.P, pair.Bonferroni, pair.Nemenyi} {
				requireProbability(t, p)
			}
			require.LessOrEqual(t, pair.P, pair.Nemenyi*(1+1e-9))
			require.LessOrEqual(t, pair.Nemenyi, pair.Bonferroni*(1+1e-9))
			require.True(t, floatcmp.Equal(up.MeanRanks[pair.I]-up.MeanRanks[pair.J], pair.Difference,
				1e-14, 1e-14))
			require.Equal(t, pair.Difference, 0-down.Pairs[k].Difference)
			require.Equal(t, pair.Nemenyi, down.Pairs[k].Nemenyi)
		}
	})
}

func TestCriticalDifferenceDomain(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int{{0, 2}, {5, 1}} {
		_, err := CriticalDifference(c[0], c[1], 0.05)
		require.ErrorIs(t, err, stat.ErrSampleSize)
	}
	for _, alpha := range []float64{0, 1, -1, math.NaN()} {
		_, err := CriticalDifference(5, 3, alpha)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = PoolDependence([][]float64{{1, 2}, {2, 3}}, unit.Higher, 0, 1, alpha)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	for _, pair := range [][2]int{{0, 0}, {-1, 1}, {0, 2}} {
		_, err := PoolDependence([][]float64{{1, 2}, {2, 3}}, unit.Higher, pair[0], pair[1], 0.05)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	_, err := PoolDependence([][]float64{make([]float64, 19), make([]float64, 19)}, unit.Higher, 0, 1,
		0.05)
	require.ErrorIs(t, err, errTooMany)
}
