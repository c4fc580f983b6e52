package stat

import (
	"fmt"
	"math"
)

// Against tests the null hypothesis that the difference is the given value, in the unit of
// the scores, rather than zero. Use it for margins: with [Greater] against −margin it tests
// non-inferiority, that the candidate is worse by less than the margin; with [Greater]
// against a gain it tests that the candidate is better by more than that gain. Higher
// scores must be the better ones; swap the learners if lower ones are.
//
// Against subtracts the value from the differences for any test, and from the differences of
// the halvings for a test by [Halves]. Mean and estimate of the result are not shifted.
//
// The errors are the errors of the test, and one that wraps [ErrNotFinite] if the value is
// NaN or infinite, or [ErrDomain] if t has no Run. Special cases are as for the test:
// differences that equal the value up to round-off count as zero.
//
// Source: the shift of a location hypothesis.
func (t Test) Against(d Differences, value float64, alt Alternative) (Result, error) {
	if t.Run == nil {
		return Result{}, fmt.Errorf("%w: no test", ErrDomain)
	}
	if value-value != 0 {
		return Result{}, fmt.Errorf("%w: value %v of the null hypothesis", ErrNotFinite, value)
	}
	if t.held != nil {
		return t.held(value, alt)
	}
	if value == 0 {
		return t.Run(d, alt)
	}
	if t.moved != nil {
		t = t.moved(value)
	}
	r, err := t.Run(d.From(value), alt)
	if err != nil {
		return Result{}, err
	}
	r.Null = value
	r.Mean += value
	r.Estimate += value
	return r, nil
}

// Beyond reports whether both the estimate and the mean of all differences lie above the
// null hypothesis, at it or below it: +1, 0 or −1. It is 0 if they lie on different sides,
// as they may if a test estimates the difference from less than all folds.
func (r Result) Beyond() int {
	switch {
	case r.Estimate > r.Null && r.Mean > r.Null:
		return 1
	case r.Estimate < r.Null && r.Mean < r.Null:
		return -1
	}
	return 0
}

// From returns the differences less null, the difference under a null hypothesis, with a scale
// for all of them.
func (d *Differences) From(null float64) Differences {
	e := *d
	if e.Scale == 0 {
		for _, x := range d.X {
			e.Scale = max(e.Scale, math.Abs(x))
		}
	}
	if null == 0 {
		return e
	}
	e.Scale = max(e.Scale, math.Abs(null))
	e.X = make([]float64, len(d.X))
	for i, x := range d.X {
		e.X[i] = x - null
	}
	return e
}

// An Equivalence is the outcome of two one-sided tests.
type Equivalence struct {
	Lower Result  // test that the difference is above the lower bound, Lower.Null
	Upper Result  // test that the difference is below the upper bound, Upper.Null
	P     float64 // the larger of the two p-values
}

// Equivalence tests whether the difference between two learners lies between low and high,
// in the unit of the scores, by two one-sided tests (TOST). The null hypothesis is that it
// does not. With a test that has an interval it rejects at level α just if the two-sided
// interval of level 1−2α is inside of the bounds.
//
// The errors are as for [Test.Against], and one that wraps [ErrDomain] unless low < high
// are finite. Special cases: if all differences are equal, P is 0 if their value is
// strictly between the bounds, up to round-off, and otherwise 1.
//
// Source: D. J. Schuirmann (1987), "A comparison of the two one-sided tests procedure and
// the power approach for assessing the equivalence of average bioavailability".
func (t Test) Equivalence(d Differences, low, high float64) (Equivalence, error) {
	if !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return Equivalence{}, fmt.Errorf("%w: bounds %v and %v of equivalence", ErrDomain, low, high)
	}
	lower, err := t.Against(d, low, Greater)
	if err != nil {
		return Equivalence{}, err
	}
	upper, err := t.Against(d, high, Less)
	if err != nil {
		return Equivalence{}, err
	}
	return Equivalence{Lower: lower, Upper: upper, P: max(lower.P, upper.P)}, nil
}
