package verdict

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReasonsOfClaimsThatDoNotHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		difference, noise float64
		claim             Claim
		outcome           Outcome
		reason            string
	}{
		{-0.05, 0.01, Claim{Kind: Improves}, Regressed, "the candidate is significantly worse"},
		{-0.05, 0.01, Claim{Kind: NoRegression}, Regressed, "the candidate is significantly worse"},
		{-0.05, 0.01, Claim{Kind: Equivalent}, Regressed, "the candidate is significantly worse"},
		{
			0.05, 0.01,
			Claim{Kind: Equivalent},
			Improved,
			"the candidate is significantly better, and a difference of more than 1.00 points was not ruled out",
		},
		{0, 0.05, Claim{Kind: Improves}, Inconclusive, "no significant improvement"},
		{
			0.05, 0.01,
			Claim{Kind: Improves, Gain: 0.06},
			Improved,
			"a gain of more than 6.00 points was not shown",
		},
		{
			0, 0.05,
			Claim{Kind: NoRegression},
			Inconclusive,
			"a regression by more than 1.00 points was not ruled out",
		},
		{
			0, 0.05,
			Claim{Kind: Equivalent},
			Inconclusive,
			"a difference of more than 1.00 points was not ruled out",
		},
		{0, 0.05, Claim{Kind: Differs}, Inconclusive, "no significant difference"},
	} {
		v := Judge(pairs(accuracy, 1, c.difference, c.noise), c.claim)
		require.False(t, v.Holds, "%v", v)
		assert.Equal(t, c.outcome, v.Outcome, "%v", v)
		assert.Equal(t, c.reason, v.Reason)
	}
}

// Significant means p ≤ alpha, also where both are the same number.
func TestSignificantAtJustTheLevel(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.02, 0.05)
	alpha := Judge(p, Claim{Kind: Improves}).Decision.P
	assert.True(t, Judge(p, Claim{Kind: Improves, Alpha: alpha}).Holds)
	assert.False(t, Judge(p, Claim{Kind: Improves, Alpha: math.Nextafter(alpha, 0)}).Holds)
	vs, err := Adjust([]Verdict{withP(Improves, Improved, 0.025), withP(Improves, Improved, 0.0251)},
		adjust.MustLookup("bonferroni"))
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false}, []bool{vs[0].Holds, vs[1].Holds})
	vs, err = Adjust([]Verdict{withP(Improves, Improved, 0.05), withP(Improves, Improved, 0.05)},
		adjust.MustLookup("bonferroni"))
	require.NoError(t, err)
	assert.False(t, vs[0].Holds)
}

// A claim of equivalence rests on the worse of its two tests.
func TestEquivalenceRestsOnTheWorseTest(t *testing.T) {
	t.Parallel()
	for _, difference := range []float64{-0.004, 0.004} {
		v := Judge(pairs(accuracy, 1, difference, 0.02), Claim{Kind: Equivalent, Margin: 0.02})
		require.NotEqual(t, v.Above.P, v.Below.P)
		assert.Equal(t, max(v.Above.P, v.Below.P), v.Decision.P)
		assert.Equal(t, difference > 0, v.Decision.P == v.Below.P)
	}
}

// The help gives the margin from which the claim holds.
func TestTheLeastMarginThatHolds(t *testing.T) {
	t.Parallel()
	for _, unit := range []unit.Unit{accuracy, logloss} {
		for _, difference := range []float64{-0.02, 0, 0.02} {
			for _, kind := range []Kind{NoRegression, Equivalent} {
				p := pairs(unit, 1, difference, 0.05)
				v := Judge(p, Claim{Kind: kind, Margin: 0.001})
				require.False(t, v.Holds, "%v", v)
				least := v.power().leastMargin()
				require.Contains(t, v.Help[0], "the smallest margin that would have held is above ")
				assert.True(t, Judge(p, Claim{Kind: kind, Margin: least * (1 + 1e-9)}).Holds)
				assert.False(t, Judge(p, Claim{Kind: kind, Margin: least * (1 - 1e-9)}).Holds)
			}
		}
	}
}

