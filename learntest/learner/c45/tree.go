package c45

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A node of a finished tree. Its distribution is tree.dist[dist:], which holds
//
//	the weight of the training instances at the node,
//	the weight of each class,
//	and, unless the node is a leaf, the weight of each branch,
//	and the weight of each class in each branch, branch after branch.
//
// The weight of instances that lack the value that the node tests is divided
// among the branches.
type node struct {
	cut   float64 // threshold of a numeric test; values up to it go left
	attr  int32   // index in tree.attrs of the tested attribute
	first int32   // index of the first child; the others follow it
	num   int32   // number of children
	dist  int32   // start of the distribution
	split kind
	empty bool // a leaf that no training instance reached

	// inexact says that the last digits of the distribution depend on the
	// order of summation, which origin tells.
	inexact bool
	origin  origin
}

// A kind of node.
type kind uint8

const (
	leaf kind = iota
	numeric
	nominal
)

// A tree is a decision tree whose root is nodes[0].
type tree struct {
	classes []string
	attrs   []trainset.Column
	nodes   []node
	dist    []float64
	bound   *dataset.Table // that the attributes are bound to
}

// total returns the weight of the training instances at the node.
func (t *tree) total(n *node) float64 { return t.dist[n.dist] }

// perClass returns the weight of each class.
func (t *tree) perClass(n *node) []float64 {
	return t.dist[n.dist+1:][:len(t.classes)]
}

// perBag returns the weight of each branch.
func (t *tree) perBag(n *node) []float64 {
	return t.dist[int(n.dist)+1+len(t.classes):][:n.num]
}

// bag returns the weight of each class in branch b.
func (t *tree) bag(n *node, b int) []float64 {
	return t.dist[int(n.dist)+1+len(t.classes)*(1+b)+int(n.num):][:len(t.classes)]
}

// child returns the child of n on branch b.
func (t *tree) child(n *node, b int) *node { return &t.nodes[int(n.first)+b] }

// release lets go of tables.
func (t *tree) release() {
	clear(t.attrs[:cap(t.attrs)])
	t.attrs, t.classes, t.bound = t.attrs[:0], nil, nil
}

// branch returns the branch that a row of the bound table takes at a node that
// is not a leaf, -1 if the value is missing.
func (t *tree) branch(n *node, row int) int {
	a := &t.attrs[n.attr]
	if n.split == nominal {
		return int(a.Codes[row])
	}
	v := a.Numbers[row]
	switch {
	case v != v:
		return -1
	case smEq(v, n.cut):
		return 0
	}
	return 1
}

// inexact reports whether a node is.
func (t *tree) inexact() bool {
	for i := range t.nodes {
		if t.nodes[i].inexact {
			return true
		}
	}
	return false
}

// majority returns the first class whose weight is clearly the greatest.
func majority(weights []float64) int {
	best, most := 0, 0.0
	for c, w := range weights {
		if gr(w, most) {
			best, most = c, w
		}
	}
	return best
}

// attr returns the index in attrs of a column, to which it adds it if need be.
func (t *tree) attr(x *dataset.Table, col int) int32 {
	for i := range t.attrs {
		if t.attrs[i].Index == col {
			return int32(i)
		}
	}
	t.attrs = append(t.attrs, trainset.NewColumn(x, col))
	return int32(len(t.attrs) - 1)
}
