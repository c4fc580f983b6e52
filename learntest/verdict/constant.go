package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
)

// Bounds of the share of constant models at which a learner is between two states: fewer are
// chance, and of more it learns nothing, which another warning says.
const (
	leastConstant = 0.1
	mostConstant  = 0.98
)

// unsteady returns a warning for each learner of which some models, and not all, make the same
// prediction for all test examples: a tree that sometimes finds nothing to split on. All folds of a
// data set share its fate, so that the test takes it for a difference far more often than its
// level says. A second opinion knows.
func unsteady(p *record.Pairs, c Claim) (warnings []error) {
	n := p.Runs * p.Folds
	for _, l := range []struct {
		name     string
		constant int
	}{{p.Candidate, p.ConstantA}, {p.Baseline, p.ConstantB}} {
		share := float64(l.constant) / float64(n)
		if share < leastConstant || share > mostConstant || c.Halvings > 0 {
			continue
		}
		advice := "the test is then wrong more often than its level says"
		if _, err := SecondProtocol(p.CandidateHeader.Protocol, DefaultHalvings); err == nil {
			advice = "ask for a second opinion"
		}
		warnings = append(warnings, fmt.Errorf("%d of %d models of %s make the same prediction for all test examples: %s", l.constant, n, l.name, advice))
	}
	return warnings
}
