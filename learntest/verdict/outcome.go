package verdict

import "fmt"

// An Outcome sums up what the data show about the difference of two learners.
type Outcome uint8

// The outcomes. The zero value is the safe one.
const (
	Invalid      Outcome = iota // it could not be judged
	Inconclusive                // neither a difference nor equivalence was shown
	Improved                    // the candidate is significantly better
	Regressed                   // the candidate is significantly worse
	Same                        // the difference is shown to be within the margin, or all scores are equal
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome {
	return []Outcome{Invalid, Inconclusive, Improved, Regressed, Same}
}

// String returns the outcome in a word: invalid, inconclusive, improved,
// regressed or equivalent.
func (o Outcome) String() string {
	switch o {
	case Invalid:
		return "invalid"
	case Inconclusive:
		return "inconclusive"
	case Improved:
		return "improved"
	case Regressed:
		return "regressed"
	case Same:
		return "equivalent"
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}
