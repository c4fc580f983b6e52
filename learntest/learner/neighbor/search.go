package neighbor

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
)

// slack makes up for rounding where a lower bound of a distance is compared
// with a distance whose terms were summed in another order.
const slack = 1 + 1e-11

// search finds the neighbours of w.query, which is the given row.
func (w *workspace) search(row int) {
	if !w.searchList(row) {
		if !w.indexed {
			w.index()
		}
		w.searchAll()
	}
	if w.cfg.Ties == FirstTies {
		w.takeFirst()
	}
}

// searchAll finds them among all points.
func (w *workspace) searchAll() {
	w.found.reset(w.cfg.K)
	switch {
	case w.dx == 0 && w.lanes.exact:
		w.scanNominal()
	case len(w.tree.nodes) > 0 && !w.query.lacks:
		clear(w.tree.side)
		w.visit(0, 0)
	default:
		w.scan(0, len(w.rows))
	}
	w.found.finish()
}

// scanNominal compares all points where there are nominal attributes only.
func (w *workspace) scanNominal() {
	f := &w.found
	q := w.query.lanes
	rest := w.lanes.w
	limit := math.MaxInt
	for p := range w.rows {
		x := rest[:len(q)]
		rest = rest[len(q):]
		n := 0
		for i, v := range x {
			n += lanes.Differences(v, q[i])
			if n > limit {
				break
			}
		}
		if n > limit {
			continue
		}
		f.add(float64(n), int32(p))
		if f.bound < math.MaxInt32 {
			limit = int(f.bound)
		}
	}
}

// scan compares the points from..to-1. It sums the terms of a distance that are due to the nominal
// and, if the query has all their values, to the full attributes until the sum is too great; if it
// never is, it sums all terms in the order of the attributes.
func (w *workspace) scan(from, to int) {
	f := &w.found
	q := w.query.x[:w.full]
	if w.query.lacks {
		q = q[:0]
	}
	limit := f.bound * slack
points:
	for p := from; p < to; p++ {
		sum := 0.0
		if w.dc > 0 {
			sum = float64(w.lanes.differences(p, w.query.lanes))
			if sum > limit {
				continue
			}
		}
		x := w.x[p*w.dx:][:len(q)]
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
		f.add(w.distance(p, f.bound), int32(p))
		limit = f.bound * slack
	}
}

// distance returns the squared distance of the query to point p, or +Inf if
// it exceeds bound.
func (w *workspace) distance(p int, bound float64) float64 {
	x := w.x[p*w.dx : (p+1)*w.dx]
	codes := w.codes[p*w.dc : (p+1)*w.dc]
	sum := 0.0
	for _, slot := range w.order {
		if slot < 0 {
			if codes[^slot] != w.query.codes[^slot] {
				sum++
			}
		} else {
			sum += w.term(w.query.x[slot], x[slot])
		}
		if sum > bound {
			return math.Inf(1)
		}
	}
	return sum
}

// term returns what two normalised values of an attribute add to a squared distance.
func (w *workspace) term(a, b float64) float64 {
	d := a - b
	if d != d {
		d = w.missing(a, b)
	}
	return float64(d * d)
}

// visit looks at the points of a node of the tree whose cell is at least at
// the squared distance bound from the query.
func (w *workspace) visit(at int, bound float64) {
	for {
		nd := &w.tree.nodes[at]
		if nd.slot < 0 {
			w.scan(int(nd.from), int(nd.to))
			return
		}
		q := w.query.x[nd.slot]
		near, far, d := at+1, int(nd.second), nd.high-q
		if first := q - nd.low; first > d {
			near, far, d = int(nd.second), at+1, first
		}
		w.visit(near, bound)
		side := w.tree.side[nd.slot]
		if d > side {
			bound += float64(d*d) - float64(side*side)
		}
		if bound > w.found.bound*slack {
			return
		}
		if d <= side {
			at = far
			continue
		}
		w.tree.side[nd.slot] = d
		w.visit(far, bound)
		w.tree.side[nd.slot] = side
		return
	}
}
