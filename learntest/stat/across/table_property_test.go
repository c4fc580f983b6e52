package across

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

func genTable(t *rapid.T, maxData, maxLearners int) [][]float64 {
	n := rapid.IntRange(2, maxData).Draw(t, "n")
	m := rapid.IntRange(2, maxLearners).Draw(t, "m")
	return rapid.SliceOfN(rapid.SliceOfN(genScore(), m, m), n, n).Draw(t, "scores")
}

// omnibus is what a test of many learners says: statistic, p-value, and a
// number for each learner, smaller if it is better.
type omnibus func(t require.TestingT, scores [][]float64, better unit.Direction) (statistic,
	p float64, ranks []float64)

func omnibusTests() map[string]omnibus {
	return map[string]omnibus{
		"friedman": func(t require.TestingT, s [][]float64, d unit.Direction) (float64,
			float64, []float64,
		) {
			r, err := Friedman(s, d)
			require.NoError(t, err)
			requireProbability(t, r.Uncorrected.P)
			require.LessOrEqual(t, r.Uncorrected.Statistic, r.ChiSquared.Statistic*(1+1e-14))
			require.True(t, r.KendallW >= 0 && r.KendallW <= 1+1e-14, "W = %v", r.KendallW)
			require.True(t, r.TieCorrection >= 0 && r.TieCorrection <= 1, "%v", r.TieCorrection)
			return r.ChiSquared.Statistic, r.ChiSquared.P, r.MeanRanks
		},
		"iman-davenport": func(t require.TestingT, s [][]float64, d unit.Direction) (float64,
			float64, []float64,
		) {
			r, err := Friedman(s, d)
			require.NoError(t, err)
			return r.ImanDavenport.Statistic, r.ImanDavenport.P, r.MeanRanks
		},
		"quade": func(t require.TestingT, s [][]float64, d unit.Direction) (float64, float64, []float64) {
			r, err := Quade(s, d)
			require.NoError(t, err)
			return r.F.Statistic, r.F.P, r.WeightedRanks
		},
		"aligned": func(t require.TestingT, s [][]float64, d unit.Direction) (float64,
			float64, []float64,
		) {
			r, err := AlignedRanks(s, d)
			require.NoError(t, err)
			return r.ChiSquared.Statistic, r.ChiSquared.P, r.MeanRanks
		},
	}
}

func TestOmnibusTestsDoNotDependOnOrderOrUnit(t *testing.T) {
	t.Parallel()
	tests := omnibusTests()
	rapid.Check(t, func(t *rapid.T) {
		scores := genTable(t, 12, 6)
		n, m := len(scores), len(scores[0])
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rows, columns := rng.Perm(n), rng.Perm(m)
		shift := genScore().Draw(t, "shift")
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "scale"))
		moved, negated := make([][]float64, n), make([][]float64, n)
		for i := range scores {
			moved[i], negated[i] = make([]float64, m), make([]float64, m)
			for j := range m {
				moved[i][j] = (scores[rows[i]][columns[j]] + shift) * scale
				negated[i][j] = -scores[i][j]
			}
		}
		for name, test := range tests {
			statistic, p, ranks := test(t, scores, unit.Higher)
			requireProbability(t, p)
			require.GreaterOrEqual(t, statistic, 0.0, name)
			s2, p2, ranks2 := test(t, moved, unit.Higher)
			require.True(t, floatcmp.Equal(s2, statistic, 1e-12, 1e-12), "%s: %v, want %v", name,
				s2, statistic)
			require.True(t, floatcmp.Equal(p2, p, 1e-12, 1e-12), "%s: p %v, want %v", name, p2, p)
			for j := range m {
				require.True(t, floatcmp.Equal(ranks2[j], ranks[columns[j]], 1e-12, 1e-12), name)
			}
			s3, p3, ranks3 := test(t, negated, unit.Lower)
			require.Equal(t, []float64{statistic, p}, []float64{s3, p3}, name)
			require.Equal(t, ranks, ranks3, name)
		}
	})
}

func TestOmnibusTestsMirrorUnderReversedDirection(t *testing.T) {
	t.Parallel()
	tests := omnibusTests()
	rapid.Check(t, func(t *rapid.T) {
		scores := genTable(t, 8, 5)
		n, m := float64(len(scores)), float64(len(scores[0]))
		for name, test := range tests {
			s1, p1, up := test(t, scores, unit.Higher)
			s2, p2, down := test(t, scores, unit.Lower)
			require.True(t, floatcmp.Equal(s2, s1, 1e-12, 1e-12), name)
			require.True(t, floatcmp.Equal(p2, p1, 1e-12, 1e-12), name)
			total := m + 1
			if name == "aligned" {
				total = n*m + 1
			}
			for j := range up {
				require.True(t, floatcmp.Equal(up[j]+down[j], total, 1e-12, 1e-12), name)
			}
		}
	})
}

