package c45

import (
	"github.com/learnbench/learnbench/learntest/dataset"
)

// A node of a finished tree. Its distribution is tree.dist[dist:], which holds
//
//	the weight of the training instances at the node,
//	that of each class,
//	and, unless the node is a leaf, that of each branch,
//	and that of each class in each branch, branch after branch.
//
// The weight of instances that lack the value that the node tests is divided
// among the branches.
type node struct {
	cut   float64 // threshold of a numeric test; values up to it go left
	attr  int32   // index in tree.attrs of what is tested
	first int32   // index of the first child; the others follow it
	num   int32   // number of children
	dist  int32   // start of the distribution
	split kind
	empty bool // a leaf that no training instance reached

	// inexact says that the last digits of the distribution depend on the
	// order of summation.
	inexact bool
}

// A kind of node.
type kind uint8

const (
	leaf kind = iota
	numeric
	nominal
)

// An attribute that a tree tests, with its column.
type attribute struct {
	dataset.Attribute
	col int
}

// A tree is a decision tree whose root is nodes[0].
type tree struct {
	classes []string
	attrs   []attribute
	nodes   []node
	dist    []float64
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

// branch returns the branch that a row takes at a node that is not a leaf, -1
// if the value is missing.
func (t *tree) branch(n *node, x *dataset.Table, row int) int {
	col := t.attrs[n.attr].col
	if n.split == nominal {
		return int(x.Codes(col)[row])
	}
	v := x.Numbers(col)[row]
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
		if t.attrs[i].col == col {
			return int32(i)
		}
	}
	t.attrs = append(t.attrs, attribute{x.Attribute(col), col})
	return int32(len(t.attrs) - 1)
}