// More examples find a smaller difference: with the root of their number.
func TestHelpOfMoreExamples(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.01, 0.05)
	more := func(found float64, what string, size float64) string {
		return fmt.Sprintf("at the difference that was found, it would take about %.2g times as many examples to %s of %s", math.Ceil(10*found*found/(size*size))/10, what, accuracy.FormatMargin(size))
	}
	v := Judge(p, Claim{Kind: Improves})
	require.Len(t, v.Help, 3)
	assert.Equal(t, "with these data the test finds a difference of "+accuracy.FormatMargin(v.Detectable)+" in 80% of cases, and smaller ones less often", v.Help[0])
	assert.Equal(t, more(v.Detectable, "find a difference", v.Estimate), v.Help[1])
	limit := regexp.MustCompile(`^more runs of the protocol bring the detectable difference down to (\S+) points and no further$`).FindStringSubmatch(v.Help[2])
	require.NotNil(t, limit, v.Help[2])
	least, err := strconv.ParseFloat(limit[1], 64)
	require.NoError(t, err)
	// Without end of runs, t is normal: 1.960 for the level and 0.842 for the power.
	assert.InDelta(t, 100*v.Difference.Result.SE*math.Sqrt((1./9)/(0.01+1./9))*(1.960+0.842), least,
		0.01)

	gain := v.Estimate / 2
	v = Judge(p, Claim{Kind: Improves, Gain: gain})
	require.Len(t, v.Help, 3)
	assert.Equal(t, strings.Replace(more(v.Detectable, "show more than", v.Estimate-gain),
		"show more than of", "show more than", 1), v.Help[1])

	v = Judge(p, Claim{Kind: NoRegression, Margin: 0.01})
	require.Len(t, v.Help, 4, "%v", v)
	assert.Equal(t, "even without any difference, these data show a margin below "+accuracy.FormatMargin(v.Detectable)+" in fewer than 80% of cases", v.Help[1])
	assert.Equal(t, strings.Replace(more(v.Detectable, "show a margin", 0.01+v.Estimate),
		accuracy.FormatMargin(0.01+v.Estimate), "1.00 points", 1), v.Help[2])
	v = Judge(pairs(accuracy, 1, -0.003, 0.05), Claim{Kind: NoRegression, Margin: 0.005})
	assert.Equal(t, "at the difference that was found, it would take more than 100 times as many examples to show a margin of 0.50 points", v.Help[2])
	v = Judge(pairs(accuracy, 1, -0.006, 0.05), Claim{Kind: NoRegression, Margin: 0.005})
	assert.Equal(t, "at the difference that was found, no number of examples would show a margin of 0.50 points", v.Help[2])

	// A loss is no difference that more examples would show as an improvement.
	for _, c := range []Claim{
		{Kind: Improves},
		{Kind: Improves, OneSided: true},
		{Kind: Improves, Gain: 0.02},
	} {
		assert.NotContains(t, strings.Join(Judge(pairs(accuracy, 1, -0.006, 0.05), c).Help, "\n"),
			"as many examples")
	}

	// Where the candidate is worse there is nothing to be found.
	worse := pairs(accuracy, 1, -0.05, 0.01)
	assert.Empty(t, Judge(worse, Claim{Kind: Improves}).Help)
	assert.Len(t, Judge(worse, Claim{Kind: NoRegression, Margin: 0.001}).Help, 1)
	// Nor is there where a margin would be shown if there were no difference.
	assert.Len(t, Judge(pairs(accuracy, 1, -0.03, 0.05), Claim{Kind: NoRegression, Margin: 0.05}).Help,
		1)
}

func TestClaimsAtTheirLimits(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.05, 0.01)
	for _, c := range []struct {
		claim Claim
		want  string
	}{
		{Claim{Alpha: 1}, "significance level 1 is not between 0 and 1"},
		{Claim{Alpha: -0.1}, "significance level -0.1 is not between 0 and 1"},
		{Claim{Alpha: 0.1, Power: 0.1}, "power 0.1 is not between the significance level 0.1 and 1"},
		{Claim{Power: 1}, "power 1 is not between"},
		{Claim{Kind: Replicable, Replicability: 0.5}, "replicability 0.5 is not between"},
		{Claim{Kind: Replicable, Replicability: 1}, "replicability 1 is not between"},
		{
			Claim{Kind: NoRegression, Margin: 1},
			"no two values of accuracy differ by more than 1, so that a margin of 1 says nothing: 0.02 is two points, and 1 is 100.00 points",
		},
		{Claim{Strict: true}, "strict is for a required replicability that is not counted"},
		{
			Claim{Strict: true, Replicability: 0.9, Repeats: 10},
			"strict is for a required replicability that is not counted",
		},
	} {
		v := Judge(p, c.claim)
		assert.Equal(t, Invalid, v.Outcome)
		assert.ErrorIs(t, v.Err, ErrClaim)
		assert.Contains(t, v.Reason, c.want)
	}
	// For an unbounded metric a margin is too large if it is as large as the mean.
	for i := range p.B {
		p.B[i] = 0.5
	}
	p.Unit = logloss
	assert.Contains(t, Judge(p, Claim{Kind: NoRegression, Margin: 0.5}).Reason,
		"a margin of 0.5 is as large as the baseline's mean of 0.5")
	assert.NotEqual(t, Invalid, Judge(p, Claim{Kind: NoRegression, Margin: 0.4999}).Outcome)
	// Between -1 and 1 there are two points.
	p.Unit = unit.Unit{Name: "mcc", Better: unit.Higher, Min: -1, Max: 1}
	assert.NotContains(t, Judge(p, Claim{Kind: Improves, Gain: 1.5}).Reason, "says nothing")
}

