package neighbor

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

const (
	// listed is the number of candidates of a row, and mostListed that with those at the
	// same distance as the last.
	listed, mostListed = 24, 96

	// mostRows bounds the tables that have lists, which take some 400 bytes a row.
	mostRows = 1 << 16

	// fewRows is the size of tables up to which lists are made soon.
	fewRows = 1 << 10

	// closer makes up, for each attribute, for the rounding of two normalised values, which lie
	// between 0 and 1.
	closer = 0x1p-48
)

// lists hold, for the rows of a table, those that are nearest whatever the training set
// is: under the ranges of the whole table, which no training set exceeds, no distance
// is longer. In repeated cross-validation a row is asked for in each run, and most
// often finds its neighbours among the first of its list.
//
// A row gets its list when it is asked for again and, unless there are few, nearly all rows have been
// asked for: a single run of cross-validation would have no use for it, even if a trial is repeated.
type lists struct {
	rows  []atomic.Pointer[list]
	asked atomic.Int64 // number of rows that have been asked for
	once  sync.Once
	all   *workspace // of all rows that have a class; nil if there can be no lists
	at    []int32    // the point of each row in it, -1 for those without a class
	spans []span     // of the attributes in it
}

// A span is the range of the known values of a numeric attribute.
type span struct{ min, max float64 }

// A list has rows by ascending bounds, which no distance from the row whose list it is
// falls short of; those that are not in it are no nearer than rest.
type list struct {
	rows  []int32
	bound []float64
	rest  float64
}

// asked marks a row that has been asked for once.
var asked = new(list)

// newLists returns the lists of a table, without any so far, and nil if it is too large for them.
func newLists(t *dataset.Table) *lists {
	if t.Len() > mostRows {
		return nil
	}
	return &lists{rows: make([]atomic.Pointer[list], t.Len())}
}

// prepare makes the workspace of all rows. It keeps nothing of the table.
func (l *lists) prepare(t *dataset.Table) {
	known, err := trainset.Known(nil, t, everyRow(t))
	if err != nil {
		return
	}
	w := &workspace{rows: known, half: true}
	w.train(t, Config{K: listed}, nil) // no lists serve that many neighbours
	l.spans = make([]span, len(w.attrs))
	for _, a := range w.numeric {
		if a.max-a.min > math.MaxFloat64 {
			return
		}
		l.spans[a.place] = span{a.min, a.max}
	}
	l.at = make([]int32, t.Len())
	placePoints(l.at, w.rows)
	w.release()
	l.all = w
}

