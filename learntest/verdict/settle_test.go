package verdict

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn returns scores of 10×10 folds. Given data and learners, folds of all runs differ by
// independent noise; which data they are moves all differences by as much as the corrected test
// expects.
func drawn(rng *rand.Rand, u unit.Unit, difference float64) *record.Pairs {
	p := pairs(u, 1, 0, 0)
	const noise = 0.02
	difference += noise / 3 * rng.NormFloat64()
	for i := range p.A {
		p.B[i] = 0.6 + 0.02*rng.NormFloat64()
		p.A[i] = p.B[i] + float64(u.Better)*(difference+noise*rng.NormFloat64())
	}
	return p
}

// settling are claims of each kind that the first runs can settle.
func settling() map[string]Claim {
	return map[string]Claim{
		"differs":             {},
		"differs, margin":     {Margin: 0.02},
		"differs, .18":        {Test: stat.MustLookup("corrected-cv-t/ratio=0.18")},
		"improves":            {Kind: Improves},
		"improves, one-sided": {Kind: Improves, OneSided: true},
		"gain":                {Kind: Improves, Gain: 0.01},
		"gain, one-sided":     {Kind: Improves, Gain: 0.01, OneSided: true},
		"no regression":       {Kind: NoRegression, Margin: 0.02},
		"no regression, .01":  {Kind: NoRegression, Margin: 0.02, Alpha: 0.01},
		"equivalent":          {Kind: Equivalent, Margin: 0.03},
		"unbeaten":            {Kind: Unbeaten},
	}
}

// The promise, on claims and differences of all kinds: the first runs say what all of them do, with
// an error of γ at most, and they are not all runs. The error is far smaller than γ.
func TestSettledClaimsAgreeWithAllRuns(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	for name, c := range settling() {
		for _, u := range []unit.Unit{accuracy, logloss} {
			const sets = 150
			wrong, runs, early := 0, 0, make(map[bool]int)
			for range sets {
				p := drawn(rng, u, []float64{-0.06, -0.03, -0.01, 0, 0.01, 0.03, 0.06}[rng.IntN(7)])
				all := Judge(p, c, Bare)
				settled := c
				settled.Settle = 0.01
				v := Judge(p, settled, Bare)
				require.NoError(t, v.Err, name)
				require.Equal(t, v.Settled.After, v.Runs)
				runs += v.Runs
				if v.Runs < 10 {
					early[v.Holds]++
				}
				same := v.Holds == all.Holds
				if c.Kind == Differs {
					same = same && v.Outcome == all.Outcome
				}
				if !same {
					wrong++
				}
			}
			assert.LessOrEqual(t, wrong, 3, "%s in %s: of %d", name, u.Name, sets)
			assert.Less(t, runs, 9*sets, "%s in %s: runs", name, u.Name)
			assert.Positive(t, early[true], "%s in %s: none holds early", name, u.Name)
			assert.Positive(t, early[false], "%s in %s: none fails early", name, u.Name)
		}
	}
}

// A verdict is of the first look that settles the claim, however many runs there are: neither
// further runs nor a shorter file change it, and where the runs do not settle it, there is none.
func TestSettledVerdictsDependOnTheFirstRunsAlone(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 2))
	next := map[int]int{1: 2, 2: 3, 3: 5, 4: 5, 5: 10, 9: 10}
	sets := 12
	if citest.Has(citest.Slow) {
		sets = 40
	}
	for name, c := range settling() {
		c.Settle = 0.01
		for range sets {
			p := drawn(rng, accuracy, 0.05*rng.NormFloat64())
			all := Judge(p, c)
			for there := 1; there < 10; there++ {
				v := Judge(p.First(there), c)
				if there >= all.Settled.After {
					require.Equal(t, all.String(), v.String(), name)
					continue
				}
				require.Equal(t, Invalid, v.Outcome, "%s: %d runs of %d", name, there, all.Settled.After)
				require.False(t, v.Holds)
				if want, ok := next[there]; ok {
					require.Equal(t, want, v.NeedRuns)
				}
				require.ErrorContains(t, v.Err, "of 10 runs are there: they do not settle the claim")
			}
		}
	}
}

