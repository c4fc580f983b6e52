package neighbor

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// slack makes up for rounding where a lower bound of a distance is compared
// with a distance whose terms were summed in another order.
const slack = 1 + 1e-11

// A search finds the points that are nearest to a query. Several searches may share points
// that do not change.
type search struct {
	points *points
	k      int  // number of neighbours
	half   bool // a missing value differs by half of the range, the least possible
	query  query
	found  nearest
	side   []float64 // distance of the query to the cell of the tree being visited, by slot

	asked   int   // number of queries, up to trials+1
	seen    int64 // number of points that the tree has not excluded for the first of them
	sieve   sieve
	sieving bool // the query is sieved, at nodes of few points
}

// A query is the instance that is being classified.
type query struct {
	x     []float64 // NaN if missing
	lacks bool      // whether the value of a full attribute is missing
	codes []int32   // -2 if missing, which equals no point's code
	lanes []uint64
}

// setCode sets a nominal code, which is negative if the value is missing.
func (q *query) setCode(slot int, code int32) {
	if code < 0 {
		code = -2
	}
	q.codes[slot] = code
}

// pack packs the codes, once all are set.
func (q *query) pack() {
	if len(q.codes) > 0 {
		lanes.Pack(q.lanes, q.codes, lanes.MissingB)
	}
}

// begin makes room for queries of the k nearest of the points.
func (s *search) begin(p *points, k int) {
	s.points, s.k = p, k
	s.query.x = scratch.Resize(s.query.x, p.dx)
	s.query.codes = scratch.Resize(s.query.codes, p.dc)
	s.query.lanes = scratch.Resize(s.query.lanes, lanes.Words(p.dc))
	s.side = scratch.Resize(s.side, p.full)
	s.asked, s.seen, s.sieve.points = 0, 0, 0
}

// askPoint sets the query to a point.
func (s *search) askPoint(i int) {
	p, q := s.points, &s.query
	copy(q.x, p.x[i*p.dx:])
	q.lacks = false
	for j, c := range p.codes[i*p.dc : (i+1)*p.dc] {
		q.setCode(j, c)
	}
	q.pack()
}

// all finds the neighbours of the query among all points.
func (s *search) all() {
	p := s.points
	s.found.reset(s.k)
	switch {
	case p.dx == 0 && p.lanes.exact:
		s.scanNominal()
	case len(p.tree.nodes) > 0 && !s.query.lacks:
		clear(s.side)
		s.sieving = s.sieves()
		s.visit(0, 0)
	default:
		s.scan(0, len(p.rows))
	}
	s.found.finish()
}

// sieves reports whether the query is sieved.
func (s *search) sieves() bool {
	p := s.points
	if s.asked <= trials {
		s.asked++
	}
	if s.asked <= trials || sparse*s.seen <= trials*int64(len(p.rows)) || len(p.rows) < sieved {
		return false
	}
	if s.sieve.points == 0 {
		s.sieve.fill(p)
	}
	s.sieve.ask(s.query.x)
	return true
}

// scanNominal compares all points where there are nominal attributes only.
func (s *search) scanNominal() {
	p, f := s.points, &s.found
	q, rest := s.query.lanes, p.lanes.w
	limit := math.MaxInt
	for i := range p.rows {
		x := rest[:len(q)]
		rest = rest[len(q):]
		n := 0
		for j, v := range x {
			n += lanes.Differences(v, q[j])
			if n > limit {
				break
			}
		}
		if n > limit {
			continue
		}
		f.add(float64(n), int32(i))
		if f.bound < math.MaxInt32 {
			limit = int(f.bound)
		}
	}
}

// scan compares the points from..to-1. It sums the terms of a distance that are due to the nominal
// and, if the query has all their values, to the full attributes until the sum is too great; if it
// never is, it sums all terms in the order of the attributes.
func (s *search) scan(from, to int) {
	p, f := s.points, &s.found
	q := s.query.x[:p.full]
	if s.query.lacks {
		q = q[:0]
	}
	limit := f.bound * slack
points:
	for i := from; i < to; i++ {
		sum := 0.0
		if p.dc > 0 {
			sum = float64(p.lanes.differences(i, s.query.lanes))
			if sum > limit {
				continue
			}
		}
		x := p.x[i*p.dx:][:len(q)]
		j := 0
		for ; j+4 <= len(q); j += 4 {
			a, b := (*[4]float64)(q[j:]), (*[4]float64)(x[j:])
			d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
			sum += float64(d0*d0) + float64(d1*d1) + (float64(d2*d2) + float64(d3*d3))
			if sum > limit {
				continue points
			}
		}
		for ; j < len(q); j++ {
			d := q[j] - x[j]
			sum += float64(d * d)
		}
		if sum > limit {
			continue
		}
		f.add(s.distance(i, f.bound), int32(i))
		limit = f.bound * slack
	}
}

// distance returns the squared distance of the query to point i, or +Inf if
// it exceeds bound.
func (s *search) distance(i int, bound float64) float64 {
	p, q := s.points, &s.query
	x := p.x[i*p.dx : (i+1)*p.dx]
	codes := p.codes[i*p.dc : (i+1)*p.dc]
	sum := 0.0
	for _, slot := range p.order {
		if slot < 0 {
			if codes[^slot] != q.codes[^slot] {
				sum++
			}
		} else {
			sum += s.term(q.x[slot], x[slot])
		}
		if sum > bound {
			return math.Inf(1)
		}
	}
	return sum
}

// term returns what two normalised values of an attribute add to a squared distance.
func (s *search) term(a, b float64) float64 {
	d := a - b
	if d != d {
		d = s.missing(a, b)
	}
	return float64(d * d)
}

// distanceToRow is distance to a row of the training table, whose coordinates need not be
// there.
func (s *search) distanceToRow(row int, bound float64) float64 {
	attrs, q := s.points.attrs, &s.query
	sum := 0.0
	for k := range attrs {
		a := &attrs[k]
		if a.Codes != nil {
			if a.Codes[row] != q.codes[a.slot] {
				sum++
			}
		} else {
			sum += s.term(q.x[a.slot], a.norm(a.train[row]))
		}
		if sum > bound {
			return math.Inf(1)
		}
	}
	return sum
}

// missing returns the difference of two normalised values one of which, at least, is
// missing.
func (s *search) missing(a, b float64) float64 {
	if a != a {
		a = b
	}
	switch {
	case a != a:
		return 1
	case s.half:
		return 0.5
	case a < 0.5:
		return 1 - a
	}
	return a
}

// visit looks at the points of a node of the tree whose cell is at least at
// the squared distance bound from the query.
func (s *search) visit(at int, bound float64) {
	for {
		nd := &s.points.tree.nodes[at]
		if nd.slot < 0 {
			if s.asked <= trials {
				s.seen += int64(nd.to - nd.from)
			}
			s.scan(int(nd.from), int(nd.to))
			return
		}
		if s.sieving && nd.to-nd.from <= sieved && s.found.bound < math.MaxFloat64/2 {
			s.sift(int(nd.from), int(nd.to))
			return
		}
		q := s.query.x[nd.slot]
		near, far, d := at+1, int(nd.second), nd.high-q
		if first := q - nd.low; first > d {
			near, far, d = int(nd.second), at+1, first
		}
		s.visit(near, bound)
		side := s.side[nd.slot]
		if d > side {
			bound += float64(d*d) - float64(side*side)
		}
		if bound > s.found.bound*slack {
			return
		}
		if d <= side {
			at = far
			continue
		}
		s.side[nd.slot] = d
		s.visit(far, bound)
		s.side[nd.slot] = side
		return
	}
}
