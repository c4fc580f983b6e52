package neighbor

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/dataset"
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

// lists hold, for each row of a table, the rows that are nearest for any training set: under
// the ranges of the whole table, which no training set exceeds, no distance is longer.
// Repeated cross-validation asks for a row in each run, and mostly finds its neighbours among
// the first of its list.
//
// A row gets its list when it is asked for again and, unless there are few, nearly all rows have
// been asked for: a single run of cross-validation would have no use for it, even if a trial is
// repeated.
type lists struct {
	rows  []atomic.Pointer[list]
	asked atomic.Int64 // number of rows that have been asked for
	once  sync.Once
	all   *points // of all rows that have a class; nil if there can be no lists
	at    []int32 // the point of each row in it, -1 for those without a class
	spans []span  // of the attributes in it
}

// A span is the range of the known values of a numeric attribute.
type span struct{ min, max float64 }

// A list has rows by ascending lower bounds of their distance from the list's owner; the rows
// outside of the list are no nearer than rest.
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

// prepare makes the points of all rows. It keeps nothing of the table.
func (l *lists) prepare(t *dataset.Table) {
	known, err := trainset.Known(nil, t, everyRow(t))
	if err != nil {
		return
	}
	p := &points{rows: known}
	p.takeAttributes(t)
	p.index(t, true)
	l.spans = make([]span, len(p.attrs))
	for _, a := range p.numeric {
		if a.max-a.min > math.MaxFloat64 {
			return
		}
		l.spans[a.place] = span{a.min, a.max}
	}
	l.at = make([]int32, t.Len())
	placePoints(l.at, p.rows)
	p.release()
	l.all = p
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
		place.Store(made) // perhaps another goroutine has made an equal one
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
	of     *lists
	search search
}

// list returns the list of a point.
func (s *lister) list(l *lists, point int) *list {
	if s.of != l {
		s.of, s.search.half = l, true
		s.search.begin(l.all, listed)
	}
	s.search.askPoint(point)
	s.search.all()
	all, found := l.all, s.search.found.found
	made := &list{rest: math.Inf(1)}
	if len(found) < len(all.rows) {
		made.rest = l.shortest(s.search.found.bound)
	}
	if len(found) > mostListed {
		found = found[:mostListed]
		made.rest = l.shortest(found[mostListed-1].distance)
	}
	made.rows, made.bound = make([]int32, len(found)), make([]float64, len(found))
	for i, c := range found {
		made.rows[i], made.bound[i] = all.rows[c.point], l.shortest(c.distance)
	}
	return made
}

// shortest returns a lower bound for a squared distance under the ranges of a training set,
// given the squared distance under the ranges of the whole table, which are no narrower:
// rounding may reduce it. The error of a normalised value is the error of a value between 0
// and 1, times the ratio of the ranges.
func (l *lists) shortest(distance float64) float64 {
	return max(0, distance/slack-float64(float64(len(l.spans))*closer))
}
