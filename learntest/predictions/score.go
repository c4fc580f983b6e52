package predictions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ErrScore is wrapped by errors about scores that cannot be computed of predictions.
var ErrScore = errors.New("there are no such scores of the predictions")

// Slices are parts of the examples that are chosen when the predictions are there, such as the
// patients of a clinic.
type Slices struct {
	DataDigest string // of the data that have them, which must be the data of the predictions
	Of         []Slice
}

// A Slice is a part of the examples.
type Slice struct {
	Name string // without braces, as in "clinic=A"
	Rows []int  // the examples, ascending
}

// Score computes metrics of predictions without training: the scores of the result of a run to the
// last bit. It has the scores on the slices, too, in metrics that are means over examples, as if
// they had been declared before the run. The metrics come from [Block.Metric]; a trial without
// predictions is a failed one. The header says of which predictions the scores are (RescoredFrom),
// so that verdicts on the slices say that these were chosen afterwards.
//
// The error wraps ErrScore: a metric needs probabilities that were not kept, the protocol does not
// test each example once in a run, the slices are of other data or have no examples, or there are
// slices and no metric is a mean over examples.
func Score(b *Block, metrics []metric.Metric, of Slices) (*record.Block, error) {
	s := &scoring{from: b, metrics: metrics}
	err := s.prepare(of)
	if err == nil {
		err = s.run()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrScore, err)
	}
	return s.to, nil
}

// A scoring computes scores of predictions.
type scoring struct {
	from    *Block
	parts   *Partition
	metrics []metric.Metric
	means   []metric.Metric // of slices
	slices  []Slice
	member  [][]bool // by slice
	to      *record.Block

	all, part metric.Predictions
	rows      []int32
}

func (s *scoring) prepare(given Slices) error {
	from := s.from
	sums, err := Sums(from)
	if err != nil {
		return err
	}
	if s.parts, err = from.Partition(); err != nil {
		return err
	}
	if !from.shape.Covers() && !importedWhole(from) {
		return fmt.Errorf("%q does not test each example once in each run, and predictions do not say how many were trained on", from.Protocol)
	}
	h := record.Header{
		Pkg: from.Pkg, Test: from.Test, Protocol: from.Protocol, DataDigest: from.DataDigest,
		SplitDigest: from.SplitDigest, Data: from.Data,
		RescoredFrom: strings.Join(sums, " "),
	}
	var units, means []unit.Unit
	for _, m := range s.metrics {
		units = append(units, m.Unit)
		h.AddFormula(m.Name, m.Fingerprint(from.Classes))
		if len(given.Of) > 0 && m.IsMeanOfParts(from.Classes) {
			s.means, means = append(s.means, m), append(means, m.Unit)
		}
	}
	if len(given.Of) > 0 {
		of, err := s.divide(given)
		if err != nil {
			return err
		}
		h.SetSlices(of)
		units = append(units, record.SliceUnits(of, means, float64(from.shape.Folds))...)
	}
	if from.Classification() {
		h.SetMajority(s.majority())
	}
	s.to, err = record.NewBlock(h, from.Learners(), units, from.Examples)
	return err
}

// importedWhole reports whether the predictions were imported in a format of which each fold trains
// on all other examples.
func importedWhole(b *Block) bool {
	if b.Pkg != "" || !slices.Contains([]string{"openml", "amlb-predictions"}, b.Test) {
		return false
	}
	for _, of := range b.folds {
		if slices.Contains(of, 0) {
			return false
		}
	}
	return true
}

// Check returns an error unless the slices are of the data that the predictions are of, which the
// digest covers with the order of its examples, and each of them has examples, none twice.
func (s Slices) Check(b *Block) error {
	if s.DataDigest != b.DataDigest {
		return fmt.Errorf("the slices are of other data, or of examples in another order: their digest is %.12s, and the predictions are of %s, %.12s",
			s.DataDigest, b.Data, b.DataDigest)
	}
	for _, slice := range s.Of {
		member := make([]bool, b.Examples)
		for _, i := range slice.Rows {
			if i < 0 || i >= len(member) || member[i] {
				return fmt.Errorf("slice %q has example %d twice, or there is no such example", slice.Name,
					i)
			}
			member[i] = true
		}
		switch {
		case slice.Name == record.CopiesSlice:
			return fmt.Errorf("%q is the name of the slice of copies: give it another one", slice.Name)
		case len(slice.Rows) == 0:
			return fmt.Errorf("slice %q has no examples: is its condition the one that is meant?",
				slice.Name)
		}
	}
	return nil
}

