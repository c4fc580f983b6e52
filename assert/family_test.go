package assert_test

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
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
	testify.False(t, assert.Improves(r, assert.Family{good, bad, good}, "all must"))
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0], "regressed")
	testify.Contains(t, r.failures[0], "all must")

	testify.False(t, assert.Improves(&recorder{}, assert.Family{}))
}

func TestFamilyAdjustsForItsSize(t *testing.T) {
	t.Parallel()
	// p = 0.03 on its own.
	borderline := comparison(accuracy, []float64{0.135, 0.065, 0.135, 0.065, 0.135, 0.065, 0.135, 0.065, 0.135, 0.065})
	p := borderline.Judge(verdict.Claim{Kind: verdict.Improves}).Result.P
	require.True(t, p > 0.017 && p < 0.05, "p = %v", p)
	family := assert.Family{borderline, borderline, borderline}
	testify.True(t, assert.Improves(&recorder{}, borderline))
	r := &recorder{}
	testify.False(t, assert.Improves(r, family))
	testify.Contains(t, r.failures[0], "not significant after adjustment for 3 comparisons (holm, p = 0.")
	testify.False(t, family.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
	testify.True(t, assert.Improves(&recorder{}, family, assert.Adjust("none")))
	testify.True(t, assert.Improves(&recorder{}, family, assert.Adjust("benjamini-hochberg")))
}

func TestMisusedAdjustmentFails(t *testing.T) {
	t.Parallel()
	good := comparison(accuracy, better)
	r := &recorder{}
	testify.False(t, assert.Improves(r, good, assert.Adjust("holm")))
	testify.Contains(t, r.failures[0], "an adjustment is for a Family")
	r = &recorder{}
	testify.False(t, assert.Improves(r, assert.Family{good}, assert.Adjust("fancy")))
	testify.Contains(t, r.failures[0], "fancy")
}
