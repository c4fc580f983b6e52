package neighbor

import "math"

// search finds the neighbours of w.query.
func (w *workspace) search() {
	w.found.reset(w.cfg.K)
	switch {
	case len(w.tree.nodes) > 0:
		w.searchTree()
		w.scan(w.tree.points, len(w.rows))
	case w.dc == 0:
		w.scan(0, len(w.rows))
	case w.dx == 0 && w.lanes.exact:
		w.scanNominal()
	default:
		w.scanFiltered()
	}
	w.found.finish()
}

// scan compares the points from..to-1, one by one.
func (w *workspace) scan(from, to int) {
	for p := from; p < to; p++ {
		w.found.add(w.distance(p, w.found.bound), int32(p))
	}
}

// scanLeaf compares the points from..to-1 where all attributes are numeric and
// none is missing.
func (w *workspace) scanLeaf(from, to int) {
	f := &w.found
	dx := w.dx
	q := w.query.x[:dx]
	bound := f.bound
points:
	for p := from; p < to; p++ {
		x := w.x[p*dx : p*dx+dx]
		sum := 0.0
		j := 0
		for ; j+4 <= len(x) && j+4 <= len(q); j += 4 {
			d0, d1, d2, d3 := q[j]-x[j], q[j+1]-x[j+1], q[j+2]-x[j+2], q[j+3]-x[j+3]
			sum += float64(d0 * d0)
			sum += float64(d1 * d1)
			sum += float64(d2 * d2)
			sum += float64(d3 * d3)
			if sum > bound {
				continue points
			}
		}
		for ; j < len(x) && j < len(q); j++ {
			d := q[j] - x[j]
			sum += float64(d * d)
		}
		if sum <= bound {
			f.add(sum, int32(p))
			bound = f.bound
		}
	}
}

// scanNominal compares all points where there are nominal attributes only.
func (w *workspace) scanNominal() {
	words := w.lanes.words
	q := w.query.lanes
	f := &w.found
	switch words {
	case 1:
		for p, x := range w.lanes.w {
			f.add(float64(differing(x, q[0])), int32(p))
		}
		return
	case 2:
		l := w.lanes.w
		for p := 0; 2*p+1 < len(l); p++ {
			f.add(float64(differing(l[2*p], q[0])+differing(l[2*p+1], q[1])), int32(p))
		}
		return
	}
	for p := range w.rows {
		n := 0
		for i, x := range w.lanes.w[p*words : (p+1)*words] {
			n += differing(x, q[i])
		}
		f.add(float64(n), int32(p))
	}
}

// scanFiltered compares all points whose nominal attributes alone do not
// differ in more places than the neighbours' distance allows.
func (w *workspace) scanFiltered() {
	words := w.lanes.words
	q := w.query.lanes
	for p := range w.rows {
		n := 0
		for i, x := range w.lanes.w[p*words : (p+1)*words] {
			n += differing(x, q[i])
		}
		if float64(n) <= w.found.bound {
			w.found.add(w.distance(p, w.found.bound), int32(p))
		}
	}
}

// distance returns the squared distance of the query to point p, or +Inf if
// it exceeds bound.
func (w *workspace) distance(p int, bound float64) float64 {
	x := w.x[p*w.dx : (p+1)*w.dx]
	codes := w.codes[p*w.dc : (p+1)*w.dc]
	sum := 0.0
	for _, run := range w.runs {
		if run.nominal {
			q := w.query.codes[run.from:run.to]
			for j, c := range codes[run.from:run.to] {
				if c != q[j] {
					sum++
				}
			}
		} else {
			q := w.query.x[run.from:run.to]
			for j, v := range x[run.from:run.to] {
				d := q[j] - v
				if d != d {
					d = missingDifference(q[j], v)
				}
				sum += float64(d * d)
				if sum > bound {
					break
				}
			}
		}
		if sum > bound {
			return math.Inf(1)
		}
	}
	return sum
}

// missingDifference returns the difference of two values one of which, at
// least, is missing.
func missingDifference(a, b float64) float64 {
	if a != a {
		a = b
	}
	switch {
	case a != a:
		return 1
	case a < 0.5:
		return 1 - a
	}
	return a
}
