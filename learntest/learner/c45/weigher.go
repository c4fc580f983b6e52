package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// A weigher evaluates splits of nodes whose instances have weights.
type weigher struct {
	*problem
	weight  float64   // of the node
	total   []float64 // of each class
	present []int32   // classes that occur
	known   []float64 // total without the instances whose value is missing

	// Nominal columns.
	separated bool    // into instances that weigh 1 and others
	rows      []int32 // those that weigh 1
	ones      []int32 // the number of them in each class that is present
	others    instances
	place     []int32 // of each class its place in present
	lanes     laneCounter
	counts    []int32
	cells     []float64

	// Numeric columns.
	start []side  // of each class with all instances on the right
	sum   float64 // of x in start
	sides []side
	sweep
}

// A side is the weight of a class, and that of it left of a threshold.
type side struct {
	total, left float64
	x           float64 // sum of x log₂ x over both sides
}

// node sets the weigher to a node with the given class weights.
func (s *weigher) node(classes []float64, weight float64) {
	s.total, s.weight, s.separated = classes, weight, false
	s.present = s.present[:0]
	s.start, s.sides = scratch.Resize(s.start, len(classes)), scratch.Resize(s.sides, len(classes))
	s.sum = 0
	for y, w := range classes {
		s.start[y] = side{total: w, x: s.xlog2(w)}
		s.sum += s.start[y].x
		if w > 0 {
			s.present = append(s.present, int32(y))
		}
	}
}

// xlog2 returns x log₂ x, 0 for x below eps.
func (s *weigher) xlog2(x float64) float64 {
	if x < eps {
		return 0
	}
	return s.tab.XLog2(x)
}

// gain returns the information gain, given the entropies times the weight of
// the known instances.
func (s *weigher) gain(known, before, after float64) float64 {
	g := (1 - (s.weight-known)/s.weight) * (before - after)
	if eq(g, 0) {
		return 0
	}
	return g / known
}

// separate divides the instances of the node into those that weigh 1, which it
// counts in lanes, and the others.
func (s *weigher) separate(x instances) {
	s.place = scratch.Resize(s.place, s.classes)
	s.ones, s.others = scratch.Resize(s.ones, len(s.present)), instances{s.others.pos[:0], s.others.wt[:0]}
	clear(s.ones)
	for i, y := range s.present {
		s.place[y] = int32(i)
	}
	s.rows = s.rows[:0]
	for i, q := range x.pos {
		if w := x.wt[i]; w == 1 {
			s.rows = append(s.rows, q)
			s.ones[s.place[s.class[q]]]++
		} else {
			s.others.pos = append(s.others.pos, q)
			s.others.wt = append(s.others.wt, w)
		}
	}
	s.lanes.laneSet = &s.frame.lanes
	if s.frame.lanes.words > 0 {
		s.lanes.count(s.rows, s.class, s.present)
	}
	s.separated = true
}

// weights returns the weight of each class that is present for each value of a
// column, value after value.
func (s *weigher) weights(c *column, x instances) []float64 {
	if !s.separated {
		s.separate(x)
	}
	p := int32(len(s.present))
	cells := s.cells[:0]
	if c.lane >= 0 {
		s.counts = s.lanes.column(s.counts[:0], c, s.present, s.ones)
		for _, k := range s.counts {
			cells = append(cells, float64(k))
		}
		x = s.others
	} else {
		cells = scratch.Resize(cells, int(c.card*p))
		clear(cells)
	}
	for i, q := range x.pos {
		if v := c.code[q]; v < c.card {
			cells[v*p+s.place[s.class[q]]] += x.wt[i]
		}
	}
	s.cells = cells
	return cells
}

// nominal evaluates the split on a nominal column. It returns false if no
// subset of the instances can be split on it.
func (s *weigher) nominal(c *column, x instances, cand *candidate) bool {
	cells := s.weights(c, x)
	s.known = scratch.Resize(s.known, len(s.present))
	clear(s.known)
	after, known, info := 0.0, 0.0, 0.0
	large := 0
	for ; len(cells) > 0; cells = cells[len(s.known):] {
		bag := 0.0
		for i, w := range cells[:len(s.known)] {
			if w > 0 {
				bag += w
				s.known[i] += w
				after -= s.xlog2(w)
			}
		}
		x := s.xlog2(bag)
		after += x
		info -= x
		known += bag
		if grEq(bag, float64(s.cfg.MinLeaf)) {
			large++
		}
	}
	if large < 2 {
		return false
	}
	before := s.xlog2(known)
	for _, w := range s.known {
		before -= s.xlog2(w)
	}
	cand.valid = true
	cand.gain = s.gain(known, before, after)
	cand.info = info - s.xlog2(s.weight-known) + s.xlog2(s.weight)
	return true
}

// numeric evaluates the splits on a numeric column, whose keys are sorted. at
// has the weight of each row. It returns false if no subset of the
// instances can be split on the column.
func (s *weigher) numeric(c *column, keys []key, at []float64, cand *candidate) bool {
	n := len(keys)
	if keys[0].code() == c.card {
		return false
	}
	known, sum := s.weight, s.sum
	sides := s.sides
	copy(sides, s.start)
	if keys[n-1].code() == c.card {
		for ; keys[n-1].code() == c.card; n-- {
			w := at[keys[n-1].row()]
			sides[keys[n-1].class()].total -= w
			known -= w
		}
		sum = 0
		for _, y := range s.present {
			d := &sides[y]
			d.x = s.xlog2(d.total)
			sum += d.x
		}
	}
	keys = keys[:n]
	if n < 2*s.cfg.MinLeaf || !c.apart(keys[0].code(), keys[n-1].code()) {
		return false
	}
	least := minSplit(known, s.classes, s.cfg.MinLeaf)
	if sm(float64(n), 2*least) {
		return true
	}
	s.search(c, keys, at, known, sum, least)
	cut, left := s.cut, s.below
	if cut == 0 {
		return true
	}
	if cand.gain = (s.best - s.margin) / s.weight; !s.cfg.NoMDL {
		cand.gain -= s.tab.XLog2(float64(s.cuts)) / float64(s.cuts) / s.weight
	}
	if smEq(cand.gain, 0) {
		return true
	}
	cand.valid = true
	cand.lower, cand.upper = keys[cut-1].code(), keys[cut].code()
	cand.info = s.xlog2(s.weight) - s.xlog2(left) - s.xlog2(known-left) - s.xlog2(s.weight-known)
	return true
}
