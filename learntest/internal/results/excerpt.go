package results

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// excerpt returns the trials of a block that are of the given learners and chosen, under
// another head, which gets the entries of the block's head on the determinism of these learners.
func excerpt(b *record.Block, h record.Header, learners []string, examples int,
	chosen func(record.Trial) bool,
) (*record.Block, error) {
	h.Determinism, h.Means, h.Stopped = "", "", ""
	for _, name := range learners {
		if outcome := b.Header.Of(name).Probe(); outcome != "" {
			h.Of(name).SetProbe(outcome)
		}
	}
	e, err := record.NewBlock(h, learners, b.Columns, examples)
	if err != nil {
		return nil, err
	}
	e.Timeless = b.Timeless
	for t := range b.Trials() {
		if slices.Contains(learners, t.Learner) && chosen(t) {
			if err := e.Add(t); err != nil {
				return nil, err
			}
		}
	}
	record.TakeRight(e, b)
	return e, nil
}

// all chooses every trial.
func all(record.Trial) bool { return true }

// isFirstRun chooses the trials of the first run.
func isFirstRun(t record.Trial) bool { return t.Run == 1 }

// CompleteRuns returns the number of the first runs of a block that are complete for the given
// learners, or for all if none are given.
func CompleteRuns(b *record.Block, learners ...string) int {
	if len(learners) == 0 {
		learners = b.Learners
	}
	cells := make(map[int]int)
	for t := range b.Trials() {
		if slices.Contains(learners, t.Learner) {
			cells[t.Run]++
		}
	}
	runs := 0
	for cells[runs+1] == b.Folds()*len(learners) {
		runs++
	}
	return runs
}

// examplesOf returns the number of examples that a block is on.
func examplesOf(b *record.Block) int {
	for t := range b.Trials() {
		return t.TrainN + t.TestN
	}
	return 0
}
