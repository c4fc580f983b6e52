package record

import (
	"fmt"
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

// unionDeterminism returns what came of training learners again in several blocks: a learner that
// differed in one of them is not deterministic. Blocks may be of the same cells, so that the union
// has the greatest of their counts: there were as many cells at least.
func unionDeterminism(blocks []*Block, learners []string) string {
	var h Header
	for _, learner := range learners {
		outcome, cells := "", 0
		for _, b := range blocks {
			o := b.Header.Of(learner).Probe()
			if o == "" {
				continue
			}
			cells = max(cells, b.Header.Of(learner).TrainedAgain())
			if o = b.Header.Of(learner).Determinism(); o == NotDeterministic || outcome == "" ||
				outcome == NotProbed {
				outcome = o
			}
		}
		if outcome == Deterministic {
			outcome = DeterministicIn(cells)
		}
		if outcome != "" {
			h.Of(learner).SetProbe(outcome)
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
			h.Of(learner).SetOpinionOn(on)
		}
	}
	return h.OpinionOn
}

// unknownResults is the fingerprint of none.
const unknownResults = "several"

// agreed returns the value of an optional field on which the headers of several blocks agree, as
// far as they have one; "" if they differ.
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

// unionVersions returns the versions of learners in several blocks; "several" of one that has more
// than one.
func unionVersions(blocks []*Block, learners []string) string {
	var h Header
	for _, learner := range learners {
		version := ""
		for _, b := range blocks {
			switch v := b.Header.Of(learner).Version(); {
			case version == "":
				version = v
			case v != "" && v != version:
				version = severalVersions
			}
		}
		if version != "" {
			h.Of(learner).SetVersion(version)
		}
	}
	return h.Versions
}

const severalVersions = "several"

// unionReplays returns the replays of learners in several blocks, which may have answers in common:
// so many of them at least.
func unionReplays(blocks []*Block, learners []string) string {
	var h Header
	for _, learner := range learners {
		var sum Replay
		most := 0
		for _, b := range blocks {
			r := b.Header.Of(learner).Replay()
			most = max(most, r.Answers)
			sum.Add(r)
		}
		sum.Answers = most
		h.Of(learner).SetReplay(sum)
	}
	return h.Replayed
}

// unionStops returns where training was stopped in blocks that agree.
func unionStops(blocks []*Block, learners []string) string {
	var h Header
	for _, name := range learners {
		for _, b := range blocks {
			if s, ok := b.Header.Of(name).Stop(); ok {
				h.Of(name).SetStop(s)
				break
			}
		}
	}
	return h.Stopped
}

// unionRight sets Header.Right of a union of blocks. A learner is left out if a block with trials
// of it does not say on which examples it was right.
func unionRight(u *Block, parts []*Block) {
	SetRight(u, func(learner string) []int {
		var sum []int
		for _, b := range parts {
			l, ok := b.index[learner]
			if !ok || len(ownTrials(b, l)) == 0 {
				continue
			}
			counts := b.Header.Of(learner).Right()
			if sum == nil {
				sum = make([]int, len(counts))
			}
			if len(counts) != len(sum) {
				return nil
			}
			for i, n := range counts {
				sum[i] += n
			}
		}
		return sum
	})
}

// unionFormulas returns the formulas of several blocks, which agree on the formulas that they know.
func unionFormulas(blocks []*Block) string {
	var h Header
	for _, u := range blocks[0].Units {
		for _, b := range blocks {
			if f := b.Header.FormulaOf(u.Name); f != "" {
				h.AddFormula(u.Name, f)
				break
			}
		}
	}
	return h.Metrics
}

// otherFormula reports whether both headers know the formula of a metric, and their formulas
// differ.
func otherFormula(a, b *Header, metric string) bool {
	x, y := a.FormulaOf(metric), b.FormulaOf(metric)
	return x != "" && y != "" && x != y
}

// mostCopies returns what the head of a union says of copies: the greatest share that a part has.
func mostCopies(parts []*Block) string {
	most := &parts[0].Header
	for _, b := range parts[1:] {
		if b.Header.CopiesInTraining() > most.CopiesInTraining() {
			most = &b.Header
		}
	}
	return most.Copies
}

// machinesOf returns the Header.Machine of a union: heads without trials do not count.
func machinesOf(parts []*Block) string {
	var texts []string
	for _, b := range parts {
		if b.table.trials > 0 {
			texts = append(texts, b.Header.Machine)
		}
	}
	return JoinMachines(texts...)
}

// measured returns an error unless all times were measured serially on one machine.
func measured(b *Block) error {
	switch h := &b.Header; {
	case b.Timeless:
		return fmt.Errorf("it has no times: stored baselines and trials from a cache have none; measure both learners in one run")
	case h.Machine == "":
		return fmt.Errorf("nobody knows on which machine its times were measured: results of other versions and resumed trials do not say; run the trials again")
	case strings.Contains(h.Machine, several):
		return fmt.Errorf("its times were measured in several ways, %s: run all trials at once, on one machine", h.Machine)
	default:
		m, err := parseMachine(h.Machine)
		if err == nil && m.Parallel != 1 {
			err = fmt.Errorf("up to %d trials ran at the same time, which slow each other down: set Config.Parallel to 1 (learnbench run -parallel 1), and let no other comparison run beside", m.Parallel)
		}
		return err
	}
}

// programOf returns what the header of a union says of the program: nothing if a part does not say
// it.
func programOf(parts []*Block, k *headerKey) string {
	for _, b := range parts {
		if *k.field(&b.Header) == "" {
			return ""
		}
	}
	return joinRemarks(parts, k)
}
