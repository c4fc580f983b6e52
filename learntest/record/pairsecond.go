package record

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
)

// PairSecond pairs the scores of the second opinion on what [Pair] pairs of the same
// selections in the same metric: the scores of m halvings or, if m is 0, of as many as both have.
//
// It returns the errors of Pair, ErrNotFound if one of the two has no second opinion with
// so many halvings, and ErrMismatch if there is one on other results only.
func PairSecond(candidate, baseline Selection, metric string, m int) (*Pairs, error) {
	a, err := candidate.opinions("candidate", metric, m)
	if err != nil {
		return nil, err
	}
	b, err := baseline.opinions("baseline", metric, m)
	if err != nil {
		return nil, err
	}
	for _, x := range a { // the one with most halvings first
		for _, y := range b {
			if x.header.Protocol == y.header.Protocol {
				return pairScores(candidate, baseline, x, y)
			}
		}
	}
	return nil, fmt.Errorf("%w: the second opinions on %s and %s have no protocol in common",
		ErrNotFound, candidate.Learner, baseline.Learner)
}

// opinions returns the scores of the second opinions on the results of the selection, one
// for each protocol, the one with most halvings first.
func (sel Selection) opinions(role, metric string, m int) ([]*scores, error) {
	own, err := sel.experiments(role, metric)
	if err != nil {
		return nil, err
	}
	all := sel.File.learner(sel.Data, sel.Learner).experiments
	if !slices.ContainsFunc(all, func(e *experiment) bool { return e.isSecondOpinion() }) {
		return nil, sel.noOpinion(role) // most often
	}
	if own[0].err != nil {
		return nil, fmt.Errorf("%s %s: %w", role, sel.Learner, own[0].err)
	}
	of := own[0].union
	fingerprint := of.Fingerprint(sel.Learner)
	var found []*scores
	var foreign *experiment
	for _, e := range all {
		if !e.isSecondOpinion() || !goesWith(of.Header.Protocol, e.blocks[0], m) ||
			!sel.means(e, metric) {
			continue
		}
		if e.err != nil {
			return nil, fmt.Errorf("second opinion on the %s %s: %w", role, sel.Learner, e.err)
		}
		if fingerprint == "" || e.union.Header.Of(sel.Learner).OpinionOn() != fingerprint ||
			otherFormula(&of.Header, &e.union.Header, metric) {
			foreign = e
			continue
		}
		sc, err := newScores(e.union, sel.Learner, metric, 0, false)
		if err != nil {
			return nil, fmt.Errorf("second opinion on the %s %s: %w", role, sel.Learner, err)
		}
		sc.where = fmt.Sprintf("the second opinion on the %s %s", role, sel.Learner) + e.distinction()
		at := slices.IndexFunc(found, func(s *scores) bool { return s.header.Protocol == sc.header.Protocol })
		if at < 0 {
			found = append(found, sc)
		} else if err := found[at].agrees(sc); err != nil {
			return nil, err
		}
	}
	switch {
	case found == nil && foreign != nil:
		return nil, fmt.Errorf("%w: the second opinion on the %s %s%s is on other results of it than these: run it again", ErrMismatch, role, sel.Learner, foreign.distinction())
	case found == nil:
		return nil, sel.noOpinion(role)
	}
	slices.SortStableFunc(found, func(x, y *scores) int { return y.runs - x.runs })
	return found, nil
}

func (sel Selection) noOpinion(role string) error {
	return fmt.Errorf("%w: second opinion on the %s %s on data set %s", ErrNotFound, role, sel.Learner,
		sel.Data)
}

// goesWith reports whether a block has the second opinion on results of a protocol, with m
// halvings if that is not 0.
func goesWith(protocol string, b *Block, m int) bool {
	if m != 0 && b.Runs() != m {
		return false
	}
	p, err := split.Parse(protocol)
	if err == nil {
		p, err = p.Halves(b.Runs(), b.Folds()/2)
	}
	return err == nil && p.String() == b.Header.Protocol
}
