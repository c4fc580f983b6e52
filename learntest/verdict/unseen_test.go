package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ruled returns the results of two fixed rules on n examples in runs of folds: the candidate fails
// on each of the examples that it loses, and the baseline on one in five.
func ruled(r *rand.Rand, u unit.Unit, n, runs, folds int, loses []bool) *record.Pairs {
	p := &record.Pairs{
		Data: "d", Candidate: "new", Baseline: "old", Unit: u, Runs: runs, Folds: folds,
		CandidateHeader: &record.Header{Protocol: "cv runs=10 folds=10 unstratified seed=1 v1"},
		BaselineHeader:  new(record.Header),
	}
	wrong := make([]bool, n)
	for i := range wrong {
		wrong[i] = r.Float64() < 0.2
	}
	for range runs {
		order := r.Perm(n)
		for f := range folds {
			test := order[f*n/folds : (f+1)*n/folds]
			a, b := 0.0, 0.0
			for _, i := range test {
				if wrong[i] {
					continue
				}
				b++
				if !loses[i] {
					a++
				}
			}
			a, b = a/float64(len(test)), b/float64(len(test))
			if u.Better == unit.Lower {
				a, b = 1-a, 1-b
			}
			p.A, p.B = append(p.A, a), append(p.B, b)
			p.TrainN, p.TestN = append(p.TrainN, int32(n-len(test))), append(p.TestN, int32(len(test)))
		}
	}
	return p
}

var errorRate = unit.Unit{Name: "error", Better: unit.Lower, Min: 0, Max: 1}

// A candidate that fails on as many examples of the population as the margin allows must not hold
// because no example of the sample happened to be one of them.
func TestNoMarginIsShownBecauseNothingHappenedToDiffer(t *testing.T) {
	t.Parallel()
	for _, u := range []unit.Unit{accuracy, errorRate, {
		Name: "hits", Better: unit.Higher, Min: 0,
		Max: 1, Mean: true,
	}} {
		r := rand.New(rand.NewPCG(1, 1))
		p := ruled(r, u, 50, 10, 10, make([]bool, 50))
		for _, kind := range []Kind{NoRegression, Equivalent} {
			v := Judge(p, Claim{Kind: kind, Margin: 0.02})
			require.NoError(t, v.Err)
			assert.False(t, v.Holds, "%v", v)
			assert.Equal(t, Inconclusive, v.Outcome)
			assert.Contains(t, v.Reason, "without an improvement 50 examples cannot show a loss below 5.82 points, and the smallest round margin above that is 6.00 points")
			assert.True(t, floatcmp.Equal(v.Above.Hi, 0.0581551, 1e-6, 0), "%v", v.Above)
			assert.True(t, floatcmp.Equal(v.Above.P, math.Pow(0.98, 50), 0, 1e-9),
				"p is the chance to miss it: %v", v.Above.P)
			assert.True(t, Judge(p, Claim{Kind: kind, Margin: 0.06}).Holds)
			assert.False(t, Judge(p, Claim{Kind: kind, Margin: 0.058}).Holds)
			assert.False(t, Judge(p, Claim{Kind: kind, Rope: 0.02, Probability: 0.95}).Holds)
			assert.True(t, Judge(p, Claim{Kind: kind, Rope: 0.06, Probability: 0.95}).Holds)
		}
		v := Judge(p, Claim{Margin: 0.02}) // as learnstat asks
		assert.Equal(t, Same, v.Outcome, "equal scores are a fact")
		assert.False(t, v.Within(), "which shows no margin")
		assert.False(t, v.Facts().Margin.NonInferior)
		require.NotEmpty(t, v.Warnings)
		assert.Equal(t, Same, Judge(p, Claim{}).Outcome, "without a margin equal scores are a fact")
		b := Judge(p, Claim{Kind: NoRegression, Margin: 0.02}).WithBudget()
		assert.False(t, b.Holds)
		assert.True(t, floatcmp.Equal(b.Budget.AtMost, 0.0581551, 1e-6, 0))
	}
}

