package tan

import (
	"math/bits"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// bitSets has for each value of an attribute but the first the set of the
// instances that have it, so that those with two values are counted by the
// bits that are common to two sets. Instances of a class are neighbours, and
// each class starts a word.
type bitSets struct {
	words int   // of a set
	ends  []int // of each class its end in words
	data  []uint64
	place []int32 // of each instance its bit
}

// maxSets is the greatest number of values of an attribute that has sets.
const maxSets = 16

// build makes the sets of all attributes that are suited.
func (s *bitSets) build(w *workspace) {
	s.ends = scratch.Resize(s.ends, w.classes)
	clear(s.ends)
	for _, y := range w.class {
		s.ends[y]++
	}
	start := 0
	next := scratch.Resize(w.order, w.classes)
	for y, n := range s.ends {
		next[y] = int32(64 * start)
		start += (n + 63) / 64
		s.ends[y] = start
	}
	s.words = start
	s.place = scratch.Resize(s.place, len(w.class))
	for q, y := range w.class {
		s.place[q] = next[y]
		next[y]++
	}
	w.order = next
	sets := 0
	for k := range w.attrs {
		a := &w.attrs[k]
		a.set = -1
		if a.card > 1 && a.card <= maxSets {
			a.set = sets
			sets += int(a.card) - 1
		}
	}
	s.data = scratch.Resize(s.data, sets*s.words)
	clear(s.data)
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.set < 0 {
			continue
		}
		data := s.data[a.set*s.words:]
		for q, v := range a.code {
			if v > 0 {
				p := s.place[q]
				data[int(v-1)*s.words+int(p>>6)] |= 1 << (p & 63)
			}
		}
	}
}

// set returns the set of value v, which is not the first, of an attribute.
func (s *bitSets) set(a *attribute, v int) []uint64 {
	return s.data[(a.set+v-1)*s.words:][:s.words]
}

// count sets cells to the number of instances of each class with each value of
// a and each of b, in this order.
func (s *bitSets) count(cells []int32, a, b *attribute) {
	na, nb := int(a.card), int(b.card)
	for va := 1; va < na; va++ {
		x := s.set(a, va)
		for vb := 1; vb < nb; vb++ {
			y := s.set(b, vb)
			y = y[:len(x)]
			at, i := va*nb+vb, 0
			for _, end := range s.ends {
				n := 0
				for ; i < end; i++ {
					n += bits.OnesCount64(x[i] & y[i])
				}
				cells[at] = int32(n)
				at += na * nb
			}
		}
	}
	// The rest follows from the counts of each attribute.
	for c := range s.ends {
		table := cells[c*na*nb:][:na*nb]
		ofA, ofB := a.counts[c*na:][:na], b.counts[c*nb:][:nb]
		copy(table[:nb], ofB)
		for va := 1; va < na; va++ {
			row := table[va*nb:][:nb]
			row[0] = ofA[va]
			for vb := 1; vb < nb; vb++ {
				row[0] -= row[vb]
				table[vb] -= row[vb]
			}
			table[0] -= row[0]
		}
	}
}
