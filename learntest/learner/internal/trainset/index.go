package trainset

import (
	"maps"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// An Index holds the ranks of all numeric columns of a table, so that a table
// from which many training sets are drawn is sorted once. It may be used by
// several goroutines at once.
type Index struct {
	cols   []Ranks
	next   atomic.Int64 // column that nobody ranks yet
	ranked sync.WaitGroup
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

// IndexOf returns the index of t, which it makes unless some learner has it. Goroutines that ask
// for one table at once share the work, which takes time N log N a column.
func IndexOf(t *dataset.Table) *Index {
	x := indexFor(t)
	x.rank(t)
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
	x := &Index{cols: make([]Ranks, t.NumAttributes())}
	x.ranked.Add(len(x.cols))
	indices.of[key] = weak.Make(x)
	return x
}

// rank ranks the columns that nobody ranks yet, and returns when all are ranked.
func (x *Index) rank(t *dataset.Table) {
	var s sorter
	for {
		j := int(x.next.Add(1)) - 1
		if j >= len(x.cols) {
			break
		}
		if t.Attribute(j).Kind == dataset.Numeric {
			x.cols[j] = s.rank(t.Numbers(j))
		}
		x.ranked.Done()
	}
	x.ranked.Wait()
}

// Column returns the ranks of column j. They are empty if the column is
// nominal.
func (x *Index) Column(j int) Ranks { return x.cols[j] }
