package c45

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A scanner evaluates splits of nodes whose instances all weigh 1, in integers.
type scanner struct {
	*problem
	total    []int32 // number of instances of each class
	present  []int32 // classes that occur
	n        int     // number of instances
	base     int64   // sum of x(total)
	known    []int32 // total without the instances whose value is missing
	cells    []int32
	few      []int32 // total of the classes that occur
	identity []int32 // 0, 1, 2, ...
	laneCounter
	counted     bool    // it has the counts of the node
	least       int     // least number of instances on either side of a threshold
	perInstance float64 // value of one unit of the table, divided by n
	run
	prepared bool // run has the tables for all instances of the node
}

// count sets the scanner to a node with the given number of instances of each
// class.
func (s *scanner) count(total []int32) {
	if s.next == nil {
		s.next, s.start = new([maxClasses]int32), new([maxClasses]int32)
	}
	s.total, s.prepared = total, false
	s.present = s.present[:0]
	s.n, s.base = 0, 0
	for y, k := range total {
		if k > 0 {
			s.present = append(s.present, int32(y))
			s.n += int(k)
			s.base += s.tab.Fixed[k]
		}
	}
	s.few = s.few[:0]
	for i, y := range s.present {
		s.few = append(s.few, total[y])
		if i == len(s.identity) {
			s.identity = append(s.identity, int32(i))
		}
	}
	s.counted = false
	s.least = s.leastOf(s.n)
	s.perInstance = s.tab.Unit / float64(s.n)
	s.margin = int64(eps / s.perInstance)
}

// nominal evaluates the split of the given rows on a nominal column. It returns
// false if no subset of them can be split on it.
func (s *scanner) nominal(c *column, rows []int32, cand *candidate) bool {
	if c.card == 2 && c.skips == 1 && len(s.present) == 2 && len(rows) <= maxByte {
		s.countLanes(rows)
		return s.twoBags(c, cand)
	}
	cells, _ := s.recount(c, rows)
	if c.lane < 0 {
		return s.bags(cells[:int(c.card)*s.classes], s.total, s.present, cand)
	}
	return s.bags(cells, s.few, s.identity[:len(s.few)], cand)
}

// recount returns the number of instances of each class for each value of a
// nominal column, value after value, and the classes that it counts. For a
// column without lanes, the last row is that of missing values.
func (s *scanner) recount(c *column, rows []int32) (cells, classes []int32) {
	if c.lane >= 0 {
		s.countLanes(rows)
		s.cells = s.laneCounter.column(s.cells[:0], c, s.present, s.few)
		return s.cells, s.present
	}
	n := int32(s.classes)
	s.cells = scratch.Resize(s.cells, int((c.card+1)*n))
	clear(s.cells)
	for _, q := range rows {
		s.cells[c.code[q]*n+s.class[q]]++
	}
	return s.cells, s.all()
}

// all returns all classes.
func (s *scanner) all() []int32 {
	for i := len(s.identity); i < s.classes; i++ {
		s.identity = append(s.identity, int32(i))
	}
	return s.identity[:s.classes]
}

// countLanes counts the given rows, which are those of the node, in lanes.
func (s *scanner) countLanes(rows []int32) {
	if !s.counted {
		s.counted = true
		s.laneCounter.laneSet = &s.frame.lanes
		s.laneCounter.count(rows, s.class, s.present)
	}
}

// twoBags is bags for two bags, two classes and no missing values.
func (s *scanner) twoBags(c *column, cand *candidate) bool {
	fixed := s.tab.Fixed
	a, b := s.laneCounter.bits(c, s.present[0], s.present[1])
	d, e := s.few[0]-a, s.few[1]-b
	right, left := a+b, d+e
	if least := int32(s.cfg.MinLeaf); left < least || right < least {
		return false
	}
	bags := fixed[left] + fixed[right]
	cand.valid = true
	cand.gain = float64(fixed[s.n]-s.base+fixed[a]+fixed[b]+fixed[d]+fixed[e]-bags) * s.perInstance
	if eq(cand.gain*float64(s.n), 0) {
		cand.gain = 0
	}
	cand.info = float64(fixed[s.n]-bags) * s.tab.Unit
	return true
}

