package c45

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A gnode is a node of a tree that grows. Its instances are those from lo to hi;
// its distribution is as in a finished tree.
type gnode struct {
	cut    float64
	est    float64 // estimated errors of the subtree, once it is pruned
	wrong  float64 // weight of the instances that are not of the node's class
	first  int32   // index of the first child; the others follow it
	dist   int32
	lo, hi int32
	lists  int32 // number of numeric columns on which nodes below may be split
	held   int32 // the child whose lists are in the place of the node's own
	spot   int32 // where the counts of a leaf are while instances pass a branch, 0 if none has reached it
	split  kind
	empty  bool
	unit   bool // all instances weigh 1
	whole  bool // they do, and lack no value, so that they are never divided
	stops  bool // not to be split
	origin
}

// bagOf returns the branch of row q, -1 if its value is missing.
func (n *gnode) bagOf(c *column, q int32) int32 {
	if n.test == nominal {
		if v := c.code[q]; v != c.card {
			return v
		}
		return -1
	}
	switch x := c.x[q]; {
	case x <= n.most:
		return 0
	case x > n.most:
		return 1
	}
	return -1
}

// instances are rows with weights.
type instances struct {
	pos []int32
	wt  []float64
}

func (s *instances) part(lo, hi int32) instances {
	return instances{s.pos[lo:hi], s.wt[lo:hi]}
}

// A sapling is a tree that grows, with the instances of its nodes and their sums. Instances
// without some values are divided among the branches of a node, so that they have weights, even if
// all weigh 1 at the root.
//
// The instances of whole nodes go to one branch each, so that they stay in their place, and their
// sums are integers, which no order changes. Where the last digits of other sums matter, see
// wekaSums.
type sapling struct {
	*problem
	nodes []gnode
	dist  []float64
	instances
	division
}

// load sets the instances to the instances of the training set.
func (s *sapling) load(p *problem) {
	s.problem = p
	s.nodes = append(s.nodes[:0], gnode{hi: int32(p.n), whole: p.weight == nil && !p.missing &&
		!p.general})
	s.dist, s.sides = s.dist[:0], scratch.Resize(s.sides, p.rows)
	s.pos, s.wt = append(s.pos[:0], p.set...), s.wt[:0]
	for _, r := range p.set {
		w := 1.0
		if p.weight != nil {
			w = p.weight[r]
		}
		s.wt = append(s.wt, w)
	}
}

// addDist appends n zeros to the distributions and returns their start.
func (s *sapling) addDist(n int) int32 {
	start := len(s.dist)
	s.dist = extend(s.dist, n)
	clear(s.dist[start:])
	return int32(start)
}

func (s *sapling) perClass(n *gnode) []float64 { return s.dist[n.dist+1:][:s.classes] }

func (s *sapling) perBag(n *gnode) []float64 {
	return s.dist[int(n.dist)+1+s.classes:][:n.num]
}

// perBagClass returns the weight of each class in each branch, branch after
// branch.
func (s *sapling) perBagClass(n *gnode) []float64 {
	return s.dist[int(n.dist)+1+s.classes+int(n.num):][:int(n.num)*s.classes]
}

// sumLeaf sets the distribution of a node before it is split, or of a leaf.
func (s *sapling) sumLeaf(n *gnode) {
	n.dist = s.addDist(1 + s.classes)
	d := s.dist[n.dist:][:1+s.classes]
	x, class, classes := s.part(n.lo, n.hi), s.class, d[1:]
	total, unit := 0.0, true
	for i, q := range x.pos {
		w := x.wt[i]
		classes[class[q]] += w
		total += w
		if w != 1 {
			unit = false
		}
	}
	d[0], n.unit = total, unit
	n.whole = n.whole || n.unit && !s.general && !s.lack(x.pos)
	n.empty = n.empty && eq(d[0], 0)
	s.setWrong(n)
}

// lack reports whether one of the rows lacks a value.
func (s *sapling) lack(rows []int32) bool {
	if s.missing {
		for _, q := range rows {
			if s.lacking[q] {
				return true
			}
		}
	}
	return false
}

// setWrong sets the weight of the instances that are not of the class of n, which
// has its distribution, and whether it must not be split.
func (s *sapling) setWrong(n *gnode) {
	total, classes := s.dist[n.dist], s.perClass(n)
	n.wrong = total - classes[majority(classes)]
	n.stops = sm(total, float64(2*s.cfg.MinLeaf)) || eq(n.wrong, 0)
}

// sumSplit sets the distribution of a node that is split: first the instances
// whose value is known, then the others. known and all are all instances of
// the node, in the orders in which the former and the latter are added.
func (s *sapling) sumSplit(n *gnode, known, all instances) {
	c := &s.cols[n.col]
	clear(s.dist[n.dist:][:(1+s.classes)*int(1+n.num)])
	classes, bags, cells := s.perClass(n), s.perBag(n), s.perBagClass(n)
	total := 0.0
	for i, q := range known.pos {
		b := n.bagOf(c, q)
		if b < 0 {
			continue
		}
		w, y := known.wt[i], s.class[q]
		cells[int(b)*s.classes+int(y)] += w
		classes[y] += w
		bags[b] += w
		total += w
	}
	if n.test == numeric && !n.resummed { // Weka adds them branch after branch
		total = 0
		for _, w := range bags {
			total += w
		}
	}
	s.addMissing(n, total, all)
}

