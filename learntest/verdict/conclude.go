package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A reading is what findings say of a question.
type reading struct {
	question
	found *Findings
}

// A conclusion is the outcome of a claim, drawn from findings.
type conclusion struct {
	outcome Outcome
	holds   bool   // the claim
	reason  string // why it does not
}

// conclude draws the outcome, and whether the claim holds, from the findings.
func (q reading) conclude() conclusion {
	f := q.found
	c := conclusion{outcome: q.outcome()}
	switch {
	case f.Posterior != nil:
		c.holds = f.Decision.Shown
	case q.Kind == Differs:
		c.holds = f.Difference.Shown
	case q.Kind == Improves:
		c.holds = f.Decision.Shown && f.Decision.Result.Beyond() == 1
	case q.Kind == NoRegression:
		c.holds = f.Above.Shown
	case q.Kind == Equivalent:
		c.holds = f.Within()
	case q.Kind == Unbeaten:
		c.holds = f.Significance() <= 0
	default:
		c.holds = true // until its replicability is looked at
	}
	if !c.holds {
		c.reason = q.notShown(c.outcome)
	}
	return c
}

// outcome sums up significance tests, or names the region that has more than the required
// posterior probability.
func (q reading) outcome() Outcome {
	f := q.found
	same, better, worse := f.Within(), f.Significance() > 0 || q.Kind == Improves &&
		f.Decision.Shown && f.Decision.Result.Beyond() == 1, f.Significance() < 0
	if p := f.Posterior; p != nil {
		same, better, worse = p.Equivalent > q.Probability && !f.open, p.Better > q.Probability,
			p.Worse > q.Probability
	}
	if p := f.half; p != nil {
		same, better, worse = same && p.Equivalent > q.Probability, better && p.Better > q.Probability,
			worse && p.Worse > q.Probability
	}
	switch {
	case same, f.same && (q.Kind == Differs || !q.hasRoom()):
		return Same
	case better:
		return Improved
	case worse:
		return Regressed
	}
	return Inconclusive
}

// notShown says why the claim does not hold.
func (q reading) notShown(o Outcome) string {
	f := q.found
	few := q.seesTooLittle()
	if few != "" {
		few = ": " + few
	}
	switch margin := q.unit.FormatMargin(q.Margin); {
	case q.hasRoom() && q.sayLittle(f.same):
		return fmt.Sprintf("all scores are equal, from which no margin of %s follows, since that is no mean over examples with a range", q.unit.Name)
	case f.Posterior != nil:
		region, p := q.claimed(f.Posterior)
		if p > q.Probability {
			return fmt.Sprintf("P(%s) is %s, and the %d examples may have missed what refutes it%s", region,
				formatProbability(p), q.tested, few)
		}
		return fmt.Sprintf("P(%s) is %s, not above %v", region, formatProbability(p), q.Probability)
	case o == Regressed && q.Kind != Differs:
		return "the candidate is significantly worse"
	case q.Kind == Unbeaten:
		return "the candidate is significantly better, so that its gain can be lost again unseen"
	case o == Improved && q.Kind == Equivalent:
		return "the candidate is significantly better, and a difference of more than " + margin +
			" was not ruled out"
	case q.Kind == Improves && q.Gain > 0:
		return "a gain of more than " + q.unit.FormatMargin(q.Gain) + " was not shown"
	case q.Kind == Improves:
		return "no significant improvement"
	case q.Kind == NoRegression:
		return "a regression by more than " + margin + " was not ruled out" + few + f.Examples.exceeds()
	case q.Kind == Equivalent:
		return "a difference of more than " + margin + " was not ruled out" + few + f.Examples.exceeds()
	}
	return noDifference
}

// noDifference is the reason of a claim of a difference that is not shown.
const noDifference = "no significant difference"

// shows reports whether the claim was shown, which for a mere comparison is that there
// is a difference, or none that matters.
func (q reading) shows(holds bool) bool {
	return holds || q.Kind == Differs && q.found.Within()
}

// repeats returns what a repetition must share to agree: that the claim holds or
// not, and for claims of no direction in which direction the difference is
// significant.
func (q reading) repeats(holds bool) int {
	switch {
	case q.Kind == Differs, q.Kind == Replicable, q.Kind == Unbeaten:
		return q.found.Significance()
	case holds:
		return 1
	}
	return 0
}

// claimed names the region that the claim is about, with its probability.
func (q question) claimed(p *stat.Posterior) (region string, probability float64) {
	switch q.Kind {
	case NoRegression:
		return "not worse", p.Equivalent + p.Better
	case Equivalent:
		return "within", p.Equivalent
	}
	return "better", p.Better
}
