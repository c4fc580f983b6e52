package verdict

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	accuracy = unit.Unit{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}
	score    = unit.Unit{Name: "score", Better: unit.Higher, Min: 0, Max: 1} // no mean over examples
	logloss  = unit.Unit{Name: "logloss", Better: unit.Lower, Min: 0, Max: math.Inf(1)}
)

// pairs returns scores of a candidate whose scores differ from the baseline's
// by normal noise about the given difference, for repeats of 10×10 folds.
func pairs(u unit.Unit, repeats int, difference, noise float64) *record.Pairs {
	r := rand.New(rand.NewPCG(1, 2))
	p := &record.Pairs{
		Data: "vehicle", Candidate: "forest", Baseline: "bayes", Unit: u, Runs: 10,
		More: 10 * (repeats - 1), Folds: 10,
		CandidateHeader: &record.Header{
			Protocol:   "cv runs=10 folds=10 stratified seed=1 v1",
			DataDigest: "abcdef0123456789", Reproduce: "go test ./model",
		},
		BaselineHeader: new(record.Header),
	}
	n := (p.Runs + p.More) * p.Folds
	p.A, p.B = make([]float64, n), make([]float64, n)
	p.TrainN, p.TestN = slices.Repeat([]int32{9000}, n), slices.Repeat([]int32{1000}, n)
	for i := range n {
		p.B[i] = 0.6 + 0.02*r.NormFloat64()
		p.A[i] = p.B[i] + difference + noise*r.NormFloat64()
	}
	return p
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		unit              unit.Unit
		difference, noise float64
		claim             Claim
		outcome           Outcome
		holds             bool
	}{
		{"clear gain", accuracy, 0.05, 0.01, Claim{Kind: Improves}, Improved, true},
		{"clear gain, lower is better", logloss, -0.05, 0.01, Claim{Kind: Improves}, Improved, true},
		{"clear loss", accuracy, -0.05, 0.01, Claim{Kind: Improves}, Regressed, false},
		{"clear loss, lower is better", logloss, 0.05, 0.01, Claim{Kind: Improves}, Regressed, false},
		{"no difference", accuracy, 0, 0.05, Claim{Kind: Improves}, Inconclusive, false},
		{
			"gain below the claimed one", accuracy, 0.05, 0.01,
			Claim{Kind: Improves, Gain: 0.06},
			Improved, false,
		},
		{
			"gain above the claimed one", accuracy, 0.05, 0.01,
			Claim{Kind: Improves, Gain: 0.03},
			Improved, true,
		},
		{"identical scores", accuracy, 0, 0, Claim{Kind: Improves}, Same, false},
		{"identical scores are no difference", accuracy, 0, 0, Claim{}, Same, false},
		{"identical scores do not regress", accuracy, 0, 0, Claim{Kind: NoRegression}, Same, true},
		{"identical scores are equivalent", accuracy, 0, 0, Claim{Kind: Equivalent}, Same, true},
		{"tiny noise is no regression", accuracy, 0, 0.005, Claim{Kind: NoRegression}, Same, true},
		{
			"much noise cannot rule a regression out", accuracy, 0, 0.05,
			Claim{Kind: NoRegression},
			Inconclusive, false,
		},
		{"a wider margin can", accuracy, 0, 0.05, Claim{Kind: NoRegression, Margin: 0.1}, Same, true},
		{"a gain is no regression", accuracy, 0.05, 0.05, Claim{Kind: NoRegression}, Improved, true},
		{
			"a significant loss within the margin is no regression", accuracy, -0.005, 0.002,
			Claim{Kind: NoRegression},
			Same, true,
		},
		{
			"a significant loss beyond the margin is one", accuracy, -0.05, 0.01,
			Claim{Kind: NoRegression},
			Regressed, false,
		},
		{"loss is not equivalence", accuracy, -0.05, 0.01, Claim{Kind: Equivalent}, Regressed, false},
		{"gain is not equivalence", accuracy, 0.05, 0.01, Claim{Kind: Equivalent}, Improved, false},
		{"difference is judged without a claim", accuracy, -0.05, 0.01, Claim{}, Regressed, true},
		{"and so is equivalence within a margin", accuracy, 0, 0.002, Claim{Margin: 0.01}, Same, false},
		{"without a margin there is none", accuracy, 0, 0.05, Claim{}, Inconclusive, false},
		{
			"a significant loss within the margin is equivalent", accuracy, -0.005, 0.002,
			Claim{Margin: 0.01},
			Same, true,
		},
		{"and so is a significant gain", accuracy, 0.005, 0.002, Claim{Margin: 0.01}, Same, true},
		{
			"margin in the metric's unit", logloss, 0.01, 0.002,
			Claim{Kind: NoRegression, Margin: 0.02},
			Same, true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := Judge(pairs(c.unit, 1, c.difference, c.noise), c.claim)
			assert.Equal(t, c.outcome, v.Outcome, "%v", v)
			assert.Equal(t, c.holds, v.Holds, "%v", v)
			assert.Equal(t, c.holds, v.Reason == "", "reason %q", v.Reason)
		})
	}
}