// bags evaluates the split of a node into bags. cells has the number of
// instances of each class in each bag, bag after bag, and total that of each
// class in the node, with those whose value is missing. index lists the
// classes that occur.
func (s *scanner) bags(cells, total, index []int32, cand *candidate) bool {
	fixed, stride := s.tab.Fixed, len(total)
	classes, bags, known, large := int64(0), int64(0), int32(0), 0
	small := int32(s.cfg.MinLeaf) - 1
	if stride == 2 && len(index) == 2 {
		for rest := cells; len(rest) >= 2; rest = rest[2:] {
			bag := rest[0] + rest[1]
			classes += fixed[rest[0]] + fixed[rest[1]]
			bags += fixed[bag]
			known += bag
			large += int(uint32(small-bag) >> 31)
		}
	} else {
		for rest := cells; len(rest) > 0; rest = rest[stride:] {
			row := rest[:stride]
			bag := int32(0)
			for _, y := range index {
				k := row[y]
				bag += k
				classes += fixed[k]
			}
			bags += fixed[bag]
			known += bag
			large += int(uint32(small-bag) >> 31)
		}
	}
	if large < 2 {
		return false
	}
	base := s.base
	if missing := s.n - int(known); missing > 0 {
		base = 0
		for _, y := range index {
			k := int32(0)
			for at := int(y); at < len(cells); at += stride {
				k += cells[at]
			}
			base += fixed[k]
		}
	}
	cand.valid = true
	cand.gain = float64(fixed[known]-base+classes-bags) * s.perInstance
	if eq(cand.gain*float64(known), 0) {
		cand.gain = 0
	}
	cand.info = float64(fixed[s.n]-bags-fixed[s.n-int(known)]) * s.tab.Unit
	return true
}

// numeric evaluates the splits on a numeric column, whose keys are sorted. It
// returns false if no subset of the instances can be split on the column.
func (s *scanner) numeric(c *column, keys []key, cand *candidate) bool {
	t := s.tab
	known, base, total, least := len(keys), s.base, s.total, s.least
	if keys[known-1].code() == c.card {
		s.known = append(s.known[:0], s.total...)
		total = s.known
		for known > 0 && keys[known-1].code() == c.card {
			known--
			y := keys[known].class()
			total[y]--
			base -= t.Step[total[y]]
		}
		keys = keys[:known]
		least = s.leastOf(known)
	}
	if known < 2*s.cfg.MinLeaf || !c.apart(keys[0].code(), keys[known-1].code()) {
		return false
	}
	if known < 2*least {
		return true
	}
	s.search(c, keys, total, base, least)
	r := &s.run
	if r.at == 0 {
		return true
	}
	cand.gain = float64(float64(r.best-r.margin-base+t.Fixed[known]) * s.perInstance)
	if !s.cfg.NoMDL {
		cuts := r.cuts
		if c.minGap < tightGap {
			cuts = c.cuts(keys[least-1 : known-least+1])
		}
		cand.gain -= float64(t.Fixed[cuts]) * s.perInstance / float64(cuts)
	}
	if smEq(cand.gain, 0) {
		return true
	}
	cand.valid = true
	cand.at = int32(r.at)
	cand.lower, cand.upper = keys[r.at-1].code(), keys[r.at].code()
	cand.info = float64(t.Fixed[s.n]-t.Fixed[r.at]-t.Fixed[known-r.at]-t.Fixed[s.n-known]) * t.Unit
	return true
}

// leastOf returns the least number of instances on either side of a threshold.
func (s *scanner) leastOf(known int) int {
	return int(math.Ceil(minSplit(float64(known), s.classes, s.cfg.MinLeaf) - eps))
}

// search finds the best threshold with at least the given number of instances
// on either side, and leaves it in run. total has the numbers of the classes,
// and base is their sum of x.
func (s *scanner) search(c *column, keys []key, total []int32, base int64, least int) {
	known := len(keys)
	if all := known == s.n; !all || !s.prepared {
		s.prepare(total, known)
		s.prepared = all
	}
	r := &s.run
	r.column, r.keys = c, keys
	r.sum, r.at, r.cuts = base, 0, 0
	if !r.two {
		for _, y := range s.present {
			r.next[y] = r.start[y]
		}
	}
	r.best = base - s.tab.Fixed[known] + r.margin
	end := known - least + 1 // the thresholds are after least to end-1 keys
	from, to := known, known
	if known >= minPlateau {
		from, to = plateau(keys, len(s.present))
	}
	r.move(min(from, least))
	r.scan(least, min(from, end))
	if from < end { // to is at least least, since the plateau is in the middle
		if from >= least {
			r.try(from)
			r.cuts++
		}
		s.skip(r, total, to)
		r.scan(to, end)
	}
	r.keys, r.column = nil, nil
}
