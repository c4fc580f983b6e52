package split

import (
	"fmt"
	"math"
	"slices"
)

// Examples describes the examples to partition. Codes of classes and groups are arbitrary
// non-negative numbers; a protocol uses only their equality and their order.
type Examples struct {
	N     int   // number of examples
	Class []int // class of each example; nil if there are none (regression)
	Group []int // group of each example; nil if there are none
}

// check returns the members to partition, or an error.
func (ex Examples) check(p Protocol) (*members, error) {
	m := &members{n: ex.N, class: ex.Class}
	var err error
	if ex.N < 0 || ex.N > math.MaxInt32 {
		return nil, fmt.Errorf("%w: N=%d is not in 0..2^31-1", ErrExamples, ex.N)
	}
	if ex.Class != nil && len(ex.Class) != ex.N {
		return nil, fmt.Errorf("%w: %d classes of %d examples", ErrExamples, len(ex.Class), ex.N)
	}
	if ex.Group != nil && len(ex.Group) != ex.N {
		return nil, fmt.Errorf("%w: %d groups of %d examples", ErrExamples, len(ex.Group), ex.N)
	}
	if p.stratified && ex.Class != nil {
		if m.classes, err = sets(ex.Class, "class"); err != nil {
			return nil, err
		}
	} else {
		m.classes = [][]int32{everyone(ex.N)}
	}
	if p.kind.groups {
		if ex.Group == nil {
			return nil, fmt.Errorf("%w: %q needs the groups of the examples", ErrExamples, p)
		}
		if m.groups, err = sets(ex.Group, "group"); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// sets returns, for every code that occurs and in ascending order of codes,
// the ascending indices at which it occurs.
func sets(codes []int, what string) ([][]int32, error) {
	counts := make(map[int]int)
	for i, c := range codes {
		if c < 0 {
			return nil, fmt.Errorf("%w: example %d has %s %d (is it missing?)", ErrExamples, i, what, c)
		}
		counts[c]++
	}
	occurring := make([]int, 0, len(counts))
	for c := range counts {
		occurring = append(occurring, c)
	}
	slices.Sort(occurring)
	sets := make([][]int32, len(occurring))
	rank := make(map[int]int, len(occurring))
	for k, c := range occurring {
		rank[c] = k
		sets[k] = make([]int32, 0, counts[c])
	}
	for i, c := range codes {
		k := rank[c]
		sets[k] = append(sets[k], int32(i))
	}
	return sets, nil
}
