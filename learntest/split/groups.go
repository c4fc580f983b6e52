package split

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

var groups = &kind{
	name:     "groups",
	settings: []setting{{name: "runs", at: atRuns}, {name: "folds", at: atFolds}},
	optional: true, random: true, groups: true,
	sizes: sizes{all: true, cover: true},
	check: (*Protocol).checkTwoFolds,
	plan:  planGroups,
}

// Groups returns repeated k-fold cross-validation that never divides a group: all examples
// of one group (a patient, a document, a day) are in the training set or all are in the
// test set. Fold sizes are balanced: the largest and the smallest fold differ by no more
// than the size of the largest group. With .Stratified(true) the fold sizes are only one of
// several aims; the others are the numbers of examples of each class. The package
// documentation specifies the rule.
//
// Few groups allow few different runs; see [Plan.DistinctRuns].
func Groups(runs, folds int) Protocol {
	return Protocol{kind: groups, runs: runs, folds: folds, seed: 1}
}

func planGroups(p Protocol, ex *members) (layout, error) {
	n, classes, groups := ex.n, ex.classes, ex.groups
	if len(groups) < p.folds {
		return nil, fmt.Errorf("%w: %d groups, fewer than folds", ErrTooFew, len(groups))
	}
	if len(groups) == p.folds && p.runs > 1 {
		return nil, fmt.Errorf("%w: as many groups as folds, which makes all runs identical; ask for one run", ErrTooFew)
	}
	b := newBalancer(p.folds, classes, groups)
	a := newAssigned(n, p.runs, p.folds)
	for run := 1; run <= p.runs; run++ {
		r := newRandom(p.kind.name, p.seed, run)
		of := a.run(run)
		b.deal(&r, func(g int, fold uint16) {
			for _, i := range groups[g] {
				of[i] = fold
			}
		})
	}
	a.count()
	return a, nil
}

// A balancer chooses folds for groups, one group after the other.
type balancer struct {
	n       int
	sizes   []int         // of groups
	parts   [][]classPart // of groups; nil if there is one class only
	totals  []int         // of classes
	fold    []int         // examples in each fold so far
	classes [][]int       // examples of each class in each fold so far
}

// A classPart is the number of examples of one class in a group.
type classPart struct{ class, n int }

// newBalancer returns a balancer of groups, whose members are of the classes, if these
// count.
func newBalancer(folds int, classes, groups [][]int32) *balancer {
	b := &balancer{sizes: make([]int, len(groups)), fold: make([]int, folds)}
	last := int32(0) // member
	for g, members := range groups {
		b.sizes[g] = len(members)
		b.n += len(members)
		last = max(last, members[len(members)-1])
	}
	if len(classes) <= 1 {
		return b
	}
	classOf := make([]int, last+1)
	b.totals = make([]int, len(classes))
	for c, members := range classes {
		b.totals[c] = len(members)
		for _, i := range members {
			classOf[i] = c
		}
	}
	b.parts = make([][]classPart, len(groups))
	counts := make([]int, len(classes))
	for g, members := range groups {
		for _, i := range members {
			counts[classOf[i]]++
		}
		for c, k := range counts {
			if k > 0 {
				b.parts[g] = append(b.parts[g], classPart{c, k})
				counts[c] = 0
			}
		}
	}
	b.classes = make([][]int, folds)
	for f := range b.classes {
		b.classes[f] = make([]int, len(classes))
	}
	return b
}

// deal puts the groups into folds, in random order but the larger ones first.
func (b *balancer) deal(r *random, put func(g int, fold uint16)) {
	order := foldOrder(r, len(b.fold))
	queue := make([]int, len(b.sizes))
	for g := range queue {
		queue[g] = g
	}
	shuffle(r, queue)
	slices.SortStableFunc(queue, func(g, h int) int {
		return cmp.Compare(bits.Len(uint(b.sizes[h])), bits.Len(uint(b.sizes[g])))
	})
	b.reset()
	for _, g := range queue {
		put(g, b.place(g, order))
	}
}

func (b *balancer) reset() {
	clear(b.fold)
	for _, counts := range b.classes {
		clear(counts)
	}
}

// place adds group g to the fold of least cost, among several of them to the
// smallest, among several of those to the first in order, and returns it.
func (b *balancer) place(g int, order []uint16) uint16 {
	best, bestCost := order[0], b.cost(g, int(order[0])-1)
	for _, fold := range order[1:] {
		f := int(fold) - 1
		c := b.cost(g, f)
		if c < bestCost || c == bestCost && b.fold[f] < b.fold[best-1] {
			best, bestCost = fold, c
		}
	}
	b.fold[best-1] += b.sizes[g]
	if b.parts != nil {
		for _, part := range b.parts[g] {
			b.classes[best-1][part.class] += part.n
		}
	}
	return best
}

// cost measures how much the examples of group g crowd the examples that fold f has already:
// in their class, and in all classes together.
func (b *balancer) cost(g, f int) float64 {
	if b.parts == nil {
		return 0
	}
	sum := float64(b.fold[f]) * float64(b.sizes[g]) / float64(b.n)
	for _, part := range b.parts[g] {
		sum += float64(b.classes[f][part.class]) * float64(part.n) / float64(b.totals[part.class])
	}
	return sum
}
