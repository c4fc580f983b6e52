package stat

import (
	"fmt"
	"math"
)

// Against returns the test of another null hypothesis with the estimate, the
// standard error and the degrees of freedom of r: that the difference is the
// given value, in the unit of the scores, against the given alternative. The
// test behind r must have a standard error and refer its statistic to Student's
// t or the normal distribution; which null hypothesis and alternative r itself
// has does not matter.
//
// It is how non-inferiority, minimum gain and equivalence are tested with the
// variance of any test: corrected, naive or that of Bouckaert's tests.
//
// It returns an error that wraps [ErrDomain] if r is of another test or the
// alternative is unknown, and [ErrNotFinite] if value is NaN or infinite. If SE
// is 0 the special cases are those of [CorrectedCVTTest], where an estimate
// that equals value up to round-off is a difference of zero.
//
// Source: Student's t test with a shifted null hypothesis.
func (r Result) Against(value float64, alt Alternative) (Result, error) {
	if err := alt.check(); err != nil {
		return Result{}, err
	}
	if r.Law != LawT || math.IsNaN(r.SE) || !(r.DF > 0) {
		return Result{}, fmt.Errorf("%w: %s has no standard error with which to test another value", ErrDomain, r.Test)
	}
	if value-value != 0 {
		return Result{}, fmt.Errorf("%w: value %v of the null hypothesis", ErrNotFinite, value)
	}
	distance := r.Estimate - value
	if r.SE == 0 && math.Abs(distance) <= r.tol {
		distance = 0
	}
	r.Alternative = alt
	r.Null = value
	r.Warnings = nil
	r.judge(distance)
	return r, nil
}

// NonInferiorityTest tests whether the candidate is at most the given margin,
// in the unit of the scores, worse than the baseline: the null hypothesis is
// that the difference is −margin or less, and a small P says that it is not.
//
// It is a one-sided [CorrectedCVTTest] against −margin, for scores of which
// more is better; where less is better, swap the learners. It returns the
// errors of that test, and one that wraps [ErrDomain] unless margin is finite
// and not negative.
//
// Source: the corrected variance of Bouckaert and Frank (2004), section 3.3, in
// the usual test of non-inferiority.
func NonInferiorityTest(d Differences, margin float64) (Result, error) {
	return marginTest(d, "margin", margin, -margin)
}

// MinimumGainTest tests whether the candidate is better than the baseline by
// more than the given gain, in the unit of the scores: the null hypothesis is
// that the difference is gain or less.
//
// It is a one-sided [CorrectedCVTTest] against gain, for scores of which more
// is better; where less is better, swap the learners. It returns the errors of
// that test, and one that wraps [ErrDomain] unless gain is finite and not
// negative.
//
// Source: the corrected variance of Bouckaert and Frank (2004), section 3.3.
func MinimumGainTest(d Differences, gain float64) (Result, error) {
	return marginTest(d, "gain", gain, gain)
}

// marginTest is the corrected test against value; size is the margin that the
// caller gave.
func marginTest(d Differences, what string, size, value float64) (Result, error) {
	if !(size >= 0) || math.IsInf(size, 1) {
		return Result{}, fmt.Errorf("%w: %s %v", ErrDomain, what, size)
	}
	r, err := CorrectedCVTTest(d, Greater)
	if err != nil {
		return Result{}, err
	}
	return r.Against(value, Greater)
}

// An Equivalence is the outcome of two one-sided tests.
type Equivalence struct {
	Low, High float64 // bounds, in the unit of the scores
	Lower     Result  // test that the difference is above Low
	Upper     Result  // test that the difference is below High
	P         float64 // the larger of the two p-values
}

// EquivalenceTest tests whether the difference between two learners lies
// between low and high, in the unit of the scores, by two one-sided tests
// (TOST) with the variance of [CorrectedCVTTest]: the null hypothesis is that
// it does not. At level α it rejects just if the two-sided interval of level
// 1−2α is inside of the bounds.
//
// It returns the errors of [CorrectedCVTTest], and one that wraps [ErrDomain]
// unless low < high are finite. Special cases: if all differences are equal, P
// is 0 if their value is strictly between the bounds, up to round-off, and
// otherwise 1.
//
// Source: D. J. Schuirmann (1987), "A comparison of the two one-sided tests
// procedure and the power approach for assessing the equivalence of average
// bioavailability"; the corrected variance of Bouckaert and Frank (2004),
// section 3.3.
func EquivalenceTest(d Differences, low, high float64) (Equivalence, error) {
	r, err := CorrectedCVTTest(d, TwoSided)
	if err != nil {
		return Equivalence{}, err
	}
	return r.Equivalence(low, high)
}

// Equivalence is [EquivalenceTest] with the standard error and the degrees of
// freedom of r, such as those of [PairedTTest] for independent scores. The
// errors are those of [Result.Against] and, unless low < high are finite,
// [ErrDomain].
func (r Result) Equivalence(low, high float64) (Equivalence, error) {
	if !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return Equivalence{}, fmt.Errorf("%w: bounds %v and %v of equivalence", ErrDomain, low, high)
	}
	lower, err := r.Against(low, Greater)
	if err != nil {
		return Equivalence{}, err
	}
	upper, err := r.Against(high, Less)
	if err != nil {
		return Equivalence{}, err
	}
	return Equivalence{Low: low, High: high, Lower: lower, Upper: upper, P: max(lower.P, upper.P)}, nil
}
