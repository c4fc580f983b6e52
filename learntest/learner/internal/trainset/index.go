package trainset

import (
	"maps"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// An Index holds the order of the rows, and the ranks, of all numeric columns of a table, so that a
// table from which many training sets are drawn is sorted once. An order takes a quarter of the
// memory of ranks, which are made once a learner wants them. An Index may be used by several
// goroutines at once.
type Index struct {
	cols          []indexed
	orders, ranks phase
}

// An indexed is a numeric column of an index.
type indexed struct {
	mu    sync.Mutex
	order []int32
	ranks Ranks
}

// A phase is work on all columns, which goroutines share.
type phase struct {
	next atomic.Int64 // number of columns that somebody has begun
	done sync.WaitGroup
}

// share works on the columns that nobody has begun, and returns when the work on all is done.
func (p *phase) share(columns int, work func(k int)) {
	for {
		k := int(p.next.Add(1)) - 1
		if k >= columns {
			break
		}
		work(k)
		p.done.Done()
	}
	p.done.Wait()
}

// indices are the indices that some learner holds, which learners share. It is no more than a
// saving of time and memory: it keeps neither tables nor indices alive.
var indices struct {
	sync.Mutex
	of    map[weak.Pointer[dataset.Table]]weak.Pointer[Index]
	sweep int // at this size, entries of collected tables are removed
}

// leastSweep is how many indices there may be before anybody looks which ones are gone.
const leastSweep = 64

// IndexOf returns the index of t with its ranks, which it makes unless some learner has it.
// Goroutines that ask for one table at once share the work, which takes time N log N a column.
func IndexOf(t *dataset.Table) *Index {
	x := indexFor(t)
	x.Rank(t)
	return x
}

// OrdersOf is [IndexOf] for a learner that may do with the orders: those are there, and ranks only
// once a learner has asked for them.
func OrdersOf(t *dataset.Table) *Index {
	x := indexFor(t)
	var s Sorter
	x.orders.share(len(x.cols), func(j int) {
		if t.Attribute(j).Kind == dataset.Numeric {
			x.cols[j].sort(&s, t.Numbers(j))
		}
	})
	return x
}

// indexFor returns the index of t, whose columns may not be ranked yet.
func indexFor(t *dataset.Table) *Index {
	indices.Lock()
	defer indices.Unlock()
	key := weak.Make(t)
	if x := indices.of[key].Value(); x != nil {
		return x
	}
	if len(indices.of) >= indices.sweep {
		maps.DeleteFunc(indices.of, func(t weak.Pointer[dataset.Table], x weak.Pointer[Index]) bool {
			return t.Value() == nil || x.Value() == nil
		})
		indices.sweep = max(leastSweep, 2*len(indices.of))
	}
	if indices.of == nil {
		indices.of = make(map[weak.Pointer[dataset.Table]]weak.Pointer[Index])
	}
	x := &Index{cols: make([]indexed, t.NumAttributes())}
	x.orders.done.Add(len(x.cols))
	x.ranks.done.Add(len(x.cols))
	indices.of[key] = weak.Make(x)
	return x
}

// Rank makes the ranks of the table that x is the index of, unless they are there. It begins with
// the last column, since goroutines that want orders begin with the first.
func (x *Index) Rank(t *dataset.Table) {
	var s Sorter
	x.ranks.share(len(x.cols), func(k int) {
		if j := len(x.cols) - 1 - k; t.Attribute(j).Kind == dataset.Numeric {
			x.cols[j].rank(&s, t.Numbers(j))
		}
	})
}

// sort makes the order of a column unless it is there.
func (c *indexed) sort(s *Sorter, numbers []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.order != nil:
	case len(numbers) < leastRadix:
		c.ranks = s.rank(numbers)
		c.order = c.ranks.Order
	default:
		c.order = s.Order(make([]int32, len(numbers)), numbers)
	}
}

// rank makes the ranks of a column unless they are there.
func (c *indexed) rank(s *Sorter, numbers []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ranks.Codes != nil:
	case c.order != nil:
		c.ranks = s.rankOrdered(numbers, c.order)
	default:
		c.ranks = s.rank(numbers)
		c.order = c.ranks.Order
	}
}

// Order returns the rows in ascending order of column j, those without a number last. It is nil if
// the column is nominal.
func (x *Index) Order(j int) []int32 { return x.cols[j].order }

// Column returns the ranks of column j, of an index whose ranks are made. They are empty if the
// column is nominal.
func (x *Index) Column(j int) Ranks { return x.cols[j].ranks }
