package trial

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Slice is a part of the examples of a data set of which scores are known apart.
type Slice struct {
	Name   string
	Member []bool // by example; of a slice of copies, whether it has any

	// Alike, if not nil, has a number for each set of equal examples, and -1 for an example that
	// equals no other. Members are then the test examples that equal one of the training examples
	// of their trial.
	Alike []int
}

// Record returns the slice as a header has it.
func (s *Slice) Record() record.Slice { return record.NewSlice(s.Name, s.Member, s.Alike) }

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
	sizes   []int // members, by slice
	scale   float64

	// Example i is a member of the slices of[starts[i]:starts[i+1]], without slices of copies.
	starts, of []int32
}

func newSlicing(d *Data, plan *split.Plan) *slicing {
	s := &slicing{slices: d.slices(plan), metrics: d.Means, scale: scaleOf(plan)}
	if len(s.slices) == 0 || len(s.metrics) == 0 {
		return nil
	}
	for i := range s.slices {
		members := 0
		for _, in := range s.slices[i].Member {
			if in {
				members++
			}
		}
		s.sizes = append(s.sizes, members)
	}
	s.starts = make([]int32, 1, len(s.slices[0].Member)+1)
	for i := range s.slices[0].Member {
		for k := range s.slices {
			if s.slices[k].Alike == nil && s.slices[k].Member[i] {
				s.of = append(s.of, int32(k))
			}
		}
		s.starts = append(s.starts, int32(len(s.of)))
	}
	return s
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
	s.deal(a)
	for k, rows := range a.members {
		a.part.TakePart(&a.Predictions, rows)
		n := len(rows)
		a.scores = append(a.scores, float64(n))
		for _, m := range s.metrics {
			value := 0.0
			if n > 0 {
				mean, err := m.Eval(&a.part)
				if err == nil && (math.IsNaN(mean) || mean < m.Min || mean > m.Max) {
					err = fmt.Errorf("it is %v", mean)
				}
				if err != nil {
					return fmt.Errorf("metric %s of slice %s: %w", m.Name, s.slices[k].Name, err)
				}
				value = record.SliceSum(mean, n, s.sizes[k], s.scale)
			}
			a.scores = append(a.scores, value)
		}
	}
	return nil
}

// deal makes a.members the test examples of each slice, in their order.
func (s *slicing) deal(a *Attempt) {
	a.members = slices.Grow(a.members[:0], len(s.slices))[:len(s.slices)]
	for k := range a.members {
		a.members[k] = a.members[k][:0]
		if alike := s.slices[k].Alike; alike != nil {
			trained := make(map[int]bool)
			for _, row := range a.Train {
				if set := alike[row]; set >= 0 {
					trained[set] = true
				}
			}
			for i, row := range a.Test {
				if trained[alike[row]] {
					a.members[k] = append(a.members[k], int32(i))
				}
			}
		}
	}
	for i, row := range a.Test {
		for _, k := range s.of[s.starts[row]:s.starts[row+1]] {
			a.members[k] = append(a.members[k], int32(i))
		}
	}
}