// addMissing adds the instances whose value is missing to the distribution of
// the others, whose weight is total.
func (s *sapling) addMissing(n *gnode, total float64, all instances) {
	c := &s.cols[n.col]
	classes, bags, cells := s.perClass(n), s.perBag(n), s.perBagClass(n)
	s.setShare(bags, total)
	for i, q := range all.pos {
		if !c.lacks(q) {
			continue
		}
		w, y := all.wt[i], s.class[q]
		classes[y] += w
		total += w
		for b, share := range s.share {
			part := float64(share * w)
			cells[b*s.classes+int(y)] += part
			bags[b] += part
		}
	}
	s.dist[n.dist] = total
	s.setWrong(n)
}

// divide hands the instances of a node that is split to its children, and sets its distribution
// and, if it is whole, theirs.
func (s *sapling) divide(n *gnode) {
	if n.whole {
		s.divideWhole(n)
		return
	}
	x := s.part(n.lo, n.hi)
	s.sumSplit(n, x, x)
	s.hand(n)
}

// hand hands copies of the instances of a node that is split to its children.
func (s *sapling) hand(n *gnode) {
	s.classify(&s.cols[n.col], n, s.pos[n.lo:n.hi])
	s.pass(s.dist[n.dist], s.perBag(n), n.lo, n.hi, &s.instances)
	for b := range n.num {
		child := &s.nodes[n.first+b]
		child.lo, child.hi = s.start[b], s.start[b+1]
	}
}

// divideWhole is divide for a whole node, whose instances stay in their place.
func (s *sapling) divideWhole(n *gnode) {
	pos, size, num := s.pos[n.lo:n.hi], 1+s.classes, int(n.num)
	s.sortWhole(&s.cols[n.col], n, pos, s.class, s.classes)
	n.dist = s.addDist(size * (1 + 2*num))
	s.dist[n.dist] = float64(len(pos))
	at, lo := n.dist+int32(size*(1+num)), n.lo
	classes, bags, byBag := s.perClass(n), s.perBag(n), s.perBagClass(n)
	for b := range num {
		child := &s.nodes[n.first+int32(b)]
		child.dist, child.lo = at, lo
		d := s.dist[at:][:size]
		total, most := int32(0), int32(0)
		for y, k := range s.cells[b*s.classes:][:s.classes] {
			if k == 0 {
				continue
			}
			d[1+y], byBag[b*s.classes+y] = float64(k), float64(k)
			classes[y] += float64(k)
			total += k
			most = max(most, k)
		}
		d[0], bags[b] = float64(total), float64(total)
		at += int32(size)
		lo += total
		child.hi, child.wrong = lo, float64(total-most)
		child.empty, child.stops = total == 0, total < int32(2*s.cfg.MinLeaf) || total == most
	}
}

// expect sets cells to the numbers of instances that have been counted of a whole node, value after
// value, of those classes that are present.
func (s *sapling) expect(c *column, counts []int64, present []int32) {
	s.cells = scratch.Resize(s.cells, int(c.card)*s.classes)
	clear(s.cells)
	for v := range int(c.card) {
		for i, y := range present {
			s.cells[v*s.classes+int(y)] = int32(counts[v*len(present)+i])
		}
	}
	s.ready = true
}

// finish copies the tree to t, without the nodes that were cut off.
func (s *sapling) finish(t *tree) {
	t.nodes = append(t.nodes[:0], node{})
	t.dist = t.dist[:0]
	s.copyNode(t, 0, 0)
}

func (s *sapling) copyNode(t *tree, to, from int32) {
	n := &s.nodes[from]
	d := node{
		split: n.split, empty: n.empty, inexact: s.inexact(n), origin: n.origin,
		dist: int32(len(t.dist)),
	}
	size := 1 + s.classes
	if n.split != leaf {
		size += int(n.num) * (1 + s.classes)
		d.cut, d.num = n.cut, n.num
		d.attr = t.attr(s.table, s.cols[n.col].col)
		d.first = int32(len(t.nodes))
		t.nodes = extend(t.nodes, int(n.num))
	}
	t.dist = append(t.dist, s.dist[n.dist:][:size]...)
	t.nodes[to] = d
	for b := range d.num {
		s.copyNode(t, d.first+b, n.first+b)
	}
}

// inexact reports whether some of the weights at n are fractions.
func (s *sapling) inexact(n *gnode) bool {
	if n.whole {
		return false
	}
	x := s.part(n.lo, n.hi)
	for _, w := range x.wt {
		if w != math.Trunc(w) {
			return true
		}
	}
	if n.split == leaf {
		return false
	}
	c := &s.cols[n.col]
	for _, q := range x.pos {
		if c.lacks(q) {
			return true
		}
	}
	return false
}
