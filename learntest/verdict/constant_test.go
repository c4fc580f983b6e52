package verdict

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Verdicts ask for a second opinion on a learner that sometimes learns nothing; not on
// one that hardly ever does, nor on one that always does, nor where there is one.
func TestUnsteadyLearnersAreNamed(t *testing.T) {
	t.Parallel()
	const warning = " models of forest make the same prediction for all test examples: "
	for _, c := range []struct {
		constant int
		want     string
	}{
		{0, ""},
		{9, ""},
		{99, ""},
		{100, ""},
		{10, "10 of 100" + warning + "ask for a second opinion"},
		{41, "41 of 100" + warning + "ask for a second opinion"},
		{98, "98 of 100" + warning + "ask for a second opinion"},
	} {
		p := pairs(accuracy, 1, 0.05, 0.01)
		p.ConstantA = c.constant
		v := Judge(p, Claim{Kind: Improves})
		require.True(t, v.Holds, "it forbids nothing")
		if c.want == "" {
			require.Empty(t, v.Warnings)
			continue
		}
		require.Len(t, v.Warnings, 1)
		require.EqualError(t, v.Warnings[0], c.want)
		require.Contains(t, v.String(), "\n  warning        "+c.want+"\n")
		require.Empty(t, Judge(withHalves(p, 20, 0.05, 0.01),
			Claim{Kind: Improves, Halvings: 20}).Warnings)

		p.ConstantA, p.ConstantB, p.CandidateHeader.Protocol = 0, c.constant,
			"subsample runs=10 test=0.1 stratified seed=1 v1"
		p.Runs, p.Folds = 100, 1
		warnings := unsteady(p, Claim{})
		require.Len(t, warnings, 1)
		require.ErrorContains(t, warnings[0],
			" models of bayes make the same prediction for all test examples: the test is then wrong more often than its level says")
	}
}

// An outcome is about this data set, unless a second opinion agrees.
func TestScopeOfOutcomes(t *testing.T) {
	t.Parallel()
	first := func(v Verdict) string {
		line, _, _ := strings.Cut(v.String(), "\n")
		return line
	}
	alone := pairs(accuracy, 1, 0.05, 0.01)
	require.Contains(t, first(Judge(alone, Claim{})), "improved on this data set")
	both := withHalves(alone, 20, 0.05, 0.01)
	require.NotContains(t, first(Judge(both, Claim{Halvings: 20})), "on this data set")
	require.Contains(t, first(Judge(both, Claim{})), "on this data set",
		"the second opinion is not asked for")
}
