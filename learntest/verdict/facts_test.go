package verdict

import (
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/stretchr/testify/require"
)

// The adjusted p is the p of the test which decided, and the text calls no other p
// adjusted.
func TestAdjustmentIsOfThePThatDecides(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 1, 0.005, 0.015), Claim{Kind: NoRegression})
	require.True(t, v.Holds, "%v", v)
	require.NotEqual(t, v.Difference.P, v.Decision.P)
	for _, n := range []int{2, 50} {
		vs := make([]Verdict, n)
		for i := range vs {
			vs[i] = v
		}
		adjusted, err := Adjust(vs, adjust.MustLookup("bonferroni"))
		require.NoError(t, err)
		w := adjusted[0]
		require.InEpsilon(t, min(1, float64(n)*v.Decision.P), w.AdjustedP, 1e-12)
		require.Equal(t, w.AdjustedP <= 0.05, w.Holds)
		margin, difference := w.prose().evidence(&w.Decision, w.Decision.P), w.prose().uncertainty()
		require.Contains(t, margin, "bonferroni of")
		require.NotContains(t, difference, "bonferroni")
	}
}

// The margin that an equivalence claim would have shown is one that it does show in as
// many cases, where there is no difference.
func TestDetectableMarginsAreShown(t *testing.T) {
	t.Parallel()
	const cases = 1000
	r := rand.New(rand.NewPCG(5, 6))
	independent := func() *record.Pairs {
		p := pairs(score, 1, 0, 0)
		for i := range p.A {
			// With as good as no test examples folds are independent.
			p.A[i], p.B[i], p.TrainN[i], p.TestN[i] = 0.5+0.05*r.NormFloat64(), 0.5, 1<<30, 1
		}
		return p
	}
	for _, kind := range []Kind{NoRegression, Equivalent} {
		c := Claim{Kind: kind, Margin: 1e-4}
		v := Judge(independent(), c)
		require.False(t, v.Holds)
		require.Greater(t, v.Detectable, 1e-3)
		c.Margin = v.Detectable
		holds := 0
		for range cases {
			if Judge(independent(), c, Bare).Holds {
				holds++
			}
		}
		require.InDelta(t, 0.8, float64(holds)/cases, 0.1, "%v", kind)
	}
}

// Identical scores are no difference that could be replicable: the claim is about the
// conclusion, and says so.
func TestReplicableIsAClaimOfItsOwn(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 1, 0, 0), Claim{Kind: Replicable, Replicability: 0.9})
	require.Equal(t, Same, v.Outcome, "%v", v)
	require.True(t, v.Holds)
	require.Equal(t, "forest compares replicably with bayes on vehicle in accuracy", v.Statement())
	require.NotContains(t, v.String(), "differs")

	// So is any other conclusion that is clear.
	for difference, want := range map[float64]Outcome{
		0.05: Improved, -0.05: Regressed,
		0.0001: Inconclusive,
	} {
		v := Judge(pairs(accuracy, 1, difference, 0.02), Claim{Kind: Replicable, Replicability: 0.9})
		require.Equal(t, want, v.Outcome, "%v", v)
		require.True(t, v.Holds, "%v", v)
	}
}
