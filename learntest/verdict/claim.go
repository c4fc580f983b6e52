package verdict

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// ErrClaim is wrapped by errors about claims that make no sense.
var ErrClaim = errors.New("invalid claim")

// A Kind is a kind of claim.
type Kind uint8

// The kinds of claims. Differences are taken in the direction in which the
// metric is better, δ > 0 meaning that the candidate is better.
const (
	// Differs claims nothing but that the data can be judged; it holds for
	// every outcome but Invalid.
	Differs Kind = iota

	// Improves claims that δ > Gain. The test is two-sided unless the claim is
	// OneSided.
	Improves

	// NoRegression claims that δ > -Margin (non-inferiority). The test is
	// one-sided.
	NoRegression

	// Equivalent claims that -Margin < δ < Margin, by two one-sided tests.
	Equivalent
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
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// DefaultAlpha is the significance level of a claim that gives none.
const DefaultAlpha = 0.05

// DefaultRepeats is the number of repetitions that a required replicability is
// counted from if the claim gives none.
const DefaultRepeats = 10

// DefaultMargin is the margin of a claim that needs one and gives none, for
// metrics whose range is 0 to 1: one percentage point, the customary region of practical
// equivalence.
//
// Source: Corani & Benavoli, A Bayesian approach for comparing cross-validated
// algorithms on multiple data sets, 2015.
const DefaultMargin = 0.01

// A Claim is what is to be judged. The zero value asks whether there is a
// difference in the first metric, by the corrected test at the 5% level.
type Claim struct {
	Kind Kind

	// Metric names the metric. If empty, it is the first one stored.
	Metric string

	// Test names the test in stat.Catalogue. If empty, it is
	// "corrected-resampled-t" for protocols with one fold a run and
	// "corrected-cv-t" for all others.
	Test string

	// OneSided makes the test of Improves one-sided.
	OneSided bool

	// Alpha is the significance level. If zero, it is DefaultAlpha.
	Alpha float64

	// Gain is the least gain that Improves claims, in the unit of the metric.
	Gain float64

	// Margin is that of NoRegression and Equivalent, in the unit of the
	// metric. If zero, it is DefaultMargin if the metric's range is 0 to 1, and
	// an error otherwise. Given for Differs, differences within the margin
	// have the outcome Equivalent.
	Margin float64

	// Replicability is the required probability that two runs of the test, on
	// other random partitions, reach the same conclusion. If zero, none is
	// required. It is counted from Repeats repetitions of the test, and only if
	// the claim holds without it.
	Replicability float64

	// Repeats is the number of repetitions of the test, each on runs of its
	// own, that replicability is counted from. If zero, it is 10 if a
	// replicability is required; else replicability is not counted but predicted
	// from the runs of the test itself.
	Repeats int

	// Power is the power at which the detectable difference is stated. If
	// zero, it is 0.8.
	Power float64
}

// WithDefaults returns the claim with every field set as it applies to the
// unit, or an error that wraps ErrClaim.
func (c Claim) WithDefaults(u record.Unit) (Claim, error) {
	c.Metric = u.Name
	for _, d := range []struct {
		value *float64
		def   float64
	}{{&c.Alpha, DefaultAlpha}, {&c.Power, 0.8}} {
		if *d.value == 0 {
			*d.value = d.def
		}
	}
	if c.Repeats == 0 && c.Replicability > 0 {
		c.Repeats = DefaultRepeats
	}
	if c.Margin == 0 && (c.Kind == NoRegression || c.Kind == Equivalent) {
		if !IsFraction(u) {
			return c, fmt.Errorf("%w: %s needs a margin in the unit of %s", ErrClaim, c.Kind, u.Name)
		}
		c.Margin = DefaultMargin
	}
	return c, c.check()
}

func (c Claim) check() error {
	fraction := func(x float64) bool { return x > 0 && x < 1 }
	amount := func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
	switch {
	case c.Kind > Equivalent:
		return fmt.Errorf("%w: unknown kind %v", ErrClaim, c.Kind)
	case !fraction(c.Alpha):
		return fmt.Errorf("%w: significance level %v is not between 0 and 1", ErrClaim, c.Alpha)
	case !(c.Power > c.Alpha && c.Power < 1):
		return fmt.Errorf("%w: power %v is not between the significance level %v and 1", ErrClaim, c.Power, c.Alpha)
	case !amount(c.Margin):
		return fmt.Errorf("%w: margin %v", ErrClaim, c.Margin)
	case !amount(c.Gain):
		return fmt.Errorf("%w: gain %v", ErrClaim, c.Gain)
	case c.Gain != 0 && c.Kind != Improves:
		return fmt.Errorf("%w: a gain is for a claim of improvement, not for one that a learner %s another", ErrClaim, c.Kind)
	case c.Margin != 0 && c.Kind == Improves:
		return fmt.Errorf("%w: a margin is not for a claim of improvement: use a gain", ErrClaim)
	case c.OneSided && c.Kind != Improves:
		return fmt.Errorf("%w: one-sided is for a claim of improvement only", ErrClaim)
	case !(c.Replicability >= 0 && c.Replicability <= 1):
		return fmt.Errorf("%w: replicability %v is not between 0 and 1", ErrClaim, c.Replicability)
	case c.Repeats < 0 || c.Repeats == 1:
		return fmt.Errorf("%w: replicability from %d repetitions", ErrClaim, c.Repeats)
	}
	return nil
}

// test returns the test that the claim names, or the default for the design.
func (c Claim) test(runs, folds int) (stat.Test, error) {
	name := c.Test
	if name == "" {
		name = "corrected-cv-t"
		if folds == 1 {
			name = "corrected-resampled-t"
		}
	}
	t, err := stat.Lookup(name)
	if err != nil {
		return t, err
	}
	return t, t.Design(runs, folds)
}

// IsFraction reports whether the metric of the unit has the range 0 to 1.
// Such scores are shown in percent and their differences in percentage points.
func IsFraction(u record.Unit) bool { return u.Min == 0 && u.Max == 1 }
