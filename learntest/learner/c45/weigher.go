package c45

// A weigher evaluates splits of nodes whose instances have weights.
type weigher struct {
	*problem
	weight  float64   // of the node
	total   []float64 // of each class
	present []int32   // classes that occur
	known   []float64 // total without the instances whose value is missing
	cells   []float64
	sides   [2][]side
	changed []int32
	isNew   []bool
}

// A side is the weight w of a class on one side of a threshold, with x(w).
type side struct{ w, x float64 }

// node sets the weigher to a node with the given class weights.
func (s *weigher) node(classes []float64, weight float64) {
	s.total, s.weight = classes, weight
	s.present = s.present[:0]
	for y, w := range classes {
		if w > 0 {
			s.present = append(s.present, int32(y))
		}
	}
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

// nominal evaluates the split on a nominal column. It returns false if no
// subset of the instances can be split on it.
func (s *weigher) nominal(c *column, x instances, cand *candidate) bool {
	classes := int32(s.classes)
	s.cells = grow(s.cells, int((c.card+1)*classes))
	clear(s.cells)
	for i, q := range x.pos {
		s.cells[c.code[q]*classes+s.class[q]] += x.wt[i]
	}
	s.known = grow(s.known, s.classes)
	clear(s.known)
	after, known, info := 0.0, 0.0, 0.0
	large := 0
	for v := range c.card {
		row := s.cells[v*classes:][:classes]
		bag := 0.0
		for _, y := range s.present {
			w := row[y]
			bag += w
			s.known[y] += w
			after -= xlog2(w)
		}
		x := xlog2(bag)
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
	before := xlog2(known)
	for _, y := range s.present {
		before -= xlog2(s.known[y])
	}
	cand.valid = true
	cand.gain = s.gain(known, before, after)
	cand.info = info - xlog2(s.weight-known) + xlog2(s.weight)
	return true
}

// numeric evaluates the splits on a numeric column. keys are as for
// [scanner.numeric], wt has the weight of each position. It returns false if
// no subset of the instances can be split on the column.
func (s *weigher) numeric(c *column, keys []uint64, wt []float64, cand *candidate) bool {
	n := len(keys)
	for n > 0 && int32(keys[n-1]>>32) == c.card {
		n--
	}
	if n < 2*s.cfg.MinLeaf || !c.apart(int32(keys[0]>>32), int32(keys[n-1]>>32)) {
		return false
	}
	left, right := grow(s.sides[0], s.classes), grow(s.sides[1], s.classes)
	s.sides[0], s.sides[1] = left, right
	clear(left)
	clear(right)
	known := 0.0
	for _, key := range keys[:n] {
		q := uint32(key)
		right[s.class[q]].w += wt[q]
		known += wt[q]
	}
	least := minSplit(known, s.classes, s.cfg.MinLeaf)
	if sm(float64(n), 2*least) {
		return true
	}
	sum := 0.0 // of x(w) over both sides
	for _, y := range s.present {
		right[y].x = xlog2(right[y].w)
		sum += right[y].x
	}
	before := xlog2(known) - sum
	s.isNew = grow(s.isNew, s.classes)
	clear(s.isNew)
	s.changed = s.changed[:0]
	cuts, best, at := 0, 0.0, 0
	bestLeft, leftSum, rightSum := 0.0, 0.0, known
	for i := range n {
		key := keys[i]
		if i > 0 && keys[i-1]>>32 != key>>32 && c.apart(int32(keys[i-1]>>32), int32(key>>32)) && grEq(leftSum, least) {
			if !grEq(rightSum, least) {
				break
			}
			cuts++
			for _, y := range s.changed {
				l, r := xlog2(left[y].w), xlog2(right[y].w)
				sum += (l - left[y].x) + (r - right[y].x)
				left[y].x, right[y].x = l, r
				s.isNew[y] = false
			}
			s.changed = s.changed[:0]
			after := xlog2(leftSum) + xlog2(rightSum) - sum
			if g := s.gain(known, before, after); gr(g, best) {
				best, at, bestLeft = g, i, leftSum
			}
		}
		w, y := wt[uint32(key)], s.class[uint32(key)]
		left[y].w += w
		right[y].w -= w
		leftSum += w
		rightSum -= w
		if !s.isNew[y] {
			s.isNew[y] = true
			s.changed = append(s.changed, y)
		}
	}
	if cuts == 0 {
		return true
	}
	if !s.cfg.NoMDL {
		best -= xlog2(float64(cuts)) / float64(cuts) / s.weight
	}
	if smEq(best, 0) {
		return true
	}
	cand.valid = true
	cand.gain = best
	cand.lower, cand.upper = int32(keys[at-1]>>32), int32(keys[at]>>32)
	cand.info = xlog2(s.weight) - xlog2(bestLeft) - xlog2(known-bestLeft) - xlog2(s.weight-known)
	return true
}