// The same over many data sets, of candidates that truly lose the margin.
func TestFalsePassesAtTheMargin(t *testing.T) {
	t.Parallel()
	const sets = 300
	for _, c := range []struct {
		n      int
		margin float64
		most   float64
	}{{50, 0.02, 0.06}, {100, 0.02, 0.06}, {100, 0.01, 0.06}, {300, 0.01, 0.06}} {
		r := rand.New(rand.NewPCG(7, uint64(c.n)))
		holds := 0
		for range sets {
			loses := make([]bool, c.n)
			for i := range loses {
				loses[i] = r.Float64() < c.margin/0.8 // the baseline is right on four of five
			}
			if Judge(ruled(r, accuracy, c.n, 10, 10, loses), Claim{
				Kind:   NoRegression,
				Margin: c.margin,
			}, Bare).Holds {
				holds++
			}
		}
		assert.LessOrEqual(t, float64(holds)/sets, c.most+0.03, "%d of %d at n = %d, margin %v", holds,
			sets, c.n, c.margin)
	}
}

// An improvement shows a margin that equal scores cannot show.
func TestImprovementShowsANarrowMargin(t *testing.T) {
	t.Parallel()
	p := ruled(rand.New(rand.NewPCG(1, 1)), accuracy, 100, 10, 10, make([]bool, 100))
	for i := range p.A {
		p.A[i] = min(1, p.B[i]+0.1)
	}
	v := Judge(p, Claim{Kind: NoRegression, Margin: 0.01})
	require.True(t, v.Holds, "%v", v)
	assert.Contains(t, v.String(),
		"without an improvement 100 examples cannot show a loss below 2.95 points")
}

func TestMarginOutOfReachIsRefused(t *testing.T) {
	t.Parallel()
	p := ruled(rand.New(rand.NewPCG(1, 1)), accuracy, 50, 10, 10, make([]bool, 50))
	for i := range p.A {
		p.A[i], p.B[i] = 1, 1
	}
	for _, kind := range []Kind{NoRegression, Equivalent} {
		v := Judge(p, Claim{Kind: kind, Margin: 0.02})
		require.ErrorIs(t, v.Err, ErrClaim)
		assert.ErrorContains(t, v.Err,
			"50 examples cannot show a margin of 2.00 points against a baseline with 100.00%, however good the candidate is")
		assert.NoError(t, Judge(p, Claim{Kind: kind, Margin: 0.06}).Err)
	}
	assert.NoError(t, Judge(p, Claim{Margin: 0.02}).Err, "a row of a table is not refused")
}

func TestEqualScoresAreNotJudgedForMarginsOfOtherMetrics(t *testing.T) {
	t.Parallel()
	for _, u := range []unit.Unit{logloss, {Name: "macro-f1", Better: unit.Higher, Min: 0, Max: 1}} {
		p := pairs(u, 1, 0, 0)
		for _, kind := range []Kind{NoRegression, Equivalent} {
			v := Judge(p, Claim{Kind: kind, Margin: 0.02})
			assert.False(t, v.Holds, "%v", v)
			assert.Contains(t, v.Reason, "all scores are equal, from which no margin of "+u.Name+" follows")
			assert.False(t, Judge(p, Claim{Kind: kind, Rope: 0.02, Probability: 0.95}).Holds)
		}
		assert.True(t, Judge(pairs(u, 1, 0, 0.001), Claim{Kind: NoRegression, Margin: 0.02}).Holds,
			"others are judged by the test")
	}
}

func TestTestedExamplesAreDistinct(t *testing.T) {
	t.Parallel()
	of := func(protocol string, runs, folds int, train, test int32) int {
		p := &record.Pairs{Runs: runs, Folds: folds, CandidateHeader: &record.Header{Protocol: protocol}}
		for range runs * folds {
			p.TrainN, p.TestN = append(p.TrainN, train), append(p.TestN, test)
		}
		return Tested(p)
	}
	assert.Equal(t, 100, of("cv runs=10 folds=10 stratified seed=1 v1", 10, 10, 90, 10))
	assert.Equal(t, 50, of("timeseries folds=5 seed=1 v1", 1, 5, 50, 10))
	assert.Equal(t, 10, of("subsample runs=1 train=0.9 unstratified seed=1 v1", 1, 1, 90, 10))
	assert.Equal(t, 65, of("subsample runs=10 train=0.9 unstratified seed=1 v1", 10, 1, 90, 10),
		"100·(1 − 0.9^10)")
}

