package split

import (
	"fmt"
	"math"
)

var timeseries = &kind{
	name: "timeseries",
	settings: []setting{
		{name: "runs", def: "1", at: atRuns},
		{name: "folds", at: atFolds},
		{name: "test", def: "0", at: func(p *Protocol) any { return &p.window.TestSize }},
		{name: "maxtrain", def: "0", at: func(p *Protocol) any { return &p.window.MaxTrain }},
		{name: "gap", def: "0", at: func(p *Protocol) any { return &p.window.Gap }},
	},
	check: checkTimeSeries,
	plan:  planTimeSeries,
}

// A Window sets the sizes of the training and test sets of [TimeSeries], in examples.
type Window struct {
	// TestSize is the size of every test set. If zero, it is the number of examples divided
	// by one more than the number of folds, rounded down.
	TestSize int

	// MaxTrain bounds the size of a training set, which then slides instead of expanding.
	// If zero, training sets reach back to the first example.
	MaxTrain int

	// Gap is the number of examples left out between a training set and its test set. If
	// zero, the test set follows at once.
	Gap int
}

// TimeSeries returns the protocol that tests on successive blocks of examples and trains on
// the examples before each block. Examples are in the order of time, and the last block
// ends with the last example. There is one run, because nothing is random. The zero
// [Window] expands and has no gap.
func TimeSeries(folds int, w Window) Protocol {
	return Protocol{kind: timeseries, runs: 1, folds: folds, window: w, seed: 1}
}

func checkTimeSeries(p *Protocol) error {
	if err := p.checkFolds(1); err != nil {
		return err
	}
	for _, size := range []struct {
		name string
		n    int
	}{{"test", p.window.TestSize}, {"maxtrain", p.window.MaxTrain}, {"gap", p.window.Gap}} {
		if size.n < 0 || size.n > math.MaxInt32 {
			return fmt.Errorf("%s=%d is not in 0..2^31-1", size.name, size.n)
		}
	}
	return p.checkOneRun()
}

// timeSeries is the layout of successive test blocks.
type timeSeries struct {
	n, folds, test int
	maxTrain, gap  int
}

func planTimeSeries(p Protocol, ex *members) (layout, error) {
	n := ex.n
	ts := &timeSeries{
		n: n, folds: p.folds, test: p.window.TestSize, maxTrain: p.window.MaxTrain,
		gap: p.window.Gap,
	}
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
