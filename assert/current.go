package assert

import "github.com/learnbench/learnbench/learntest/verdict"

// BaselineIsCurrent claims that a stored baseline, as of learntest.Against, is not out of date: a
// two-sided test does not show the candidate to be better. A beaten baseline hides losses: the
// candidate could lose its gain again unseen, and pass as improved. So it is where an accepted
// loss, with its baseline, is reverted later. The failure names the command that stores the
// baseline anew.
//
// It says nothing of losses: make it beside NoRegression.
//
//	c := learntest.Against(t, data, candidate, "testdata/baseline.txt")
//	assert.NoRegression(t, c, assert.Margin(0.02))
//	assert.BaselineIsCurrent(t, c)
//
// A gain that is too small to be significant passes, and several of them are found together.
// LEARNTEST_ALPHA does not apply, since a lower level would make it looser. Neither a margin, a
// replicability, a second opinion nor a [Family] goes with it.
func BaselineIsCurrent(t TestingT, c Comparison, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.Unbeaten}, options)
}