func TestCountedReplicabilityAtItsLimit(t *testing.T) {
	t.Parallel()
	odd := func(repeat int) *record.Pairs {
		p := pairs(accuracy, 10, 0.05, 0.01)
		for i := 100 * repeat; i < 100*(repeat+1); i++ {
			p.A[i] -= 0.05
		}
		return p
	}
	assert.True(t, Judge(odd(4), Claim{Kind: Improves, Replicability: 0.8, Repeats: 10}).Holds,
		"9 of 10 agree, which is 0.8")
	assert.False(t, Judge(odd(4), Claim{Kind: Improves, Replicability: 0.81, Repeats: 10}).Holds)
	// A replicability that is not required does not matter.
	p := pairs(accuracy, 10, 0, 0.01)
	for i := range 100 {
		p.A[i] += 0.05
	}
	v := Judge(p, Claim{Kind: Improves, Repeats: 10})
	assert.Equal(t, 1, v.Rerun.Agreeing)
	assert.True(t, v.Holds)

	// The budget of a test whose replicability is counted.
	claim := Claim{Kind: Improves, Replicability: 0.9, Test: stat.MustLookup("b03-runs"), MaxRuns: 99}
	two := pairs(accuracy, 2, 0.05, 0.01)
	assert.Contains(t, Judge(two, claim).Reason,
		"the replicability of b03-runs is counted, from 100 runs, and the budget is 99: name another test or a budget of 100")
	claim.MaxRuns = 100
	v = Judge(two, claim)
	assert.Equal(t, 100, v.NeedRuns)
	assert.Equal(t, "counting replicability needs 10 repetitions of the test: it takes 100 runs; there are 20", v.Reason)
}

// A strict rule takes for refuted what another one goes on to look at.
func TestStrictReplicability(t *testing.T) {
	t.Parallel()
	all := pairs(accuracy, 10, 0.04, 0.06)
	lax, strict := Judge(all, Claim{Kind: Improves, Replicability: 0.9}),
		Judge(all, Claim{Kind: Improves, Replicability: 0.9, Strict: true})
	require.NotNil(t, lax.Rerun)
	assert.Equal(t, 20, lax.Rerun.Runs)
	assert.False(t, strict.Holds)
	assert.Equal(t, 10, strict.Rerun.Runs)
	assert.Regexp(t, `^a replicability of 0\.9 is refuted by 10 runs: `, strict.Reason)
	assert.Equal(t, []string{"more examples would make it more replicable; more runs would not"},
		strict.Help)
}

