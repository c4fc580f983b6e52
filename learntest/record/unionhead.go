package record

import (
	"slices"
	"strings"
)

// describe sets what the header of a union says that may differ between its parts.
func describe(h *Header, parts []*Block, learners []string) {
	for i := range headerKeys {
		if k := &headerKeys[i]; k.remark {
			*k.field(h) = joinRemarks(parts, k)
		}
	}
	h.Machine = machinesOf(parts)
	h.Binary = programOf(parts, findKey("Binary"))
	h.Determinism = unionDeterminism(parts, learners)
	h.Versions = unionVersions(parts, learners)
	h.Replayed = unionReplays(parts, learners)
	h.Majority = agreed(parts, func(h *Header) string { return h.Majority })
	h.Metrics = unionFormulas(parts)
	h.Stopped = unionStops(parts, learners)
	h.Target = agreed(parts, func(h *Header) string { return h.Target })
	h.Copies = mostCopies(parts)
	var kept, from Header
	for _, b := range parts {
		kept.AddPredictions(b.Header.PredictionSums()...)
		from.AddPredictions(strings.Fields(b.Header.RescoredFrom)...)
	}
	h.Predictions, h.RescoredFrom = kept.Predictions, from.Predictions
	h.Means = "" // the mean of a part is not the mean of the whole
	h.Right = "" // it comes with the trials
	h.OpinionOn = unionOpinionOn(parts, learners)
}

// joinRemarks returns the different values of a key.
func joinRemarks(blocks []*Block, k *headerKey) string {
	var values []string
	for _, b := range blocks {
		if v := *k.field(&b.Header); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, several)
}

// several stands between values of a key that differ between the parts of a union.
const several = "; "

// unionDeterminism returns what came of training learners again in several blocks: a
// learner that differed in one of them is not deterministic. Blocks may be of
// the same cells, so that the union has the greatest of their counts: there were as many cells at least.
func unionDeterminism(blocks []*Block, learners []string) string {
	var h Header
	for _, learner := range learners {
		outcome, cells := "", 0
		for _, b := range blocks {
			o := b.Header.Probe(learner)
			if o == "" {
				continue
			}
			cells = max(cells, b.Header.TrainedAgain(learner))
			if o = b.Header.DeterminismOf(learner); o == NotDeterministic || outcome == "" || outcome == NotProbed {
				outcome = o
			}
		}
		if outcome == Deterministic {
			outcome = DeterministicIn(cells)
		}
		if outcome != "" {
			h.AddDeterminism(learner, outcome)
		}
	}
	return h.Determinism
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

// agreed returns the value of an optional field on which the headers of several blocks agree, as far as they
// have one; "" if they differ.
func agreed(blocks []*Block, field func(*Header) string) string {
	text := ""
	for _, b := range blocks {
		switch own := field(&b.Header); {
		case own == "" || own == text:
		case text != "":
			return ""
		default:
			text = own
		}
	}
	return text
}
