package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

func TestCandidatesThatAreNoBetterThanOneClass(t *testing.T) {
	t.Parallel()
	wrong := unit.Unit{Name: "error", Better: unit.Lower, Min: 0, Max: 1}
	for name, c := range map[string]struct {
		unit       unit.Unit
		difference float64 // from a baseline of 60%
		score      float64
		want       string
	}{
		"candidate": {
			accuracy, -0.2, 0.5,
			`forest is no better than always "ham", which scores 50.00%`,
		},
		"both": {
			accuracy, -0.2, 0.7,
			`neither forest nor bayes is better than always "ham", which scores 70.00%`,
		},
		"baseline": {accuracy, 0.2, 0.7, ""},
		"neither":  {accuracy, 0.2, 0.5, ""},
		"lower": {
			wrong, 0.2, 0.7,
			`forest is no better than always "ham", which scores 70.00%`,
		},
		"lower, neither":  {wrong, -0.2, 0.7, ""},
		"lower, baseline": {wrong, -0.2, 0.5, ""},
	} {
		p := pairs(c.unit, 1, c.difference, 0.01)
		for _, h := range []*record.Header{p.BaselineHeader, p.CandidateHeader} { // whichever has it
			p.CandidateHeader.Majority, p.BaselineHeader.Majority = "", ""
			h.SetMajority(record.Majority{
				Class: "ham", Units: []string{"kappa", c.unit.Name},
				Scores: []float64{9, c.score},
			})
			for _, e := range []Extent{Whole, Brief, Bare} {
				v := Judge(p, Claim{}, e)
				if c.want == "" {
					require.Empty(t, v.Warnings, name)
					continue
				}
				require.Len(t, v.Warnings, 1, name)
				require.EqualError(t, v.Warnings[0], c.want, name)
			}
		}
	}
	empty := Verdict{Outcome: Improved}
	require.NoError(t, empty.LearnedNothing())
	// The very same score is no better.
	p := pairs(accuracy, 1, 0, 0)
	v := Judge(p, Claim{})
	p.CandidateHeader.SetMajority(record.Majority{
		Class: "ham", Units: []string{"accuracy"},
		Scores: []float64{v.CandidateMean},
	})
	require.ErrorContains(t, Judge(p, Claim{}).Warnings[1], "neither forest nor bayes is better")
}

// A margin of 0.5 that was meant as half a point passes a model below chance.
func TestMarginsThatTheMajorityPassesAreRefused(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, 0, 0.005) // a baseline of 60%
	p.BaselineHeader.SetMajority(record.Majority{
		Class: "ham", Units: []string{"accuracy"},
		Scores: []float64{0.5},
	})
	for _, kind := range []Kind{NoRegression, Equivalent} {
		for _, c := range []Claim{{Kind: kind, Margin: 0.2}, {Kind: kind, Rope: 0.2, Probability: 0.95}} {
			v := Judge(p, c)
			require.ErrorIs(t, v.Err, ErrClaim)
			require.ErrorContains(t, v.Err,
				`of 20.00 points a model would pass that always predicts "ham", which scores 50.00% (AllowMajority or -allow-majority, if that is meant): 0.02 is two points`)
			c.AllowMajority = true
			require.True(t, Judge(p, c).Holds)
		}
		require.True(t, Judge(p, Claim{Kind: kind, Margin: 0.05}).Holds)
	}
	require.ErrorContains(t, Judge(p, Claim{Margin: 0.2}).Err, "a model would pass",
		"it would be called equivalent")
	require.Equal(t, Same, Judge(p, Claim{Margin: 0.2, AllowMajority: true}).Outcome)
	require.Equal(t, Same, Judge(p, Claim{Margin: 0.05}).Outcome)
	p.BaselineHeader.SetMajority(record.Majority{
		Class: "ham", Units: []string{"accuracy"},
		Scores: []float64{0.597},
	})
	require.ErrorContains(t, Judge(p, Claim{Kind: NoRegression, Margin: 0.02}).Err,
		"is so near to that that no margin of accuracy helps; claim it on balanced-accuracy")
	p.BaselineHeader.SetMajority(record.Majority{
		Class: "ham", Units: []string{"accuracy"},
		Scores: []float64{0.6},
	})
	require.NoError(t, Judge(p, Claim{Margin: 0.02}).Err,
		"a baseline that has learned nothing can lose nothing")
}

// A candidate at the majority's score, against a baseline that is somewhat better: the margin is
// narrower than that, and the test cannot tell.
func TestClaimsDoNotHoldOfWhatHasLearnedNothing(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, -0.001, 0.0005)
	mean := Judge(p, Claim{}).CandidateMean
	for i := range p.B { // the candidate follows the baseline, and the majority does not
		up := 0.05 * float64(i%2*2-1)
		p.B[i], p.A[i] = p.B[i]+up, p.A[i]+up
	}
	p.BaselineHeader.SetMajority(record.Majority{
		Class: "ham", Units: []string{"accuracy"},
		Scores: []float64{mean + 1e-9},
	})
	for _, kind := range []Kind{NoRegression, Equivalent} {
		v := Judge(p, Claim{Kind: kind, Margin: 0.005})
		require.NoError(t, v.Err)
		require.False(t, v.Holds, "%v", v)
		require.Contains(t, v.Reason, `forest is no better than always "ham"`)
		require.True(t, Judge(p, Claim{Kind: kind, Margin: 0.005, AllowMajority: true}).Holds)
	}
	// Nor is it equivalent, whether it is significantly worse or not; equal scores are a fact.
	v := Judge(p, Claim{Margin: 0.005})
	require.Equal(t, Regressed, v.Outcome)
	require.True(t, v.Within())
	require.Contains(t, v.Reason, `forest is no better than always "ham"`)
	require.Equal(t, Same, Judge(p, Claim{Margin: 0.005, AllowMajority: true}).Outcome)
	for i := range p.A {
		p.A[i] += 0.0035 * float64(i%3-1)
	}
	require.Equal(t, Inconclusive, Judge(p, Claim{Margin: 0.005}).Outcome)
	copy(p.A, p.B)
	require.Equal(t, Same, Judge(p, Claim{Margin: 0.005}).Outcome)
}
