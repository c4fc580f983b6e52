package verdict

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A baseline is beaten where a two-sided test shows it, and only then.
func TestUnbeaten(t *testing.T) {
	t.Parallel()
	claim := Claim{Kind: Unbeaten}
	for _, c := range []struct {
		name              string
		unit              unit.Unit
		difference, noise float64
		holds             bool
	}{
		{"better", accuracy, 0.05, 0.01, false},
		{"better, lower is better", logloss, -0.05, 0.01, false},
		{"worse", accuracy, -0.05, 0.01, true},
		{"worse, lower is better", logloss, 0.05, 0.01, true},
		{"nothing to see", accuracy, 0.001, 0.1, true},
		{"equal scores", accuracy, 0, 0, true},
	} {
		v := Judge(pairs(c.unit, 1, c.difference, c.noise), claim)
		require.NoError(t, v.Err, c.name)
		assert.Equal(t, c.holds, v.Holds, c.name)
		assert.Equal(t, v.Holds, v.Outcome != Improved, c.name)
		assert.Equal(t, v.Holds, v.Reason == "", c.name)
	}
	strict := claim
	strict.Alpha = 1e-300
	assert.True(t, Judge(pairs(accuracy, 1, 0.05, 0.01), strict).Holds)
	assert.Equal(t, "forest does not beat bayes on vehicle in accuracy",
		Judge(pairs(accuracy, 1, 0, 0.01), claim).Statement())

	// What would let it hold of more is refused.
	for name, c := range map[string]Claim{
		"a margin":         {Kind: Unbeaten, Margin: 0.1},
		"a replicability":  {Kind: Unbeaten, Replicability: 0.9},
		"repetitions":      {Kind: Unbeaten, Repeats: 3},
		"a second opinion": {Kind: Unbeaten, Halvings: 20},
		"a gain":           {Kind: Unbeaten, Gain: 0.1},
		"one side":         {Kind: Unbeaten, OneSided: true},
		"a probability":    {Kind: Unbeaten, Probability: 0.95, Rope: 0.01},
		"another kind":     {Kind: Unbeaten + 1},
	} {
		v := Judge(pairs(accuracy, 1, 0.05, 0.01), c)
		require.ErrorIs(t, v.Err, ErrClaim, name)
		require.False(t, v.Holds, name)
	}
	_, err := Adjust([]Verdict{Judge(pairs(accuracy, 1, 0.05, 0.01), claim)},
		adjust.MustLookup("holm"))
	require.ErrorContains(t, err, "a claim that a learner does not beat another would hold of more: make it of each comparison")

	// So is a level that no result could reach.
	few := *pairs(accuracy, 1, 0, 0.01)
	few.Runs, few.Folds = 1, 5
	few.A, few.B, few.TrainN, few.TestN = few.A[:5], few.B[:5], few.TrainN[:5], few.TestN[:5]
	few.CandidateHeader = &record.Header{Protocol: "cv runs=1 folds=5 stratified seed=1 v1"}
	for test, refused := range map[string]bool{"permutation": true, "paired-t": false} {
		found, err := stat.Lookup(test)
		require.NoError(t, err)
		v := Judge(&few, Claim{Kind: Unbeaten, Test: found})
		require.Equal(t, !refused, v.Holds, test)
		if refused {
			require.ErrorContains(t, v.Err, "no baseline would be beaten")
		}
	}
}
