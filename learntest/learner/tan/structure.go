package tan

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// A link is a pair of attributes with the gain of the head from the tail.
type link struct {
	gain       float64
	head, tail int32
}

// before reports whether a is to be preferred to b.
func (a link) before(b link) bool {
	switch {
	case a.gain != b.gain:
		return a.gain > b.gain
	case a.head != b.head:
		return a.head < b.head
	}
	return a.tail < b.tail
}

// link builds the tree and sets the second parents.
func (w *workspace) link() {
	for k := range w.attrs {
		w.attrs[k].parent = -1
	}
	n := int32(len(w.attrs))
	if n < 2 {
		return
	}
	pair := func(h, t int32) link { return link{w.delta[h*n+t], h, t} }
	first := pair(0, 1)
	for h := range n {
		for t := range n {
			if l := pair(h, t); h != t && l.before(first) {
				first = l
			}
		}
	}
	w.orient(first)

	// best holds for each attribute that is not in the tree its best link
	// with one that is. Its head is -1 for those in the tree.
	w.best = scratch.Resize(w.best, int(n))
	for k := range n {
		w.best[k] = link{head: n, tail: n}
	}
	w.best[first.head].head = -1
	w.best[first.tail].head = -1
	added := [2]int32{first.head, first.tail}
	for range n - 2 {
		next := link{head: n, tail: n}
		newcomer := int32(-1)
		for k := range n {
			b := &w.best[k]
			if b.head < 0 {
				continue
			}
			for _, x := range added {
				for _, l := range [2]link{pair(k, x), pair(x, k)} {
					if b.head == n || l.before(*b) {
						*b = l
					}
				}
			}
			if newcomer < 0 || b.before(next) {
				next, newcomer = *b, k
			}
		}
		w.orient(next)
		w.best[newcomer].head = -1
		added = [2]int32{newcomer, newcomer}
	}
}

// orient makes the head the parent of the tail, or the other way round if the
// tail has a parent.
func (w *workspace) orient(l link) {
	if t := &w.attrs[l.tail]; t.parent < 0 {
		t.parent = l.head
	} else {
		w.attrs[l.head].parent = l.tail
	}
}
