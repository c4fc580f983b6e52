// Package copies finds equal examples, and counts test examples with a copy in the training set.
package copies

import (
	"bytes"
	"fmt"
	"hash/maphash"
)

// Sets are the sets of examples that are equal to one another.
type Sets struct {
	All [][]int // the sets of two and more, in the order of their first example
	of  []int   // the index of each example's set; alone if it has no copy
}

const alone = -1

// A Text appends to buf a text of example i that equal examples share, and no others.
type Text func(i int, buf []byte) ([]byte, error)

// Find returns the sets of examples with equal texts.
func Find(n int, text Text) (Sets, error) {
	seed := maphash.MakeSeed()
	return find(n, text, func(text []byte) uint64 { return maphash.Bytes(seed, text) })
}

// find compares the texts of examples with equal hashes, and keeps no texts.
func find(n int, text Text, hash func(text []byte) uint64) (Sets, error) {
	s := Sets{of: make([]int, n)}
	first := make(map[uint64]int, n) // example with a hash; the hash of another text is moved by one
	var buf, other []byte
	for i := range n {
		var err error
		if buf, err = text(i, buf[:0]); err != nil {
			return Sets{}, fmt.Errorf("example %d: %w", i, err)
		}
		s.of[i] = alone
		for h := hash(buf); ; h++ {
			f, ok := first[h]
			if !ok {
				first[h] = i
				break
			}
			if other, err = text(f, other[:0]); err != nil {
				return Sets{}, fmt.Errorf("example %d: %w", f, err)
			}
			if bytes.Equal(buf, other) {
				s.add(f, i)
				break
			}
		}
	}
	s.sort()
	return s, nil
}

// add adds an example to the set of an equal one.
func (s *Sets) add(first, i int) {
	if s.of[first] == alone {
		s.of[first] = len(s.All)
		s.All = append(s.All, []int{first})
	}
	s.of[i] = s.of[first]
	s.All[s.of[i]] = append(s.All[s.of[i]], i)
}

// sort puts the sets into the order of their first example.
func (s *Sets) sort() {
	members := s.All
	s.All = make([][]int, 0, len(members))
	for i, old := range s.of {
		if old != alone && members[old][0] == i {
			s.All = append(s.All, members[old])
		}
	}
	for at, m := range s.All {
		for _, i := range m {
			s.of[i] = at
		}
	}
}

// Examples returns how many examples have a copy.
func (s Sets) Examples() int {
	n := 0
	for _, m := range s.All {
		n += len(m)
	}
	return n
}

// Contradicting returns the sets whose examples have different labels, and the accuracy that
// nothing can exceed that predicts one label for equal examples.
func Contradicting[Y comparable](s Sets, label func(i int) Y) (sets [][]int, reachable float64) {
	wrong := 0
	for _, m := range s.All {
		counts, most := make(map[Y]int), 0
		for _, i := range m {
			counts[label(i)]++
			most = max(most, counts[label(i)])
		}
		if len(counts) > 1 {
			sets = append(sets, m)
			wrong += len(m) - most
		}
	}
	return sets, 1 - float64(wrong)/float64(max(1, len(s.of)))
}

// Join returns the number of a group for each example: equal examples are of one group, and so are
// the examples of a given group, if there are any. The group has the number of its first example.
func (s Sets) Join(groups []int) []int {
	first := make([]int, len(s.of)) // of an example's group, as far as that is known, or of one that it was joined with
	for i := range first {
		first[i] = i
	}
	root := func(i int) int {
		for first[i] != i {
			first[i] = first[first[i]]
			i = first[i]
		}
		return i
	}
	join := func(i, j int) {
		a, b := root(i), root(j)
		first[max(a, b)] = min(a, b)
	}
	for _, m := range s.All {
		for _, i := range m[1:] {
			join(m[0], i)
		}
	}
	of := make(map[int]int)
	for i, g := range groups {
		if j, ok := of[g]; ok {
			join(i, j)
		}
		of[g] = i
	}
	for i := range first {
		first[i] = root(i)
	}
	return first
}
