package neighbor

import (
	"cmp"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

const (
	// sampled bounds the number of points by which the spread of an attribute
	// is judged.
	sampled = 24

	// block is the number of points whose coordinates are computed together,
	// so that they stay in the processor's nearest cache.
	block = 64
)

// points are training instances, among which searches look for neighbours.
//
// The coordinates of a point are its normalised numeric values. First come the values of the
// full attributes, which no training instance lacks, by descending spread, because a sum over
// the first few of them often shows that a point is no neighbour.
type points struct {
	attrs   []attribute
	order   []int32      // slot of each attribute if it is numeric, else its complement
	numeric []*attribute // numeric attributes by slot
	dx, dc  int          // numbers of numeric and of nominal attributes
	full    int          // number of full numeric attributes

	rows   []int32   // row of each point in the training table
	class  []int32   // class of each point
	weight []float64 // weight of each point; empty if all are 1

	// Index.
	x     []float64 // dx coordinates of each point, NaN if missing
	codes []int32   // dc nominal codes of each point, -1 if missing
	lanes packed
	tree  tree
}

// index makes what a search through all points takes, with a tree only if the points may be put
// in another order, and reports whether they are.
func (p *points) index(t *dataset.Table, mayMove bool) (moved bool) {
	p.fill(t)
	p.tree.nodes = p.tree.nodes[:0]
	if mayMove {
		p.buildTree()
	}
	return len(p.tree.nodes) > 0
}

// renew takes the new range of an attribute into the index.
func (p *points) renew(a *attribute) {
	p.normalise(a, 0, len(p.rows))
	p.renewTree(a.slot)
}

// takeAttributes lists the attributes and gives each its slot.
func (p *points) takeAttributes(t *dataset.Table) {
	p.attrs = scratch.Resize(p.attrs, t.NumAttributes()-1)
	p.order = scratch.Resize(p.order, len(p.attrs))
	p.numeric = p.numeric[:0]
	p.dx, p.dc, p.full = 0, 0, 0
	k := 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		a := &p.attrs[k]
		*a = attribute{Column: trainset.NewColumn(t, j), place: k}
		k++
		if a.Meta.Kind == dataset.Nominal {
			a.slot = p.dc
			p.order[a.place] = ^int32(a.slot)
			p.dc++
			continue
		}
		a.train = t.Numbers(j)
		a.measure(p.rows)
		p.numeric = append(p.numeric, a)
		if !a.missing {
			p.full++
		}
	}
	p.dx = len(p.numeric)
	slices.SortStableFunc(p.numeric, func(a, b *attribute) int {
		if a.missing != b.missing {
			if a.missing {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.spread, a.spread)
	})
	for slot, a := range p.numeric {
		a.slot = slot
		p.order[a.place] = int32(slot)
	}
}

// fill sets the coordinates and codes of the points.
func (p *points) fill(t *dataset.Table) {
	n := len(p.rows)
	p.x = scratch.Resize(p.x, n*p.dx)
	p.codes = scratch.Resize(p.codes, n*p.dc)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		for k := range p.attrs {
			a := &p.attrs[k]
			if a.Meta.Kind == dataset.Numeric {
				p.normalise(a, from, to)
				continue
			}
			codes := t.Codes(a.Index)
			at := from*p.dc + a.slot
			for _, r := range p.rows[from:to] {
				p.codes[at] = codes[r]
				at += p.dc
			}
		}
	}
	p.lanes.fill(p)
}

// normalise sets the coordinate of a numeric attribute of the points
// from..to-1.
func (p *points) normalise(a *attribute, from, to int) {
	at := from*p.dx + a.slot
	if width := a.max - a.min; 0 < width && width <= math.MaxFloat64 {
		for _, r := range p.rows[from:to] {
			p.x[at] = (a.train[r] - a.min) / width
			at += p.dx
		}
		return
	}
	for _, r := range p.rows[from:to] {
		p.x[at] = a.norm(a.train[r])
		at += p.dx
	}
}

// takeClasses sets the classes and weights of the points in their final order.
func (p *points) takeClasses(t *dataset.Table) {
	p.class = scratch.Resize(p.class, len(p.rows))
	codes := t.Codes(t.ClassIndex())
	for i, r := range p.rows {
		p.class[i] = codes[r]
	}
	p.weight = p.weight[:0]
	if weights := t.Weights(); weights != nil {
		for _, r := range p.rows {
			p.weight = append(p.weight, weights[r])
		}
	}
}

// release forgets the table.
func (p *points) release() {
	clear(p.attrs)
	clear(p.numeric)
}
