package verdict

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A posterior probability has a second opinion like any test: both posteriors have to give more
// than is required.
func TestSecondOpinionOnAPosterior(t *testing.T) {
	t.Parallel()
	bayes := func(k Kind, rope float64) Claim {
		return Claim{Kind: k, Probability: 0.95, Rope: rope, Halvings: 20}
	}
	for _, c := range []struct {
		name                 string
		unit                 unit.Unit
		claim                Claim
		difference, halves   float64
		noise                float64 // of the halves
		asked, agrees, holds bool
		outcome              Outcome
	}{
		{"both", accuracy, bayes(Improves, 0.01), 0.05, 0.05, 0.01, true, true, true, Improved},
		{
			"both, lower is better", logloss, bayes(Improves, 0.01), -0.05, -0.05, 0.01, true, true,
			true, Improved,
		},
		{
			"halves are not sure", accuracy, bayes(Improves, 0.01), 0.05, 0.05, 0.2, true, false, false,
			Inconclusive,
		},
		{
			"the other way round", accuracy, bayes(Improves, 0), 0.05, -0.05, 0.01, true, false, false,
			Inconclusive,
		},
		{"not asked for", accuracy, bayes(Improves, 0.01), 0, 0.05, 0.01, false, false, false, Same},
		{
			"not worse by both", accuracy, bayes(NoRegression, 0.01), 0.03, 0.03, 0.01, true, true,
			true, Improved,
		},
		{
			"not worse by one", accuracy, bayes(NoRegression, 0.01), 0.03, -0.02, 0.01, true, false, false,
			Inconclusive,
		},
		{"equivalent by both", accuracy, bayes(Equivalent, 0.02), 0, 0, 0.01, true, true, true, Same},
		{
			"equivalent by one", accuracy, bayes(Equivalent, 0.02), 0, 0, 0.1, true, false, false,
			Inconclusive,
		},
	} {
		p := withHalves(pairs(c.unit, 1, c.difference, 0.01), 20, c.halves, c.noise)
		v := Judge(p, c.claim)
		require.NoError(t, v.Err, c.name)
		require.Equal(t, []bool{c.asked, c.agrees, c.holds}, []bool{
			v.Second.Asked, v.Second.Agrees,
			v.Holds,
		}, "%s: %v", c.name, v)
		require.Equal(t, c.outcome, v.Outcome, "%s: %v", c.name, v)
		require.Equal(t, v.Holds, v.Reason == "", c.name)
		if !c.asked {
			continue
		}
		r, err := stat.HalvesTest(differences(p, 0, p.Runs), differences(p.Second, 0, 20), stat.TwoSided)
		require.NoError(t, err)
		want, err := r.Posterior(c.claim.Rope)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(*v.Second.Posterior))
		_, claimed := v.question().claimed(&want)
		require.Equal(t, 1-claimed, v.Second.P)
		require.Equal(t, max(v.Second.First, v.Second.P), v.Decision.P)
		require.Regexp(t, `\n  second         with half of the examples \S+( points)?, 90% credible interval .*, P\((better|not worse|within)\) \S.*, m=20\n`, v.String())
		f := v.Facts().Second
		require.Equal(t, []unit.Number{
			unit.Number(v.Second.Estimate), unit.Number(v.Second.Lo),
			unit.Number(v.Second.Hi), unit.Number(v.Second.Level),
		},
			[]unit.Number{f.Estimate, f.Lo, f.Hi, f.Level})
		require.NotNil(t, f.Bayes)
	}
}

// The promises in the help of a claim with a second opinion are tried: with the smallest margin
// that it names the claim holds, and with a smaller one it does not. Before the halves were trained
// it is a promise of the first test, and says so.
func TestPromisesWithASecondOpinionHold(t *testing.T) {
	t.Parallel()
	asked, unasked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := Claim{
			Kind:     rapid.SampledFrom([]Kind{NoRegression, Equivalent}).Draw(t, "kind"),
			Halvings: 20,
		}
		size := rapid.Float64Range(0.001, 0.05).Draw(t, "size")
		bayes := rapid.Bool().Draw(t, "bayes")
		set := func(x float64) Claim {
			if c.Margin, c.Rope = x, 0; bayes {
				c.Margin, c.Rope, c.Probability = 0, x, 0.95
			}
			return c
		}
		u := rapid.SampledFrom([]unit.Unit{accuracy, logloss}).Draw(t, "unit")
		p := pairs(u, 1, rapid.Float64Range(-0.03, 0.03).Draw(t, "difference"), rapid.Float64Range(0.005,
			0.05).Draw(t, "noise"))
		p = withHalves(p, 20, rapid.Float64Range(-0.03, 0.03).Draw(t, "halves"), rapid.Float64Range(0.005,
			0.05).Draw(t, "noise of the halves"))
		v := Judge(p, set(size))
		if v.Holds || v.Outcome == Invalid {
			t.Skip("nothing is promised")
		}
		least := v.power().leastMargin()
		if !(least > 0.0001 && least < 0.3) {
			t.Skip("no margin to try")
		}
		above, below := Judge(p, set(least*1.0001)), Judge(p, set(least*0.9999))
		help, detectable := strings.Join(v.Help, "\n"), ""
		for line := range strings.Lines(v.String()) {
			if strings.HasPrefix(line, "  detectable ") {
				detectable = line
			}
		}
		if v.Second.Asked {
			asked++
			require.True(t, above.Holds, "%v\n%v", v, above)
			require.False(t, below.Holds, "%v\n%v", v, below)
			require.NotContains(t, help, "by the first test alone")
			require.NotContains(t, detectable, "by the first test alone")
			return
		}
		unasked++
		require.True(t, above.Second.Asked)
		require.False(t, below.Second.Asked)
		require.NotContains(t, help, "that would have held is above")
		require.Contains(t, help, "the first test alone shows a ")
		if !math.IsNaN(v.Detectable) {
			require.Contains(t, detectable, ", by the first test alone")
		}
	})
	require.Positive(t, asked)
	require.Positive(t, unasked)
}

// More runs make the first test surer, and never the second.
func TestHelpDoesNotPromiseTheHalvesMoreRuns(t *testing.T) {
	t.Parallel()
	p := withHalves(pairs(accuracy, 1, 0.02, 0.03), 20, 0.005, 0.05)
	v := Judge(p, Claim{Kind: Improves, Halvings: 20})
	require.True(t, v.Second.Asked && !v.Second.Agrees, "%v", v)
	require.NotContains(t, v.String(), "more runs of the protocol")
	require.Contains(t, v.String(), "with these data both tests find a difference of ")
	c := Claim{Kind: Improves, Halvings: 20}
	v = Judge(withHalves(pairs(accuracy, 1, 0.001, 0.03), 20, 0.005, 0.05), c)
	require.False(t, v.Second.Asked)
	require.Contains(t, v.String(), "with these data the first test alone finds a difference of ")
}
