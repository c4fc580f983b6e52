package verdict

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

func TestDetectableLoss(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		claim        Claim
		difference   float64
		null, margin float64 // of the test that it is
		alternative  stat.Alternative
	}{
		{"improvement", Claim{Kind: Improves}, 0.05, 0, 0, stat.TwoSided},
		{"one-sided", Claim{Kind: Improves, OneSided: true, Alpha: 0.01}, 0.05, 0, 0, stat.Greater},
		{"gain", Claim{Kind: Improves, Gain: 0.02}, 0.05, 0.02, 0, stat.TwoSided},
		{"no regression", Claim{Kind: NoRegression, Margin: 0.03}, 0.01, -0.03, 0, stat.Greater},
		{"equivalence", Claim{Kind: Equivalent, Margin: 0.03}, 0, -0.03, 0, stat.Greater},
		{
			"posterior",
			Claim{Kind: NoRegression, Probability: 0.95, Rope: 0.03},
			0.01, -0.03, 0,
			stat.Greater,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := pairs(accuracy, 1, c.difference, 0.01)
			v := Judge(p, c.claim)
			require.True(t, v.Holds, "%v", v)
			r, err := stat.MustLookup("corrected-cv-t").Against(differences(p, 0, 10), c.null, c.alternative)
			require.NoError(t, err)
			want, err := r.DetectableLoss(v.Claim.tail(), 0.8)
			require.NoError(t, err)
			require.InDelta(t, want, v.DetectableLoss(), 1e-12)
			require.Positive(t, want)

			// A second opinion of less power fails earlier.
			if c.claim.Probability == 0 {
				c.claim.Halvings = 20
				second := Judge(withSecond(p, 20, 0.011), c.claim)
				require.True(t, second.Holds, "%v", second)
				require.Less(t, second.DetectableLoss(), want)
			}
		})
	}
	for _, c := range []Claim{
		{},
		{Kind: Replicable, Replicability: 0.6},
		{Kind: Improves, Gain: 0.4},
		{Kind: Improves, Test: stat.MustLookup("permutation")},
	} {
		v := Judge(pairs(accuracy, 1, 0.05, 0.01), c)
		require.True(t, math.IsNaN(v.DetectableLoss()), "%v", v)
	}
}
