package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// maxMemo is the number of instances below which estimates are remembered.
const maxMemo = 64

// A raiser has what it takes to estimate the errors of a branch that might be
// raised.
type raiser struct {
	memo   []float64 // estimated errors of small whole leaves, 0 if they are not known
	passed []int32   // class counts of the leaves of a whole branch that further instances reach
	spots  []int32   // those leaves

	branch instances // stack of what passes down a branch
	bags   []float64 // stack of the weights of its branches
	ends   []int32   // stack of the ends of its branches
}

// estimate returns the estimated errors of a leaf with n instances that weigh
// 1, some of which are not of its class.
func (g *grower) estimate(n, wrong int32) float64 {
	if n >= maxMemo {
		return g.est.errors(float64(n), float64(wrong))
	}
	e := &g.memo[n*maxMemo+wrong]
	if *e == 0 {
		*e = g.est.errors(float64(n), float64(wrong))
	}
	return *e
}

// raisedErrors returns the estimated errors of a branch of n if all instances
// of n passed through it.
func (g *grower) raisedErrors(n *gnode, branch int32) float64 {
	if n.whole {
		return g.wholeErrors(n, branch)
	}
	x := g.part(n.lo, n.hi)
	g.branch.pos = append(g.branch.pos[:0], x.pos...)
	g.branch.wt = append(g.branch.wt[:0], x.wt...)
	return g.branchErrors(branch, 0, int32(len(x.pos)))
}

// wholeErrors is raisedErrors for a whole node: the instances of the branch are
// in its leaves already.
func (g *grower) wholeErrors(n *gnode, branch int32) float64 {
	b := &g.nodes[branch]
	if b.split == leaf {
		return g.leafErrors(n)
	}
	g.passed, g.spots = append(g.passed[:0], 0), g.spots[:0] // a spot of 0 means none
	for child := n.first; child < n.first+n.num; child++ {
		if child != branch {
			g.drop(branch, g.nodes[child].lo, g.nodes[child].hi)
		}
	}
	sum := b.est
	for _, id := range g.spots {
		l := &g.nodes[id]
		counts := g.passed[l.spot:][:g.classes]
		l.spot = 0
		total, most := int32(0), int32(0)
		for _, k := range counts {
			total += k
			most = max(most, k)
		}
		sum += g.estimate(total, total-most) - l.est
	}
	return sum
}

// drop lets the instances lo to hi, which lack no value, fall to the leaves of the
// subtree and counts them in passed, together with those that are there.
func (g *grower) drop(root, lo, hi int32) {
	for _, q := range g.pos[lo:hi] {
		id := root
		n := &g.nodes[id]
		for n.split != leaf {
			id = n.first + n.bagOf(&g.cols[n.col], q)
			n = &g.nodes[id]
		}
		if n.spot == 0 {
			n.spot = int32(len(g.passed))
			for _, w := range g.perClass(n) {
				g.passed = append(g.passed, int32(w))
			}
			g.spots = append(g.spots, id)
		}
		g.passed[n.spot+g.class[q]]++
	}
}

// branchErrors returns the estimated errors of the subtree if the instances lo
// to hi of branch passed through it.
func (g *grower) branchErrors(id, lo, hi int32) float64 {
	n := &g.nodes[id]
	x := g.branch.part(lo, hi)
	if n.split == leaf {
		g.weigh.known = scratch.Resize(g.weigh.known, g.classes)
		d := g.weigh.known
		clear(d)
		total := 0.0
		for i, q := range x.pos {
			d[g.class[q]] += x.wt[i]
			total += x.wt[i]
		}
		return g.est.errors(total, total-d[majority(d)])
	}
	g.classify(n, x.pos)
	top := len(g.bags)
	g.bags = extend(g.bags, int(n.num))
	bags := g.bags[top:]
	clear(bags)
	total, missing := 0.0, 0.0
	for i, w := range x.wt {
		if b := g.where[i]; b >= 0 {
			bags[b] += w
			total += w
		} else {
			missing += w
		}
	}
	if missing > 0 {
		g.setShare(bags, total)
		for b, s := range g.share {
			bags[b] += float64(s * missing)
		}
	}
	g.pass(total+missing, bags, lo, hi, &g.branch)
	g.bags = g.bags[:top]
	end := len(g.ends)
	g.ends = append(g.ends, g.start...)
	sum := 0.0
	for b := range n.num {
		ends := g.ends[end+int(b):]
		sum += g.branchErrors(n.first+b, ends[0], ends[1])
	}
	first := g.ends[end]
	g.ends = g.ends[:end]
	g.branch.pos, g.branch.wt = g.branch.pos[:first], g.branch.wt[:first]
	return sum
}
