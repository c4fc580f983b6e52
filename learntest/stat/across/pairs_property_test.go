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
)

// genScore draws scores on a grid of eighths, so that ties happen and that
// shifts and halvings are exact.
func genScore() *rapid.Generator[float64] {
	return rapid.Map(rapid.IntRange(-40, 40), func(i int) float64 { return float64(i) / 8 })
}

func genPair(t *rapid.T, lo, hi int) (a, b []float64) {
	n := rapid.IntRange(lo, hi).Draw(t, "n")
	return rapid.SliceOfN(genScore(), n, n).Draw(t, "a"), rapid.SliceOfN(genScore(), n, n).Draw(t, "b")
}

// allPairTests returns every combination of test, rule and null distribution.
func allPairTests() []PairTest {
	tests := PairTests()
	for _, null := range []Null{Exact, Normal, NormalContinuity} {
		for _, zeros := range []zeroRule{dropZeros, prattZeros, splitZeros} {
			opt := SignedRankOptions{zeros, null}
			tests = append(tests, PairTest{
				Name: "signed-rank " + zeros.String() + " " + null.String(),
				Run: func(a, b []float64, alt stat.Alternative) (PairOutcome, error) {
					r, err := SignedRank(a, b, alt, opt)
					return PairOutcome{r.Statistic, r.P, r.Exact, r.Warnings}, err
				},
			})
		}
		for _, ties := range []tieRule{dropTies, splitTies} {
			opt := SignOptions{ties, null}
			tests = append(tests, PairTest{Name: "sign " + null.String(), Run: func(a, b []float64,
				alt stat.Alternative,
			) (PairOutcome, error) {
				r, err := SignTest(a, b, alt, opt)
				return PairOutcome{r.Statistic, r.P, r.Exact, r.Warnings}, err
			}})
		}
	}
	return tests
}

func run(t require.TestingT, test PairTest, a, b []float64, alt stat.Alternative) PairOutcome {
	r, err := test.Run(a, b, alt)
	require.NoError(t, err, test.Name)
	requireProbability(t, r.P)
	require.False(t, math.IsNaN(r.Statistic), test.Name)
	return r
}

var alternatives = []stat.Alternative{stat.TwoSided, stat.Greater, stat.Less}

func TestSwappingTheLearnersMirrorsPairTests(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 1, 30)
		for _, test := range allPairTests() {
			for _, alt := range alternatives {
				one, other := run(t, test, a, b, alt), run(t, test, b, a, alt.Mirror())
				require.Equal(t, one.P, other.P, test.Name)
				require.Equal(t, one.Statistic, 0-other.Statistic, test.Name)
			}
		}
	})
}

func TestPairTestsDoNotDependOnTheOrderOfDataSets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 1, 30)
		perm := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Perm(len(a))
		c, d := make([]float64, len(a)), make([]float64, len(a))
		for i, k := range perm {
			c[i], d[i] = a[k], b[k]
		}
		for _, test := range allPairTests() {
			require.Equal(t, run(t, test, a, b, stat.Greater).P, run(t, test, c, d, stat.Greater).P,
				test.Name)
		}
	})
}

func TestPairTestsDoNotDependOnTheUnit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 1, 30)
		shift := genScore().Draw(t, "shift")
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "scale"))
		c, d := make([]float64, len(a)), make([]float64, len(a))
		for i := range a {
			c[i], d[i] = (a[i]+shift)*scale, (b[i]+shift)*scale
		}
		for _, test := range allPairTests() {
			require.Equal(t, run(t, test, a, b, stat.Less).P, run(t, test, c, d, stat.Less).P, test.Name)
		}
	})
}

func TestDecimalScoresTieLikeIntegers(t *testing.T) {
	t.Parallel()
	// Subtracting decimals breaks ties that the integers behind them have.
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		x := rapid.SliceOfN(rapid.IntRange(6000, 6100), n, n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.IntRange(6000, 6100), n, n).Draw(t, "y")
		a, b, c, d := zeros(n), zeros(n), zeros(n), zeros(n)
		for i := range n {
			a[i], b[i] = float64(x[i]), float64(y[i])
			c[i], d[i] = float64(x[i])/100, float64(y[i])/100
		}
		for _, test := range allPairTests() {
			require.Equal(t, run(t, test, a, b, stat.Greater).P, run(t, test, c, d, stat.Greater).P,
				test.Name)
		}
	})
}

