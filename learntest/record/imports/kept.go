package imports

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// runs returns the fold that tests each example in each repetition, from 1.
func (o *openml) runs() [][]uint16 {
	runs := make([][]uint16, o.repeats)
	for i := range runs {
		runs[i] = make([]uint16, o.examples)
	}
	for _, r := range o.tested {
		runs[r.repeat][r.example] = uint16(r.fold) + 1
	}
	return runs
}

// partitions returns the digest of the partitions: every fold trains on all other examples.
func (o *openml) partitions() (string, error) {
	if o.folds > math.MaxUint16 {
		return "", fmt.Errorf("%s has %d folds, %d are allowed", o.c.source, o.folds, math.MaxUint16)
	}
	return split.DigestOfTests(o.folds, o.runs()), nil
}

// predictions returns the predictions that a block of a set was computed from, and names their
// checksum in its header.
func (s *set) predictions(b *record.Block, probabilities string) (*predictions.Block, error) {
	first, h := s.kept[0].of, &b.Header
	var truth []int
	var targets []float64
	for _, y := range first.truths() {
		if first.classes == nil {
			targets = append(targets, y)
		} else {
			truth = append(truth, int(y))
		}
	}
	p, err := predictions.NewBlock(predictions.Header{
		Pkg: h.Pkg, Test: h.Test, Protocol: h.Protocol, DataDigest: h.DataDigest,
		SplitDigest: h.SplitDigest, Data: s.name,
		Examples: first.examples, Classes: first.classes, Probabilities: probabilities,
	}, truth, targets)
	if err != nil {
		return nil, err
	}
	for run, of := range first.runs() {
		if err := p.SetFolds(run+1, of); err != nil {
			return nil, err
		}
	}
	for _, k := range s.kept {
		if err := k.addTo(p, first); err != nil {
			return nil, err
		}
	}
	sum, err := p.Checksum()
	if err != nil {
		return nil, err
	}
	h.AddPredictions(sum)
	_, err = p.Verify(b)
	return p, err
}

// eachFold yields the rows of each fold.
func eachFold(o *openml) iter.Seq[[]tested] {
	return func(yield func([]tested) bool) {
		for from := 0; from < len(o.tested); {
			to := from + 1
			for to < len(o.tested) && o.tested[to].repeat == o.tested[from].repeat &&
				o.tested[to].fold == o.tested[from].fold {
				to++
			}
			if !yield(o.tested[from:to]) {
				return
			}
			from = to
		}
	}
}

// truths returns the truth of each example.
func (o *openml) truths() []float64 {
	all := make([]float64, o.examples)
	for _, r := range o.tested {
		all[r.example] = o.true[r.at]
	}
	return all
}

// addTo adds the predictions of a learner, which must be of the data of the first one.
func (k kept) addTo(p *predictions.Block, first *openml) error {
	o := k.of
	switch {
	case !slices.Equal(o.classes, first.classes):
		return fmt.Errorf("%s declares other classes than the file before it, or in another order: import it with predictions on its own", k.source)
	case p.Probabilities != "" && o.confidence == nil:
		return fmt.Errorf("%s has no confidences: import it without probabilities", k.source)
	}
	truths := first.truths()
	for i, y := range o.truths() {
		if want := truths[i]; y != want {
			return fmt.Errorf("%s: the truth of row_id %d is %s, and %s in the file before it: one of them is of other data, or swapped", k.source, i, o.show(y), first.show(want))
		}
	}
	for fold := range eachFold(o) {
		var test []int
		for _, r := range fold {
			test = append(test, int(r.example))
		}
		c := record.Cell{
			Data: p.Data, Learner: k.learner, Run: int(fold[0].repeat) + 1,
			Fold: int(fold[0].fold) + 1,
		}
		if err := p.Add(c, test, o.predictions(fold)); err != nil {
			return err
		}
	}
	return nil
}

// predictions returns the predictions of a fold.
func (o *openml) predictions(fold []tested) *metric.Predictions {
	p := &metric.Predictions{Classes: o.classes}
	for _, r := range fold {
		if o.classes == nil {
			p.TrueValues, p.PredictedValues = append(p.TrueValues, o.true[r.at]), append(p.PredictedValues,
				o.predicted[r.at])
			continue
		}
		p.Truth, p.Predicted = append(p.Truth, int(o.true[r.at])),
			append(p.Predicted, int(o.predicted[r.at]))
		for _, of := range o.confidence {
			p.Probabilities = append(p.Probabilities, of[r.at])
		}
	}
	if slices.ContainsFunc(p.Probabilities, func(x float64) bool { return !(x >= 0 && x <= 1) }) {
		p.Probabilities = nil
	}
	return p
}