func TestEstimateAndIntervalAreThoseOfTheTest(t *testing.T) {
	t.Parallel()
	for _, u := range []unit.Unit{accuracy, logloss} {
		p := pairs(u, 1, 0.02, 0.01)
		v := Judge(p, Claim{Alpha: 0.1})
		x := make([]float64, len(p.A))
		for i := range x {
			x[i] = p.A[i] - p.B[i]
		}
		r, err := stat.CorrectedCVTTest(stat.Differences{Runs: 10, Folds: 10, X: x, Ratio: 1. / 9},
			stat.TwoSided)
		require.NoError(t, err)
		lo, hi := r.Interval(0.9)
		assert.NoError(t, floatcmp.Slices([]float64{
			v.Estimate, v.Difference.Lo, v.Difference.Hi,
			v.Difference.P,
		}, []float64{r.Mean, lo, hi, r.P}, 0, 1e-12))
		detectable, err := r.Detectable(0.1, 0.8)
		require.NoError(t, err)
		assert.True(t, floatcmp.Equal(v.Detectable, detectable, 0, 1e-12))
	}
}

// TestClaimsAgreeWithTheInterval checks the tests of the claims against the
// interval that they are the inversion of.
func TestClaimsAgreeWithTheInterval(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Float64Range(-0.05, 0.05).Draw(t, "difference")
		noise := rapid.Float64Range(0.001, 0.1).Draw(t, "noise")
		margin := rapid.Float64Range(0.001, 0.1).Draw(t, "margin")
		u := rapid.SampledFrom([]unit.Unit{accuracy, logloss}).Draw(t, "unit")
		p := pairs(u, 1, d, noise)
		// One-sided at 2.5% is the lower end of the 95% interval.
		lo := Judge(p, Claim{}).Difference.Lo
		if u.Better == unit.Lower {
			lo = -Judge(p, Claim{}).Difference.Hi
		}
		if math.Abs(lo+margin) < 1e-9 {
			t.Skip("on the edge")
		}
		if got := Judge(p, Claim{
			Kind: NoRegression, Margin: margin,
			Alpha: 0.025,
		}).Holds; got != (lo > -margin) {
			t.Fatalf("NoRegression %v, lower end %v, margin %v", got, lo, margin)
		}
		if got := Judge(p, Claim{Kind: Improves}).Holds; got != (lo > 0) {
			t.Fatalf("Improves %v, lower end %v", got, lo)
		}
		if got := Judge(p, Claim{Kind: Improves, OneSided: true, Alpha: 0.025}).Holds; got != (lo > 0) {
			t.Fatalf("one-sided Improves %v, lower end %v", got, lo)
		}
	})
}

func TestSwappingTheLearnersMirrorsTheVerdict(t *testing.T) {
	t.Parallel()
	mirror := map[Outcome]Outcome{
		Improved: Regressed, Regressed: Improved, Same: Same,
		Inconclusive: Inconclusive,
	}
	rapid.Check(t, func(t *rapid.T) {
		p := pairs(accuracy, 1, rapid.Float64Range(-0.05, 0.05).Draw(t, "difference"),
			rapid.Float64Range(0.001, 0.1).Draw(t, "noise"))
		q := *p
		q.A, q.B = p.B, p.A
		v, w := Judge(p, Claim{}), Judge(&q, Claim{})
		if w.Outcome != mirror[v.Outcome] || w.Estimate != -v.Estimate ||
			w.Difference.Lo != -v.Difference.Hi || w.Difference.P != v.Difference.P {
			t.Fatalf("%v\n%v", v, w)
		}
	})
}

