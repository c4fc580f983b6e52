package predictions

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// A Partition is the folds of the runs of a block, in the order in which they test examples.
type Partition struct {
	block *Block
	plan  *split.Plan // nil if folds test ascending examples
	tests map[int][][]int
}

// Partition returns the partition of the block. The error says that the folds do not have the
// digest of the partitions that the result has.
func (b *Block) Partition() (*Partition, error) {
	p := &Partition{block: b, tests: make(map[int][][]int)}
	own := make([][]uint16, b.shape.Runs)
	for run := range own {
		if own[run] = b.folds[run+1]; own[run] == nil {
			return nil, fmt.Errorf("data set %s: the folds of run %d are missing, so that nothing shows of which partitions the predictions are", b.Data, run+1)
		}
	}
	if split.DigestOfTests(b.shape.Folds, own) == b.SplitDigest {
		return p, nil
	}
	if err := p.replan(); err != nil {
		return nil, fmt.Errorf("data set %s: the folds of the predictions are not the partitions of the result: %w", b.Data, err)
	}
	return p, nil
}

// replan computes the partitions again where the folds alone do not have the order of the test
// sets.
func (p *Partition) replan() error {
	b := p.block
	protocol, err := split.Parse(b.Protocol)
	if err != nil {
		return errors.New("their digest is another one")
	}
	ex := split.Examples{N: b.Examples}
	for _, c := range b.truth {
		ex.Class = append(ex.Class, int(c))
	}
	plan, err := protocol.Plan(ex)
	if err != nil || plan.Digest() != b.SplitDigest {
		return errors.New("their digest is another one")
	}
	if last := slices.Max(b.Runs()); last > plan.Runs() {
		if plan, err = protocol.WithRuns(last).Plan(ex); err != nil {
			return err
		}
	}
	p.plan = plan
	for _, run := range b.Runs() {
		of := make([]uint16, b.Examples)
		for i, test := range p.Tests(run) {
			for _, example := range test {
				of[example] = uint16(i) + 1
			}
		}
		if !slices.Equal(of, b.folds[run]) {
			return fmt.Errorf("in run %d examples are in other folds", run)
		}
	}
	return nil
}

// Tests returns the examples that each fold of a run tests.
func (p *Partition) Tests(run int) [][]int {
	if tests := p.tests[run]; tests != nil {
		return tests
	}
	tests := make([][]int, p.block.shape.Folds)
	if p.plan != nil {
		for fold := range tests {
			_, tests[fold] = p.plan.Trial(run, fold+1, nil, nil)
		}
	} else {
		for i, fold := range p.block.folds[run] {
			if fold > 0 {
				tests[fold-1] = append(tests[fold-1], i)
			}
		}
	}
	p.tests[run] = tests
	return tests
}

// Trial sets p to the predictions of a learner in a fold of a run, and reports whether there are
// any. Of probabilities of the true class alone, the other classes have 0.
func (p *Partition) Trial(learner string, run, fold int, to *metric.Predictions) bool {
	b := p.block
	r := b.Run(learner, run)
	if r == nil || fold < 1 || fold > b.shape.Folds {
		return false
	}
	test := p.Tests(run)[fold-1]
	if len(test) == 0 || !r.Has(test[0]) {
		return false
	}
	*to = metric.Predictions{
		Classes: b.Classes, Truth: to.Truth[:0], Predicted: to.Predicted[:0],
		Probabilities: to.Probabilities[:0],
		TrueValues:    to.TrueValues[:0], PredictedValues: to.PredictedValues[:0],
	}
	for _, i := range test {
		if !b.Classification() {
			to.TrueValues, to.PredictedValues = append(to.TrueValues, b.targets[i]),
				append(to.PredictedValues, r.values[i])
			continue
		}
		to.Truth, to.Predicted = append(to.Truth, int(b.truth[i])), append(to.Predicted, r.Class(i))
	}
	p.addProbabilities(r, test, to)
	return true
}

// addProbabilities adds the probabilities of a trial, if there are any.
func (p *Partition) addProbabilities(r *Run, test []int, to *metric.Predictions) {
	b := p.block
	for _, i := range test {
		row := r.Probabilities(i)
		switch {
		case row == nil || row[0] != row[0]:
			to.Probabilities = nil
			return
		case b.Probabilities == OfAll:
			to.Probabilities = append(to.Probabilities, row...)
		default:
			at := len(to.Probabilities)
			to.Probabilities = append(to.Probabilities, make([]float64, len(b.Classes))...)
			to.Probabilities[at+int(b.truth[i])] = row[0]
		}
	}
}
