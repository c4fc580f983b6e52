package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

// WithBudget returns the verdict on a NoRegression claim as one on a budget, whose
// total is the margin: it says how much of that is used, and whether a claim that does not
// hold has used it up or can just not be verified. Other verdicts, and verdicts on claims
// about a posterior probability, are returned unchanged.
//
// The gate does not change. It is about the sum of all changes since the reference was
// pinned, so that many small losses, each within the noise of its own comparison, cannot
// pass it.
func (v Verdict) WithBudget() Verdict {
	if v.Claim.Kind != NoRegression || v.Posterior != nil {
		return v
	}
	v.Budget = &Budget{Total: v.Claim.Margin}
	if v.Outcome == Invalid {
		return v
	}
	b := v.Budget
	b.Used = -float64(v.Unit.Better) * v.Estimate
	w := v.power()
	b.AtMost, b.first = w.leastMargin(), w.pending
	b.Confidence = 1 - v.Claim.Alpha
	if !v.Holds && !v.Above.Shown {
		reason, help := b.refuse(v.Unit)
		v.Reason, v.Help = reason, append(help, v.Help...)
	}
	return v
}

// exceeded reports whether the estimated loss is the budget or more.
func (b *Budget) exceeded() bool { return b.Used >= b.Total }

// refuse says why the claim does not hold, and what would help.
func (b *Budget) refuse(u unit.Unit) (reason string, help []string) {
	total := u.FormatMargin(b.Total)
	if b.exceeded() {
		return fmt.Sprintf("the budget of %s is used up", total),
			[]string{"win back the loss since the reference was pinned, or accept it with learnbench pin, which asks for a reason"}
	}
	return fmt.Sprintf("the data can no longer verify the budget of %s", total), []string{
		fmt.Sprintf("the estimate leaves %s of the budget, which is too little for these data to rule out that more than all of it is used: this proves neither that it is nor that it is not",
			u.FormatMargin(b.Total-max(b.Used, 0))),
		"test on more examples, win back the loss, or accept it with learnbench pin, which asks for a reason",
	}
}

// text returns the budget in words, as in "0.80 of 2.00 points used, at most 1.45
// points (95% confidence)".
func (b *Budget) text(u unit.Unit) string {
	used := "none of " + u.FormatMargin(b.Total) + " used"
	if b.Used > 0 {
		used = u.FormatPart(b.Used, b.Total) + " used"
	}
	if math.IsNaN(b.AtMost) {
		return used
	}
	by := ""
	if b.first {
		by = ", by the first test alone"
	}
	return fmt.Sprintf("%s, at most %s (%.4g%% confidence%s)", used,
		u.FormatMarginUp(math.Max(b.AtMost, 0)), 100*b.Confidence, by)
}
