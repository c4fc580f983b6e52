package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// consult asks for the second opinion if that can make a difference, and draws the outcome
// and the claim from both tests: p is the larger of the two, the interval holds both.
func (j *judging) consult() error {
	q, p := j.question(), j.pairs
	protocol, err := SecondProtocol(p.CandidateHeader.Protocol, q.Halvings)
	if err != nil {
		return err
	}
	s := &SecondOpinion{Protocol: protocol, First: j.Decision.P}
	if !(reading{q, &j.Findings}).shows(j.Holds) {
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
		j.Warnings = append(j.Warnings, fmt.Errorf("second opinion: the halves do not differ: %w",
			warning))
	}
	if p := f.Posterior; p != nil {
		s.Posterior = p
		s.region, s.claimed = q.claimed(p)
	}
	j.Findings.join(&f)
	j.Second = s
	j.conclude()
	switch s.Agrees = (reading{q, &j.Findings}).shows(j.Holds); {
	case s.Agrees:
	case s.Result.Null == 0 && s.Result.Estimate*s.Result.Mean < 0 &&
		(s.Posterior == nil || q.Kind == Improves):
		j.Reason = "with half of the examples the difference is the other way round"
	default:
		if s.Posterior != nil {
			_, first := q.claimed(j.Posterior)
			j.Reason = fmt.Sprintf("P(%s) is %s by the first test, and %s by the second opinion, not above %v", s.region, formatProbability(first), formatProbability(s.claimed), q.Probability)
			break
		}
		j.Reason = fmt.Sprintf("the first test shows it (p = %s), the second opinion does not (p = %s)",
			unit.FormatP(s.First), unit.FormatP(s.Result.P))
	}
	return nil
}

// checkHalvings returns an error unless h are the pairs of the requested second opinion on p.
func checkHalvings(p, h *record.Pairs, protocol string) error {
	switch {
	case h.Unit != p.Unit || h.Data != p.Data:
		return fmt.Errorf("it is on %s of data set %s, the results are %s of %s", h.Unit.Name, h.Data,
			p.Unit.Name, p.Data)
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
