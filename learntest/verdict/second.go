package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// HalfFolds is the number of folds that a second opinion has in each half.
const HalfFolds = 5

// DefaultHalvings is the number of halvings of a second opinion that asks for no other.
const DefaultHalvings = 20

// A SecondOpinion is what the halves test (stat.HalvesTest) says of a claim, on trainings of
// its own in halves of the examples. It is asked for only if the first test, the claim's
// own, shows the claim, which then holds just if both do, in one direction.
//
// The first test, at the 5% level, rejects true null hypotheses in 2 to 6% of data sets where
// learners are stable, in 9 to 13% for nearest neighbours, and in up to 46% for trees that
// sometimes find nothing to split on; both together in at most 6%. Verdicts warn of such trees,
// whose models make the same prediction for all test examples. Nothing else in a single set of
// results tells which case it is: ask for a second opinion if a learner is a nearest neighbour or a
// single tree, or there are fewer than 100 examples. It does not confirm a difference that appears
// only with more than half of the examples.
type SecondOpinion struct {
	Protocol  string // of the halvings, with their number and seed
	Trainings int    // of both learners together; 0 if it was not asked for

	// Asked reports whether it was: whether the first test shows the claim.
	Asked bool

	// First is the p of the decision by the first test, and Result the decision by the
	// halves test, in the direction in which the metric is better. Agrees reports
	// whether that shows it too.
	First  float64
	Result stat.Result
	Agrees bool

	// P is the p of the decision by the second test: the p of Result or, if the claim requires a
	// probability, one minus the Posterior probability of the claimed region.
	P         float64
	Posterior *stat.Posterior // of the difference with half of the examples; nil if there is none

	// Estimate is the difference with half of the examples, in the unit of the metric, and Lo
	// and Hi its interval of the given level.
	Estimate, Lo, Hi, Level float64

	unit    unit.Unit
	region  string  // that the claim is about, if it requires a probability
	claimed float64 // posterior probability of that
}

// SecondProtocol returns the protocol of the second opinion that a claim with so many
// halvings asks for on results of the given protocol, in their text forms. The error wraps
// ErrClaim: there is one on cross-validation only.
func SecondProtocol(protocol string, halvings int) (string, error) {
	p, err := split.Parse(protocol)
	if err == nil {
		p, err = p.Halves(halvings, HalfFolds)
	}
	if err != nil {
		return "", fmt.Errorf("%w: no second opinion on %q with %d halvings: it takes cross-validation, with groups or without: %w", ErrClaim, protocol, halvings, err)
	}
	return p.String(), nil
}

// checkSecond returns an error for a second opinion that does not go together with the rest
// of the claim.
func (c Claim) checkSecond() error {
	switch {
	case c.Halvings == 0:
	case c.Halvings < stat.LeastHalvings:
		return fmt.Errorf("%w: a second opinion from %d halvings: it takes at least %d", ErrClaim,
			c.Halvings, stat.LeastHalvings)
	case c.Kind == Replicable:
		return fmt.Errorf("%w: a second opinion is not for a claim that a learner %s another",
			ErrClaim, c.Kind)
	}
	return nil
}

// String returns the second opinion in words.
func (s *SecondOpinion) String() string {
	if !s.Asked {
		return "not asked for, since the first test does not show the claim"
	}
	interval, evidence := "interval", "p = "+unit.FormatP(s.Result.P)
	if s.Posterior != nil {
		interval, evidence = "credible interval", fmt.Sprintf("P(%s) %s", s.region,
			formatProbability(s.claimed))
	}
	return fmt.Sprintf("with half of the examples %s, %.4g%% %s %s, %s, m=%g",
		s.unit.FormatDifference(s.Estimate),
		100*s.Level, interval, s.unit.FormatInterval(s.Lo, s.Hi), evidence, s.Result.DF)
}
