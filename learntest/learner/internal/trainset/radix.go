package trainset

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

const (
	// leastRadix is the number of rows from which on a radix sort is faster than a search, whether
	// there are few distinct values or many.
	leastRadix = 512

	digits    = 6 // of a key
	digitBits = 11
	digitSize = 1 << digitBits
)

// A keyed is a row with a key, whose order is the order of the numbers.
type keyed struct {
	key uint64
	row int32
}

// Order sets order, which is as long as x, to the rows of the numbers x in ascending order, and
// returns it. Equal numbers come in the order of their rows, rows without a number last. Order sorts
// the numbers, with their rows, by one digit of their keys after the other, from the last; the
// known numbers are the entries then.
func (s *Sorter) Order(order []int32, x []float64) []int32 {
	n := s.takeKnown(x, order)
	s.sort(n)
	for i, e := range s.entries {
		order[i] = e.row
	}
	return order
}

// takeKnown sets the entries to the known numbers and counts the digits of their keys. Rows without
// a number come last in the order. It returns the number of the others.
func (s *Sorter) takeKnown(x []float64, order []int32) int {
	s.entries = scratch.Resize(s.entries, len(x))
	s.count = scratch.Resize(s.count, digits*digitSize)
	clear(s.count)
	n, missing := 0, 0
	for i, v := range x {
		if v != v {
			order[missing] = int32(i)
			missing++
			continue
		}
		k := keyOf(v)
		s.entries[n] = keyed{k, int32(i)}
		n++
		for d := range digits {
			s.count[d*digitSize+int(k>>(d*digitBits)&(digitSize-1))]++
		}
	}
	copy(order[n:], order[:missing])
	s.entries = s.entries[:n]
	return n
}

// sort sorts the n entries, whose digits are counted.
func (s *Sorter) sort(n int) {
	s.spare = scratch.Resize(s.spare, n)
	for d := range digits {
		count := (*[digitSize]int32)(s.count[d*digitSize:])
		shift := d * digitBits
		if n == 0 || int(count[s.entries[0].key>>shift&(digitSize-1)]) == n {
			continue // all are equal
		}
		at := int32(0)
		for i, k := range count {
			count[i] = at
			at += k
		}
		for _, e := range s.entries {
			i := e.key >> shift & (digitSize - 1)
			s.spare[count[i]] = e
			count[i]++
		}
		s.entries, s.spare = s.spare, s.entries
	}
}

// keyOf returns a key of a number; keys have the order of the numbers. Both zeros have one key.
func keyOf(x float64) uint64 {
	b := math.Float64bits(x + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// numberOf returns the number of a key.
func numberOf(k uint64) float64 {
	return math.Float64frombits(k ^ (^uint64(int64(k)>>63) | 1<<63))
}