// The first runs alone decide no claim without a Settle, whatever their scores.
func TestFirstRunsDecideNothingUnasked(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 1, 0.2, 0.01).First(5), Claim{Kind: Improves})
	require.Equal(t, Invalid, v.Outcome)
	assert.False(t, v.Holds)
	assert.Equal(t, 10, v.NeedRuns)
	assert.EqualError(t, v.Err, "only 5 of 10 runs are there: the claim does not ask for fewer (Settle)")
}

func TestClaimsThatTakeAllRunsSayWhy(t *testing.T) {
	t.Parallel()
	percent := unit.Margins{}
	require.NoError(t, percent.Set("5%"))
	series := pairs(accuracy, 1, 0.2, 0.01)
	series.CandidateHeader = &record.Header{Protocol: "predefined runs=10 folds=10 sha256=00 v1"}
	repeated := pairs(accuracy, 1, 0.2, 0.01)
	repeated.CandidateHeader = &record.Header{
		Protocol:     "groups runs=10 folds=10 seed=1 v1",
		DistinctRuns: "9",
	}
	parts := pairs(accuracy, 1, 0.2, 0.01)
	for i := range parts.TestN {
		parts.TestN[i] = 100
	}
	few := pairs(accuracy, 1, 0.2, 0.01)
	few = few.First(2)
	few.Planned = 0
	clear := pairs(accuracy, 10, 0.2, 0.01)
	for _, x := range []struct {
		pairs *record.Pairs
		claim Claim
		why   string
	}{
		{clear, Claim{Kind: Improves, Replicability: 0.8}, "a required replicability rests on them"},
		{clear, Claim{Kind: Replicable, Replicability: 0.8}, "a required replicability rests on them"},
		{clear, Claim{Kind: Improves, Repeats: 2}, "a required replicability rests on them"},
		{clear, Claim{Kind: Improves, Halvings: 5}, "a second opinion is on them"},
		{clear, Claim{Kind: Improves, AllRuns: true}, "the p-values of a family are adjusted"},
		{
			clear,
			Claim{Kind: Improves, Probability: 0.95, Rope: 0.01},
			"a posterior probability has no rule to stop earlier",
		},
		{
			clear,
			Claim{Kind: NoRegression, Margins: percent},
			"a margin in percent of a mean is known after them",
		},
		{
			clear,
			Claim{Kind: Improves, Test: stat.MustLookup("paired-t")},
			"paired-t takes all runs: only corrected t tests can be settled by the first of them",
		},
		{
			series,
			Claim{Kind: Improves},
			`runs of "predefined runs=10 folds=10 sha256=00 v1" are not random`,
		},
		{
			repeated,
			Claim{Kind: Improves, Test: stat.MustLookup("corrected-cv-t")},
			"only 9 of the 10 runs of",
		},
		{
			parts,
			Claim{Kind: NoRegression, Margin: 0.02},
			"each run tests a part of the examples, and a margin takes the number of all",
		},
		{few, Claim{Kind: Improves}, "2 runs are too few to stop earlier"},
	} {
		x.claim.Settle = 0.01
		all := x.pairs.Runs
		v := Judge(x.pairs, x.claim)
		if x.claim.Halvings == 0 { // of which there are none here
			require.NotEqual(t, Invalid, v.Outcome, "%s: %v", x.why, v.Err)
		}
		require.NotNil(t, v.Settled, x.why)
		assert.True(t, strings.HasPrefix(v.Settled.Why, x.why), "%q: %s", x.why, v.Settled.Why)
		assert.Equal(t, all, v.Settled.After)
		if all > 2 {
			first := Judge(x.pairs.First(5), x.claim)
			assert.Equal(t, Invalid, first.Outcome, x.why)
			assert.Equal(t, all, first.NeedRuns, x.why)
			assert.Contains(t, first.Reason, x.why)
		}
	}
	for _, gamma := range []float64{-0.01, 0.06, math.NaN()} {
		v := Judge(clear, Claim{Kind: Improves, Settle: gamma})
		require.ErrorIs(t, v.Err, ErrClaim, gamma)
	}
}

