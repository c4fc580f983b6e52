package assert

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// An Option modifies a claim. One that does not apply to the claim makes it
// fail.
type Option interface {
	apply(s *settings) error
}

type option func(s *settings) error

func (o option) apply(s *settings) error { return o(s) }

// settings are what the options modify.
type settings struct {
	claim   verdict.Claim
	message []any
	now     bool

	alpha, margin float64 // that options have given, each once
}

func (s *settings) apply(options []Option) error {
	for _, o := range options {
		if err := o.apply(s); err != nil {
			return err
		}
	}
	return nil
}

// On makes the claim about a metric instead of the first one that was measured.
func On(m metric.Metric) Option {
	return option(func(s *settings) error {
		s.claim.Metric = m.Unit.Name
		return required("On", m.Unit.Name != "")
	})
}

// OnUnit makes the claim about the scores that are stored under a unit, such as "usd" or "fit-sec":
// for metrics of package metric, On is safer.
func OnUnit(unit string) Option {
	return option(func(s *settings) error {
		s.claim.Metric = unit
		return required("OnUnit", unit != "")
	})
}

// All, among the patterns of [Slices], has the claim fail on slices that are too small to be
// judged.
const All = "{all}"

// Slices makes the claim about each slice of the data whose name matches one of the patterns, in
// which * stands for any text, as in "clinic=*"; about all slices if there is no pattern. The claim
// holds only if it holds for each, for which no p-value is adjusted: of several losses, each
// counts.
//
// Slices of fewer than [verdict.LeastMembers] examples, or of items in fewer than
// [verdict.LeastClusters] clusters, are named, and not judged: the claim neither holds of them nor
// fails on them, unless [All] is among the patterns. A claim fails if all of its slices are too
// small.
func Slices(patterns ...string) Option {
	return option(func(s *settings) error {
		if s.claim.Slices == nil {
			s.claim.Slices = new(verdict.Slices)
		}
		for _, p := range patterns {
			if p == All {
				s.claim.Slices.All = true
				continue
			}
			if p == "" {
				return required("Slices", false)
			}
			s.claim.Slices.Patterns = append(s.claim.Slices.Patterns, p)
		}
		return nil
	})
}

// Alpha sets the significance level instead of 0.05. One of 0.2 or more is refused, and so is a
// second one.
func Alpha(alpha float64) Option {
	return option(func(s *settings) error {
		if s.alpha != 0 && s.alpha != alpha {
			return twice("Alpha", s.alpha, alpha)
		}
		if alpha >= verdict.AlphaLimit && alpha < 1 {
			return fmt.Errorf("%w: significance level %v: of equal learners, that many would be shown to differ: it must be below %v, and 0.05 is usual", verdict.ErrClaim, alpha, verdict.AlphaLimit)
		}
		s.claim.Alpha, s.alpha = alpha, alpha
		return required("Alpha", alpha > 0)
	})
}

// Margin sets the margin of NoRegression and Equivalent, in the unit of the
// metric: 0.02 are two percentage points of accuracy. One with which no candidate
// could fail is refused, and so is a second one.
func Margin(margin float64) Option {
	return option(func(s *settings) error {
		if s.margin != 0 && s.margin != margin {
			return twice("Margin", s.margin, margin)
		}
		s.claim.Margin, s.margin = margin, margin
		return required("Margin", margin > 0)
	})
}

