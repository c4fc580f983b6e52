package verdict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

func TestPosteriorClaims(t *testing.T) {
	t.Parallel()
	bayes := func(k Kind, rope, probability float64) Claim {
		return Claim{Kind: k, Rope: rope, Probability: probability}
	}
	for _, c := range []struct {
		name              string
		unit              unit.Unit
		difference, noise float64
		claim             Claim
		outcome           Outcome
		holds             bool
		reason            string
	}{
		{"clear gain", accuracy, 0.05, 0.01, bayes(Improves, 0.01, 0.95), Improved, true, ""},
		{
			"clear gain, lower is better", logloss, -0.05, 0.01, bayes(Improves, 0.01, 0.95), Improved, true,
			"",
		},
		{
			"clear loss", accuracy, -0.05, 0.01, bayes(Improves, 0.01, 0.95), Regressed, false,
			"P(better) is 5.4e-34, not above 0.95",
		},
		{
			"clear loss, lower is better", logloss, 0.05, 0.01, bayes(Improves, 0.01, 0.95), Regressed,
			false, "P(better) is 5.3e-34, not above 0.95",
		},
		{
			"a gain within the rope", accuracy, 0.005, 0.002, bayes(Improves, 0.01, 0.95), Same, false,
			"P(better) is 6.4e-12, not above 0.95",
		},
		{
			"without a rope it is one", accuracy, 0.005, 0.002, bayes(Improves, 0, 0.95), Improved, true,
			"",
		},
		{
			"nothing is clear", accuracy, 0, 0.05, bayes(Improves, 0.01, 0.95), Inconclusive, false,
			"P(better) is 0.271, not above 0.95",
		},
		{
			"identical scores", accuracy, 0, 0, bayes(Improves, 0, 0.95), Same, false,
			"P(better) is 0.500, not above 0.95",
		},
		{
			"identical scores do not regress", accuracy, 0, 0, bayes(NoRegression, 0.01, 0.95), Same, true,
			"",
		},
		{
			"a loss beyond the rope", accuracy, -0.05, 0.01, bayes(NoRegression, 0.01, 0.95), Regressed,
			false, "P(not worse) is 7.2e-22, not above 0.95",
		},
		{
			"a loss within the rope", accuracy, -0.005, 0.002, bayes(NoRegression, 0.01, 0.95), Same, true,
			"",
		},
		{
			"not worse, and no more than that", accuracy, 0.01, 0.01, bayes(NoRegression, 0.01, 0.95),
			Inconclusive, true, "",
		},
		{
			"not worse is not clear", accuracy, 0, 0.05, bayes(NoRegression, 0.01, 0.95), Inconclusive,
			false, "P(not worse) is 0.730, not above 0.95",
		},
		{"equivalent", accuracy, 0, 0.005, bayes(Equivalent, 0.01, 0.95), Same, true, ""},
		{
			"equivalence is not clear", accuracy, 0, 0.05, bayes(Equivalent, 0.01, 0.95), Inconclusive,
			false, "P(within) is 0.459, not above 0.95",
		},
		{
			"a gain is not equivalence", accuracy, 0.05, 0.01, bayes(Equivalent, 0.01, 0.95), Improved,
			false, "P(within) is 7.1e-22, not above 0.95",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := Judge(pairs(c.unit, 1, c.difference, c.noise), c.claim)
			require.Equal(t, c.outcome, v.Outcome, "%v", v)
			require.Equal(t, c.holds, v.Holds, "%v", v)
			require.Equal(t, c.reason, v.Reason)
		})
	}
}

// Subsampling has one fold a run.
func TestPosteriorOfSubsampling(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.05, 0.01)
	p.Runs, p.Folds = 100, 1
	v := Judge(p, Claim{Kind: Improves, Probability: 0.95})
	require.True(t, v.Holds, "%v", v)
	r, err := stat.CorrectedResampledTTest(differences(p, 0, 100), stat.Greater)
	require.NoError(t, err)
	require.InDelta(t, 1-r.P, v.Posterior.Better, 1e-15)
}

func TestPosteriorClaimsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	test := stat.MustLookup("paired-t")
	for _, c := range []struct {
		claim  Claim
		reason string
	}{
		{
			Claim{Kind: Improves, Rope: 0.01},
			"posterior probability 0 is not between 0.5, which is a guess, and 1",
		},
		{Claim{Kind: Improves, Probability: 0.5}, "posterior probability 0.5 is not between"},
		{Claim{Kind: Improves, Probability: 1}, "posterior probability 1 is not between"},
		{Claim{Kind: Improves, Probability: math.NaN()}, "posterior probability NaN is not between"},
		{Claim{Kind: Improves, Probability: 0.95, Rope: -0.01}, "rope -0.01"},
		{Claim{Kind: Improves, Probability: 0.95, Rope: math.Inf(1)}, "rope +Inf"},
		{
			Claim{Kind: Improves, Probability: 0.95, Rope: 2},
			"no two values of accuracy differ by more than 1, so that a rope of 2 says nothing: 0.02 is two points",
		},
		{Claim{Probability: 0.95}, "a posterior probability is not for a claim that a learner differs from another"},
		{
			Claim{Kind: Replicable, Replicability: 0.9, Probability: 0.95},
			"a posterior probability is not for a claim that a learner compares replicably with another",
		},
		{
			Claim{Kind: NoRegression, Probability: 0.95},
			"a claim that a learner does not regress from another needs a rope, the difference that does not matter",
		},
		{Claim{Kind: Equivalent, Probability: 0.95}, "needs a rope"},
		{
			Claim{Kind: Equivalent, Probability: 0.95, Rope: 0.01, Margin: 0.01},
			"has a rope, neither a margin nor a gain",
		},
		{Claim{Kind: Improves, Probability: 0.95, Gain: 0.01}, "has a rope, neither a margin nor a gain"},
		{
			Claim{Kind: Improves, Probability: 0.95, Alpha: 0.05},
			"has neither a test nor a significance level",
		},
		{
			Claim{Kind: Improves, Probability: 0.95, OneSided: true},
			"has neither a test nor a significance level",
		},
		{
			Claim{Kind: Improves, Probability: 0.95, Test: test},
			"has neither a test nor a significance level",
		},
		{
			Claim{Kind: Improves, Probability: 0.95, Power: 0.04},
			"power 0.04 is not between the significance level 0.05",
		},
		{
			Claim{Kind: NoRegression, Probability: 0.95, Rope: 0.65},
			"with a rope of 65.00 points even a candidate with 0.00% in every fold would hold against this baseline",
		},
		{
			Claim{Kind: Equivalent, Probability: 0.95, Rope: 0.65},
			"with a rope of 65.00 points even a candidate with 0.00% in every fold would hold",
		},
		{
			Claim{Kind: Improves, Probability: 0.95, Rope: 0.45},
			"a rope of 45.00 points could not be shown even by a candidate with 100.00% in every fold against this baseline",
		},
	} {
		v := Judge(pairs(accuracy, 1, 0, 0.01), c.claim)
		require.Equal(t, Invalid, v.Outcome, "%+v", c.claim)
		require.ErrorIs(t, v.Err, ErrClaim)
		require.Contains(t, v.Reason, c.reason)
	}
	v := Judge(pairs(unit.Unit{Name: "rmse", Better: unit.Lower, Max: math.Inf(1)}, 1, 0, 0.01),
		Claim{Kind: NoRegression, Probability: 0.95, Rope: 0.65})
	require.Contains(t, v.Reason, "a rope of 0.65 is as large as the baseline's mean of 0.5974")
	p := pairs(accuracy, 1, 0, 0.01)
	p.CandidateHeader.Protocol = "timeseries folds=10 seed=1 v1"
	v = Judge(p, Claim{Kind: Improves, Probability: 0.95})
	require.Contains(t, v.Reason, "name the test diebold-mariano, or another one, instead of a posterior probability")
}

