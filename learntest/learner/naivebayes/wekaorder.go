package naivebayes

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A wekaSorter sorts instances as Weka does. Its quicksort is not stable, so
// that the order of equal values is a matter of its steps.
type wekaSorter struct {
	values []float64
	index  []int32
	prev   []int32
}

// order sets dst to the positions 0..len(rows)-1 after the rows have been
// sorted by each numeric attribute of t in turn, the class excepted; missing
// values go last.
func (s *wekaSorter) order(dst []int32, t *dataset.Table, rows []int32) []int32 {
	n := len(rows)
	dst, s.index, s.prev = resize(dst, n), resize(s.index, n), resize(s.prev, n)
	s.values = resize(s.values, n)
	for i := range dst {
		dst[i] = int32(i)
	}
	for j := range t.NumAttributes() {
		numbers := t.Numbers(j)
		if j == t.ClassIndex() || numbers == nil {
			continue
		}
		copy(s.prev, dst)
		for i, p := range s.prev {
			x := numbers[rows[p]]
			if x != x {
				x = math.MaxFloat64
			}
			s.values[i], s.index[i] = x, int32(i)
		}
		s.sort(0, n-1)
		for i, k := range s.index {
			dst[i] = s.prev[k]
		}
	}
	return dst
}

// sort sorts s.index[left..right] by s.values.
func (s *wekaSorter) sort(left, right int) {
	switch right - left {
	case -1, 0:
		return
	case 1:
		s.order2(left, right)
		return
	case 2:
		s.order2(left, left+1)
		s.order2(left, right)
		s.order2(left+1, right)
		return
	}
	middle := s.partition(left, right)
	s.sort(left, middle-1)
	s.sort(middle+1, right)
}

// order2 swaps two places if the first has the greater value.
func (s *wekaSorter) order2(i, j int) {
	if s.values[s.index[i]] > s.values[s.index[j]] {
		s.index[i], s.index[j] = s.index[j], s.index[i]
	}
}

// partition moves the median of the first, middle and last value to its place
// and returns it.
func (s *wekaSorter) partition(left, right int) int {
	center := (left + right) / 2
	s.order2(left, center)
	s.order2(left, right)
	s.order2(center, right)
	s.index[center], s.index[right-1] = s.index[right-1], s.index[center]
	pivot := s.values[s.index[right-1]]
	i, j := left, right-1
	for {
		for i++; s.values[s.index[i]] < pivot; i++ {
		}
		for j--; s.values[s.index[j]] > pivot; j-- {
		}
		if i >= j {
			break
		}
		s.index[i], s.index[j] = s.index[j], s.index[i]
	}
	s.index[i], s.index[right-1] = s.index[right-1], s.index[i]
	return i
}
