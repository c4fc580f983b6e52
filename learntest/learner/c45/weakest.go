package c45

import (
	"container/heap"
	"math"
	"slices"
)

// A link is a node with the rise of the error rate for each leaf that is saved
// if the node becomes a leaf.
type link struct {
	rise    float64
	node    int32
	version int32 // of the node when rise was computed
}

// links is a heap of links.
type links []link

func (h links) Len() int { return len(h) }
func (h links) Less(i, j int) bool {
	if h[i].rise != h[j].rise {
		return h[i].rise < h[j].rise
	}
	return h[i].node < h[j].node
}
func (h links) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *links) Push(x any)   { *h = append(*h, x.(link)) }
func (h *links) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// factors returns for each node the least cost-complexity factor for which the
// node is a leaf: the smallest subtree that minimises
//
//	error rate on the training set + factor * number of leaves
//
// makes leaves of the nodes whose factor is at most that. It is -Inf for
// leaves. Leaves that no training instance reached are not counted.
//
// The subtrees for growing factors are nested, so that cutting the weakest
// link again and again finds them all [1].
//
// [1] L. Breiman, J. H. Friedman, R. A. Olshen & C. J. Stone, Classification
// and Regression Trees, Wadsworth, 1984, 3.3.
func (t *tree) factors() []float64 {
	n := len(t.nodes)
	factor := make([]float64, n)
	parent := make([]int32, n)
	wrong := make([]float64, n)  // error rate below a node
	leaves := make([]int32, n)   // number of leaves below a node
	asLeaf := make([]float64, n) // error rate of a node as a leaf
	version := make([]int32, n)
	whole := t.total(&t.nodes[0])
	parent[0] = -1
	for i := range t.nodes {
		d := &t.nodes[i]
		asLeaf[i] = (t.total(d) - slices.Max(t.perClass(d))) / whole
		for b := range d.num {
			parent[d.first+b] = int32(i)
		}
	}
	var h links
	for i := n - 1; i >= 0; i-- { // children come after their parents
		d := &t.nodes[i]
		if d.split == leaf {
			factor[i] = math.Inf(-1)
			wrong[i] = asLeaf[i]
			if !d.empty {
				leaves[i] = 1
			}
			continue
		}
		factor[i] = math.Inf(1)
		for b := range d.num {
			wrong[i] += wrong[d.first+b]
			leaves[i] += leaves[d.first+b]
		}
		h = append(h, link{rise: rise(asLeaf[i], wrong[i], leaves[i]), node: int32(i)})
	}
	heap.Init(&h)
	reached := 0.0 // the factor so far
	for len(h) > 0 {
		l := heap.Pop(&h).(link)
		if l.version != version[l.node] {
			continue // out of date
		}
		if l.rise > reached*(1+1e-9) { // different beyond rounding
			reached = l.rise
		}
		factor[l.node] = reached
		more, fewer := asLeaf[l.node]-wrong[l.node], leaves[l.node]-1
		for i := l.node; i >= 0; i = parent[i] {
			wrong[i] += more
			leaves[i] -= fewer
			version[i]++
			if i != l.node {
				heap.Push(&h, link{rise(asLeaf[i], wrong[i], leaves[i]), i, version[i]})
			}
		}
		t.retire(l.node, version)
	}
	for i := range t.nodes {
		for b := range t.nodes[i].num {
			child := t.nodes[i].first + b
			factor[child] = min(factor[child], factor[i])
		}
	}
	return factor
}

// retire makes the links of all nodes below one out of date.
func (t *tree) retire(node int32, version []int32) {
	d := &t.nodes[node]
	for b := range d.num {
		if child := d.first + b; version[child] >= 0 {
			version[child] = -1
			t.retire(child, version)
		}
	}
}

// rise returns by how much the error rate rises for each leaf that is saved.
// Differences that are due to rounding are none.
func rise(asLeaf, below float64, leaves int32) float64 {
	if leaves < 2 || asLeaf-below < 1e-12 {
		return 0
	}
	return (asLeaf - below) / float64(leaves-1)
}

// cut makes leaves of the nodes whose factor is at most limit. It uses the
// memory of spare.
func (t *tree) cut(factor []float64, limit float64, spare *tree) {
	spare.nodes = append(spare.nodes[:0], node{})
	spare.dist = spare.dist[:0]
	t.copyCut(factor, limit, spare, 0, 0)
	t.nodes, spare.nodes = spare.nodes, t.nodes
	t.dist, spare.dist = spare.dist, t.dist
}

func (t *tree) copyCut(factor []float64, limit float64, to *tree, at, from int32) {
	d := t.nodes[from]
	if factor[from] <= limit && d.split != leaf {
		d.split, d.num = leaf, 0
	}
	size := int32(1 + len(t.classes))
	size *= 1 + d.num
	start := d.dist
	d.dist = int32(len(to.dist))
	to.dist = append(to.dist, t.dist[start:start+size]...)
	first := d.first
	d.first = int32(len(to.nodes))
	to.nodes = extend(to.nodes, int(d.num))
	to.nodes[at] = d
	for b := range d.num {
		t.copyCut(factor, limit, to, d.first+b, first+b)
	}
}