// A claim on a posterior probability gets the replicability of the equivalent
// one-sided test.
func TestReplicabilityOfPosteriorClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		posterior, test Claim
	}{
		{Claim{Kind: Improves, Probability: 0.95, Rope: 0.01}, Claim{
			Kind: Improves, OneSided: true,
			Gain: 0.01, Alpha: 0.05,
		}},
		{Claim{Kind: NoRegression, Probability: 0.99, Rope: 0.02}, Claim{
			Kind: NoRegression, Margin: 0.02,
			Alpha: 0.01,
		}},
	} {
		p := pairs(accuracy, 4, 0.02, 0.02)
		c.posterior.Alpha = 0
		c.test.Alpha = c.posterior.tail() // the same bits
		for _, required := range []float64{0, 0.8, 0.999} {
			c.posterior.Replicability, c.test.Replicability = required, required
			v, w := Judge(p, c.posterior), Judge(p, c.test)
			require.Equal(t, w.Rerun, v.Rerun)
			require.Equal(t, w.Holds, v.Holds)
			require.Equal(t, w.NeedRuns, v.NeedRuns)
		}
	}
	v := Judge(pairs(accuracy, 10, 0, 0.005), Claim{
		Kind: Equivalent, Probability: 0.95, Rope: 0.01,
		Replicability: 0.9,
	})
	require.True(t, v.Rerun.counted())
	require.Equal(t, 10, v.Rerun.Agreeing)
	require.True(t, v.Holds)
}

// The detectable margin is shown in as many cases as the verdict says, and its help
// helps.
func TestPosteriorDetectableAndHelp(t *testing.T) {
	t.Parallel()
	const cases = 2000
	r := rand.New(rand.NewPCG(3, 4))
	independent := func(mean float64) *record.Pairs {
		p := pairs(score, 1, 0, 0)
		for i := range p.A {
			// With as good as no test examples folds are independent.
			p.A[i], p.B[i], p.TrainN[i], p.TestN[i] = 0.5+mean+0.05*r.NormFloat64(), 0.5, 1<<30, 1
		}
		return p
	}
	for _, kind := range []Kind{Improves, NoRegression, Equivalent} {
		claim := Claim{Kind: kind, Probability: 0.95, Rope: 0.002}
		detectable := Judge(independent(0), claim).Detectable
		mean := 0.0
		if kind == Improves {
			mean = detectable + claim.Rope
		} else {
			claim.Rope = detectable
		}
		holds := 0
		for range cases {
			if Judge(independent(mean), claim, Bare).Holds {
				holds++
			}
		}
		require.InDelta(t, 0.8, float64(holds)/cases, 0.1, "%v", kind)

		if kind == Improves {
			continue
		}
		p := pairs(accuracy, 1, -0.01, 0.05)
		claim.Rope = 0.002
		v := Judge(p, claim)
		require.False(t, v.Holds)
		least := v.power().leastMargin()
		claim.Rope = least * 1.0001
		require.True(t, Judge(p, claim).Holds, "%v", kind)
		claim.Rope = least * 0.9999
		require.False(t, Judge(p, claim).Holds, "%v", kind)
	}
}

// A verdict is one of the records, live or stored, in whichever order the claims come.
func TestPosteriorLeavesTheRecordsAlone(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.01, 0.02)
	before := slices.Clone(p.A)
	first := Judge(p, Claim{Kind: Improves, Probability: 0.9, Rope: 0.001}).String()
	Judge(p, Claim{Kind: Equivalent, Probability: 0.9, Rope: 0.1})
	require.Equal(t, before, p.A)
	require.Equal(t, first, Judge(p, Claim{Kind: Improves, Probability: 0.9, Rope: 0.001}).String())
}