func TestSettledVerdictSaysSo(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 10, 0.05, 0.01), Claim{Kind: Improves, Settle: 0.01})
	assert.Contains(t, v.String(),
		"\n  settled        after 2 of 10 runs: the verdict of all 10 agrees with probability 0.99 or more\n")
	assert.Contains(t, v.String(), "n = 2×10")
	assert.Contains(t, v.Summary(), "; settled after 2 of 10 runs")
	assert.Nil(t, v.Rerun, "a rerun may be settled by other runs")
	assert.True(t, math.IsNaN(v.Detectable), "an unsettled claim takes all runs")
	v = Judge(pairs(accuracy, 1, 0.008, 0.01), Claim{Kind: Improves, Settle: 0.01})
	assert.Contains(t, v.String(), "\n  settled        by all 10 runs: the first ones left it open\n")
	assert.NotContains(t, v.Summary(), "settled")
	assert.NotNil(t, v.Rerun)
	v = Judge(pairs(accuracy, 1, 0.05, 0.01), Claim{Kind: Improves, Settle: 0.01, AllRuns: true})
	assert.Contains(t, v.String(),
		"\n  settled        by all 10 runs: the p-values of a family are adjusted\n")
	assert.Nil(t, Judge(pairs(accuracy, 1, 0.05, 0.01), Claim{Kind: Improves}).Settled)
}

// The other rules that a claim stands or falls with are settled, too, before it is.
func TestClaimIsSettledWithItsOtherRules(t *testing.T) {
	t.Parallel()
	claim := Claim{Kind: NoRegression, Margin: 0.2, Settle: 0.01}
	after := func(p *record.Pairs, c Claim) int {
		v := Judge(p, c)
		require.NotNil(t, v.Settled)
		return v.Settled.After
	}
	plain := pairs(accuracy, 1, 0, 0.02)
	require.Equal(t, 2, after(plain, claim))
	// A candidate that may prove no better than the most frequent class.
	near := pairs(accuracy, 1, 0, 0.02)
	near.CandidateHeader.Majority = "a accuracy=0.598"
	near.BaselineHeader = near.CandidateHeader
	assert.Equal(t, 10, after(near, Claim{Kind: NoRegression, Margin: 0.01, Settle: 0.01}))
	narrow := claim
	narrow.Margin = 0.05
	require.Equal(t, 2, after(plain, narrow))
	assert.Equal(t, 10, after(near, narrow))
	narrow.AllowMajority = true
	assert.Equal(t, 2, after(near, narrow))
	// A margin with which a constant candidate may pass.
	wide := claim
	for _, wide.Margin = range []float64{0.605, 0.62} { // of which the second is refused
		assert.Greater(t, after(plain, wide), 2)
	}
	// A gain that no candidate may show.
	assert.Equal(t, 2, after(plain, Claim{Kind: Improves, Gain: 0.3, Settle: 0.01}))
	high := pairs(accuracy, 1, 0.35, 0.005)
	assert.Equal(t, 2, after(high, Claim{Kind: Improves, Gain: 0.3, Settle: 0.01}))
	for i := range high.B {
		high.A[i], high.B[i] = 1, high.B[i]+0.095
	}
	assert.Equal(t, 10, after(high, Claim{Kind: Improves, Gain: 0.3, Settle: 0.01}))
	// Scores that vary more than their differences: a gain that the best candidate may not show,
	// and a candidate that may be no better than the most frequent class, although that would fail.
	varied := func(u unit.Unit, difference, noise float64) *record.Pairs {
		p := pairs(u, 1, 0, 0)
		for i := range p.A {
			p.B[i] = 0.6 + noise*float64(1-2*(i%2))
			p.A[i] = p.B[i] + difference + 0.001*float64(1-2*(i/2%2))
		}
		return p
	}
	assert.Equal(t, 2, after(varied(score, 0.36, 0.001), Claim{
		Kind: Improves, Gain: 0.355,
		Settle: 0.01,
	}))
	assert.Greater(t, after(varied(score, 0.36, 0.05), Claim{
		Kind: Improves, Gain: 0.355,
		Settle: 0.01,
	}), 2)
	lost := varied(accuracy, -0.048, 0.02)
	narrow.AllowMajority = false
	assert.Equal(t, 2, after(lost, narrow))
	lost.CandidateHeader.Majority = "a accuracy=0.547"
	assert.Greater(t, after(lost, narrow), 2)
	// A loss without bounds, whose margin is nearly the baseline's mean.
	loss := pairs(logloss, 1, 0, 0.02)
	assert.Equal(t, 2, after(loss, claim))
	claim.Margin = 0.599
	assert.Equal(t, 10, after(loss, claim))
}

