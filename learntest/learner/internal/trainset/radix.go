package trainset

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

const (
	// leastRadix is the number of rows from which on a radix sort is faster than a search, whether
	// there are few distinct values or many.
	leastRadix = 512

	digits    = 3 // by which keys are sorted
	digitBits = 11
	digitSize = 1 << digitBits

	// longRun is the number of entries from which on a search for the place of each takes longer
	// than another way to sort.
	longRun = 32
)

// A keyed is a row with a key, whose order is the order of the numbers.
type keyed struct {
	key uint64
	row int32
}

// Order sets order, which is as long as x, to the rows of the numbers x in ascending order, and
// returns it. Equal numbers come in the order of their rows, rows without a number last. The known
// numbers are the entries then.
//
// The first bits in which any keys differ are sorted by one digit after the other, from the last;
// numbers that are equal in all of them are few, and sorted by themselves.
func (s *Sorter) Order(order []int32, x []float64) []int32 {
	varying := s.takeKnown(x, order)
	low := max(0, bits.Len64(varying)-digits*digitBits)
	if varying > 0 {
		s.sort(low)
	}
	if low > 0 {
		s.sortRuns(low)
	}
	for i, e := range s.entries {
		order[i] = e.row
	}
	return order
}

// takeKnown sets the entries to the known numbers and returns the bits in which keys differ. Rows
// without a number come last in the order.
func (s *Sorter) takeKnown(x []float64, order []int32) (varying uint64) {
	s.entries = scratch.Resize(s.entries, len(x))
	n, missing := 0, 0
	for i, v := range x {
		if v != v {
			order[missing] = int32(i)
			missing++
			continue
		}
		k := keyOf(v)
		s.entries[n] = keyed{k, int32(i)}
		varying |= k ^ s.entries[0].key
		n++
	}
	copy(order[n:], order[:missing])
	s.entries = s.entries[:n]
	return varying
}

// sort sorts the entries by the digits of their keys from bit low on, above which keys are equal.
func (s *Sorter) sort(low int) {
	s.count = scratch.Resize(s.count, digits*digitSize)
	clear(s.count)
	for _, e := range s.entries {
		k := e.key >> low
		for d := range digits {
			s.count[d*digitSize+int(k>>(d*digitBits)&(digitSize-1))]++
		}
	}
	n := len(s.entries)
	s.spare = scratch.Resize(s.spare, n)
	for d := range digits {
		count := (*[digitSize]int32)(s.count[d*digitSize:])
		shift := low + d*digitBits
		if int(count[s.entries[0].key>>shift&(digitSize-1)]) == n {
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

// sortRuns sorts entries that are sorted but for the bits below low.
func (s *Sorter) sortRuns(low int) {
	for i := 1; i < len(s.entries); i++ {
		if s.entries[i].key >= s.entries[i-1].key {
			continue
		}
		first, prefix := i-1, s.entries[i].key>>low
		for first > 0 && s.entries[first-1].key>>low == prefix {
			first--
		}
		for i+1 < len(s.entries) && s.entries[i+1].key>>low == prefix {
			i++
		}
		run := s.entries[first : i+1]
		if len(run) >= longRun {
			slices.SortFunc(run, func(a, b keyed) int {
				return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row))
			})
			continue
		}
		for j := 1; j < len(run); j++ {
			e, k := run[j], j
			for ; k > 0 && run[k-1].key > e.key; k-- {
				run[k] = run[k-1]
			}
			run[k] = e
		}
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
