package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
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
// sometimes find nothing to split on; both together in at most 6%. Verdicts warn of such
// trees, whose models make the same prediction for all test examples. Nothing else in a single set
// of results tells which case it is: ask for a second opinion if a learner is a nearest
// neighbour or a single tree, or there are fewer than 100 examples. It does not confirm a difference that appears only with more than
// half of the examples.
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
		return fmt.Errorf("%w: a second opinion from %d halvings: it takes at least %d", ErrClaim, c.Halvings, stat.LeastHalvings)
	case c.Kind == Replicable:
		return fmt.Errorf("%w: a second opinion is not for a claim that a learner %s another", ErrClaim, c.Kind)
	}
	return nil
}

// consult asks for the second opinion if that can make a difference, and draws the outcome
// and the claim from both tests: p is the larger of the two, the interval holds both.
func (j *judging) consult() error {
	q, p := j.question(), j.pairs
	protocol, err := SecondProtocol(p.CandidateHeader.Protocol, q.Halvings)
	if err != nil {
		return err
	}
	s := &SecondOpinion{Protocol: protocol, First: j.Decision.P}
	if !q.shows(&j.Findings, j.Holds) {
		j.Second = s
		return nil
	}
	h := p.Second
	if h == nil {
		j.NeedSecond = true
		err := fmt.Errorf("the first test shows it, and the second opinion, %q, is not there", protocol)
		if p.SecondErr != nil {
			err = fmt.Errorf("%w: %w", err, p.SecondErr)
		}
		return err
	}
	if err := checkHalvings(p, h, protocol); err != nil {
		return fmt.Errorf("second opinion: %w", err)
	}
	q.tested, q.single = 0, nil // what the examples may have missed, and show, is a matter of the first test
	f, _, err := q.find(stat.Halves(differences(h, 0, h.Runs)), j.own)
	if err != nil {
		return fmt.Errorf("second opinion: %w", err)
	}
	s.Asked, s.Result, s.P, s.Trainings = true, f.Decision.Result, f.Decision.P, 2*h.Runs*h.Folds
	s.Estimate, s.unit = float64(p.Unit.Better)*s.Result.Estimate, p.Unit
	s.Lo, s.Hi, s.Level = f.Decision.Lo, f.Decision.Hi, f.Decision.Level
	for _, warning := range f.Difference.Result.Warnings {
		j.Warnings = append(j.Warnings, fmt.Errorf("second opinion: the halves do not differ: %w", warning))
	}
	if p := f.Posterior; p != nil {
		s.Posterior = p
		s.region, s.claimed = q.claimed(p)
	}
	j.Findings.join(&f)
	j.Second = s
	j.conclude()
	switch s.Agrees = q.shows(&j.Findings, j.Holds); {
	case s.Agrees:
	case s.Result.Null == 0 && s.Result.Estimate*s.Result.Mean < 0 && (s.Posterior == nil || q.Kind == Improves):
		j.Reason = "with half of the examples the difference is the other way round"
	default:
		if s.Posterior != nil {
			_, first := q.claimed(j.Posterior)
			j.Reason = fmt.Sprintf("P(%s) is %s by the first test, and %s by the second opinion, not above %v", s.region, formatProbability(first), formatProbability(s.claimed), q.Probability)
			break
		}
		j.Reason = fmt.Sprintf("the first test shows it (p = %s), the second opinion does not (p = %s)", unit.FormatP(s.First), unit.FormatP(s.Result.P))
	}
	return nil
}

// checkHalvings returns an error unless h are the pairs of the requested second opinion on p.
func checkHalvings(p, h *record.Pairs, protocol string) error {
	switch {
	case h.Unit != p.Unit || h.Data != p.Data:
		return fmt.Errorf("it is on %s of data set %s, the results are %s of %s", h.Unit.Name, h.Data, p.Unit.Name, p.Data)
	case h.CandidateHeader == nil || h.CandidateHeader.Protocol != protocol:
		return fmt.Errorf("it is not under %q", protocol)
	case h.CandidateHeader.DataDigest != p.CandidateHeader.DataDigest:
		return fmt.Errorf("it is on other data")
	}
	if distinct := distinctRuns(h); distinct < h.Runs {
		return fmt.Errorf("only %d of the %d halvings of %q are different: there are too few groups, or examples, to halve", distinct, h.Runs, protocol)
	}
	return checkPairs(h)
}

// String returns the second opinion in words.
func (s *SecondOpinion) String() string {
	if !s.Asked {
		return "not asked for, since the first test does not show the claim"
	}
	interval, evidence := "interval", "p = "+unit.FormatP(s.Result.P)
	if s.Posterior != nil {
		interval, evidence = "credible interval", fmt.Sprintf("P(%s) %s", s.region, formatProbability(s.claimed))
	}
	return fmt.Sprintf("with half of the examples %s, %.4g%% %s %s, %s, m=%g", s.unit.FormatDifference(s.Estimate),
		100*s.Level, interval, s.unit.FormatInterval(s.Lo, s.Hi), evidence, s.Result.DF)
}
