package split

import (
	"slices"
	"strings"
)

// DistinctRuns returns how many of the runs are different, regardless of the
// order of folds and of the order of examples in a set. Runs that repeat
// one another say nothing new about a deterministic learner, but a significance
// test would count them; with few groups or few examples some always do. It
// takes about the time of [Plan.Digest].
func (p *Plan) DistinctRuns() int {
	distinct := make(map[string]bool)
	var train, test []int
	for run := 1; run <= p.Runs(); run++ {
		folds := make([]string, 0, p.folds)
		for fold := 1; fold <= p.folds; fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			slices.Sort(train)
			slices.Sort(test)
			h := newPlanHash(1, 1)
			h.add(train)
			h.add(test)
			folds = append(folds, h.sum())
		}
		slices.Sort(folds)
		distinct[strings.Join(folds, " ")] = true
	}
	return len(distinct)
}