func TestReplicabilityIsCountedFromRepeats(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 10, 0.0345, 0.05)
	v := Judge(p, Claim{Kind: Improves, Repeats: 10})
	agreeing := 0
	for i := range 10 {
		q := *p
		q.More = 0
		q.A, q.B = p.A[100*i:100*(i+1)], p.B[100*i:100*(i+1)]
		q.TrainN, q.TestN = p.TrainN[:100], p.TestN[:100]
		if Judge(&q, Claim{Kind: Improves}).Holds == v.Holds {
			agreeing++
		}
	}
	require.True(t, agreeing > 0 && agreeing < 10, "%d make a poor test", agreeing)
	want, err := replicate.Replicability(agreeing, 10)
	require.NoError(t, err)
	require.NotNil(t, v.Rerun)
	assert.Equal(t, agreeing, v.Rerun.Agreeing)
	assert.Equal(t, want, v.Rerun.R)

	w := Judge(p, Claim{Kind: Replicable, Replicability: 0.99, Repeats: 10})
	assert.False(t, w.Holds)
	assert.Equal(t, Inconclusive, w.Outcome)
	assert.Regexp(t, `^\d of 10 repetitions of the test come to this conclusion: replicability 0\.\d+, of which 0\.99 is required with a majority$`, w.Reason)
}

// As many repetitions are counted as the claim says, however many there are.
func TestOnlyTheRepeatsOfTheClaimAreCounted(t *testing.T) {
	t.Parallel()
	all := pairs(accuracy, 10, 0.0345, 0.05)
	four := *all
	four.More = 30
	four.A, four.B, four.TrainN, four.TestN = all.A[:400], all.B[:400], all.TrainN[:400],
		all.TestN[:400]
	for _, c := range []Claim{{Kind: Improves, Repeats: 4}, {
		Kind: Improves, Replicability: 0.9,
		Repeats: 4,
	}, {Kind: Replicable, Replicability: 0.9, Repeats: 4}} {
		v := Judge(all, c)
		require.NotNil(t, v.Rerun)
		assert.Equal(t, []int{4, 40}, []int{v.Rerun.Repeats, v.Rerun.Runs})
		assert.Equal(t, Judge(&four, c).String(), v.String())
	}
}

// A rerun of a one-sided test at some level agrees as often as one of a two-sided test at
// twice that level, since it would have to reject in the same direction.
func TestReplicabilityOfOneSidedTests(t *testing.T) {
	t.Parallel()
	for _, difference := range []float64{0.04, 0.02} { // one is significant, the other is not
		p := pairs(accuracy, 1, difference, 0.06)
		two := Judge(p, Claim{Kind: Improves, Alpha: 0.1})
		one := Judge(p, Claim{Kind: Improves, Alpha: 0.05, OneSided: true})
		require.NotNil(t, two.Rerun)
		require.NotNil(t, one.Rerun)
		require.Equal(t, two.Holds, one.Holds)
		assert.InDelta(t, two.Rerun.P, one.Rerun.P, 1e-12)
		assert.Less(t, two.Rerun.P, 0.999)

		// No regression by a margin is a gain of more than nothing for a candidate
		// that is better by the margin.
		better := *p
		better.A = slices.Clone(p.A)
		for i := range better.A {
			better.A[i] += 0.01
		}
		one = Judge(&better, Claim{Kind: Improves, Alpha: 0.05, OneSided: true})
		no := Judge(p, Claim{Kind: NoRegression, Alpha: 0.05, Margin: 0.01})
		require.Equal(t, one.Holds, no.Holds)
		assert.InDelta(t, one.Rerun.P, no.Rerun.P, 1e-9)
		assert.InDelta(t, one.Rerun.R, no.Rerun.R, 1e-9)
	}
}

// A single repetition of ten that agrees is replicable by the formula, but not by a
// majority.
func TestReplicabilityTakesAMajority(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 10, 0, 0.01)
	for i := range 100 { // the verdict is the odd one out
		p.A[i] += 0.05
	}
	v := Judge(p, Claim{Kind: Improves, Replicability: 0.7, Repeats: 10})
	require.NotNil(t, v.Rerun)
	assert.Equal(t, 1, v.Rerun.Agreeing)
	assert.InDelta(t, 0.8, v.Rerun.R, 1e-12)
	assert.False(t, v.Holds)
	assert.Contains(t, v.Reason, "1 of 10 repetitions of the test come to this conclusion: replicability 0.800, of which 0.7 is required with a majority")
}

func TestRequiredReplicabilityOfAClearCaseTakesNoMoreRuns(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 1, 0.05, 0.01), Claim{Kind: Improves, Replicability: 0.9})
	assert.True(t, v.Holds, "%v", v)
	assert.Equal(t, 10, v.Rerun.Runs)
	assert.Greater(t, v.Rerun.P, 0.99)
}

