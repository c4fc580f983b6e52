package split

import "fmt"

var predefined = &kind{
	name: "predefined",
	settings: []setting{
		{name: "runs", at: atRuns},
		{name: "folds", at: atFolds},
		{name: "sha256", at: func(p *Protocol) any { return &p.parts }},
	},
	check:      func(p *Protocol) error { return checkParts(p.parts, p.runs) },
	plan:       planPredefined,
	cut:        func(p *Protocol, runs int) { p.parts = truncateRuns(p.parts, runs) },
	unreadable: ErrPredefined,
}

// Predefined returns a protocol of the user's own partitions: the folds of each run, with
// the same number of folds in every run. One run is typical. Predefined copies the indices.
// Training and test sets keep their order.
//
// Within a fold, an index may occur only once, and neither set may be empty. The folds need
// not cover the examples.
//
// The text form identifies the partitions by their digest and does not contain them, so
// [Parse] rejects it with [ErrPredefined].
func Predefined(runs ...[]Fold) Protocol {
	p := Protocol{kind: predefined, runs: len(runs), parts: encodeRuns(runs), seed: 1}
	if len(runs) > 0 {
		p.folds = len(runs[0])
	}
	return p
}

// explicit is the layout that stores every set.
type explicit [][]Fold

func planPredefined(p Protocol, ex *members) (layout, error) {
	runs := decodeRuns(p.parts)
	for j, folds := range runs {
		for i, f := range folds {
			for _, set := range [][]int{f.Train, f.Test} {
				for _, x := range set {
					if x >= ex.n {
						return nil, fmt.Errorf("%w: run %d, fold %d has index %d", ErrExamples, j+1, i+1, x)
					}
				}
			}
		}
	}
	return explicit(runs), nil
}

func (e explicit) sizes(run, fold int) (trainN, testN int) {
	f := e[run-1][fold-1]
	return len(f.Train), len(f.Test)
}

func (e explicit) trial(run, fold int, train, test []int) {
	f := e[run-1][fold-1]
	copy(train, f.Train)
	copy(test, f.Test)
}
