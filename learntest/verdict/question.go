package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A question is a claim about a metric, with the defaults for that.
type question struct {
	Claim
	unit   unit.Unit
	tested int // distinct examples; 0 if that is unknown

	unchanged bool // as in Verdict

	items *Items // as in Verdict

	single *singles // as in Verdict
}

// settled reports whether the claim holds since nothing was changed.
func (q question) settled() bool {
	return q.unchanged && (q.Kind == NoRegression || q.Kind == Equivalent)
}

// sayLittle reports whether equal scores say nothing of a margin.
func (q question) sayLittle(same bool) bool {
	if q.items != nil {
		return same && !hasRange(q.unit)
	}
	return same && !q.unchanged && !q.unit.IsMean()
}

// heldByExamples reports whether the claim about a margin rests on examples, too.
func (q question) heldByExamples() bool {
	return q.single != nil && q.single.sample != nil && !q.unchanged && q.Margin > 0 &&
		(q.Kind == NoRegression || q.Kind == Equivalent)
}

// hasRoom reports whether there is a margin, or a rope, to be within.
func (q question) hasRoom() bool { return q.Margin > 0 || q.Rope > 0 }

// room returns the claim's word for the difference that does not matter.
func (q question) room() string {
	if q.Probability > 0 {
		return "rope"
	}
	return "margin"
}

// beyond says from where a detectable difference counts, if not from zero.
func (q question) beyond() string {
	switch {
	case q.gain() == 0:
		return ""
	case q.Probability > 0:
		return " beyond the rope"
	}
	return " beyond the gain"
}

// cases says on how many cases a claim is judged.
func (q question) cases() string {
	if q.items != nil {
		return q.items.String()
	}
	return fmt.Sprintf("%d examples", q.tested)
}

// everywhere says where a candidate would have a score that it has in all cases.
func (q question) everywhere() string {
	if q.items != nil {
		return "on every item"
	}
	return "in every fold"
}

func pointsHint(u unit.Unit) string {
	if u.IsFraction() {
		return ": 0.02 is two points"
	}
	return ""
}

// hasRange reports whether the scores of a metric have both ends.
func hasRange(u unit.Unit) bool { return !math.IsInf(u.Span(), 0) }

func rangeOf(u unit.Unit) itemwise.Range {
	if !hasRange(u) {
		return itemwise.Range{}
	}
	return itemwise.Range{Least: -u.Span(), Most: u.Span()}
}