func everyRow(t *dataset.Table) []int {
	rows := make([]int, t.Len())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// of returns the list of a row, nil when it is asked for the first time, or has none. The
// lister belongs to the caller.
func (l *lists) of(row int, lister *lister) *list {
	place := &l.rows[row]
	switch have := place.Load(); have {
	case nil:
		l.mark(row)
		return nil
	case asked:
		if l.at[row] < 0 {
			return nil
		}
		made := lister.list(l, int(l.at[row]))
		place.Store(made) // perhaps another goroutine has made the same
		return made
	default:
		return have
	}
}

// mark notes that a row has been asked for.
func (l *lists) mark(row int) {
	if l.rows[row].CompareAndSwap(nil, asked) {
		l.asked.Add(1)
	}
}

// due reports whether lists are to be made.
func (l *lists) due() bool {
	n := int64(len(l.rows))
	return n <= fewRows || 20*l.asked.Load() >= 19*n
}

// A lister searches through the points of all rows, beside others that do.
type lister struct {
	of *lists
	w  workspace
}

// bind makes the lister one of the given lists.
func (s *lister) bind(l *lists) {
	if s.of == l {
		return
	}
	q, f, side := s.w.query, s.w.found, s.w.tree.side
	s.of, s.w = l, *l.all
	s.w.found = f
	s.w.query.x = scratch.Resize(q.x, s.w.dx)
	s.w.query.codes = scratch.Resize(q.codes, s.w.dc)
	s.w.query.lanes = scratch.Resize(q.lanes, s.w.lanes.words)
	s.w.tree.side = scratch.Resize(side, s.w.full)
}

// list returns the list of a point.
func (s *lister) list(l *lists, p int) *list {
	s.bind(l)
	w := &s.w
	w.askPoint(p)
	w.searchAll()
	found := w.found.found
	made := &list{rest: math.Inf(1)}
	if len(found) < len(w.rows) {
		made.rest = w.shortest(w.found.bound)
	}
	if len(found) > mostListed {
		found = found[:mostListed]
		made.rest = w.shortest(found[mostListed-1].distance)
	}
	made.rows, made.bound = make([]int32, len(found)), make([]float64, len(found))
	for i, c := range found {
		made.rows[i], made.bound[i] = w.rows[c.point], w.shortest(c.distance)
	}
	return made
}

// askPoint sets the query to a point.
func (w *workspace) askPoint(p int) {
	q := &w.query
	copy(q.x, w.x[p*w.dx:])
	q.lacks = false
	for j, c := range w.codes[p*w.dc : (p+1)*w.dc] {
		if q.codes[j] = c; c < 0 {
			q.codes[j] = -2
		}
	}
	if w.dc > 0 {
		lanes.Pack(q.lanes, q.codes, lanes.MissingB)
	}
}

// shortest returns what a squared distance under the ranges of the whole table may come
// down to by rounding under those of a training set, which are no wider. The error of a
// normalised value is that of one between 0 and 1, times the ratio of the ranges.
func (w *workspace) shortest(distance float64) float64 {
	return max(0, distance/slack-float64(float64(len(w.attrs))*closer))
}

// bindLists takes the lists of the training table, if they are of use with this training
// set: rows that occur once, more than half of all, and ranges that have not shrunk to
// nothing. The order in which Weka adds votes matters where the rows have weights.
func (w *workspace) bindLists(t *dataset.Table, l *lists) {
	w.lists, w.marks = nil, nil
	if l == nil || 2*w.cfg.K > listed || 2*len(w.rows) <= len(l.rows) || w.cfg.WekaOrder && t.Weights() != nil {
		return
	}
	if !l.due() {
		w.marks = l
		return
	}
	l.once.Do(func() { l.prepare(t) })
	if l.all == nil {
		return
	}
	for _, a := range w.numeric {
		if all := l.spans[a.place]; all.max > all.min && !(a.max > a.min) {
			return
		}
	}
	w.point = scratch.Resize(w.point, len(l.rows))
	if !placePoints(w.point, w.rows) {
		return
	}
	w.lists = l
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

// leaveLists does without lists where a query has widened the range of an attribute beyond that
// of the whole table, as a row of no known class may, or one of another table.
func (w *workspace) leaveLists(a *attribute) {
	if w.lists == nil {
		return
	}
	if all := w.lists.spans[a.place]; a.min < all.min || a.max > all.max {
		w.lists = nil
	}
}

// searchList looks for the neighbours of a row in its list, and reports whether all of
// them are known to be there.
func (w *workspace) searchList(row int) bool {
	if w.training != w.table {
		return false
	}
	if w.marks != nil {
		w.marks.mark(row)
	}
	if w.lists == nil {
		return false
	}
	if w.lister == nil {
		w.lister = new(lister)
	}
	l := w.lists.of(row, w.lister)
	if l == nil {
		return false
	}
	f := &w.found
	f.reset(w.cfg.K)
	for i, r := range l.rows {
		if l.bound[i] > f.bound {
			f.finish()
			return true
		}
		if p := w.point[r]; p >= 0 {
			f.add(w.distanceToRow(int(r), f.bound), p)
		}
	}
	if l.rest > f.bound {
		f.finish()
		return true
	}
	return false
}

// distanceToRow is distance to a row of the training table, whose coordinates need not be
// there.
func (w *workspace) distanceToRow(row int, bound float64) float64 {
	sum := 0.0
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Codes != nil {
			if a.Codes[row] != w.query.codes[a.slot] {
				sum++
			}
		} else {
			sum += w.term(w.query.x[a.slot], a.norm(a.train[row]))
		}
		if sum > bound {
			return math.Inf(1)
		}
	}
	return sum
}
