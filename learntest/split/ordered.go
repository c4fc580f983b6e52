package split

import "fmt"

// leaveOneOut is the layout in which fold f tests example f-1; its value is
// the number of examples.
type leaveOneOut int

func planLeaveOneOut(n int) (layout, error) {
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

// timeSeries is the layout of successive test blocks.
type timeSeries struct {
	n, folds, test int
	maxTrain, gap  int
}

func planTimeSeries(p Protocol, n int) (layout, error) {
	ts := &timeSeries{n: n, folds: p.folds, test: p.window.TestSize, maxTrain: p.window.MaxTrain, gap: p.window.Gap}
	if ts.test == 0 {
		ts.test = n / (p.folds + 1)
	}
	if ts.test == 0 {
		return nil, fmt.Errorf("%w: test sets would be empty", ErrTooFew)
	}
	if need := int64(p.folds)*int64(ts.test) + int64(ts.gap) + 1; int64(n) < need {
		return nil, fmt.Errorf("%w: %d folds of %d, a gap of %d and one example to train on need %d",
			ErrTooFew, ts.folds, ts.test, ts.gap, need)
	}
	return ts, nil
}

// bounds returns where the training set starts and ends and the test set
// starts.
func (ts *timeSeries) bounds(fold int) (from, to, testFrom int) {
	testFrom = ts.n - (ts.folds-fold+1)*ts.test
	to = testFrom - ts.gap
	if ts.maxTrain > 0 {
		from = max(0, to-ts.maxTrain)
	}
	return from, to, testFrom
}

func (ts *timeSeries) sizes(_, fold int) (trainN, testN int) {
	from, to, _ := ts.bounds(fold)
	return to - from, ts.test
}

func (ts *timeSeries) trial(_, fold int, train, test []int) {
	from, _, testFrom := ts.bounds(fold)
	fill(train, from)
	fill(test, testFrom)
}

// fill writes consecutive numbers.
func fill(s []int, from int) {
	for i := range s {
		s[i] = from + i
	}
}
