package trial

import (
	"fmt"
	"iter"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A Data is a data set with the learners that are bound to it.
type Data struct {
	Name, Digest string
	Examples     split.Examples
	Current      func() (string, error) // the present digest of the examples
	Learners     []string               // their names
	Funcs        []Func                 // of each learner
	Slices       []Slice                // of the examples
	Means        []metric.Metric        // metrics that have scores on slices
	Classes      []string               // their names; none in regression
	Targets      []float64              // of regression; the classes are Examples.Class
}

// Intact returns an error if the examples have changed since the start.
func (d *Data) Intact() error {
	now, err := d.Current()
	if err != nil {
		return err
	}
	if now != d.Digest {
		return fmt.Errorf("the digest of data set %s was %.12s and is %.12s", d.Name, d.Digest, now)
	}
	return nil
}

// A Cell is the place of a trial: run and fold, from 1, and the number of its
// learner.
type Cell struct{ Run, Fold, Learner int }

// A Batch is the trials on one data set that are to be run.
type Batch struct {
	Data  *Data
	Plan  *split.Plan
	Cells []Cell

	// Prints record the predictions in each cell. There are none, or nil ones, where nobody
	// wants to know.
	Prints []*Print

	seed    uint64 // of the protocol
	slicing *slicing

	// Trials are the outcomes of the cells. A trial that was not run has no Run.
	Trials []record.Trial
}

// alternating returns the indices of the cells in the order in which they are run. The learners of
// every other fold come in the reverse order: the first learner of a fold finds its examples in
// slower memory than the others, and whichever came first in all folds would look slower.
func (b *Batch) alternating() iter.Seq[int] {
	return func(yield func(int) bool) {
		reverse := false
		for from, to := 0, 0; from < len(b.Cells); from, reverse = to, !reverse {
			c := b.Cells[from]
			for to < len(b.Cells) && b.Cells[to].Run == c.Run && b.Cells[to].Fold == c.Fold {
				to++
			}
			for i := from; i < to; i++ {
				t := i
				if reverse {
					t = to - 1 - (i - from)
				}
				if !yield(t) {
					return
				}
			}
		}
	}
}

// Record returns the cell of the given index as records name it.
func (b *Batch) Record(index int) record.Cell {
	c := b.Cells[index]
	return record.Cell{
		Data: b.Data.Name, Learner: b.Data.Learners[c.Learner], Run: c.Run,
		Fold: c.Fold,
	}
}

// printOf returns the print of the predictions in the cell of the given index; nil if there is
// none.
func (b *Batch) printOf(index int) *Print {
	if index >= len(b.Prints) {
		return nil
	}
	return b.Prints[index]
}

// begin makes ready, with room for the trials, and the values of so many metrics in one piece of
// memory.
func (b *Batch) begin(metrics int) {
	b.seed = b.Plan.Protocol().Seed()
	b.slicing = newSlicing(b.Data, b.Plan)
	metrics += b.slicing.width()
	n := len(b.Cells)
	b.Trials = make([]record.Trial, n)
	values := make([]float64, n*metrics)
	for t := range n {
		b.Trials[t].Values = values[t*metrics : t*metrics : (t+1)*metrics]
	}
}

// write writes the outcome of a cell into its trial, which it returns. The attempt is nil if the
// learner did not return.
func (b *Batch) write(index int, a *Attempt, err error) *record.Trial {
	c := b.Record(index)
	t := &b.Trials[index]
	t.Data, t.Learner, t.Run, t.Fold = c.Data, c.Learner, c.Run, c.Fold
	t.TrainN, t.TestN = b.Plan.Sizes(c.Run, c.Fold)
	if a != nil {
		t.FitSeconds, t.PredictSec = a.Fit.Seconds(), a.Predict.Seconds()
		if p := b.printOf(index); err == nil && p != nil {
			p.take(a)
		}
		t.Values = append(t.Values, a.scores...)
		if err == nil {
			t.Constancy = constancy(&a.Predictions)
		}
	}
	if err != nil {
		t.Err, t.Values = record.Cause(err.Error()), nil
		if p := b.printOf(index); p != nil {
			p.Err = err
		}
	}
	return t
}
