package verdict

import (
	"errors"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withP returns a verdict that was judged and whose test has the given p.
func withP(k Kind, o Outcome, p float64) Verdict {
	v := Verdict{
		Claim: Claim{Kind: k, Alpha: 0.05}, Outcome: o, Unit: accuracy, Candidate: "a",
		Baseline: "b",
	}
	v.Decision = Finding{P: p, Shown: p <= 0.05}
	v.Difference = v.Decision
	v.Holds = p <= 0.05
	return v
}

func TestAdjustKeepsWhatIsStillSignificant(t *testing.T) {
	t.Parallel()
	vs := []Verdict{
		withP(Improves, Improved, 0.001), withP(Improves, Improved, 0.04),
		withP(Differs, Regressed, 0.03),
		withP(Differs, Inconclusive, 0.5), Fail(Claim{}, errors.New("no data")),
	}
	got, err := Adjust(vs, adjust.MustLookup("holm")) // of 5: 0.005, 0.12, 0.12, 1
	require.NoError(t, err)
	assert.Equal(t, Improved, got[0].Outcome)
	assert.True(t, got[0].Holds)
	assert.InDelta(t, 0.005, got[0].AdjustedP, 1e-12)

	assert.Equal(t, Inconclusive, got[1].Outcome)
	assert.False(t, got[1].Holds)
	assert.Equal(t, "not significant after adjustment for 5 comparisons (holm, p = 0.120)",
		got[1].Reason)

	assert.Equal(t, Inconclusive, got[2].Outcome)
	assert.False(t, got[2].Holds)
	require.Len(t, got[2].Warnings, 1)

	assert.Equal(t, Inconclusive, got[3].Outcome)
	assert.Empty(t, got[3].Warnings)
	assert.Equal(t, Invalid, got[4].Outcome)
	assert.Equal(t, Improved, vs[1].Outcome, "the argument is as before")
	assert.Contains(t, got[0].String(), "holm of 5 p = 0.005")
}

func TestAdjustOfNoRegression(t *testing.T) {
	t.Parallel()
	vs := []Verdict{
		withP(NoRegression, Same, 0.03), withP(NoRegression, Improved, 0.04),
		withP(NoRegression, Regressed, 0.9),
	}
	got, err := Adjust(vs, adjust.MustLookup("bonferroni"))
	require.NoError(t, err)
	for i, v := range got {
		assert.False(t, v.Holds)
		assert.Equal(t, []Outcome{Inconclusive, Improved, Regressed}[i], v.Outcome)
	}
	// Equal scores stay equal, whatever else is compared.
	vs[0].same = true
	got, err = Adjust([]Verdict{vs[0], vs[2]}, adjust.MustLookup("bonferroni"))
	require.NoError(t, err)
	assert.False(t, got[0].Holds)
	assert.Equal(t, Same, got[0].Outcome)
}

// A candidate that is worse than the baseline, and so than the gain that was claimed, is not
// so after an adjustment either.
func TestAdjustOfAGainThatIsALoss(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 1, -0.05, 0.05), Claim{Kind: Improves, Gain: 0.005})
	require.Equal(t, Regressed, v.Outcome, "%v", v)
	require.False(t, v.Decision.Shown)
	got, err := Adjust([]Verdict{v}, adjust.MustLookup("bonferroni"))
	require.NoError(t, err)
	assert.Equal(t, Regressed, got[0].Outcome)
	got, err = Adjust(slices.Repeat([]Verdict{v}, 1000), adjust.MustLookup("bonferroni"))
	require.NoError(t, err)
	assert.Equal(t, Inconclusive, got[0].Outcome)
	assert.False(t, got[0].Holds)
}

func TestAdjustRefuses(t *testing.T) {
	t.Parallel()
	vs := []Verdict{withP(Improves, Improved, 0.001), withP(Improves, Improved, 0.04)}
	_, err := Adjust(vs, adjust.MustLookup("bergmann-hommel")) // not all pairs of anything
	require.ErrorIs(t, err, ErrClaim)
	same, err := Adjust(vs, adjust.Method{})
	require.NoError(t, err)
	assert.Equal(t, vs, same)
}
