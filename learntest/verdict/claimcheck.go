package verdict

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// WithDefaults returns the claim with every field set as it applies to the
// unit, or an error that wraps ErrClaim. It checks all that can be checked before there
// are data.
func (c Claim) WithDefaults(u unit.Unit) (Claim, error) {
	c.Metric = u.Name
	if err := errors.Join(c.checkPosterior(), c.checkSecond()); err != nil {
		return c, err
	}
	if c.Probability > 0 {
		c.Alpha = 2 * (1 - c.Probability)
	}
	for _, d := range []struct {
		value *float64
		def   float64
	}{{&c.Alpha, DefaultAlpha}, {&c.Power, 0.8}} {
		if *d.value == 0 {
			*d.value = d.def
		}
	}
	asked, ok := c.Margins.Of(u.Name)
	if ok && (c.Margin != 0 || c.Probability > 0) {
		return c, fmt.Errorf("%w: two margins for %s", ErrClaim, u.Name)
	}
	if ok && !asked.IsOfMean() {
		return c.settle(u, 0)
	}
	if !ok && c.Margin == 0 && c.Probability == 0 && (c.Kind == NoRegression || c.Kind == Equivalent) {
		if !u.IsFraction() {
			return c, fmt.Errorf("%w: the claim needs a margin in the unit of %s", ErrClaim, u.Name)
		}
		c.Margin = DefaultMargin
	}
	return c, c.checkFor(u)
}

// settle returns the claim with the margin in the unit of the metric against a baseline with the
// given mean score.
func (c Claim) settle(u unit.Unit, mean float64) (Claim, error) {
	asked := c.Margins
	c.Margins = unit.Margins{}
	var err error
	if c.Margin, err = asked.Value(u, mean); err != nil {
		return c, fmt.Errorf("%w: %w", ErrClaim, err)
	}
	return c, c.checkFor(u)
}

// checkFor returns an error for a claim that makes no sense for the metric.
func (c Claim) checkFor(u unit.Unit) error {
	if err := c.check(); err != nil {
		return err
	}
	return c.checkRange(u)
}

func (c Claim) check() error {
	fraction := func(x float64) bool { return x > 0 && x < 1 }
	amount := func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	switch {
	case c.Kind > RatioAtMost:
		return fail("unknown kind %v", c.Kind)
	case c.Adjust.Adjust != nil:
		return fail("an adjustment is for a family of comparisons")
	case !fraction(c.Alpha):
		return fail("significance level %v is not between 0 and 1", c.Alpha)
	case !(c.Power > c.tail() && c.Power < 1):
		return fail("power %v is not between the significance level %v and 1", c.Power, c.tail())
	case !amount(c.Margin):
		return fail("margin %v", c.Margin)
	case !amount(c.Gain):
		return fail("gain %v", c.Gain)
	case c.Kind == Unbeaten && (c.Margin != 0 || c.Replicability != 0 || c.Repeats != 0 ||
		c.Halvings != 0):
		return fail("a claim that a learner %s another takes neither a margin nor a replicability nor a second opinion: it would hold of more", c.Kind)
	case c.Threshold != 0 && !c.Kind.Absolute() && c.Kind != RatioAtMost:
		return fail("a threshold is for claims about one learner, AtLeast and AtMost, and for RatioAtMost")
	case c.Gain != 0 && c.Kind != Improves:
		return fail("a gain is for a claim of improvement, not for one that a learner %s another", c.Kind)
	case c.Margin != 0 && (c.Kind == Improves || c.Kind == Replicable):
		return fail("a margin is not for a claim that a learner %s another: use a gain, or another claim",
			c.Kind)
	case c.OneSided && c.Kind != Improves:
		return fail("one-sided is for a claim of improvement only")
	case c.Kind == Replicable && c.Replicability == 0:
		return fail("a claim that a conclusion is replicable needs a replicability, such as 0.9")
	case c.Replicability != 0 && !(c.Replicability > 0.5 && c.Replicability < 1):
		return fail("replicability %v is not between 0.5, which is chance, and 1", c.Replicability)
	case c.Repeats < 0 || c.Repeats == 1:
		return fail("replicability counted from %d repetitions", c.Repeats)
	case c.MaxRuns < 0 || c.MaxRuns > 0 && (c.Replicability == 0 || c.Repeats > 0):
		return fail("a budget of %d runs is for a required replicability that is not counted", c.MaxRuns)
	case c.Settle != 0 && !(c.Settle > 0 && c.Settle <= stat.MaxCurtailmentError):
		return fail("runs that settle a claim but for a probability of %v: it is above 0 and at most %v",
			c.Settle, stat.MaxCurtailmentError)
	case c.Strict && (c.Replicability == 0 || c.Repeats > 0):
		return fail("strict is for a required replicability that is not counted")
	}
	return nil
}

// checkPosterior returns an error for a probability that does not go together with
// the rest of the claim.
func (c Claim) checkPosterior() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	switch {
	case c.Probability == 0 && c.Rope == 0:
		return nil
	case !(c.Probability > 0.5 && c.Probability < 1):
		return fail("posterior probability %v is not between 0.5, which is a guess, and 1", c.Probability)
	case !(c.Rope >= 0) || math.IsInf(c.Rope, 1):
		return fail("rope %v", c.Rope)
	case c.Kind != Improves && c.Kind != NoRegression && c.Kind != Equivalent:
		return fail("a posterior probability is not for a claim that a learner %s another", c.Kind)
	case c.Rope == 0 && c.Kind != Improves:
		return fail("a claim that a learner %s another needs a rope, the difference that does not matter",
			c.Kind)
	case c.Margin != 0 || c.Gain != 0:
		return fail("a claim of a posterior probability has a rope, neither a margin nor a gain")
	case c.Test.Run != nil || c.OneSided || c.Alpha != 0 && c.Alpha != 2*(1-c.Probability):
		return fail("a claim of a posterior probability has neither a test nor a significance level")
	}
	return nil
}

// checkRange returns an error for a margin or gain that no pair of scores in the
// range of the metric can reach.
func (c Claim) checkRange(u unit.Unit) error {
	width := u.Max - u.Min
	for _, x := range []struct {
		name  string
		value float64
	}{{"margin", c.Margin}, {"gain", c.Gain}, {"rope", c.Rope}} {
		if x.value < width || x.value == 0 {
			continue
		}
		hint := ""
		if u.IsFraction() {
			hint = fmt.Sprintf(": 0.02 is two points, and %v is %v", x.value, u.FormatMargin(x.value))
		}
		return fmt.Errorf("%w: no two values of %s differ by more than %v, so that a %s of %v says nothing%s", ErrClaim, u.Name, width, x.name, x.value, hint)
	}
	return nil
}