func TestRequiredReplicabilityAsksForMoreRuns(t *testing.T) {
	t.Parallel()
	all := pairs(accuracy, 10, 0.04, 0.06)
	cut := func(runs int) *record.Pairs {
		q := *all
		n := runs * 10
		q.More = runs - 10
		q.A, q.B, q.TrainN, q.TestN = all.A[:n], all.B[:n], all.TrainN[:n], all.TestN[:n]
		return &q
	}
	claim := Claim{Kind: Improves, Replicability: 0.9}
	runs := 10
	v := Judge(cut(runs), claim)
	require.Equal(t, Invalid, v.Outcome, "%v", v)
	for v.NeedRuns > 0 {
		require.Equal(t, runs+10, v.NeedRuns)
		assert.Contains(t, v.Reason, "a replicability of 0.9 is not decided yet: it takes")
		runs = v.NeedRuns
		v = Judge(cut(runs), claim)
	}
	require.NotNil(t, v.Rerun)
	assert.Equal(t, runs, v.Rerun.Runs)
	assert.Equal(t, v.String(), Judge(all, claim).String(),
		"the rule looks at the runs in order, however many there are")

	// A budget ends it.
	claim.MaxRuns = 10
	v = Judge(all, claim)
	assert.False(t, v.Holds)
	assert.Equal(t, Inconclusive, v.Outcome)
	assert.Regexp(t, `^a replicability of 0\.9 is undecided at the budget of 10 runs: from 10 its 90% interval is 0\.\d+ to [01]\.\d+$`, v.Reason)
	assert.Regexp(t, `^about \d+ runs would probably decide it$`, v.Help[0])
}

// Further runs say nothing unless the claim asks for them.
func TestFurtherRunsDoNotChangeAClaimThatDoesNotAskForThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		many := pairs(accuracy, 10, rapid.Float64Range(-0.06, 0.06).Draw(t, "difference"), 0.05)
		own := *many
		own.More = 0
		own.A, own.B, own.TrainN, own.TestN = many.A[:100], many.B[:100], many.TrainN[:100],
			many.TestN[:100]
		c := Claim{
			Kind:   rapid.SampledFrom([]Kind{Differs, Improves, NoRegression, Equivalent}).Draw(t, "kind"),
			Metric: rapid.SampledFrom([]string{"", "accuracy"}).Draw(t, "metric"),
		}
		require.Equal(t, Judge(&own, c).String(), Judge(many, c).String())

		// A claim that does not hold on the protocol's own runs needs no more to
		// say so, whatever replicability is required.
		required := c
		required.Replicability = 0.9
		if v := Judge(&own, c); !v.Holds {
			w := Judge(&own, required)
			require.Zero(t, w.NeedRuns)
			require.Equal(t, v.String(), w.String())
			require.Equal(t, v.String(), Judge(many, required).String())
		} else {
			required.Repeats = 10
			require.Equal(t, 100, Judge(&own, required).NeedRuns)
			require.Zero(t, Judge(many, required).NeedRuns)
		}
	})
}

func TestFurtherRunsThatFailedAreTheReason(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 3, 0.05, 0.01)
	p.MoreErr = errors.New("run 31 failed")
	v := Judge(p, Claim{Kind: Improves, Replicability: 0.9, Repeats: 10})
	assert.Equal(t, Invalid, v.Outcome)
	assert.Contains(t, v.Reason, "run 31 failed")
	assert.ErrorIs(t, v.Err, p.MoreErr)
	assert.Zero(t, v.NeedRuns)
	assert.True(t, Judge(p, Claim{Kind: Improves}).Holds)
	assert.True(t, Judge(p, Claim{Kind: Improves, Replicability: 0.9, Repeats: 3}).Holds)
}

func TestReplicabilityIsPredictedFromTheRunsOfTheTest(t *testing.T) {
	t.Parallel()
	clear := Judge(pairs(accuracy, 1, 0.05, 0.01), Claim{Kind: Improves})
	require.NotNil(t, clear.Rerun)
	assert.False(t, clear.Rerun.counted())
	assert.Greater(t, clear.Rerun.R, 0.99)

	noRegression := Judge(pairs(accuracy, 1, 0.05, 0.01), Claim{Kind: NoRegression})
	require.NotNil(t, noRegression.Rerun)
	assert.Greater(t, noRegression.Rerun.R, 0.99)
	// A claim that clearly does not hold would not hold again.
	assert.Greater(t, Judge(pairs(accuracy, 1, -0.05, 0.01), Claim{Kind: NoRegression}).Rerun.P, 0.99)
}

