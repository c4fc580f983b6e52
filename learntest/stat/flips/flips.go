// Package flips compares what two classifiers predict of the same examples: on which of them a new
// one is wrong where the old one was right, how often they agree, and what an oracle would gain
// that always chose the right one.
//
// The counts describe two learners on these examples. Runs of cross-validation predict each example
// several times, by models whose training sets overlap, so that counts over runs are no sample for
// a test; [contingency.McNemarTest] is one where each example was predicted by one model of each
// learner.
//
// Source: S. Yan et al. (2021), "Positive-congruent training: towards regression-free model
// updates", for the negative flip rate.
package flips

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
)

// Missing is the prediction of an example that a run does not test. Other negative numbers are no
// class, which is wrong.
const Missing = -2

// Counts counts the examples of one or more runs by which predictions are right.
type Counts struct {
	Compared int // predicted by both

	RightToWrong int // the old one was right, the new one is not
	WrongToRight int // the new one is right, the old one was not
	Both         int // both are right
	Neither      int // both are wrong

	// Changed is the number of examples of which the two predict different classes, wrong ones
	// included.
	Changed int
}

// An Example says how often the two are right on an example.
type Example struct {
	Compared           int // runs in which both predict it
	OldRight, NewRight int // of these
}

// A Tally has the counts of runs.
type Tally struct {
	Runs     []Counts  // in the order in which they were added
	Examples []Example // in the order of the data
}

// Add adds a run: the true class of each example, and the classes that the old and the new
// classifier predict.
//
// It returns an error that wraps [stat.ErrSampleSize] if the lengths differ, also from earlier
// runs, or if no example was predicted; and [stat.ErrDomain] if an example is missing on one side
// only, and for a true class that is negative. The error names the example, counted from 0.
func (t *Tally) Add(truth, before, after []int) error {
	if len(before) != len(truth) || len(after) != len(truth) || t.Examples != nil &&
		len(t.Examples) != len(truth) {
		return fmt.Errorf("%w: %d examples, old predictions of %d and new ones of %d", stat.ErrSampleSize,
			len(truth), len(before), len(after))
	}
	var c Counts
	for i, y := range truth {
		switch {
		case y < 0:
			return fmt.Errorf("%w: the true class of example %d is %d", stat.ErrDomain, i, y)
		case (before[i] == Missing) != (after[i] == Missing):
			return fmt.Errorf("%w: example %d was predicted by one of the two only", stat.ErrDomain, i)
		case before[i] != Missing:
			c.add(before[i] == y, after[i] == y, before[i] != after[i])
		}
	}
	if c.Compared == 0 {
		return fmt.Errorf("%w: nothing was predicted", stat.ErrSampleSize)
	}
	if t.Examples == nil {
		t.Examples = make([]Example, len(truth))
	}
	for i, y := range truth {
		if before[i] == Missing {
			continue
		}
		e := &t.Examples[i]
		e.Compared++
		if before[i] == y {
			e.OldRight++
		}
		if after[i] == y {
			e.NewRight++
		}
	}
	t.Runs = append(t.Runs, c)
	return nil
}

func (c *Counts) add(before, after, changed bool) {
	c.Compared++
	switch {
	case before && after:
		c.Both++
	case before:
		c.RightToWrong++
	case after:
		c.WrongToRight++
	default:
		c.Neither++
	}
	if changed {
		c.Changed++
	}
}

// Sum returns the counts of all runs together.
func (t *Tally) Sum() Counts {
	var sum Counts
	for _, c := range t.Runs {
		sum.Compared += c.Compared
		sum.RightToWrong += c.RightToWrong
		sum.WrongToRight += c.WrongToRight
		sum.Both += c.Both
		sum.Neither += c.Neither
		sum.Changed += c.Changed
	}
	return sum
}

// of returns a share of the compared predictions.
func (c Counts) of(n int) float64 { return float64(n) / float64(c.Compared) }

// NegativeRate returns the share of predictions that turned from right to wrong.
func (c Counts) NegativeRate() float64 { return c.of(c.RightToWrong) }

// PositiveRate returns the share of predictions that turned from wrong to right.
func (c Counts) PositiveRate() float64 { return c.of(c.WrongToRight) }

// Churn returns the share of predictions that changed, from one wrong class to another included.
func (c Counts) Churn() float64 { return c.of(c.Changed) }

// Oracle returns the accuracy of always choosing the better one of the two predictions.
func (c Counts) Oracle() float64 { return 1 - c.of(c.Neither) }

// Overlap returns the share of the predictions that either got wrong that both got wrong; 1 if
// there are none.
func (c Counts) Overlap() float64 {
	if c.Both == c.Compared {
		return 1
	}
	return float64(c.Neither) / float64(c.Compared-c.Both)
}

// Pairs returns the counts as McNemar's test takes them, the new classifier first. They make sense
// of one run in which one model of each learner has predicted all examples.
func (c Counts) Pairs() contingency.PairCounts {
	return contingency.PairCounts{
		Both: c.Both, OnlyFirst: c.WrongToRight, OnlySecond: c.RightToWrong,
		Neither: c.Neither,
	}
}
