package c45

import "slices"

// A route leads to the lists of a child.
type route struct {
	at    int  // where the next key goes
	step  int  // 1, or 0 for leaves, which have no lists: their keys go to a place that nobody reads
	size  int  // of a list, 0 for leaves
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
	byCut := n.whole && n.split == numeric // which has set sides
	if n.num == 2 && !byCut {
		g.markSides(n)
	}
	g.lists = extend(g.lists, end-top+1)
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
		case k == n.col && byCut:
			g.cut(list, n)
		case n.num == 2:
			g.dealTwo(list)
		default:
			g.dealList(list, &g.cols[n.col])
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
		r := route{}
		if child := &g.nodes[n.first+b]; !child.stops {
			r.step, r.size = 1, int(child.hi-child.lo)
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
	for b := range g.routes {
		if r := &g.routes[b]; r.step == 0 {
			r.at = end
		}
	}
	return held, end
}

// markSides sets sides for the instances of a node that has two branches: 1, 2 or
// 3 if they go to the first, the second or both.
func (g *grower) markSides(n *gnode) {
	c := &g.cols[n.col]
	both := uint8(0)
	for b, s := range g.share {
		if b < 2 && gr(s, 0) {
			both |= 1 << b
		}
	}
	for _, q := range g.pos[n.lo:n.hi] {
		b := uint8(n.bagOf(c, q) + 1)
		if b == 0 {
			b = both
		}
		g.sides[q] = b
	}
}

// cut appends the two parts of the list by which a whole node is split to those of
// its children.
func (g *grower) cut(list []key, n *gnode) {
	at := int(g.nodes[n.first].hi - g.nodes[n.first].lo)
	for b, part := range [2][]key{list[:at], list[at:]} {
		if r := &g.routes[b]; r.size > 0 {
			copy(g.lists[r.at:], part)
			r.at += r.size
		}
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
	sides := g.sides
	i, l, m := 0, 0, 0
	for left, right := to[0], to[1]; l < len(left) && m < len(right); i++ {
		key := list[i]
		left[l], right[m] = key, key
		b := int(sides[key.row()])
		l += b & 1
		m += b >> 1
	}
	for left := to[0]; l < len(left); i++ {
		key := list[i]
		left[l] = key
		l += int(sides[key.row()] & 1)
	}
	for right := to[1]; m < len(right); i++ {
		key := list[i]
		right[m] = key
		m += int(sides[key.row()] >> 1)
	}
}

// dealList appends the keys of a list to those of the children of a nominal split.
// Instances without a value go to all children that get a share of them.
func (g *grower) dealList(list []key, c *column) {
	routes, lists := g.routes, g.lists
	for _, key := range list {
		if b := int(c.code[key.row()]); b < len(routes) {
			r := &routes[b]
			lists[r.at] = key
			r.at += r.step
			continue
		}
		for i := range routes {
			if r := &routes[i]; r.taken {
				lists[r.at] = key
				r.at += r.step
			}
		}
	}
}
