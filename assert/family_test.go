package assert_test

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFamilyHoldsIfAllDo(t *testing.T) {
	t.Parallel()
	good, bad := comparison(accuracy, better), comparison(accuracy, worse)
	r := &recorder{}
	testify.True(t, assert.Improves(r, assert.Family{good, good, good}))
	testify.Empty(t, r.failures)
	testify.Len(t, r.logs, 3)

	r = &recorder{}
	testify.False(t, assert.Improves(r, assert.Family{good, bad, good}, assert.Message("all must")))
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0], "regressed")
	testify.Contains(t, r.failures[0], "all must")

	testify.False(t, assert.Improves(&recorder{}, assert.Family{}))
}

func TestFamilyAdjustsForItsSize(t *testing.T) {
	t.Parallel()
	// p = 0.03 on its own.
	borderline := comparison(accuracy, []float64{
		0.135, 0.065, 0.135, 0.065, 0.135, 0.065, 0.135,
		0.065, 0.135, 0.065,
	})
	p := borderline.judge(verdict.Claim{Kind: verdict.Improves}).Decision.P
	require.True(t, p > 0.017 && p < 0.05, "p = %v", p)
	family := assert.Family{borderline, borderline, borderline}
	testify.True(t, assert.Improves(&recorder{}, borderline))
	r := &recorder{}
	testify.False(t, assert.Improves(r, family))
	testify.Contains(t, r.failures[0],
		"not significant after adjustment for 3 comparisons (holm, p = 0.")
	testify.Len(t, family.Verdicts(verdict.Claim{Kind: verdict.Improves}), 3)
	testify.Len(t, assert.Family{family, borderline}.Verdicts(verdict.Claim{Kind: verdict.Improves}),
		4)
	testify.True(t, assert.Improves(&recorder{}, family, assert.Adjust(adjust.MustLookup("none"))))
	testify.True(t, assert.Improves(&recorder{}, family,
		assert.Adjust(adjust.MustLookup("benjamini-hochberg"))))
}

func TestMisusedAdjustmentFails(t *testing.T) {
	t.Parallel()
	good := comparison(accuracy, better)
	r := &recorder{}
	testify.False(t, assert.Improves(r, good, assert.Adjust(adjust.MustLookup("holm"))))
	testify.Contains(t, r.failures[0], "an adjustment is for a family of comparisons")
	r = &recorder{}
	testify.False(t, assert.Improves(r, assert.Family{good},
		assert.Adjust(adjust.Method{Name: "fancy"})))
	testify.Contains(t, r.failures[0], "Adjust without a usable value")
}

// asked is a comparison that notes the claims about it.
type asked struct{ claims *[]verdict.Claim }

func (a asked) Verdicts(c verdict.Claim) []verdict.Verdict {
	*a.claims = append(*a.claims, c)
	return []verdict.Verdict{{Claim: c, Outcome: verdict.Improved, Holds: true}}
}

// The first runs settle a claim at its own level, which an adjustment lowers.
func TestFamilyIsJudgedByAllRuns(t *testing.T) {
	t.Parallel()
	var claims []verdict.Claim
	c := asked{&claims}
	testify.True(t, assert.Improves(&recorder{}, assert.Family{c, c}))
	testify.True(t, assert.Improves(&recorder{}, assert.Family{assert.Family{c}}))
	testify.True(t, assert.Improves(&recorder{}, assert.Family{c},
		assert.Adjust(adjust.MustLookup("hommel"))))
	require.Len(t, claims, 4)
	for _, claim := range claims {
		testify.True(t, claim.AllRuns)
	}
	testify.True(t, assert.Improves(&recorder{}, c))
	testify.False(t, claims[4].AllRuns)
}
