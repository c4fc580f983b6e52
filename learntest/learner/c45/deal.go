package c45

import "slices"

// A route leads to the lists of a child.
type route struct {
	at    int  // where the next key goes
	size  int  // of a list, -1 for leaves, which have none
	taken bool // by instances without a value, too
}

// deal replaces the lists of node id, which start at base and are the last on the
// stack, by those of its children that are not leaves: for each child as many
// lists as there are numeric columns below, those of the first child last.
func (g *grower) deal(id int32, active, below []int32, base int) {
	n := &g.nodes[id]
	size, lists := int(n.hi-n.lo), int(n.lists)
	if lists == 0 {
		g.lists = g.lists[:base]
		return
	}
	top := len(g.lists)
	held, end := g.route(n, base, top, lists)
	if !n.whole || n.split == nominal {
		g.markBranches(n)
	}
	g.lists = extend(g.lists, end-top)
	from := base
	for _, k := range active {
		if g.cols[k].nominal {
			continue
		}
		list := g.lists[from:][:size]
		from += size
		if len(below) == 0 || k > below[len(below)-1] {
			break
		}
		for below[0] < k {
			below = below[1:]
		}
		switch {
		case below[0] != k:
		case n.num == 2:
			g.dealTwo(list)
		default:
			g.dealList(list)
		}
	}
	copy(g.lists[held:], g.lists[top:end])
	g.lists = g.lists[:held+end-top]
}

// route sets the routes of a node. The lists of the last child that has some take
// the place of the node's own, from base to held; as keys are read before they
// are overwritten, nothing is lost. The others go from top to end.
func (g *grower) route(n *gnode, base, top, lists int) (held, end int) {
	held, end = base, top
	g.routes = g.routes[:0]
	for b := n.num - 1; b >= 0; b-- {
		r := route{size: -1}
		if child := &g.nodes[n.first+b]; !child.stops {
			r.size = int(child.hi - child.lo)
			r.taken = n.num == 2 || !n.whole && gr(g.share[b], 0)
			if held == base {
				r.at = base
				held += lists * r.size
			} else {
				r.at = end
				end += lists * r.size
			}
		}
		g.routes = append(g.routes, r)
	}
	slices.Reverse(g.routes) // to the order of the branches
	return held, end
}

// markBranches sets branchAt for the instances of a node: the branch, or -1 if
// the value is missing; for two branches, 1, 2 or 3 if it goes to the first, the
// second or both.
func (g *grower) markBranches(n *gnode) {
	c := &g.cols[n.col]
	both := int32(0)
	for b, s := range g.share {
		if b < 2 && gr(s, 0) {
			both |= 1 << b
		}
	}
	for _, q := range g.pos[n.lo:n.hi] {
		b := n.bagOf(c, q)
		if n.num == 2 {
			if b < 0 {
				b = both
			} else {
				b++
			}
		}
		g.branchAt[q] = b
	}
}

// dealTwo appends the keys of a list to those of two children, without a branch
// that is hard to foresee for a processor.
func (g *grower) dealTwo(list []key) {
	var to [2][]key
	for b := range to {
		if r := &g.routes[b]; r.size > 0 {
			to[b] = g.lists[r.at:][:r.size]
			r.at += r.size
		}
	}
	branches := g.branchAt
	i, l, m := 0, 0, 0
	for left, right := to[0], to[1]; l < len(left) && m < len(right); i++ {
		key := list[i]
		left[l], right[m] = key, key
		b := int(branches[key.row()])
		l += b & 1
		m += b >> 1
	}
	for left := to[0]; l < len(left); i++ {
		key := list[i]
		left[l] = key
		l += int(branches[key.row()] & 1)
	}
	for right := to[1]; m < len(right); i++ {
		key := list[i]
		right[m] = key
		m += int(branches[key.row()] >> 1)
	}
}

// dealList appends the keys of a list to those of the children. Instances
// without a value go to all children that get a share of them.
func (g *grower) dealList(list []key) {
	for _, key := range list {
		b := g.branchAt[key.row()]
		if b >= 0 {
			if r := &g.routes[b]; r.size >= 0 {
				g.lists[r.at] = key
				r.at++
			}
			continue
		}
		for i := range g.routes {
			if r := &g.routes[i]; r.taken {
				g.lists[r.at] = key
				r.at++
			}
		}
	}
}
