package verdict

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// swapped returns the pairs with the learners in each other's place.
func swapped(p *record.Pairs) *record.Pairs {
	q := *p
	q.A, q.B, q.Candidate, q.Baseline = p.B, p.A, p.Baseline, p.Candidate
	return &q
}

// Where one of the two tests of equivalence is sure to reject, the other one decides: that
// the one learner is not worse than the other.
func TestReplicabilityOfEquivalenceIsThatOfTheLessClearTest(t *testing.T) {
	t.Parallel()
	predicted := 0
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]unit.Unit{accuracy, logloss}).Draw(t, "unit")
		p := pairs(unit, 1, rapid.Float64Range(-0.06, 0.06).Draw(t, "difference"), 0.03)
		v := Judge(p, Claim{Kind: Equivalent, Margin: 0.05})
		above := Judge(p, Claim{Kind: NoRegression, Margin: 0.05})
		below := Judge(swapped(p), Claim{Kind: NoRegression, Margin: 0.05})
		unclear, clear := above, below
		if below.Decision.P > above.Decision.P {
			unclear, clear = below, above
		}
		if !clear.Holds || clear.Rerun.P < 0.999 {
			require.Nil(t, v.Rerun)
			return
		}
		predicted++
		require.NotNil(t, v.Rerun)
		require.InDelta(t, unclear.Rerun.P, v.Rerun.P, 1e-9)
		require.InDelta(t, unclear.Rerun.R, v.Rerun.R, 1e-9)
		require.InDelta(t, unclear.Rerun.Lo, v.Rerun.Lo, 1e-9)
		require.Equal(t, unclear.Holds, v.Holds)
	})
	require.Positive(t, predicted)
}

func TestRequiredReplicabilityOfEquivalence(t *testing.T) {
	t.Parallel()
	// A clear case takes the protocol's own runs.
	v := Judge(pairs(accuracy, 1, 0, 0.01), Claim{Kind: Equivalent, Margin: 0.03, Replicability: 0.9})
	require.True(t, v.Holds, "%v", v)
	assert.Equal(t, 10, v.Rerun.Runs)
	assert.False(t, v.Rerun.counted())

	// Where neither of the two tests is sure to reject, repetitions are counted.
	v = Judge(pairs(accuracy, 1, 0, 0.05), Claim{Kind: Equivalent, Margin: 0.037, Replicability: 0.9})
	require.Equal(t, 100, v.NeedRuns, "%v", v)
	v = Judge(pairs(accuracy, 10, 0, 0.05), Claim{Kind: Equivalent, Margin: 0.037, Replicability: 0.9})
	require.NotNil(t, v.Rerun)
	assert.True(t, v.Rerun.counted())
}

// The line on reruns says which finding they repeat, by the claim and its own test.
func TestRerunSaysWhatItFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		difference, sd float64
		claim          Claim
		want           string
	}{
		{0.05, 0.01, Claim{}, "significantly better again"},
		{-0.05, 0.01, Claim{}, "significantly worse again"},
		{0.001, 0.05, Claim{}, "no significant difference again"},
		{0, 0, Claim{}, "no significant difference again"},
		{-0.001, 0.05, Claim{}, "no significant difference again"},
		{-0.001, 0.05, Claim{Kind: Improves}, "the claim fails again"},
		{0.05, 0.01, Claim{Kind: Replicable, Replicability: 0.6}, "significantly better again"},
		{0.05, 0.01, Claim{Kind: Improves}, "the claim holds again"},
		{0.05, 0.01, Claim{Kind: Improves, Replicability: 0.6}, "the claim holds again"},
		{0.001, 0.05, Claim{Kind: Improves}, "the claim fails again"},
		{-0.05, 0.01, Claim{Kind: Improves}, "significantly worse again"},
		{-0.05, 0.01, Claim{Kind: Improves, OneSided: true}, "the claim fails again"},
		{0.01, 0.001, Claim{Kind: Improves, Gain: 0.05}, "significantly less than the gain again"},
		{0.05, 0.001, Claim{Kind: Improves, Gain: 0.01}, "the claim holds again"},
		{-0.05, 0.01, Claim{Kind: NoRegression}, "the claim fails again"},
		{0.001, 0.01, Claim{Kind: NoRegression}, "the claim holds again"},
		{0.001, 0.001, Claim{Kind: Equivalent}, "the claim holds again"},
		{0.05, 0.001, Claim{Kind: Equivalent}, "the claim fails again"},
	} {
		for _, unit := range []unit.Unit{accuracy, {Name: "error", Better: unit.Lower, Min: 0, Max: 1}} {
			v := Judge(pairs(unit, 1, float64(unit.Better)*c.difference, c.sd), c.claim)
			require.NotNil(t, v.Rerun, "%+v", c)
			require.Equal(t, c.want, v.Rerun.Finds, "%s: %v", unit.Name, v)
			require.Contains(t, v.String(), "\n  rerun          "+c.want+" with probability ")
		}
	}
}

// Where no fold differs from another, the text names no detectable difference: 0 points would be
// read as "anything".
func TestNothingIsDetectableInEqualScores(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{Differs, Improves, NoRegression, Equivalent} {
		v := Judge(pairs(accuracy, 1, 0, 0), Claim{Kind: kind})
		if kind == NoRegression || kind == Equivalent { // so many examples show as much
			require.Equal(t, v.Unseen(), v.Detectable)
		} else {
			require.Zero(t, v.Detectable)
			require.NotContains(t, v.String(), "detectable")
		}
		require.NotContains(t, v.String(), "finds a difference of 0.00")
		require.Contains(t, v.String(), "the scores of both learners are equal in every fold")
	}
}

// A predicted R is in its interval or is not given, whatever the difference: near 1 the mean over
// what the runs leave possible lies below the interval.
func TestReplicabilityInFactsLiesInItsInterval(t *testing.T) {
	t.Parallel()
	left := 0
	for difference := -0.2; difference <= 0.2; difference += 0.004 {
		p := pairs(accuracy, 3, difference, 0.03)
		v := Judge(p, Claim{})
		require.NotNil(t, v.Rerun)
		f := v.Facts()
		require.NotNil(t, f.Rerun)
		if f.Rerun.R.IsNaN() {
			left++
			assert.False(t, v.Rerun.Lo <= v.Rerun.R && v.Rerun.R <= v.Rerun.Hi)
			continue
		}
		assert.LessOrEqual(t, f.Rerun.Lo, f.Rerun.R)
		assert.LessOrEqual(t, f.Rerun.R, f.Rerun.Hi)
	}
	require.NotZero(t, left, "no R lies outside its interval: the test tests nothing")
}