func TestWhatCannotBeJudgedIsInvalid(t *testing.T) {
	t.Parallel()
	good := pairs(accuracy, 1, 0.05, 0.01)
	nan := *good
	nan.A = slices.Clone(good.A)
	nan.A[17] = math.NaN()
	single := *good
	single.Runs, single.Folds = 1, 1
	single.A, single.B, single.TrainN, single.TestN = good.A[:1], good.B[:1], good.TrainN[:1],
		good.TestN[:1]
	short := *good
	short.B = good.B[:99]
	for _, c := range []struct {
		name   string
		p      *record.Pairs
		claim  Claim
		reason string
	}{
		{"not a number", &nan, Claim{}, "accuracy of forest, run 2, fold 8, is NaN"},
		{"lengths", &short, Claim{}, "100 candidate and 99 baseline scores"},
		{"one fold", &single, Claim{}, "1 runs of 1 folds"},
		{"negative repetitions", good, Claim{Repeats: -1}, "-1 repetitions"},
		{"design", good, Claim{Test: stat.MustLookup("5x2cv-t")}, "5x2cv-t"},
		{"other metric", good, Claim{Metric: "kappa"}, "it is about kappa"},
		{"alpha", good, Claim{Alpha: 1}, "significance level 1"},
		{"margin of improvement", good, Claim{Kind: Improves, Margin: 0.1}, "use a gain"},
		{"gain of equivalence", good, Claim{Kind: Equivalent, Gain: 0.1}, "a gain is for"},
		{"one-sided equivalence", good, Claim{Kind: Equivalent, OneSided: true}, "one-sided"},
		{"negative margin", good, Claim{Kind: Equivalent, Margin: -0.1}, "margin -0.1"},
		{"infinite gain", good, Claim{Kind: Improves, Gain: math.Inf(1)}, "gain +Inf"},
		{"replicability", good, Claim{Replicability: 1.5}, "replicability 1.5"},
		{
			"replicability of chance", good,
			Claim{Replicability: 0.5},
			"replicability 0.5 is not between 0.5, which is chance, and 1",
		},
		{"no replicability", good, Claim{Kind: Replicable}, "needs a replicability"},
		{"repetitions", good, Claim{Replicability: 0.6, Repeats: 1}, "1 repetitions"},
		{"budget without use", good, Claim{MaxRuns: 20}, "a budget of 20 runs"},
		{
			"budget too small", good,
			Claim{MaxRuns: 5, Replicability: 0.9},
			"a budget of 5 runs is less than the protocol's own 10",
		},
		{"strict without use", good, Claim{Strict: true}, "strict is for a required replicability"},
		{
			"adjustment of one claim", good,
			Claim{Adjust: adjust.MustLookup("holm")},
			"an adjustment is for a family",
		},
		{
			"too few runs to count", good,
			Claim{Repeats: 10},
			"counting replicability needs 10 repetitions of the test: it takes 100 runs; there are 10",
		},
		{"kind", good, Claim{Kind: 9}, "unknown kind"},
		{"power", good, Claim{Power: 0.01}, "power 0.01"},
		{
			"no margin", pairs(logloss, 1, 0, 1),
			Claim{Kind: NoRegression},
			"needs a margin in the unit of logloss",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := Judge(c.p, c.claim)
			assert.Equal(t, Invalid, v.Outcome)
			assert.False(t, v.Holds)
			assert.Contains(t, v.Reason, c.reason)
			assert.Contains(t, v.String(), c.reason)
		})
	}
}

func TestJudgeDoesNotModifyThePairs(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 2, 0.01, 0.05)
	a, b := slices.Clone(p.A), slices.Clone(p.B)
	for _, k := range []Kind{Differs, Improves, NoRegression, Equivalent} {
		Judge(p, Claim{Kind: k})
	}
	assert.Equal(t, a, p.A)
	assert.Equal(t, b, p.B)
}

func TestLackOfVarianceIsWarnedOf(t *testing.T) {
	t.Parallel()
	for text, difference := range map[string]float64{
		"the scores of both learners are equal in every fold": 0,
		"the differences are equal in every fold":             0.25,
	} {
		p := pairs(score, 1, 0, 0)
		for i := range p.A {
			p.A[i], p.B[i] = 0.5+difference, 0.5
		}
		v := Judge(p, Claim{})
		require.Len(t, v.Warnings, 1)
		require.ErrorIs(t, v.Warnings[0], stat.ErrZeroVariance)
		assert.ErrorContains(t, v.Warnings[0], text)
	}
}

