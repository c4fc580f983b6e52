package trial

import (
	"iter"
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
)

// The parts of an attempt are its test examples by slice. An attempt reuses their memory.
type parts struct {
	// Members are the test examples of all slices, slice after slice, each in the order of the test
	// set. The members of slice k end before ends[k].
	members []int32
	ends    []int32

	part metric.Predictions // of the members of one slice

	trained [][]bool // of a slice of copies, whether a set of equal examples is in the training set
}

// deal takes the test examples of each slice from an attempt.
func (p *parts) deal(s *slicing, a *Attempt) {
	p.ends = slices.Grow(p.ends[:0], len(s.slices))[:len(s.slices)]
	ends := p.ends
	clear(ends)
	for _, row := range a.Test {
		for _, k := range s.of[s.starts[row]:s.starts[row+1]] {
			ends[k]++
		}
	}
	p.trained = slices.Grow(p.trained[:0], len(s.slices))[:len(s.slices)]
	for k := range s.slices {
		if alike := s.slices[k].Alike; alike != nil {
			p.train(k, alike, a.Train)
			for range p.trainedOf(k, alike, a.Test) {
				ends[k]++
			}
		}
	}
	total := int32(0)
	for k, n := range ends {
		ends[k] = total // where the members of slice k begin, until they are written from there
		total += n
	}
	p.members = slices.Grow(p.members[:0], int(total))[:total]
	members := p.members
	for i, row := range a.Test {
		for _, k := range s.of[s.starts[row]:s.starts[row+1]] {
			members[ends[k]] = int32(i)
			ends[k]++
		}
	}
	for k := range s.slices {
		if alike := s.slices[k].Alike; alike != nil {
			for i := range p.trainedOf(k, alike, a.Test) {
				members[ends[k]] = int32(i)
				ends[k]++
			}
		}
	}
}

// trainedOf yields the numbers of the test examples that equal one of the training examples, of
// slice k.
func (p *parts) trainedOf(k int, alike, test []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, row := range test {
			if set := alike[row]; set >= 0 && p.trained[k][set] && !yield(i) {
				return
			}
		}
	}
}

// train marks the sets of equal examples that the training set has, of slice k.
func (p *parts) train(k int, alike, train []int) {
	// There are fewer sets than examples.
	trained := slices.Grow(p.trained[k][:0], len(alike))[:len(alike)]
	clear(trained)
	for _, row := range train {
		if set := alike[row]; set >= 0 {
			trained[set] = true
		}
	}
	p.trained[k] = trained
}