// divide takes the slices, and returns them as a header has them.
func (s *scoring) divide(given Slices) (of []record.Slice, err error) {
	if err := given.Check(s.from); err != nil {
		return nil, err
	}
	if len(s.means) == 0 {
		return nil, fmt.Errorf("no metric is a mean over examples, as %s is: there are no scores on slices", metric.Accuracy().Name)
	}
	for _, slice := range given.Of {
		member := make([]bool, s.from.Examples)
		for _, i := range slice.Rows {
			member[i] = true
		}
		s.member = append(s.member, member)
		of = append(of, record.NewSlice(slice.Name, slices.Sorted(slices.Values(slice.Rows)), nil))
	}
	s.slices = given.Of
	return of, nil
}

// run scores the trials.
func (s *scoring) run() error {
	from := s.from
	for _, learner := range from.Learners() {
		for run := 1; run <= from.shape.Runs; run++ {
			for fold, test := range s.parts.Tests(run) {
				t := record.Trial{
					Data: from.Data, Learner: learner, Run: run, Fold: fold + 1,
					TrainN: from.Examples - len(test), TestN: len(test),
				}
				if err := s.evaluate(&t, test); err != nil {
					return fmt.Errorf("%v: %w", t.Cell(), err)
				}
				if err := s.to.Add(t); err != nil {
					return err
				}
			}
		}
	}
	s.to.SetMeans()
	MarkRight(s.to, from)
	return nil
}

// evaluate fills in the scores of a trial.
func (s *scoring) evaluate(t *record.Trial, test []int) error {
	if !s.parts.Trial(t.Learner, t.Run, t.Fold, &s.all) {
		t.Err = "nothing was predicted"
		return nil
	}
	for _, m := range s.metrics {
		x, err := m.Eval(&s.all)
		if err != nil {
			return err
		}
		t.Values = append(t.Values, x)
	}
	for k, slice := range s.slices {
		s.rows = s.rows[:0]
		for i, example := range test {
			if s.member[k][example] {
				s.rows = append(s.rows, int32(i))
			}
		}
		s.part.TakePart(&s.all, s.rows)
		n := len(s.rows)
		t.Values = append(t.Values, float64(n))
		for _, m := range s.means {
			sum := 0.0
			if n > 0 {
				mean, err := m.Eval(&s.part)
				if err != nil {
					return fmt.Errorf("slice %s: %w", slice.Name, err)
				}
				sum = record.SliceSum(mean, n, len(slice.Rows), float64(s.from.shape.Folds))
			}
			t.Values = append(t.Values, sum)
		}
	}
	return nil
}

// majority returns what always predicting the most frequent class scores, in metrics that take
// labels.
func (s *scoring) majority() record.Majority {
	from := s.from
	total, class := make([]int, len(from.Classes)), 0
	for i := range from.Examples {
		total[from.Truth(i)]++
	}
	for c, n := range total {
		if n > total[class] {
			class = c
		}
	}
	all := record.Majority{Class: from.Classes[class]}
	for _, m := range s.metrics {
		sum, folds := 0.0, 0
		p := metric.Predictions{Classes: from.Classes}
		for run := 1; run <= from.shape.Runs; run++ {
			for _, test := range s.parts.Tests(run) {
				p.Truth, p.Predicted = p.Truth[:0], p.Predicted[:0]
				for _, i := range test {
					p.Truth, p.Predicted = append(p.Truth, from.Truth(i)), append(p.Predicted, class)
				}
				score, err := m.Eval(&p)
				if err != nil { // it takes probabilities
					sum = math.NaN()
				}
				sum, folds = sum+score, folds+1
			}
		}
		if !math.IsNaN(sum) {
			all.Units, all.Scores = append(all.Units, m.Name), append(all.Scores, sum/float64(folds))
		}
	}
	return all
}