func TestFriedmanOfTwoLearnersIsTheSignTest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 2, 30)
		scores := make([][]float64, len(a))
		for i := range a {
			scores[i] = []float64{a[i], b[i]}
		}
		friedman, err := Friedman(scores, unit.Higher)
		require.NoError(t, err)
		sign, err := SignTest(a, b, stat.TwoSided, SignOptions{Null: Normal})
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(friedman.ChiSquared.Statistic, sign.Statistic*sign.Statistic,
			1e-13, 1e-13))
		require.True(t, floatcmp.Equal(friedman.ChiSquared.P, sign.P, 1e-13, 1e-12))
	})
}

func TestCochranQIsFriedmanOnZerosAndOnes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		m := rapid.IntRange(2, 5).Draw(t, "m")
		success := rapid.SliceOfN(rapid.SliceOfN(rapid.Bool(), m, m), n, n).Draw(t, "success")
		scores := make([][]float64, n)
		for i, row := range success {
			for _, ok := range row {
				scores[i] = append(scores[i], indicator(ok))
			}
		}
		q, err := CochranQ(success)
		require.NoError(t, err)
		friedman, err := Friedman(scores, unit.Higher)
		require.NoError(t, err)
		require.True(t, floatcmp.Equal(q.ChiSquared.Statistic, friedman.ChiSquared.Statistic,
			1e-12, 1e-12))
		require.True(t, floatcmp.Equal(q.ChiSquared.P, friedman.ChiSquared.P, 1e-12, 1e-12))
	})
}

func TestOmnibusStatisticsAgreeWithTheirDefinitions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := genTable(t, 6, 4)
		n, m := len(scores), len(scores[0])
		nf, mf := float64(n), float64(m)
		// Ranks by counting: 1 + smaller ones + half of the equal others.
		rank := func(x []float64) []float64 {
			out := make([]float64, len(x))
			for i := range x {
				out[i] = 1
				for j := range x {
					if x[j] < x[i] {
						out[i]++
					} else if j != i && x[j] == x[i] {
						out[i] += 0.5
					}
				}
			}
			return out
		}
		sums, squares, ranges := make([]float64, m), 0.0, make([]float64, n)
		ranks := make([][]float64, n)
		for i, row := range scores {
			negated := make([]float64, m)
			for j, v := range row {
				negated[j] = -v
				for _, w := range row {
					ranges[i] = max(ranges[i], v-w)
				}
			}
			ranks[i] = rank(negated)
			for j, v := range ranks[i] {
				sums[j] += v
				squares += v * v
			}
		}
		friedman, err := Friedman(scores, unit.Higher)
		require.NoError(t, err)
		between := 0.0
		for _, s := range sums {
			between += (s - nf*(mf+1)/2) * (s - nf*(mf+1)/2)
		}
		if total := squares - nf*mf*(mf+1)*(mf+1)/4; total > 0 {
			chi := (mf - 1) * between / total
			require.True(t, floatcmp.Equal(friedman.ChiSquared.Statistic, chi, 1e-12, 1e-12))
		}
		require.True(t, floatcmp.Equal(friedman.Uncorrected.Statistic, 12/(nf*mf*(mf+1))*between,
			1e-12, 1e-12))

		var a, b float64
		q := rank(ranges)
		for j := range m {
			s := 0.0
			for i := range n {
				v := q[i] * (ranks[i][j] - (mf+1)/2)
				a += v * v
				s += v
			}
			b += s * s / nf
		}
		quade, err := Quade(scores, unit.Higher)
		require.NoError(t, err)
		if a-b > 1e-9 {
			require.True(t, floatcmp.Equal(quade.F.Statistic, (nf-1)*b/(a-b), 1e-12, 1e-12))
		}
	})
}

func TestOmnibusPValuesAreUniformUnderTheNullHypothesis(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 1))
	const n, m = 30, 7
	trials := 800
	if citest.Has(citest.Slow) {
		trials = 2000
	}
	rejected := map[string]int{}
	tests := omnibusTests()
	for range trials {
		scores := make([][]float64, n)
		for i := range scores {
			for range m {
				scores[i] = append(scores[i], rng.NormFloat64())
			}
		}
		for name, test := range tests {
			if _, p, _ := test(t, scores, unit.Higher); p <= 0.05 {
				rejected[name]++
			}
		}
	}
	// Four standard errors are 0.031 for 800 trials, 0.0195 for 2000.
	allowed := 4 * math.Sqrt(0.05*0.95/float64(trials))
	for name := range tests {
		require.InDelta(t, 0.05, float64(rejected[name])/float64(trials), allowed, name)
	}
}
