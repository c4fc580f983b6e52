package c45

import "math"

// A candidate is the best split of a node on one column.
type candidate struct {
	col          int32
	lower, upper int32   // numeric: the codes of the values on either side of the threshold
	at           int32   // numeric: the number of instances below the threshold
	gain         float64 // information gain in bits
	info         float64 // split information in bits, times the weight of the node
	valid        bool
	missing      bool // some instances lack the value
}

// choose returns the index of the candidate of greatest gain ratio among those
// whose gain is not below the average, or -1 if there is none. weight is that
// of the node.
func choose(cols []column, cands []candidate, weight float64) int {
	sum, valid := 0.0, 0
	for i := range cands {
		if c := &cands[i]; !cols[c.col].many {
			sum += c.gain
			valid++
		}
	}
	if valid == 0 {
		return -1
	}
	least := sum/float64(valid) - 1e-3
	best, most := -1, 0.0
	for i := range cands {
		c := &cands[i]
		if c.gain < least || eq(c.info, 0) {
			continue
		}
		if ratio := c.gain / (c.info / weight); gr(ratio, most) {
			best, most = i, ratio
		}
	}
	return best
}

// minSplit returns the least weight on either side of a numeric split.
func minSplit(known float64, classes, minLeaf int) float64 {
	least := 0.1 * known / float64(classes)
	switch {
	case smEq(least, float64(minLeaf)):
		return float64(minLeaf)
	case gr(least, 25):
		return 25
	}
	return least
}

// apart reports whether a threshold may lie between two values, given by
// their codes in ascending order.
func (c *column) apart(a, b int32) bool { return c.values[a]+1e-5 < c.values[b] }

// A scanner evaluates splits of nodes whose instances all weigh 1, in integers.
type scanner struct {
	*problem
	total   []int32 // number of instances of each class
	present []int32 // classes that occur
	n       int     // number of instances
	sum     int64   // sum of x(total)
	known   []int32 // total without the instances whose value is missing
	left    []int32
	cells   []int32
}

// count sets the scanner to a node with the given number of instances of each
// class.
func (s *scanner) count(total []int32) {
	s.total = total
	s.present = s.present[:0]
	s.n, s.sum = 0, 0
	for y, k := range total {
		if k > 0 {
			s.present = append(s.present, int32(y))
			s.n += int(k)
			s.sum += s.tab.Fixed[k]
		}
	}
}

// nominal evaluates the split on a nominal column of the instances at the
// given positions. It returns false if no subset of them can be split on it.
func (s *scanner) nominal(c *column, pos []int32, cand *candidate) bool {
	classes := int32(s.classes)
	s.cells = grow(s.cells, int((c.card+1)*classes))
	clear(s.cells)
	for _, q := range pos {
		s.cells[c.code[q]*classes+s.class[q]]++
	}
	t := s.tab
	sum, known := int64(0), int32(0)
	info := t.Fixed[s.n]
	large := 0
	for v := range c.card {
		row := s.cells[v*classes:][:classes]
		bag := int32(0)
		for _, y := range s.present {
			bag += row[y]
			sum += t.Fixed[row[y]]
		}
		sum -= t.Fixed[bag]
		info -= t.Fixed[bag]
		known += bag
		if int(bag) >= s.cfg.MinLeaf {
			large++
		}
	}
	if large < 2 {
		return false
	}
	old := t.Fixed[known]
	if int(known) == s.n {
		old -= s.sum
	} else {
		row := s.cells[c.card*classes:][:classes]
		for _, y := range s.present {
			old -= t.Fixed[s.total[y]-row[y]]
		}
		info -= t.Fixed[s.n-int(known)]
	}
	cand.valid = true
	cand.gain = float64(old+sum) * t.Unit / float64(s.n)
	if eq(cand.gain*float64(known), 0) {
		cand.gain = 0
	}
	cand.info = float64(info) * t.Unit
	cand.missing = int(known) < s.n
	return true
}

// numeric evaluates the splits on a numeric column. keys holds the codes of
// the values in ascending order, in the upper half, and positions in the
// training set, in the lower half. It returns false if no subset of the
// instances can be split on the column.
func (s *scanner) numeric(c *column, keys []uint64, cand *candidate) bool {
	t := s.tab
	known, base, total := len(keys), s.sum, s.total
	if int32(keys[known-1]>>32) == c.card {
		s.known = append(s.known[:0], s.total...)
		total = s.known
		for known > 0 && int32(keys[known-1]>>32) == c.card {
			known--
			y := s.class[uint32(keys[known])]
			total[y]--
			base -= t.Step[total[y]]
		}
	}
	if known < 2*s.cfg.MinLeaf || !c.apart(int32(keys[0]>>32), int32(keys[known-1]>>32)) {
		return false
	}
	least := int(math.Ceil(minSplit(float64(known), s.classes, s.cfg.MinLeaf) - eps))
	if known < 2*least {
		return true
	}
	s.left = grow(s.left, s.classes)
	clear(s.left)
	tight := c.minGap < tightGap
	cuts, at := 0, 0
	none := base - t.Fixed[known]
	best, sum := none, base
	margin := int64(eps * float64(s.n) / t.Unit)
	for i := 0; ; i++ {
		key := keys[i]
		if i >= least {
			if i > known-least {
				break
			}
			if before := keys[i-1] >> 32; before != key>>32 && (!tight || c.apart(int32(before), int32(key>>32))) {
				cuts++
				if v := sum - t.Fixed[i] - t.Fixed[known-i]; v > best+margin {
					best, at = v, i
				}
			}
		}
		y := s.class[uint32(key)]
		l := s.left[y]
		s.left[y] = l + 1
		sum += t.Step[l] - t.Step[total[y]-l-1]
	}
	if at == 0 {
		return true
	}
	cand.gain = float64(best-none) * t.Unit / float64(s.n)
	if !s.cfg.NoMDL {
		cand.gain -= float64(t.Fixed[cuts]) * t.Unit / float64(cuts) / float64(s.n)
	}
	if smEq(cand.gain, 0) {
		return true
	}
	cand.valid = true
	cand.at = int32(at)
	cand.missing = known < s.n
	cand.lower, cand.upper = int32(keys[at-1]>>32), int32(keys[at]>>32)
	cand.info = float64(t.Fixed[s.n]-t.Fixed[at]-t.Fixed[known-at]-t.Fixed[s.n-known]) * t.Unit
	return true
}
