package stat

import (
	"fmt"
	"math"
)

// Unseen returns the largest share of a population that n randomly drawn examples may all
// have missed. This is the failure rate that a test without a single failure leaves
// possible,
//
//	u(n) = 1 − α^(1/n),
//
// about −ln(α)/n. It is the upper end of the exact one-sided interval of level 1−α for the
// probability of an event that did not occur in n independent cases. For a score that is
// the mean over n examples of values from a range, u(n) times the range is the loss that
// equal scores cannot rule out.
//
// It returns an error that wraps [ErrSampleSize] if n is less than 1, and [ErrDomain]
// unless 0 < alpha < 1.
//
// Source: C. J. Clopper and E. S. Pearson (1934), "The use of confidence or fiducial limits
// illustrated in the case of the binomial", with no event; the "rule of three" is −ln(0.05)
// ≈ 3.
func Unseen(n int, alpha float64) (float64, error) {
	if err := checkUnseen(n, alpha); err != nil {
		return 0, err
	}
	return -math.Expm1(math.Log(alpha) / float64(n)), nil
}

// UnseenP returns the level at which [Unseen] equals the given share: the probability (1 −
// share)^n that n examples miss all cases of such a share of the population. It is 1 for
// shares of 0 and less, and 0 for shares of 1 and more.
//
// It returns an error that wraps [ErrSampleSize] if n is less than 1, and [ErrNotFinite] if
// share is NaN.
func UnseenP(n int, share float64) (float64, error) {
	switch {
	case math.IsNaN(share):
		return 0, fmt.Errorf("%w: share %v", ErrNotFinite, share)
	case n < 1:
		return 0, fmt.Errorf("%w: %d examples, need at least 1", ErrSampleSize, n)
	}
	return math.Exp(float64(n) * math.Log1p(-min(max(share, 0), 1))), nil
}

// UnseenExamples returns the smallest n for which [Unseen] is less than the given share.
//
// It returns an error that wraps [ErrDomain] unless share and alpha are between 0 and 1, and
// [ErrSampleSize] if n would be more than 2^31.
func UnseenExamples(share, alpha float64) (int, error) {
	if !(share > 0 && share < 1) {
		return 0, fmt.Errorf("%w: share %v is not between 0 and 1", ErrDomain, share)
	}
	if err := checkUnseen(1, alpha); err != nil {
		return 0, err
	}
	n := math.Floor(math.Log(alpha)/math.Log1p(-share)) + 1
	if n > 1<<31 {
		return 0, fmt.Errorf("%w: share %v takes more than 2^31 examples", ErrSampleSize, share)
	}
	least := int(n)
	for ; least > 1 && -math.Expm1(math.Log(alpha)/float64(least-1)) < share; least-- { // round-off of the quotient
	}
	for ; -math.Expm1(math.Log(alpha)/float64(least)) >= share; least++ {
	}
	return least, nil
}

func checkUnseen(n int, alpha float64) error {
	switch {
	case !(alpha > 0 && alpha < 1):
		return fmt.Errorf("%w: level %v is not between 0 and 1", ErrDomain, alpha)
	case n < 1:
		return fmt.Errorf("%w: %d examples, need at least 1", ErrSampleSize, n)
	}
	return nil
}
