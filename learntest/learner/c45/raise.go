package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// estimate returns the estimated errors of a leaf with n instances that weigh
// 1, some of which are not of its class.
func (p *pruner) estimate(n, wrong int32) float64 {
	s := p.tree
	if n >= maxMemo {
		return s.est.errors(float64(n), float64(wrong))
	}
	e := &p.memo[n*maxMemo+wrong]
	if *e == 0 {
		*e = s.est.errors(float64(n), float64(wrong))
	}
	return *e
}

// raisedErrors returns the estimated errors of a branch of n if all instances
// of n passed through it.
func (p *pruner) raisedErrors(n *gnode, branch int32) float64 {
	s := p.tree
	if n.whole {
		return p.wholeErrors(n, branch)
	}
	x := s.part(n.lo, n.hi)
	p.branch.pos = append(p.branch.pos[:0], x.pos...)
	p.branch.wt = append(p.branch.wt[:0], x.wt...)
	return p.branchErrors(branch, 0, int32(len(x.pos)))
}

// wholeErrors is raisedErrors for a whole node: the instances of the branch are
// in its leaves already.
func (p *pruner) wholeErrors(n *gnode, branch int32) float64 {
	s := p.tree
	b := &s.nodes[branch]
	if b.split == leaf {
		return p.leafErrors(n)
	}
	p.passed, p.spots = append(p.passed[:0], 0), p.spots[:0] // a spot of 0 means none
	for child := n.first; child < n.first+n.num; child++ {
		if child != branch {
			p.drop(branch, s.nodes[child].lo, s.nodes[child].hi)
		}
	}
	sum := b.est
	for _, id := range p.spots {
		l := &s.nodes[id]
		counts := p.passed[l.spot:][:s.classes]
		l.spot = 0
		total, most := int32(0), int32(0)
		for _, k := range counts {
			total += k
			most = max(most, k)
		}
		sum += p.estimate(total, total-most) - l.est
	}
	return sum
}

// drop lets the instances lo to hi, which lack no value, fall to the leaves of the subtree and
// counts them in passed, together with the earlier ones.
func (p *pruner) drop(root, lo, hi int32) {
	s := p.tree
	for _, q := range s.pos[lo:hi] {
		id := root
		n := &s.nodes[id]
		for n.split != leaf {
			id = n.first + n.bagOf(&s.cols[n.col], q)
			n = &s.nodes[id]
		}
		if n.spot == 0 {
			n.spot = int32(len(p.passed))
			for _, w := range s.perClass(n) {
				p.passed = append(p.passed, int32(w))
			}
			p.spots = append(p.spots, id)
		}
		p.passed[n.spot+s.class[q]]++
	}
}

// branchErrors returns the estimated errors of the subtree if the instances lo
// to hi of branch passed through it.
func (p *pruner) branchErrors(id, lo, hi int32) float64 {
	s := p.tree
	n := &s.nodes[id]
	x := p.branch.part(lo, hi)
	if n.split == leaf {
		p.classes = scratch.Resize(p.classes, s.classes)
		d := p.classes
		clear(d)
		total := 0.0
		for i, q := range x.pos {
			d[s.class[q]] += x.wt[i]
			total += x.wt[i]
		}
		return s.est.errors(total, total-d[majority(d)])
	}
	s.classify(&s.cols[n.col], n, x.pos)
	top := len(p.bags)
	p.bags = extend(p.bags, int(n.num))
	bags := p.bags[top:]
	clear(bags)
	total, missing := 0.0, 0.0
	for i, w := range x.wt {
		if b := s.where[i]; b >= 0 {
			bags[b] += w
			total += w
		} else {
			missing += w
		}
	}
	if missing > 0 {
		s.setShare(bags, total)
		for b, share := range s.share {
			bags[b] += float64(share * missing)
		}
	}
	s.pass(total+missing, bags, lo, hi, &p.branch)
	p.bags = p.bags[:top]
	end := len(p.ends)
	p.ends = append(p.ends, s.start...)
	sum := 0.0
	for b := range n.num {
		ends := p.ends[end+int(b):]
		sum += p.branchErrors(n.first+b, ends[0], ends[1])
	}
	first := p.ends[end]
	p.ends = p.ends[:end]
	p.branch.pos, p.branch.wt = p.branch.pos[:first], p.branch.wt[:first]
	return sum
}
