package trial

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Slice is a part of the examples of a data set of which scores are known apart.
type Slice struct {
	Name string
	Rows []int // its examples, ascending; of a slice of copies, the examples with a copy

	// Alike, if not nil, has a number for each set of equal examples, and -1 for an example that
	// equals no other. Members are then the test examples that equal one of the training examples
	// of their trial.
	Alike []int
}

// Record returns the slice as a header has it.
func (s *Slice) Record() record.Slice { return record.NewSlice(s.Name, s.Rows, s.Alike) }

// slices returns the slices whose scores are stored of trials of a plan: none of a second opinion.
func (d *Data) slices(plan *split.Plan) []Slice {
	if shape, err := split.ParseShape(plan.Protocol().String()); err != nil || shape.Halves() {
		return nil
	}
	return d.Slices
}

// Sliced returns the slices that results under a plan have, with the columns of their values.
func (d *Data) Sliced(plan *split.Plan) ([]record.Slice, []unit.Unit) {
	var of []record.Slice
	for _, s := range d.slices(plan) {
		of = append(of, s.Record())
	}
	if len(d.Means) == 0 {
		return nil, nil
	}
	units := make([]unit.Unit, len(d.Means))
	for i, m := range d.Means {
		units[i] = m.Unit
	}
	return of, record.SliceUnits(of, units, scaleOf(plan))
}

// scaleOf returns what the sums of a cell are multiplied with, beside one over the number of a
// slice's members: so that the mean over cells is the score of the slice.
func scaleOf(plan *split.Plan) float64 {
	if plan.Folds() > 1 {
		return float64(plan.Folds())
	}
	train, test := plan.Sizes(1, 1)
	return float64(train+test) / float64(test)
}

// A slicing is how a batch computes the scores of slices.
type slicing struct {
	slices  []Slice
	metrics []metric.Metric
	scale   float64

	// Example i is a member of the slices of[starts[i]:starts[i+1]], without slices of copies.
	starts, of []int32
}

func newSlicing(d *Data, plan *split.Plan) *slicing {
	s := &slicing{slices: d.slices(plan), metrics: d.Means, scale: scaleOf(plan)}
	if len(s.slices) == 0 || len(s.metrics) == 0 {
		return nil
	}
	s.starts = make([]int32, d.Examples.N+1)
	s.each(func(_, row int) { s.starts[row]++ })
	total := int32(0)
	for i, n := range s.starts {
		total += n
		s.starts[i] = total // where the slices of example i end, until they are written from there
	}
	s.of = make([]int32, total)
	s.each(func(k, row int) {
		s.starts[row]--
		s.of[s.starts[row]] = int32(k)
	})
	return s
}

// each calls f with each slice that is none of copies, and each example of it.
func (s *slicing) each(f func(k, row int)) {
	for k := range s.slices {
		if s.slices[k].Alike != nil {
			continue
		}
		for _, row := range s.slices[k].Rows {
			f(k, row)
		}
	}
}

// width returns the number of values of a trial.
func (s *slicing) width() int {
	if s == nil {
		return 0
	}
	return len(s.slices) * (1 + len(s.metrics))
}

// score appends the values of all slices to the scores of an attempt.
func (s *slicing) score(a *Attempt) error {
	if s == nil {
		return nil
	}
	p := &a.parts
	p.deal(s, a)
	from := 0
	for k, end := range p.ends {
		n := int(end) - from
		p.part.TakePart(&a.Predictions, p.members[from:end])
		from = int(end)
		a.scores = append(a.scores, float64(n))
		for i := range s.metrics {
			m, value := &s.metrics[i], 0.0
			if n > 0 {
				mean, err := m.Eval(&p.part)
				if err == nil && (math.IsNaN(mean) || mean < m.Min || mean > m.Max) {
					err = fmt.Errorf("it is %v", mean)
				}
				if err != nil {
					return fmt.Errorf("metric %s of slice %s: %w", m.Name, s.slices[k].Name, err)
				}
				value = record.SliceSum(mean, n, len(s.slices[k].Rows), s.scale)
			}
			a.scores = append(a.scores, value)
		}
	}
	return nil
}
