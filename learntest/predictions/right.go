package predictions

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// MarkRight notes in a result, of each learner whose trials in the protocol's own runs all have
// predictions, how often it is right on each example: see [record.SetRight].
func MarkRight(result *record.Block, b *Block) {
	counts := rightIn(result, b)
	record.SetRight(result, func(learner string) []int { return counts[learner] })
}

// rightIn returns how often the learners of a result are right on each example, in its trials of
// the protocol's own runs. It leaves out learners of whose trials one has no predictions, and all
// of them in regression.
func rightIn(result *record.Block, b *Block) map[string][]int {
	if !b.Classification() {
		return nil
	}
	counts := make(map[string][]int)
	trials := make(map[place][]bool) // by fold
	for t := range result.Trials() {
		if t.Run > b.shape.Runs {
			continue
		}
		at := place{slices.Index(b.learners, t.Learner), t.Run}
		if at.learner < 0 {
			continue
		}
		if trials[at] == nil {
			trials[at] = make([]bool, b.shape.Folds+1)
		}
		trials[at][t.Fold] = true
		if counts[t.Learner] == nil {
			counts[t.Learner] = make([]int, b.Examples)
		}
	}
	for at, folds := range trials {
		name := b.learners[at.learner]
		if !countRight(counts[name], b, at, folds) {
			counts[name] = nil
		}
	}
	return counts
}

// countRight adds the predictions of a run that are right, in the given folds. It returns false if
// one of these has no predictions, or there are no counts.
func countRight(counts []int, b *Block, at place, folds []bool) bool {
	r, of := b.runs[at], b.folds[at.run]
	if counts == nil || r == nil || of == nil {
		return false
	}
	for i, fold := range of {
		switch {
		case !folds[fold]:
		case !r.Has(i):
			return false
		case r.Class(i) == b.Truth(i):
			counts[i]++
		}
	}
	return true
}

// sameRight returns an error if a result says of a learner that it is right on other examples.
func (v *verification) sameRight() error {
	counts := rightIn(v.of, v.Block)
	for _, name := range v.of.Learners {
		for i, n := range v.of.Header.Of(name).Right() {
			switch c := counts[name]; {
			case c == nil:
			case n != c[i]:
				return fmt.Errorf("%s is right on example %d in %d runs by the predictions, and in %d by the result", name, i, c[i], n)
			}
		}
	}
	return nil
}
