package c45

import "slices"

// lists are the sorted keys of the numeric columns by node.
type lists struct {
	keys   []key // stack of the keys of the active columns, node after node
	routes []route
}

// A route leads to the lists of a child.
type route struct {
	at    int  // where the next key goes
	step  int  // 1, or 0 for leaves, which have no lists: their keys go to a place that nobody reads
	size  int  // of a list, 0 for leaves
	taken bool // by instances without a value, too
}

// load sorts all instances by each numeric column.
func (l *lists) load(p *problem) {
	l.keys = l.keys[:0]
	numeric := 0
	for k := range p.cols {
		if !p.cols[k].nominal {
			numeric++
		}
	}
	l.reserve(numeric * p.n)
	for k := range p.cols {
		if c := &p.cols[k]; !c.nominal {
			start := len(l.keys)
			l.keys = extend(l.keys, p.n)
			p.sort(c, l.keys[start:])
		}
	}
}

// reserve makes room for the given number of keys, and for half as many beside them while lists are
// dealt. Growing bit by bit would leave several copies of large lists behind.
func (l *lists) reserve(keys int) {
	if keys > cap(l.keys) {
		l.keys = make([]key, 0, keys+keys/2)
	}
}

// deal replaces the lists of node id, which start at base and are the last on the stack, by
// the lists of its children that are not leaves: for each child as many lists as there are
// numeric columns below. The child that is held comes first, then the others, the first one last.
func (l *lists) deal(s *sapling, id int32, active, below []int32, base int) {
	n := &s.nodes[id]
	size, lists := int(n.hi-n.lo), int(n.lists)
	if lists == 0 {
		l.keys = l.keys[:base]
		return
	}
	top := len(l.keys)
	n.held = s.hold(n)
	held, end := l.route(s, n, base, top, lists)
	if n.num == 2 && !n.whole {
		s.markSides(s.pos[n.lo:n.hi])
	}
	l.keys = extend(l.keys, end-top+1)
	from := base
	for _, k := range active {
		if s.cols[k].nominal {
			continue
		}
		list := l.keys[from:][:size]
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
			l.dealTwo(list, s.sides, s.rowMask, n.whole)
		default:
			l.dealList(list, s.cols[n.col].code, s.rowMask)
		}
	}
	copy(l.keys[held:], l.keys[top:end])
	l.keys = l.keys[:held+end-top]
}

// hold returns the child of a node whose lists take the place of the node's own: the greatest
// one of a whole node, so that the others need little room, and otherwise the last one, so that the
// subtrees can grow in their order.
func (s *sapling) hold(n *gnode) (held int32) {
	most := int32(0)
	for b := range n.num {
		child := &s.nodes[n.first+b]
		if size := child.hi - child.lo; !child.stops && (size > most || !n.whole) {
			held, most = b, size
		}
	}
	return held
}

// route sets the routes of a node. The lists of the child that is held take
// the place of the node's own, from base to held; as keys are read before they
// are overwritten, nothing is lost. The others go from top to end.
func (l *lists) route(s *sapling, n *gnode, base, top, lists int) (held, end int) {
	held, end = base, top
	l.routes = l.routes[:0]
	for b := n.num - 1; b >= 0; b-- {
		r := route{}
		if child := &s.nodes[n.first+b]; !child.stops {
			r.step, r.size = 1, int(child.hi-child.lo)
			r.taken = n.num == 2 || !n.whole && gr(s.share[b], 0)
			if b == n.held {
				r.at = base
				held += lists * r.size
			} else {
				r.at = end
				end += lists * r.size
			}
		}
		l.routes = append(l.routes, r)
	}
	slices.Reverse(l.routes) // to the order of the branches
	for b := range l.routes {
		if r := &l.routes[b]; r.step == 0 {
			r.at = end
		}
	}
	return held, end
}

// dealTwo appends the keys of a list to the lists of two children, without a branch that a
// processor predicts badly. No instance of a whole node goes to both of them.
func (l *lists) dealTwo(list []key, sides []uint8, mask key, whole bool) {
	var to [2][]key
	for b := range to {
		if r := &l.routes[b]; r.size > 0 {
			to[b] = l.keys[r.at:][:r.size]
			r.at += r.size
		}
	}
	left, right := to[0], to[1]
	i, k, m := 0, 0, 0
	if whole {
		k, m = dealWhole(list, sides, mask, left, right)
		i = k + m
	}
	for ; k < len(left) && m < len(right); i++ {
		key := list[i]
		left[k], right[m] = key, key
		b := int(sides[key&mask])
		k += b & 1
		m += b >> 1
	}
	for ; k < len(left); i++ {
		key := list[i]
		left[k] = key
		k += int(sides[key&mask] & 1)
	}
	for ; m < len(right); i++ {
		key := list[i]
		right[m] = key
		m += int(sides[key&mask] >> 1)
	}
}

// dealWhole deals keys to one list or the other until one of them is full, and returns the lengths
// of both. It is a function of its own so that all it needs fits into registers.
func dealWhole(list []key, sides []uint8, mask key, left, right []key) (int, int) {
	k := 0
	for i, key := range list {
		m := i - k
		if uint(k) >= uint(len(left)) || uint(m) >= uint(len(right)) {
			return k, m
		}
		left[k], right[m] = key, key
		k += int(sides[key&mask] & 1)
	}
	return k, len(list) - k
}

// dealList appends the keys of a list to the lists of the children of a nominal split.
// Instances without a value go to all children that get a share of them. Within deal, what the loop
// holds would not fit into registers.
//
//go:noinline
func (l *lists) dealList(list []key, code []int32, mask key) {
	routes, lists := l.routes, l.keys
	for _, key := range list {
		if b := int(code[key&mask]); b < len(routes) {
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
