package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A second opinion is trials in halves of the examples (split.Halves), under a protocol of
// their own, on the results of another protocol. Its head says of each learner which results
// these are, so that an opinion on earlier results is not taken for one on later ones.

// IsSecondOpinion reports whether the trials are those of a second opinion.
func (b *Block) IsSecondOpinion() bool { return b.shape.Halves() }

// IsSecondOpinion reports whether the protocol is that of a second opinion.
func (h *Header) IsSecondOpinion() bool {
	s, err := split.ParseShape(h.Protocol)
	return err == nil && s.Halves()
}

// Fingerprint returns 16 hexadecimal digits that tell the scores of a learner in the
// protocol's own runs from others, times apart; "" if the block does not have all of them.
func (b *Block) Fingerprint(learner string) string {
	l, ok := b.index[learner]
	if !ok {
		return ""
	}
	var missing CellError
	if b.checkOwn(l, &missing); missing.Total > 0 {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", []string{b.Header.Data, b.Header.Protocol, b.Header.DataDigest, b.Header.SplitDigest, learner})
	for i, u := range b.Units {
		fmt.Fprintf(h, "%q\n", u.Name)
		for run := 1; run <= b.Runs(); run++ {
			s, _ := b.slotOf(run)
			for _, x := range b.scores[i*len(b.Learners)+l][s*b.folds : (s+1)*b.folds] {
				fmt.Fprintf(h, "%016x\n", math.Float64bits(x))
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// AddOpinionOn adds to Header.OpinionOn the fingerprint of the results of a learner that
// the trials are a second opinion on.
func (h *Header) AddOpinionOn(learner, fingerprint string) {
	h.OpinionOn = addOf(h.OpinionOn, learner, fingerprint)
}

// OpinionOf returns the fingerprint of the results of a learner that the trials are a second
// opinion on; "" if they are none that is known.
func (h *Header) OpinionOf(learner string) string { return valueOf(h.OpinionOn, learner) }

// PairSecond pairs the scores of the second opinion on what [Pair] pairs of the same
// selections in the same metric: those of m halvings or, if m is 0, of as many as both have.
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
	return nil, fmt.Errorf("%w: the second opinions on %s and %s have no protocol in common", ErrNotFound, candidate.Learner, baseline.Learner)
}

// opinions returns the scores of the second opinions on the results of the selection, one
// for each protocol, the one with most halvings first.
func (sel Selection) opinions(role, metric string, m int) ([]*scores, error) {
	own, err := sel.experiments(role, metric)
	if err != nil {
		return nil, err
	}
	all := sel.File.learner(sel.Data, sel.Learner).experiments
	if !slices.ContainsFunc(all, func(e *experiment) bool { return e.blocks[0].IsSecondOpinion() }) {
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
		head := e.blocks[0]
		if !head.IsSecondOpinion() || !goesWith(of.Header.Protocol, head, m) || !head.hasMetric(metric) || sel.Only != nil && !sel.Only(&head.Header) {
			continue
		}
		if e.err != nil {
			return nil, fmt.Errorf("second opinion on the %s %s: %w", role, sel.Learner, e.err)
		}
		if fingerprint == "" || e.union.Header.OpinionOf(sel.Learner) != fingerprint {
			foreign = e
			continue
		}
		sc, err := e.union.learnerScores(sel.Learner, metric)
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
	return fmt.Errorf("%w: second opinion on the %s %s on data set %s", ErrNotFound, role, sel.Learner, sel.Data)
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

// hasMetric reports whether the block has the metric.
func (b *Block) hasMetric(metric string) bool {
	return slices.ContainsFunc(b.Units, func(u unit.Unit) bool { return u.Name == metric })
}

// addOf adds a value to a list of NAME=VALUE in which names are escaped as they are in the
// names of trials.
func addOf(list, name, value string) string {
	var b []byte
	if list != "" {
		b = append(append(b, list...), ' ')
	}
	b = append(appendName(b, name, "/="), '=')
	return string(append(b, value...))
}

// valueOf returns the value of a name in such a list, or "" if it is not there.
func valueOf(list, name string) string {
	escaped := string(appendName(nil, name, "/="))
	for f := range strings.FieldsSeq(list) {
		if n, value, ok := strings.Cut(f, "="); ok && n == escaped {
			return value
		}
	}
	return ""
}

// unionOpinionOn returns what several blocks are a second opinion on: on nothing that is
// known where they do not agree.
func unionOpinionOn(blocks []*Block, learners []string) string {
	var h Header
	for _, learner := range learners {
		on := ""
		for _, b := range blocks {
			v := valueOf(b.Header.OpinionOn, learner)
			if on != "" && v != "" && v != on {
				v = unknownResults
			}
			if v != "" {
				on = v
			}
		}
		if on != "" {
			h.AddOpinionOn(learner, on)
		}
	}
	return h.OpinionOn
}

// unknownResults is the fingerprint of none.
const unknownResults = "several"
