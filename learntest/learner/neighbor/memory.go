package neighbor

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A memory is a model's share of the lists of its training table.
type memory struct {
	lists  *lists  // nil if they are of no use
	marks  *lists  // lists that are not due yet
	lister lister  // makes the lists that are missing
	point  []int32 // of each row of the training table; -1 if there is none
}

// bind takes the lists of the training table, if there are any and they are of use for k
// neighbours with this training set, and reports whether they are: rows that occur once, more
// than half of all, and ranges that have not shrunk to nothing.
func (m *memory) bind(t *dataset.Table, l *lists, p *points, k int) bool {
	m.lists, m.marks = nil, nil
	if l == nil || 2*k > listed || 2*len(p.rows) <= len(l.rows) {
		return false
	}
	if !l.due() {
		m.marks = l
		return false
	}
	l.once.Do(func() { l.prepare(t) })
	if l.all == nil {
		return false
	}
	for _, a := range p.numeric {
		if all := l.spans[a.place]; all.max > all.min && !(a.max > a.min) {
			return false
		}
	}
	m.point = scratch.Resize(m.point, len(l.rows))
	if !placePoints(m.point, p.rows) {
		return false
	}
	m.lists = l
	return true
}

// moved takes the new order of the points, whose rows are given.
func (m *memory) moved(rows []int32) {
	if m.lists != nil {
		placePoints(m.point, rows)
	}
}

// placePoints sets the point of each row of the table, -1 for those without one, from the row
// of each point. It returns false if a row has two.
func placePoints(points, rows []int32) bool {
	for r := range points {
		points[r] = -1
	}
	for p, r := range rows {
		if points[r] >= 0 {
			return false
		}
		points[r] = int32(p)
	}
	return true
}

// leave gives up the lists when a query has widened the range of an attribute beyond the range
// of the whole table, as a row without a known class may, or a row of another table.
func (m *memory) leave(a *attribute) {
	if m.lists == nil {
		return
	}
	if all := m.lists.spans[a.place]; a.min < all.min || a.max > all.max {
		m.lists = nil
	}
}

// find looks for the neighbours of a row of the training table, the query of a search, in the
// list of the row, and reports whether all of them are known to be there.
func (m *memory) find(row int, s *search) bool {
	if m.marks != nil {
		m.marks.mark(row)
	}
	if m.lists == nil {
		return false
	}
	l := m.lists.of(row, &m.lister)
	if l == nil {
		return false
	}
	f := &s.found
	f.reset(s.k)
	for i, r := range l.rows {
		if l.bound[i] > f.bound {
			f.finish()
			return true
		}
		if p := m.point[r]; p >= 0 {
			f.add(s.distanceToRow(int(r), f.bound), p)
		}
	}
	if l.rest > f.bound {
		f.finish()
		return true
	}
	return false
}

// release forgets the lists, but for the one that the lister works for.
func (m *memory) release() { m.lists, m.marks = nil, nil }
