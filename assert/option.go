package assert

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// An Option modifies a claim. One that does not apply to the claim makes it
// fail.
type Option interface {
	apply(s *settings) error
}

type option func(s *settings) error

func (o option) apply(s *settings) error { return o(s) }

// On makes the claim about the named metric instead of the first one.
func On(metric string) Option {
	return option(func(s *settings) error {
		s.claim.Metric = metric
		return required("On", metric != "")
	})
}

// Alpha sets the significance level instead of 0.05.
func Alpha(alpha float64) Option {
	return option(func(s *settings) error {
		s.claim.Alpha = alpha
		return required("Alpha", alpha > 0)
	})
}

// Margin sets the margin of NoRegression and Equivalent, in the unit of the
// metric: 0.02 are two percentage points of accuracy.
func Margin(margin float64) Option {
	return option(func(s *settings) error {
		s.claim.Margin = margin
		return required("Margin", margin > 0)
	})
}

// Gain makes Improves claim that the improvement is greater than the given
// gain, in the unit of the metric.
func Gain(gain float64) Option {
	return option(func(s *settings) error {
		s.claim.Gain = gain
		return required("Gain", gain > 0)
	})
}

// Replicability requires that the test comes to the same conclusion on two
// random partitions with at least the given probability, such as 0.9. It is counted
// from repetitions of the test, for which further trials are run.
func Replicability(probability float64) Option {
	return option(func(s *settings) error {
		s.claim.Replicability = probability
		return required("Replicability", probability > 0)
	})
}

// Repeats sets the number of repetitions of the test that replicability is
// counted from instead of 10.
func Repeats(n int) Option {
	return option(func(s *settings) error {
		s.claim.Repeats = n
		return required("Repeats", n > 1)
	})
}

// Test sets the significance test by its name in stat.Catalogue.
func Test(name string) Option {
	return option(func(s *settings) error {
		s.claim.Test = name
		return required("Test", name != "")
	})
}

// OneSided makes the test of Improves one-sided, with alpha in the one tail.
func OneSided() Option {
	return option(func(s *settings) error {
		s.claim.OneSided = true
		return nil
	})
}

// Adjust sets the adjustment of the p-values of a Family by its name in package
// adjust, such as "hommel", or "none".
func Adjust(method string) Option {
	return option(func(s *settings) error {
		s.adjustment = method
		return required("Adjust", method != "")
	})
}

func required(name string, ok bool) error {
	if !ok {
		return fmt.Errorf("%w: %s without a usable value", verdict.ErrClaim, name)
	}
	return nil
}