// Two equal fold differences are no proof: the verdict's variance has a floor, which the tests
// of package stat do not have.
func TestTwoEqualFoldDifferencesAreNoProof(t *testing.T) {
	t.Parallel()
	p := ruled(rand.New(rand.NewPCG(1, 1)), accuracy, 150, 1, 2, make([]bool, 150))
	for i := range p.A {
		p.A[i] = p.B[i] + 0.02
	}
	v := Judge(p, Claim{Kind: Improves})
	assert.False(t, v.Holds, "%v", v)
	assert.Equal(t, Inconclusive, v.Outcome)
	assert.Greater(t, v.Difference.P, 0.05)
	assert.Positive(t, v.Detectable)
	assert.Positive(t, v.Difference.Hi-v.Difference.Lo)

	d := differences(p, 0, 1)
	assert.True(t, floatcmp.Equal(d.LeastVariance, 1./12/75/75, 0, 1e-12))
	d.LeastVariance = 0
	r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
	require.NoError(t, err)
	assert.Zero(t, r.P)
}

// With the floor a test on few folds keeps its level, and on many folds changes nothing for
// the worse.
func TestVarianceFloorOfFewFolds(t *testing.T) {
	t.Parallel()
	for _, design := range []struct {
		runs, folds, sets int
		most              float64
	}{{1, 2, 2000, 0.05}, {2, 2, 1000, 0.06}, {1, 10, 1000, 0.08}, {10, 10, 150, 0.10}} {
		for _, n := range []int{20, 50, 100, 300} {
			r := rand.New(rand.NewPCG(uint64(n), uint64(design.runs*100+design.folds)))
			with, without := 0, 0
			for range design.sets {
				p := nulls(r, n, design.runs, design.folds)
				d := differences(p, 0, p.Runs)
				for _, x := range []struct {
					least float64
					count *int
				}{{d.LeastVariance, &with}, {0, &without}} {
					d.LeastVariance = x.least
					f, err := stat.CorrectedCVTTest(d, stat.TwoSided)
					require.NoError(t, err)
					if f.P <= 0.05 {
						*x.count++
					}
				}
			}
			t.Logf("%d×%d, n = %d: %.1f%% with the floor, %.1f%% without", design.runs, design.folds, n,
				100*float64(with)/float64(design.sets), 100*float64(without)/float64(design.sets))
			assert.LessOrEqual(t, with, without,
				"the floor finds no difference that is not found without it")
			assert.LessOrEqual(t, float64(with)/float64(design.sets), design.most, "%d×%d, n = %d",
				design.runs, design.folds, n)
		}
	}
}

// nulls returns the results of two fixed rules that are wrong on a fifth of the population each,
// and differ on some of that.
func nulls(r *rand.Rand, n, runs, folds int) *record.Pairs {
	p := ruled(r, accuracy, n, runs, folds, make([]bool, n))
	kind := make([]int, n) // +1 if only the candidate is right, −1 if only the baseline
	for i := range kind {
		switch x := r.Float64(); {
		case x < 0.1:
			kind[i] = 1
		case x < 0.2:
			kind[i] = -1
		}
	}
	for run := range runs {
		order := r.Perm(n)
		for f := range folds {
			test, at := order[f*n/folds:(f+1)*n/folds], run*folds+f
			sum := 0
			for _, i := range test {
				sum += kind[i]
			}
			p.B[at], p.A[at] = 0.5, 0.5+float64(sum)/float64(len(test))
		}
	}
	return p
}

// The detectable margin of few examples is the sum of what the examples leave open and of a quantile
// of the estimate. At a power of 80%, the quantile is exceeded with probability 0.2 if a claim has
// one side, and with 0.1 if it has two.
func TestDetectableMarginsOfFewExamples(t *testing.T) {
	t.Parallel()
	loses := make([]bool, 60)
	loses[7] = true
	p := ruled(rand.New(rand.NewPCG(3, 1)), accuracy, len(loses), 10, 10, loses)
	upper, err := stat.StudentT(99)
	require.NoError(t, err)
	for kind, beyond := range map[Kind]float64{NoRegression: 0.2, Equivalent: 0.1} {
		v := Judge(p, Claim{Kind: kind, Margin: 0.1})
		require.NoError(t, v.Err)
		require.Positive(t, v.Difference.Result.SE)
		q, err := upper.Quantile(beyond)
		require.NoError(t, err)
		want := -math.Expm1(math.Log(0.05)/60) + q*v.Difference.Result.SE
		assert.True(t, floatcmp.Equal(v.Detectable, want, 0, 1e-12), "%v: %v, not %v", kind,
			v.Detectable, want)
	}
}
