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
		"candidate":       {accuracy, -0.2, 0.5, `forest is no better than always "ham", which scores 50.00%`},
		"both":            {accuracy, -0.2, 0.7, `neither forest nor bayes is better than always "ham", which scores 70.00%`},
		"baseline":        {accuracy, 0.2, 0.7, ""},
		"neither":         {accuracy, 0.2, 0.5, ""},
		"lower":           {wrong, 0.2, 0.7, `forest is no better than always "ham", which scores 70.00%`},
		"lower, neither":  {wrong, -0.2, 0.7, ""},
		"lower, baseline": {wrong, -0.2, 0.5, ""},
	} {
		p := pairs(c.unit, 1, c.difference, 0.01)
		for _, h := range []*record.Header{p.BaselineHeader, p.CandidateHeader} { // whichever has it
			p.CandidateHeader.Majority, p.BaselineHeader.Majority = "", ""
			h.SetMajority(record.Majority{Class: "ham", Units: []string{"kappa", c.unit.Name}, Scores: []float64{9, c.score}})
			for _, judge := range []func(*record.Pairs, Claim) Verdict{Judge, Brief, Bare} {
				v := judge(p, Claim{})
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
	p.CandidateHeader.SetMajority(record.Majority{Class: "ham", Units: []string{"accuracy"}, Scores: []float64{v.CandidateMean}})
	require.ErrorContains(t, Judge(p, Claim{}).Warnings[1], "neither forest nor bayes is better")
}
