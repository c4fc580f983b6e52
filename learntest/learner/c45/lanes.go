package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// laneValues is the greatest number of values of a nominal column that is
// counted in lanes.
const laneValues = 12

// A laneSet has the values of many nominal columns of a frame in a form in
// which many are counted at once. Each row has a few words of eight bytes; each
// value of a column has one of the bytes, its lane, which is 1 in the rows that
// have the value and 0 in the others. Adding up the words counts eight values
// with one addition.
type laneSet struct {
	lanes int
	words int      // of a row
	data  []uint64 // of each row its words
}

// build gives lanes to the columns of f that are suited. The first value of a
// column needs none if no row lacks a value.
func (s *laneSet) build(f *frame) {
	s.lanes = 0
	for k := range f.cols {
		c := &f.cols[k]
		c.lane = -1
		if !c.nominal || c.card < 2 || c.card > laneValues {
			continue
		}
		c.lane, c.skips = int32(s.lanes), 1
		if c.missing {
			c.skips = 0
		}
		s.lanes += int(c.card - c.skips)
	}
	s.words = (s.lanes + 7) / 8
	s.data = make([]uint64, f.rows*s.words)
	for k := range f.cols {
		c := &f.cols[k]
		if c.lane < 0 {
			continue
		}
		// The addend of each value, and its word.
		var add [laneValues + 1]uint64
		var word [laneValues + 1]int
		for v := c.skips; v < c.card; v++ {
			lane := int(c.lane + v - c.skips)
			word[v] = lane / 8
			add[v] = 1 << (lane % 8 * 8)
		}
		at := 0
		for _, v := range c.code {
			s.data[at+word[v]] += add[v]
			at += s.words
		}
	}
}

// maxByte is the number of rows that a byte can count.
const maxByte = 255

// A laneCounter counts rows of a laneSet.
type laneCounter struct {
	*laneSet
	sums   []uint64 // of each class its words
	wide   bool     // there are too many rows for bytes; counts has the sums
	counts []int32  // of each lane the numbers of the classes that are present
}

// count counts the given rows. present lists the classes that occur among them.
func (s *laneCounter) count(rows, class, present []int32) {
	s.sums = scratch.Resize(s.sums, s.words*int(present[len(present)-1]+1))
	s.wide = len(rows) > maxByte
	if !s.wide {
		s.add(rows, class, present)
		return
	}
	s.counts = scratch.Resize(s.counts, s.lanes*len(present))
	clear(s.counts)
	for len(rows) > 0 {
		n := min(len(rows), maxByte)
		s.add(rows[:n], class, present)
		rows = rows[n:]
		for l := range s.lanes {
			row := s.counts[l*len(present):][:len(present)]
			word, shift := l/8, l%8*8
			for i, y := range present {
				row[i] += int32(s.sums[int(y)*s.words+word] >> shift & maxByte)
			}
		}
	}
}

// add sets sums to the sums of at most 255 rows.
func (s *laneCounter) add(rows, class, present []int32) {
	w := s.words
	for _, y := range present {
		clear(s.sums[int(y)*w:][:w])
	}
	sums, data := s.sums, s.data
	switch {
	case w <= 2 && len(present) == 2:
		s.addTwo(rows, class, present[0], present[1])
	case w == 1:
		for _, q := range rows {
			sums[class[q]] += data[q]
		}
	case w == 2:
		for _, q := range rows {
			a, b := sums[2*class[q]:][:2], data[2*q:][:2]
			a[0] += b[0]
			a[1] += b[1]
		}
	default:
		for _, q := range rows {
			a, b := sums[int(class[q])*w:][:w], data[int(q)*w:][:w]
			for i, x := range b {
				a[i] += x
			}
		}
	}
}

// addTwo is add for two classes and up to two words, which fit into registers.
func (s *laneCounter) addTwo(rows, class []int32, y, z int32) {
	w := s.words
	var all, second [2]uint64
	for _, q := range rows {
		differs := uint64(class[q] ^ y)
		mask := uint64(int64(-differs) >> 63) // all ones for z
		a := s.data[int(q)*w]
		b := s.data[int(q)*w+w-1]
		all[0] += a
		all[1] += b
		second[0] += a & mask
		second[1] += b & mask
	}
	for i := range w {
		s.sums[int(y)*w+i] = all[i] - second[i]
		s.sums[int(z)*w+i] = second[i]
	}
}

// bits returns the counts of the second value of a column of two values, of
// which the first has no lane, for the two classes that are present.
func (s *laneCounter) bits(c *column, present []int32) (int32, int32) {
	if s.wide {
		return s.counts[2*c.lane], s.counts[2*c.lane+1]
	}
	word, shift := int(c.lane)/8, c.lane%8*8
	y, z := int(present[0]), int(present[1])
	return int32(s.sums[y*s.words+word] >> shift & maxByte),
		int32(s.sums[z*s.words+word] >> shift & maxByte)
}

// columnOf returns the counts of a column for the classes that are present, value after value, in
// the memory of dst. total has the numbers of these classes.
func columnOf[W number](dst []W, s *laneCounter, c *column, present, total []int32) []W {
	n := len(present)
	dst = scratch.Resize(dst, int(c.card)*n)
	counts := dst[int(c.skips)*n:]
	first := int(c.lane)
	if s.wide {
		for i, k := range s.counts[first*n:][:len(counts)] {
			counts[i] = W(k)
		}
	} else {
		for i := 0; i < len(counts); first++ {
			word, shift := first/8, first%8*8
			for _, y := range present {
				counts[i] = W(s.sums[int(y)*s.words+word] >> shift & maxByte)
				i++
			}
		}
	}
	if c.skips == 1 {
		for i, k := range total {
			dst[i] = W(k)
			for v := n + i; v < len(dst); v += n {
				dst[i] -= dst[v]
			}
		}
	}
	return dst
}
