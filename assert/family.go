package assert

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Family is several comparisons that one claim is made about: it holds if it
// holds for each, with p-values adjusted for their number. The adjustment is
// Holm's unless the option Adjust names another.
//
//	assert.NoRegression(t, assert.Family{vehicle, glass, vote}, assert.Margin(0.02))
type Family []Comparison

// Judge returns the verdict on the first comparison for which the claim does not
// hold, or on the first one if it holds for all, after Holm's adjustment.
func (f Family) Judge(c verdict.Claim) verdict.Verdict {
	vs := f.judge(c, verdict.DefaultAdjustment)
	for _, v := range vs {
		if !v.Holds {
			return v
		}
	}
	return vs[0]
}

// judge returns the adjusted verdicts, at least one.
func (f Family) judge(c verdict.Claim, adjustment string) []verdict.Verdict {
	if len(f) == 0 {
		return []verdict.Verdict{verdict.Fail(c, fmt.Errorf("%w: a family of no comparisons", verdict.ErrClaim))}
	}
	vs := make([]verdict.Verdict, len(f))
	for i, comparison := range f {
		vs[i] = comparison.Judge(c)
	}
	adjusted, err := verdict.Adjust(vs, adjustment)
	if err != nil {
		return []verdict.Verdict{verdict.Fail(c, err)}
	}
	return adjusted
}

// judgeAll judges the claim about a comparison or each of a family.
func judgeAll(c Comparison, cl verdict.Claim, adjustment string) []verdict.Verdict {
	f, ok := c.(Family)
	switch {
	case ok && adjustment == "":
		return f.judge(cl, verdict.DefaultAdjustment)
	case ok:
		return f.judge(cl, adjustment)
	case adjustment != "":
		return []verdict.Verdict{verdict.Fail(cl, fmt.Errorf("%w: an adjustment is for a Family of comparisons", verdict.ErrClaim))}
	}
	return []verdict.Verdict{c.Judge(cl)}
}