// By any test, also one without a standard error, scores that are all equal are equivalent. Scores
// that are equal only in the folds that the test looks at are not.
func TestScoresThatAreTheSameAreEquivalentByAnyTest(t *testing.T) {
	t.Parallel()
	judged := 0
	for _, test := range stat.Tests() {
		p := pairs(accuracy, 1, 0, 0)
		p.Runs, p.Folds = 5, 2
		if strings.HasPrefix(test.Name, "diebold") {
			p.Runs, p.Folds = 1, 10
			p.CandidateHeader.Protocol = "timeseries folds=10 seed=1 v1"
		}
		n := p.Runs * p.Folds
		p.A, p.B, p.TrainN, p.TestN = p.B[:n], p.B[:n], p.TrainN[:n], p.TestN[:n]
		v := Judge(p, Claim{Test: test})
		if v.Outcome == Invalid {
			continue // not for such folds
		}
		judged++
		assert.Equal(t, Same, v.Outcome, "%s", test.Name)
		assert.Equal(t, 1.0, v.Difference.P, "%s", test.Name)

		swapped := *p
		swapped.A = slices.Clone(p.B)
		for i := range swapped.A { // no run, no fold and no mean differs
			swapped.A[i] += 0.01 * float64(1-2*((i/p.Folds+i%p.Folds)%2))
		}
		if v = Judge(&swapped, Claim{Test: test}); v.Outcome != Invalid {
			assert.NotEqual(t, Same, v.Outcome, "%s", test.Name)
		}
	}
	assert.Equal(t, len(stat.Tests()), judged)
}

// Differences that only rounding tells apart are equal: how much that is depends on the
// scores, not on the differences.
func TestDifferencesThatOnlyRoundingTellsApart(t *testing.T) {
	t.Parallel()
	rmse := unit.Unit{Name: "rmse", Better: unit.Lower, Min: 0, Max: math.Inf(1)}
	p := pairs(rmse, 1, 0, 0)
	distinct := make(map[float64]bool)
	for i := range p.A {
		p.B[i] = 1e6 * float64(1+i%7)
		p.A[i] = p.B[i] - 1e-7
		distinct[p.A[i]-p.B[i]] = true
	}
	require.Greater(t, len(distinct), 1)
	v := Judge(p, Claim{})
	require.Len(t, v.Warnings, 1)
	assert.ErrorIs(t, v.Warnings[0], stat.ErrZeroVariance)
	// So they are from a margin, although that is as small.
	v = Judge(p, Claim{Kind: NoRegression, Margin: 1e-7})
	assert.Zero(t, v.Above.Result.SE)
	assert.Zero(t, v.Above.P)
}

func TestNaiveTestsAreWarnedOf(t *testing.T) {
	t.Parallel()
	for name, warned := range map[string]bool{
		"": false, "paired-t": true, "permutation": true,
		"b03-use-all-data": true, "averaged-t": false,
	} {
		claim := Claim{}
		if name != "" {
			claim.Test = stat.MustLookup(name)
		}
		v := Judge(pairs(accuracy, 1, 0.01, 0.05), claim)
		assert.Equal(t, warned, len(v.Warnings) == 1, "%s: %v", name, v.Warnings)
	}
}

func TestNondeterministicLearnerIsWarnedOf(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0.05, 0.01)
	p.CandidateHeader.Of("forest").SetProbe(record.NotDeterministic)
	p.BaselineHeader.Of("bayes").SetProbe(record.Deterministic)
	v := Judge(p, Claim{})
	require.Len(t, v.Warnings, 1)
	assert.ErrorContains(t, v.Warnings[0], "forest is not deterministic")

	// A learner has one name in the header and may have another one in the verdict.
	p.CandidateHeader.Of("bayes").SetProbe(record.Deterministic)
	p.CandidateLearner, p.Candidate = "forest", "forest now"
	p.BaselineLearner, p.Baseline = "bayes", "bayes at c0ffee"
	p.BaselineHeader.Of("bayes").SetProbe(record.NotProbed)
	v = Judge(p, Claim{})
	require.Len(t, v.Warnings, 2)
	assert.ErrorContains(t, v.Warnings[0], "forest now is not deterministic")
	assert.ErrorContains(t, v.Warnings[1], "bayes at c0ffee was not trained again")
}