// Equal scores settle nothing, unless program, parameters and data are equal: then all runs are
// equal.
func TestEqualScoresAreSettledForAnUnchangedProgramOnly(t *testing.T) {
	t.Parallel()
	for kind, holds := range map[Kind]bool{
		NoRegression: true, Equivalent: true, Unbeaten: true,
		Improves: false, Differs: false,
	} {
		p := pairs(accuracy, 1, 0, 0)
		c := Claim{Kind: kind, Settle: 0.01}
		if kind == NoRegression || kind == Equivalent {
			c.Margin = 0.05
		}
		require.Equal(t, 10, Judge(p, c).Settled.After, kind)
		p.SameProgram = true
		v := Judge(p, c)
		require.Equal(t, 2, v.Settled.After, kind)
		require.Equal(t, holds, v.Holds, kind)
	}
}

// Each claim is settled where its own interval, by its own level, is far enough from its own
// thresholds.
func TestEachClaimIsSettledAtItsThresholds(t *testing.T) {
	t.Parallel()
	const sd = 0.01
	quantile := func(p, df float64) float64 {
		d, err := stat.StudentT(df)
		require.NoError(t, err)
		x, err := d.Quantile(p)
		require.NoError(t, err)
		return x
	}
	far := func(c float64) float64 { return quantile(0.01/3, 19) * math.Sqrt(0.4*(1+c*c/2)/10) }
	c := func(alpha float64) float64 { return quantile(alpha, 99) * math.Sqrt(0.01+1.0/9) }
	one, two := c(0.05), c(0.025)
	yes1, no1, yes2, no2 := sd*(one+far(one)), sd*(one-far(one)), sd*(two+far(two)), sd*(two-far(two))
	at := func(u unit.Unit, claim Claim, mean float64) *Verdict {
		p := pairs(u, 1, 0, 0)
		spread := sd * math.Sqrt(19.0/20)
		for i := range p.A {
			p.A[i] = p.B[i] + mean + spread*float64(1-2*(i%2))
		}
		claim.Settle = 0.01
		v := Judge(p.First(2), claim)
		return &v
	}
	for name, x := range map[string]struct {
		unit  unit.Unit
		claim Claim
		at    float64 // the threshold
		up    bool    // settled above it
		holds bool
	}{
		"differs":        {score, Claim{}, yes2, true, true},
		"differs, worse": {score, Claim{}, -yes2, false, true},
		"improves":       {score, Claim{Kind: Improves}, yes2, true, true},
		"improves, not":  {score, Claim{Kind: Improves}, no2, false, false},
		"one-sided":      {score, Claim{Kind: Improves, OneSided: true}, yes1, true, true},
		"one-sided, not": {score, Claim{Kind: Improves, OneSided: true}, no1, false, false},
		"gain": {
			score,
			Claim{Kind: Improves, Gain: 0.02},
			0.02 + yes2, true,
			true,
		},
		"gain, not": {
			score,
			Claim{Kind: Improves, Gain: 0.02},
			0.02 + no2,
			false, false,
		},
		"gain, one-sided": {
			score,
			Claim{Kind: Improves, Gain: 0.02, OneSided: true},
			0.02 + yes1, true, true,
		},
		"gain, one-sided, not": {
			score,
			Claim{Kind: Improves, Gain: 0.02, OneSided: true},
			0.02 + no1, false, false,
		},
		"no regression": {
			score,
			Claim{Kind: NoRegression, Margin: 0.02},
			-0.02 + yes1,
			true, true,
		},
		"no regression, not": {
			score,
			Claim{Kind: NoRegression, Margin: 0.02},
			-0.02 + no1,
			false, false,
		},
		"equivalent, from below": {
			score,
			Claim{Kind: Equivalent, Margin: 0.05},
			-0.05 + yes1, true,
			true,
		},
		"equivalent, from above": {
			score,
			Claim{Kind: Equivalent, Margin: 0.05},
			0.05 - yes1, false,
			true,
		},
		"equivalent, not, from below": {
			score,
			Claim{Kind: Equivalent, Margin: 0.05},
			-0.05 + no1,
			false, false,
		},
		"equivalent, not, from above": {
			score,
			Claim{Kind: Equivalent, Margin: 0.05},
			0.05 - no1, true,
			false,
		},
		"unbeaten":      {score, Claim{Kind: Unbeaten}, no2, false, true},
		"unbeaten, not": {score, Claim{Kind: Unbeaten}, yes2, true, false},
		"no regression, level of 0.01": {
			score,
			Claim{Kind: NoRegression, Margin: 0.02, Alpha: 0.01},
			-0.02 + sd*(c(0.01)+far(c(0.01))), true, true,
		},
	} {
		beyond := 1e-5
		if !x.up {
			beyond = -beyond
		}
		v := at(x.unit, x.claim, x.at+beyond)
		if assert.NotNil(t, v.Settled, "%s: %s", name, v.Reason) {
			assert.Equal(t, x.holds, v.Holds, name)
			assert.Equal(t, 2, v.Settled.After, name)
		}
		v = at(x.unit, x.claim, x.at-beyond)
		assert.Equal(t, 3, v.NeedRuns, "%s: settled too early", name)
	}
	// Of a plain comparison with a margin, the outcome is settled, too.
	v := at(score, Claim{Margin: 0.05}, 0.05)
	assert.Equal(t, 3, v.NeedRuns)
	v = at(score, Claim{Margin: 0.05}, 0.03)
	assert.Equal(t, []any{Same, 2}, []any{v.Outcome, v.Runs})
	// What the tested examples may have missed is a half-width of its own.
	u, err := stat.Unseen(100, 0.05)
	require.NoError(t, err)
	floor := math.Sqrt(0.1 * 0.1 / 12) // of accuracies of 10 examples
	for sign, want := range map[float64]int{1: 0, -1: 3} {
		p := pairs(accuracy, 1, 0, 0)
		for i := range p.A {
			p.A[i] = p.B[i] - 0.2 + u + floor*far(0) + sign*1e-5 + sd*float64(1-2*(i%2))
			p.TrainN[i], p.TestN[i] = 90, 10
		}
		v := Judge(p.First(2), Claim{Kind: NoRegression, Margin: 0.2, Settle: 0.01})
		assert.Equal(t, want, v.NeedRuns, sign)
	}
}

// Where training was stopped, the smaller one of two errors counts: the error of the stop, or the
// one that the claim allows.
func TestStoppedPairsAreJudgedWithTheSmallerError(t *testing.T) {
	t.Parallel()
	all := drawn(rand.New(rand.NewPCG(7, 1)), accuracy, 0.06)
	for _, c := range []struct{ stop, settle, want float64 }{
		{0.01, 0, 0.01}, {0.01, 0.05, 0.01}, {0.05, 0.01, 0.01}, {0, 0.02, 0.02},
	} {
		p := all.First(3)
		p.Stop = c.stop
		v := Judge(p, Claim{Kind: Improves, Settle: c.settle})
		require.NoError(t, v.Err)
		assert.True(t, v.Holds)
		assert.InDelta(t, c.want, v.Settled.Error, 0)
	}
	v := Judge(all.First(3), Claim{Kind: Improves})
	assert.Equal(t, Invalid, v.Outcome, "nobody has said that it was stopped")
	whole := Judge(all, Claim{Kind: Improves})
	assert.Nil(t, whole.Settled)
}