func TestOfPairsTheFirstMetric(t *testing.T) {
	t.Parallel()
	h := record.Header{
		Test: "TestForest", Data: "vehicle", Protocol: "cv runs=2 folds=2 stratified seed=1 v1",
		DataDigest: fmt.Sprintf("%064d", 1), SplitDigest: fmt.Sprintf("%064d", 2),
	}
	b, err := record.NewBlock(h, []string{"forest", "bayes"}, []unit.Unit{logloss, accuracy}, 20)
	require.NoError(t, err)
	for run := 1; run <= 2; run++ {
		for fold := 1; fold <= 2; fold++ {
			for i, learner := range b.Learners {
				x := 0.5 + 0.1*float64(i) + 0.01*float64(run*fold)
				require.NoError(t, b.Add(record.Trial{
					Data: "vehicle", Learner: learner, Run: run, Fold: fold,
					TrainN: 10, TestN: 10, Values: []float64{x, 1 - x},
				}))
			}
		}
	}
	f := record.NewFile(b)
	v := Of(f.Of("vehicle", "forest"), f.Of("vehicle", "bayes"), Claim{})
	assert.Equal(t, "logloss", v.Unit.Name)
	assert.InDelta(t, -0.1, v.Estimate, 1e-12)
	v = Of(f.Of("vehicle", "forest"), f.Of("vehicle", "bayes"), Claim{Metric: "accuracy"})
	assert.Equal(t, "accuracy", v.Unit.Name)
	assert.InDelta(t, 0.1, v.Estimate, 1e-12)

	v = Of(f.Of("vehicle", "forest"), f.Of("vehicle", "tree"), Claim{})
	assert.Equal(t, Invalid, v.Outcome)
	assert.Equal(t, []string{"vehicle", "forest", "tree"}, []string{v.Data, v.Candidate, v.Baseline})
	assert.Contains(t, v.Reason, "tree")
	v = Of(f.Of("vehicle", "tree"), f.Of("vehicle", "bayes"), Claim{})
	assert.Equal(t, Invalid, v.Outcome)
	v = Of(record.Selection{}, record.Selection{}, Claim{})
	assert.Equal(t, Invalid, v.Outcome)
}

// A one-sided claim may hold where the two-sided test shows nothing: the outcome follows
// the claim.
func TestOneSidedImprovement(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.02, 0.05)
	alpha := 0.75 * Judge(p, Claim{Kind: Improves}).Decision.P
	require.Equal(t, Inconclusive, Judge(p, Claim{Kind: Improves, Alpha: alpha}).Outcome)
	v := Judge(p, Claim{Kind: Improves, Alpha: alpha, OneSided: true})
	assert.True(t, v.Holds)
	assert.Equal(t, Improved, v.Outcome)
	assert.Zero(t, v.Significance())
}

func TestFormatOfProbabilities(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{
		0: "0", 1: "1.000", 0.5: "0.500", 0.9994: "0.999",
		0.9999: "1 - 1.0e-04", 0.0001: "1.0e-04", 0.001: "0.001",
	} {
		assert.Equal(t, want, formatProbability(p))
	}
	p := pairs(accuracy, 1, 0.02, 0.05)
	with := Judge(p, Claim{Kind: NoRegression, Rope: 0.01, Probability: 0.95})
	assert.Contains(t, with.String(), ", P(within 1.00 points) ")
	assert.Contains(t, with.String(), "% credible interval ")
	without := Judge(p, Claim{Kind: Improves, Probability: 0.95})
	assert.NotContains(t, without.String(), "P(within")
	assert.Contains(t, without.String(), ", 90% credible interval ")
}

// The text names the estimate of a test that does not estimate the mean.
func TestEstimatesThatAreNotTheMean(t *testing.T) {
	t.Parallel()
	for _, unit := range []unit.Unit{accuracy, logloss} {
		p := under("cv runs=5 folds=2 stratified seed=1 v1", 5, 2, 50, 50)
		p.Unit = unit
		v := Judge(p, Claim{Test: stat.MustLookup("5x2cv-t")})
		require.NotEqual(t, v.Difference.Result.Mean, v.Difference.Result.Estimate)
		require.NotEmpty(t, v.Warnings)
		assert.ErrorContains(t, v.Warnings[0],
			"5x2cv-t estimates the difference as "+unit.FormatDifference(float64(unit.Better)*v.Difference.Result.Estimate)+", not as the mean")
	}
}

// The help says how many runs would decide an undecided replicability.
func TestHelpOfMoreRuns(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 10, 0.0435, 0.06)
	claim := Claim{Kind: Improves, Replicability: 0.7, MaxRuns: 100}
	v := Judge(p, claim)
	require.Equal(t, Inconclusive, v.Outcome, "%v", v)
	require.Greater(t, v.Rerun.Enough, 100)
	assert.Equal(t, []string{fmt.Sprintf("about %d runs would probably decide it", v.Rerun.Enough)},
		v.Help)
}

// An undecided replicability says how many runs would probably decide it, or that no
// number worth asking for would.
func TestHelpWithAnUndecidedReplicability(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "about 120 runs would probably decide it", (&Rerun{Enough: 120}).undecided(10))
	assert.Equal(t, "it is about as high as required: to tell which is higher would take more than 10000 runs; require a lower one, or test on more examples",
		new(Rerun).undecided(10))
}
