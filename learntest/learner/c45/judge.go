package c45

import (
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A judge evaluates the splits of a node.
type judge[W number] struct {
	*problem
	finder[W]
	unit    float64       // of sums, in bits
	per     float64       // equal for all instances
	all     thresholds[W] // of columns whose value is known of all instances
	known   thresholds[W] // of another one
	present []int32       // classes that occur
	begun   bool          // all and at belong to the node
	at      []W           // weight of each row of the node, if they differ
	tally[W]
	cands []candidate
}

// A finder finds the best threshold of a numeric column.
type finder[W number] interface {
	// start is called for each node with numeric columns, with the classes that occur there and the
	// weights of all.
	start(p *problem, present []int32, total []W)

	// find looks for the threshold of greatest gain, with at least the weight least on either side.
	// keys are all sorted keys whose value is known, and at has the weight of each row.
	find(c *column, keys []key, at []W, s *thresholds[W]) threshold[W]
}

// thresholds are what all thresholds of a column have in common.
type thresholds[W number] struct {
	total  []W  // weight of each class
	all    bool // no instance of the node lacks the value
	known  W    // sum of the weights
	sum    W    // of x log₂ x over the classes
	least  float64
	margin W // by which a threshold has to be better than one before it
}

// A threshold divides sorted keys.
type threshold[W number] struct {
	gain W   // times the weight of the node
	cut  int // number of keys below it, 0 if there is none
	left W   // their weight
	cuts int // number of possible thresholds, or fewer if those already cost more than the gain
}

// node sets the judge to a node with the given class weights.
func (j *judge[W]) node(p *problem, classes []float64) {
	j.problem, j.tally.ready, j.begun = p, false, false
	j.all.total, j.present = scratch.Resize(j.all.total, len(classes)), j.present[:0]
	weight, sum := W(0), W(0)
	for y, w := range classes {
		if j.all.total[y] = W(w); w > 0 {
			j.present = append(j.present, int32(y))
			weight += W(w)
			sum += xlog2(p.tab, W(w))
		}
	}
	j.unit = 1
	if integral[W]() {
		j.unit = p.tab.Unit
	}
	j.per = j.unit / float64(weight)
	j.all.all, j.all.known, j.all.sum = true, weight, sum
}

// begin makes what the numeric columns of a node take, which has the given instances.
func (j *judge[W]) begin(x instances) {
	j.begun = true
	j.all.least, j.all.margin = minSplit(float64(j.all.known), j.classes, j.cfg.MinLeaf), W(eps/j.per)
	if !integral[W]() {
		j.at = scratch.Resize(j.at, j.problem.rows)
		for i, q := range x.pos {
			j.at[q] = W(x.wt[i])
		}
	}
	j.start(j.problem, j.present, j.all.total)
}

// release lets go of what belongs to the table.
func (j *judge[W]) release() { j.problem, j.lanes.laneSet = nil, nil }

// judge evaluates the splits of a node on the active columns, whose lists of keys follow each
// other. It appends to below those on which some subset of the instances can be split.
func (j *judge[W]) judge(x instances, active []int32, lists []key, below []int32) ([]candidate,
	[]int32,
) {
	j.cands = scratch.Resize(j.cands, len(active))
	used, from := 0, 0
	for _, k := range active {
		c, cand := &j.cols[k], &j.cands[used]
		cand.col, cand.valid = k, false
		var again bool
		if c.nominal {
			again = j.nominal(c, x, cand)
		} else {
			if !j.begun {
				j.begin(x)
			}
			again = j.numeric(c, lists[from:][:len(x.pos)], cand)
			cand.from = from
			from += len(x.pos)
		}
		if again {
			below = append(below, k)
		}
		if cand.valid {
			used++
		}
	}
	return j.cands[:used], below
}

// nominal evaluates the split on a nominal column. It returns false if no subset of the instances
// can be split on it.
func (j *judge[W]) nominal(c *column, x instances, cand *candidate) bool {
	tab, all, p := j.tab, &j.all, len(j.present)
	if !j.tally.ready {
		j.count(j.problem, x, j.present, all.total)
	}
	if integral[W]() && p == 2 && c.card == 2 && c.skips == 1 {
		return j.twoBags(c, cand)
	}
	cells := j.cells(j.problem, c, x, j.present)
	least, large := float64(j.cfg.MinLeaf)-eps, 0
	var classes, bags, known W // sums of x log₂ x, and of weights
	for rest := cells; len(rest) > 0; rest = rest[p:] {
		bag := W(0)
		for _, w := range rest[:p] {
			if bag += w; integral[W]() || w > 0 {
				classes += xlog2(tab, w)
			}
		}
		bags += xlog2(tab, bag)
		known += bag
		if float64(bag) > least {
			large++
		}
	}
	if large < 2 {
		return false
	}
	sum, missing := all.sum, W(0)
	if c.missing {
		sum, missing = 0, all.known-known
		for i := range p {
			w := W(0)
			for at := i; at < len(cells); at += p {
				w += cells[at]
			}
			sum += xlog2(tab, w)
		}
	}
	cand.valid = true
	cand.gain = float64(xlog2(tab, known)-sum+classes-bags) * j.per
	if eq(cand.gain*float64(known), 0) {
		cand.gain = 0
	}
	cand.info = float64(xlog2(tab, all.known)-bags-xlog2(tab, missing)) * j.unit
	return true
}

// twoBags is nominal for integers, two values that no row lacks, and two classes.
func (j *judge[W]) twoBags(c *column, cand *candidate) bool {
	fixed, all := j.tab.Fixed, int64(j.all.known)
	a, b := j.lanes.bits(c, j.present)
	d, e := j.ones[0]-a, j.ones[1]-b
	right, left := a+b, d+e
	if least := int32(j.cfg.MinLeaf); left < least || right < least {
		return false
	}
	bags := fixed[left] + fixed[right]
	cand.valid = true
	cand.gain = float64(fixed[all]-int64(j.all.sum)+fixed[a]+fixed[b]+fixed[d]+fixed[e]-bags) * j.per
	if eq(cand.gain*float64(all), 0) {
		cand.gain = 0
	}
	cand.info = float64(fixed[all]-bags) * j.unit
	return true
}

// numeric evaluates the splits on a numeric column, whose keys are sorted. It returns false if no
// subset of the instances can be split on the column.
func (j *judge[W]) numeric(c *column, keys []key, cand *candidate) bool {
	tab, s, n := j.tab, &j.all, len(keys)
	if c.missing && c.lacks(j.rowOf(keys[n-1])) {
		if n = j.leaveMissing(c, keys); n == 0 {
			return false
		}
		s = &j.known
	}
	keys = keys[:n]
	if n < 2*j.cfg.MinLeaf || !j.parts(c, keys[0], keys[n-1]) {
		return false
	}
	if sm(float64(n), 2*s.least) {
		return true
	}
	best := j.find(c, keys, j.at, s)
	if best.cut == 0 {
		return true
	}
	cand.gain = float64(float64(best.gain) * j.per)
	if !j.cfg.NoMDL {
		cand.gain -= float64(xlog2(tab, W(best.cuts))) * j.per / float64(best.cuts)
	}
	if smEq(cand.gain, 0) {
		return true
	}
	cand.valid = true
	cand.at = int32(best.cut)
	cand.lower = c.x[j.rowOf(keys[best.cut-1])] + 0 // -0 becomes +0
	cand.upper = c.x[j.rowOf(keys[best.cut])] + 0
	info := xlog2(tab, j.all.known) - xlog2(tab, best.left) - xlog2(tab, s.known-best.left)
	if !s.all {
		info -= xlog2(tab, j.all.known-s.known)
	}
	cand.info = float64(info) * j.unit
	return true
}

// leaveMissing sets known to the instances whose value is known, and returns the number of their
// keys.
func (j *judge[W]) leaveMissing(c *column, keys []key) int {
	s, n := &j.known, len(keys)
	*s = thresholds[W]{
		total: append(s.total[:0], j.all.total...), known: j.all.known,
		margin: j.all.margin,
	}
	for ; n > 0 && c.lacks(j.rowOf(keys[n-1])); n-- {
		w := W(1)
		if !integral[W]() {
			w = j.at[j.rowOf(keys[n-1])]
		}
		s.total[j.classOf(keys[n-1])] -= w
		s.known -= w
	}
	for _, y := range j.present {
		s.sum += xlog2(j.tab, s.total[y])
	}
	s.least = minSplit(float64(s.known), j.classes, j.cfg.MinLeaf)
	return n
}
