package assert

import "github.com/learnbench/learnbench/learntest/verdict"

// BaselineIsCurrent claims that a stored baseline, as of learntest.Against, is not out of date: the candidate is
// not significantly better than it is, by a two-sided test. One that is beaten hides losses: what was gained
// since it was stored can be lost again unseen, and passes as improved. So does a loss that was accepted,
// with its baseline, and reverted later. The failure names the command that stores the baseline anew.
//
// It says nothing of losses: make it beside NoRegression.
//
//	c := learntest.Against(t, data, candidate, "testdata/baseline.txt")
//	assert.NoRegression(t, c, assert.Margin(0.02))
//	assert.BaselineIsCurrent(t, c)
//
// A gain that is too small to be significant passes, and several of them are found together. LEARNTEST_ALPHA does
// not apply, since a lower level would make it looser. Neither a margin, a replicability, a second opinion nor a [Family]
// goes with it.
func BaselineIsCurrent(t TestingT, c Comparison, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Unbeaten}, options)
}
