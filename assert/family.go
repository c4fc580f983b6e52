package assert

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Family is several comparisons that one claim is made about: it holds if it
// holds for each, with p-values adjusted for their number. The adjustment is
// Holm's unless the option Adjust gives another. Posterior probabilities are not adjusted.
//
//	assert.NoRegression(t, assert.Family{vehicle, glass, vote}, assert.Margin(0.02))
type Family []Comparison

// Verdicts returns the adjusted verdicts, or one that says why there are none.
func (f Family) Verdicts(c verdict.Claim) []verdict.Verdict {
	fail := func(err error) []verdict.Verdict { return []verdict.Verdict{verdict.Fail(c, err)} }
	if len(f) == 0 {
		return fail(fmt.Errorf("%w: a family of no comparisons", verdict.ErrClaim))
	}
	method := c.Adjust
	if method.Adjust == nil && c.Probability == 0 {
		method = adjust.MustLookup("holm")
	}
	c.Adjust = adjust.Method{} // it is for all of them
	c.AllRuns = method.Adjust != nil
	var vs []verdict.Verdict
	for _, comparison := range f {
		vs = append(vs, comparison.Verdicts(c)...)
	}
	adjusted, err := verdict.Adjust(vs, method)
	if err != nil {
		return fail(err)
	}
	return adjusted
}
