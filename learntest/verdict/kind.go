package verdict

import "fmt"

// A Kind is a kind of claim.
type Kind uint8

// The kinds of claims. Differences are taken in the direction in which the
// metric is better, δ > 0 meaning that the candidate is better.
const (
	// Differs claims that δ ≠ 0, in whichever direction: a two-sided test
	// rejects that they are equal.
	Differs Kind = iota

	// Improves claims that δ > Gain. The test is two-sided unless the claim is
	// OneSided.
	Improves

	// NoRegression claims that δ > -Margin (non-inferiority). The test is
	// one-sided.
	NoRegression

	// Equivalent claims that -Margin < δ < Margin, by two one-sided tests.
	Equivalent

	// Replicable claims nothing of δ, but that the two-sided test comes to the
	// same conclusion on other random partitions with the required replicability.
	Replicable

	// Unbeaten claims that δ > 0 is not shown by the two-sided test: that a stored baseline is as
	// good as the candidate, so that losses are seen from there. It is no proof that nothing is
	// better.
	Unbeaten

	// AtLeast claims that the candidate's expected score is no lower than Threshold, of a metric of
	// which higher is better, and AtMost that it is no higher, where lower is better. They are
	// about the candidate alone.
	AtLeast
	AtMost

	// RatioAtMost claims that the candidate takes at most Threshold times as long as the baseline:
	// that the median of the ratios of their times in each trial is no greater. The metric is a
	// time, see record.PairTimes, or a cost of models, see metric.Cost, whose totals are compared.
	// Of items, it claims that the candidate's mean cost is at most Threshold times the baseline's.
	RatioAtMost
)

// String returns the claim in words.
func (k Kind) String() string {
	switch k {
	case Differs:
		return "differs from"
	case Improves:
		return "improves on"
	case NoRegression:
		return "does not regress from"
	case Equivalent:
		return "is equivalent to"
	case Replicable:
		return "compares replicably with"
	case Unbeaten:
		return "does not beat"
	case AtLeast:
		return "reaches at least"
	case AtMost:
		return "stays at most at"
	case RatioAtMost:
		return "takes at most a multiple of"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Absolute reports whether the claim is about the candidate alone.
func (k Kind) Absolute() bool { return k == AtLeast || k == AtMost }
