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

// sortRows ranks numbers by sorting them, with their rows, by one digit of their keys after the
// other, from the last.
func (s *sorter) sortRows(x []float64, c *Ranks) {
	n := s.takeKnown(x, c)
	s.sort(n)
	distinct, last := 0, uint64(0)
	for _, e := range s.entries {
		if e.key != last { // no number has the key 0
			distinct++
		}
		last = e.key
	}
	last = 0
	c.Values = make([]float64, 0, distinct)
	for i, e := range s.entries {
		if e.key != last {
			c.Values = append(c.Values, numberOf(e.key))
		}
		last = e.key
		c.Order[i], c.Codes[e.row] = e.row, int32(len(c.Values)-1)
	}
	for _, r := range c.Order[n:] {
		c.Codes[r] = int32(len(c.Values))
	}
}

// takeKnown sets the entries to the known numbers and counts the digits of their keys. Rows without
// a number come last in the order. It returns the number of the others.
func (s *sorter) takeKnown(x []float64, c *Ranks) int {
	s.entries = scratch.Resize(s.entries, len(x))
	s.count = scratch.Resize(s.count, digits*digitSize)
	clear(s.count)
	n, missing := 0, 0
	for i, v := range x {
		if v != v {
			c.Order[missing] = int32(i)
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
	copy(c.Order[n:], c.Order[:missing])
	s.entries = s.entries[:n]
	return n
}

// sort sorts the n entries, whose digits are counted.
func (s *sorter) sort(n int) {
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
