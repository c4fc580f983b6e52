package split

import "fmt"

var loo = &kind{
	name:     "loo",
	settings: []setting{{name: "runs", def: "1", at: atRuns}},
	sizes:    sizes{all: true, even: true, cover: true},
	check:    (*Protocol).checkOneRun,
	plan:     planLeaveOneOut,
}

// LeaveOneOut returns the protocol that tests on each example in turn and trains on all
// others. Fold i tests example i-1. It has one run, because nothing in it is random.
func LeaveOneOut() Protocol {
	return Protocol{kind: loo, runs: 1, seed: 1}
}

// leaveOneOut is the layout in which fold f tests example f-1; its value is
// the number of examples.
type leaveOneOut int

func planLeaveOneOut(_ Protocol, ex *members) (layout, error) {
	n := ex.n
	if n < 2 {
		return nil, fmt.Errorf("%w: leave-one-out needs two", ErrTooFew)
	}
	return leaveOneOut(n), nil
}

func (n leaveOneOut) sizes(_, _ int) (trainN, testN int) { return int(n) - 1, 1 }

func (n leaveOneOut) trial(_, fold int, train, test []int) {
	fill(train[:fold-1], 0)
	fill(train[fold-1:], fold)
	test[0] = fold - 1
}
