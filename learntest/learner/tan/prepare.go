package tan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// An attribute is a column as the network sees it.
type attribute struct {
	col    int
	card   int32     // number of values
	mode   int32     // the value that replaces missing ones
	cuts   []float64 // upper ends of the intervals but the last, if numeric
	code   []int32   // value of each instance
	counts []int32   // of each value in each class, class after class
	set    int       // number of its first set, -1 if it has none
	base   float64   // score of the attribute with the class as only parent
	parent int32     // the second parent, -1 if there is none
}

// workspace is the memory of a training.
type workspace struct {
	table   *dataset.Table
	index   *trainset.Index
	inexact bool // sums of weights depend on their order, which is to be Weka's
	rows    []int32
	class   []int32
	classes int
	attrs   []attribute
	maxCard int32
	gamma   []float64 // ln Γ(k/2)

	chain  trainset.Chain
	finder entropy.CutFinder
	x      []float64 // known values of a column in ascending order
	y      []int32   // their classes
	wt     []float64 // their weights
	order  []int32
	keys   []uint64
	votes  []float64
	cells  []int32
	sets   bitSets
	delta  []float64 // gain of head h from tail t at h*len(attrs)+t
	best   []link
}

// localFactor is the number of times that a table must exceed the training
// set to make sorting the training set by itself cheaper than ranking the table.
const localFactor = 8

// load divides the numeric columns and replaces missing values.
func (w *workspace) load(t *dataset.Table, table *entropy.Table) {
	w.table = t
	w.classes = t.NumClasses()
	class := t.Codes(t.ClassIndex())
	w.class = w.class[:0]
	for _, r := range w.rows {
		w.class = append(w.class, class[r])
	}
	if w.index != nil {
		w.chain.Set(t.Len(), w.rows)
	}
	w.order = w.order[:0]
	for q := range w.rows {
		w.order = append(w.order, int32(q))
	}
	w.attrs = scratch.Resize(w.attrs, t.NumAttributes()-1)
	w.maxCard = 1
	k := len(w.attrs)
	for j := t.NumAttributes() - 1; j >= 0; j-- { // Weka's order, see sort
		if j == t.ClassIndex() {
			continue
		}
		k--
		a := &w.attrs[k]
		a.col = j
		a.code = scratch.Resize(a.code, len(w.rows))
		if t.Attribute(j).Kind == dataset.Numeric {
			w.divide(a, table)
		} else {
			a.cuts = a.cuts[:0]
			a.card = max(1, int32(len(t.Attribute(j).Values)))
			codes := t.Codes(j)
			for i, r := range w.rows {
				a.code[i] = codes[r]
			}
		}
		w.maxCard = max(w.maxCard, a.card)
		w.replaceMissing(a)
	}
}

// release lets go of what belongs to the table.
func (w *workspace) release() { w.table, w.index, w.gamma = nil, nil, nil }

// sort sets order to the positions of the instances in ascending order of a
// numeric column, those without a value last or left out. If weights are
// inexact, it is the order of Weka, which sorts by the last column first.
func (w *workspace) sort(a *attribute) {
	if w.inexact {
		x := w.index.Column(a.col)
		w.keys = w.keys[:0]
		for _, q := range w.order {
			w.keys = append(w.keys, uint64(x.Codes[w.rows[q]])<<32|uint64(q))
		}
		weka.Sort(w.keys)
		for i, k := range w.keys {
			w.order[i] = int32(uint32(k))
		}
		return
	}
	w.order = w.order[:0]
	if w.index != nil {
		x := w.index.Column(a.col)
		for _, r := range x.Order {
			for q := w.chain.Head[r]; q >= 0; q = w.chain.Next[q] {
				w.order = append(w.order, q)
			}
		}
		return
	}
	numbers := w.table.Numbers(a.col)
	for q, r := range w.rows {
		if x := numbers[r]; x == x {
			w.order = append(w.order, int32(q))
		}
	}
	slices.SortFunc(w.order, func(p, q int32) int {
		return cmp.Or(cmp.Compare(numbers[w.rows[p]], numbers[w.rows[q]]), cmp.Compare(p, q))
	})
}

// divide learns the intervals of a numeric column.
func (w *workspace) divide(a *attribute, table *entropy.Table) {
	w.sort(a)
	numbers := w.table.Numbers(a.col)
	w.x, w.y, w.wt = w.x[:0], w.y[:0], w.wt[:0]
	weights := w.table.Weights()
	for _, q := range w.order {
		r := w.rows[q]
		x := numbers[r]
		if x != x {
			break
		}
		w.x = append(w.x, x)
		w.y = append(w.y, w.class[q])
		if weights != nil {
			w.wt = append(w.wt, weights[r])
		}
	}
	v := entropy.Values{X: w.x, Class: w.y, Classes: w.classes}
	if weights != nil {
		v.Weight = w.wt
	}
	a.cuts = w.finder.Cuts(a.cuts[:0], v, table)
	a.card = int32(len(a.cuts)) + 1
	for q := range a.code {
		a.code[q] = -1
	}
	bin := int32(0)
	for i, x := range w.x {
		for int(bin) < len(a.cuts) && x > a.cuts[bin] {
			bin++
		}
		a.code[w.order[i]] = bin
	}
}

// bin returns the interval in which x lies, -1 if it is NaN.
func bin(cuts []float64, x float64) int32 {
	if math.IsNaN(x) {
		return -1
	}
	k, _ := slices.BinarySearch(cuts, x)
	return int32(k)
}

// replaceMissing finds the first value of the greatest weight and puts it in
// place of missing ones.
func (w *workspace) replaceMissing(a *attribute) {
	w.votes = scratch.Resize(w.votes, int(a.card))
	clear(w.votes)
	weights := w.table.Weights()
	missing := false
	for q, v := range a.code {
		switch {
		case v < 0:
			missing = true
		case weights == nil:
			w.votes[v]++
		default:
			w.votes[v] += weights[w.rows[q]]
		}
	}
	a.mode = 0
	for v, n := range w.votes {
		if n > w.votes[a.mode] {
			a.mode = int32(v)
		}
	}
	if !missing {
		return
	}
	for q, v := range a.code {
		if v < 0 {
			a.code[q] = a.mode
		}
	}
}

// maxCells is the greatest number of combinations of values that are counted.
const maxCells = 1 << 26

// checkSize returns an error if the values of the class and of two attributes
// have too many combinations.
func (w *workspace) checkSize() error {
	first, second := &attribute{}, &attribute{}
	for k := range w.attrs {
		switch a := &w.attrs[k]; {
		case a.card > first.card:
			first, second = a, first
		case a.card > second.card:
			second = a
		}
	}
	cells := float64(w.classes) * float64(first.card) * float64(max(second.card, 1))
	if cells > maxCells {
		return fmt.Errorf("%w on %q: tan: the class and the columns %d and %d have %.0f combinations of values, more than %d",
			learner.ErrTraining, w.table.Name(), first.col, second.col, cells, maxCells)
	}
	return nil
}