// AllowMajority lets NoRegression and Equivalent hold of a candidate that is no better than always
// predicting the most frequent class, and have a margin with which such a model would hold. Both
// are refused otherwise.
func AllowMajority() Option {
	return option(func(s *settings) error {
		s.claim.AllowMajority = true
		return nil
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
// other random partitions with at least the given probability, above 0.5, such as 0.9. It is
// the [RequiredReplicability] with that probability and no other choices.
func Replicability(probability float64) Option {
	return RequiredReplicability{Probability: probability}
}

// A RequiredReplicability is an Option that requires the test to come to the same conclusion on
// two other random partitions.
//
// If the claim holds on the protocol's own runs, the sequential rule of
// replicate.Retest.Adaptive decides: at once where the case is clear, else with further runs up
// to a budget, at which a claim that is still not decided fails. Where the
// rule does not apply to the test, ten repetitions are counted.
//
// The rule looks up to ten times. Over all looks it passes 19% of claims whose replicability is
// just 0.9 where that is required, and 6% of those with 0.8.
type RequiredReplicability struct {
	// Probability is the least probability of the same conclusion, above 0.5. For
	// [Replicable], 0 stands for the probability that it is given.
	Probability float64

	// MaxRuns is the budget in runs of the protocol, its own included; 0 means ten times
	// those. The environment variable LEARNTEST_RUNS_MAX takes its place.
	MaxRuns int

	// Strict makes the rule pass wrongly in fewer cases, 11% in place of 19% at a required
	// 0.9, over all looks: the rule is replicate.StrictRule.
	Strict bool

	// Repeats, unless 0, has the replicability counted from that many repetitions of the test,
	// at least 2, each on runs of its own, as Bouckaert & Frank 2004 do: 10 take nine times as
	// many further trials as the test itself.
	Repeats int
}

func (r RequiredReplicability) apply(s *settings) error {
	c := &s.claim
	if r.Probability == 0 {
		r.Probability = c.Replicability // of Replicable
	}
	if c.Replicability != 0 && c.Replicability != r.Probability {
		return twice("Replicability", c.Replicability, r.Probability)
	}
	c.Replicability, c.MaxRuns, c.Strict, c.Repeats = r.Probability, r.MaxRuns, r.Strict, r.Repeats
	return required("Replicability", r.Probability > 0 && r.MaxRuns >= 0 && r.Repeats >= 0 &&
		r.Repeats != 1)
}

// SignificanceTest sets the significance test, such as stat.MustLookup("5x2cv-t"), or
// stat.CorrectedCVT(0.18) where a SecondOpinion is impossible.
func SignificanceTest(test stat.Test) Option {
	return option(func(s *settings) error {
		s.claim.Test = test
		return required("SignificanceTest", test.Run != nil)
	})
}

// OneSided makes the test of Improves one-sided, with alpha in the one tail.
func OneSided() Option {
	return option(func(s *settings) error {
		s.claim.OneSided = true
		return nil
	})
}

// Adjust sets the adjustment of the p-values of a Family, such as
// adjust.MustLookup("hommel").
func Adjust(method adjust.Method) Option {
	return option(func(s *settings) error {
		s.claim.Adjust = method
		return required("Adjust", method.Adjust != nil)
	})
}

// Bayes makes Improves, NoRegression and Equivalent claims about their
// posterior probability, by the Bayesian correlated t test, instead of a
// significance test: it must exceed the given one, above 0.5, such as 0.95. The rope is
// half the width of the region of practical equivalence, in the unit of the metric: a
// difference that does not matter, such as 0.01 for a point of accuracy. Improves
// claims P(better by more than the rope); NoRegression P(not worse by more than it), and
// Equivalent P(within it), for both of which it must not be zero. ImprovesOver takes the
// hierarchical test.
//
// The option takes the place of Alpha, SignificanceTest, OneSided, Gain, Margin and Adjust, which
// are refused beside it. A probability of 0.95 is no stricter than a one-sided test at
// the 5% level, and wrong as often: where learners are unstable, add SecondOpinion.
func Bayes(rope, probability float64) Option {
	return option(func(s *settings) error {
		s.claim.Rope, s.claim.Probability = rope, probability
		return required("Bayes", rope >= 0 && probability > 0)
	})
}

// SecondOpinion asks for a second opinion: where the test shows the claim, both learners are
// trained in random halves of the data as well, 200 times each, and the claim holds only if the
// halves test shows it, too. See [verdict.SecondOpinion] for how often each is wrong, and for whom
// that is for: nearest neighbours, single trees, and fewer than 100 examples. A difference that
// appears only with more than half of the examples is not confirmed. It is not for Replicable, and
// takes repeated cross-validation, with groups or without, of which both learners are trained: not
// a stored baseline, nor the shards of a run, which cannot know whether it will be asked for.
//
// A number, at least 5 and such as SecondOpinion(40) for a final claim, takes the place of
// [verdict.DefaultHalvings]: that many times the data are divided into halves, each of which
// takes ten trainings a learner.
func SecondOpinion(halvings ...int) Option {
	return option(func(s *settings) error {
		s.claim.Halvings = verdict.DefaultHalvings
		if len(halvings) > 0 {
			s.claim.Halvings = halvings[0]
		}
		return required("SecondOpinion", len(halvings) <= 1 && s.claim.Halvings > 0)
	})
}

// Message adds a message to the failure of the claim.
func Message(format string, args ...any) Option {
	return option(func(s *settings) error {
		s.message = []any{fmt.Sprintf(format, args...)}
		return required("Message", format != "")
	})
}

// FailNow ends the test if the claim does not hold.
func FailNow() Option {
	return option(func(s *settings) error {
		s.now = true
		return nil
	})
}

// twice is the error about an option that is there twice, with two values.
func twice(name string, first, second float64) error {
	return fmt.Errorf("%w: %s(%v) and %[2]s(%[4]v) in one claim: which of them counts?",
		verdict.ErrClaim, name, first, second)
}

func required(name string, ok bool) error {
	if !ok {
		return fmt.Errorf("%w: %s without a usable value", verdict.ErrClaim, name)
	}
	return nil
}