func TestTheTailsOfPairTestsOverlapInTheObservedValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPair(t, 1, 30)
		for _, test := range allPairTests() {
			greater, less := run(t, test, a, b, stat.Greater).P, run(t, test, a, b, stat.Less).P
			two := run(t, test, a, b, stat.TwoSided).P
			require.GreaterOrEqual(t, greater+less, 1-1e-12, test.Name)
			require.True(t, floatcmp.Equal(two, min(1, 2*min(greater, less)), 1e-12, 1e-12), test.Name)
		}
	})
}

func TestExactPairTestsAgreeWithAllAssignmentsOfSigns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		// Small integers: many ties and zeros.
		d := rapid.SliceOfN(rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) }),
			n, n).Draw(t, "d")
		for _, rule := range []zeroRule{dropZeros, prattZeros, splitZeros} {
			got, err := SignedRank(d, zeros(n), stat.Greater, SignedRankOptions{zeros: rule})
			require.NoError(t, err)
			lower, err := SignedRank(d, zeros(n), stat.Less, SignedRankOptions{zeros: rule})
			require.NoError(t, err)
			var atLeast, atMost float64
			for s := range 1 << n {
				flipped := make([]float64, n)
				for i, v := range d {
					flipped[i] = v
					if s>>i&1 == 1 {
						flipped[i] = -v
					}
				}
				other, err := SignedRank(flipped, zeros(n), stat.Greater, SignedRankOptions{
					zeros: rule,
					Null:  Normal,
				})
				require.NoError(t, err)
				if other.WPlus >= got.WPlus {
					atLeast++
				}
				if other.WPlus <= got.WPlus {
					atMost++
				}
			}
			all := math.Ldexp(1, n)
			require.True(t, floatcmp.Equal(got.P, atLeast/all, 0, 1e-14), "%v: %v, want %v/%v", rule,
				got.P, atLeast, all)
			require.True(t, floatcmp.Equal(lower.P, atMost/all, 0, 1e-14), "%v: %v, want %v/%v", rule,
				lower.P, atMost, all)
		}
	})
}

func TestExactPairTestsApproachTheNormalOnes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	last := map[string]float64{}
	for _, n := range []int{20, 100, 500} {
		worst := map[string]float64{}
		tables := 10
		if !citest.Has(citest.Slow) {
			tables = min(tables, 1000/n) // the exact test takes n³ steps
		}
		for range tables {
			a, b := zeros(n), zeros(n)
			for i := range a {
				a[i], b[i] = math.Round(10*rng.NormFloat64()), math.Round(10*rng.NormFloat64())
			}
			for _, rule := range []zeroRule{dropZeros, prattZeros} {
				exact, err := SignedRank(a, b, stat.Greater, SignedRankOptions{zeros: rule})
				require.NoError(t, err)
				normal, err := SignedRank(a, b, stat.Greater, SignedRankOptions{
					zeros: rule,
					Null:  NormalContinuity,
				})
				require.NoError(t, err)
				worst[rule.String()] = max(worst[rule.String()], math.Abs(exact.P-normal.P))
			}
			exact, err := SignTest(a, b, stat.Greater, SignOptions{})
			require.NoError(t, err)
			normal, err := SignTest(a, b, stat.Greater, SignOptions{Null: NormalContinuity})
			require.NoError(t, err)
			worst["sign"] = max(worst["sign"], math.Abs(exact.P-normal.P))
		}
		for name, w := range worst {
			require.Less(t, w, 0.2/float64(n), "%s n = %d", name, n)
			if before, ok := last[name]; ok {
				require.Less(t, w, before, "%s n = %d", name, n)
			}
		}
		last = worst
	}
}
