package naivebayes

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

const (
	// defaultPrecision is that of an attribute with fewer than two distinct
	// values.
	defaultPrecision = 0.01

	// minLikelihood is the least factor that an attribute contributes.
	minLikelihood = 1e-75
)

// A sample is the known values of one numeric attribute, in the order of
// summation, with the classes and weights of their rows. weights is empty if
// all are 1.
type sample struct {
	values  []float64
	class   []int32
	weights []float64
}

// trainNumeric sets the parameters of all numeric attributes.
func (w *workspace) trainNumeric(t *dataset.Table, index *trainset.Index, cfg Config) {
	first, inOrder := true, cfg.WekaOrder && !cfg.Kernel
	w.slots, w.known = w.slots[:0], w.known[:0]
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Meta.Kind != dataset.Numeric {
			continue
		}
		if first {
			first = false
			w.sums = scratch.Resize(w.sums, w.classes)
			if inOrder {
				w.wekaOrder(index)
			} else {
				w.markRows(t)
			}
		}
		switch c := index.Column(a.Index); {
		case inOrder:
			w.distinct(c)
		case len(w.tags) > 0:
			w.pick(c.Order, t.Numbers(a.Index))
		default:
			w.sortRows(c)
			w.take(t, a.Index, w.sorted)
		}
		values := w.sample.values
		a.precision = precision(values)
		if cfg.Kernel {
			w.fitKernels(a)
			continue
		}
		if len(values) > 0 {
			w.remember(a, values[0], values[len(values)-1])
		}
		if inOrder {
			w.take(t, a.Index, w.order)
		}
		w.fitNormal(a, !inOrder)
	}
}

// distinct sets the values of w.sample to the distinct ones of the rows,
// ascending.
func (w *workspace) distinct(c trainset.Ranks) {
	w.seen = scratch.Resize(w.seen, len(c.Values)+1)
	clear(w.seen)
	for _, r := range w.rows {
		w.seen[c.Codes[r]] = 1
	}
	values := scratch.Resize(w.sample.values, len(c.Values))
	k := 0
	for v, x := range c.Values {
		values[k] = x
		k += int(w.seen[v])
	}
	w.sample.values = values[:k]
}

// markRows sets w.tags, or makes it empty if the training rows cannot be
// picked from the sorted table, because some occur twice or are weighted, or
// if that would be slow, because they are few.
func (w *workspace) markRows(t *dataset.Table) {
	w.tags = w.tags[:0]
	if t.Weights() != nil || 2*len(w.rows) < t.Len() {
		return
	}
	w.tags = scratch.Resize(w.tags, t.Len())
	for i := range w.tags {
		w.tags[i] = -1
	}
	for i, r := range w.rows {
		if w.tags[r] >= 0 {
			w.tags = w.tags[:0]
			return
		}
		w.tags[r] = w.class[i]
	}
}

// pick sets w.sample to the known values of a column, ascending, from the
// sorted rows of the table, those with a missing value last.
func (w *workspace) pick(order []int32, numbers []float64) {
	s := &w.sample
	s.values, s.class, s.weights = scratch.Resize(s.values, len(w.rows)+1), scratch.Resize(s.class, len(w.rows)+1), s.weights[:0]
	values, class, tags := s.values, s.class, w.tags
	k := 0
	for _, r := range order {
		x := numbers[r]
		if x != x {
			break
		}
		values[k], class[k] = x, tags[r]
		k += int(^uint32(tags[r]) >> 31) // 1 if it is trained on, without a branch
	}
	s.values, s.class = values[:k], class[:k]
}

// sortRows sets w.sorted to the rows in ascending order of their values, those
// with a missing value last, equal ones in the order of w.rows.
func (w *workspace) sortRows(c trainset.Ranks) {
	w.starts = scratch.Resize(w.starts, len(c.Values)+2)
	clear(w.starts)
	for _, r := range w.rows {
		w.starts[c.Codes[r]+1]++
	}
	sum := int32(0)
	for i, n := range w.starts {
		sum += n
		w.starts[i] = sum
	}
	w.sorted = scratch.Resize(w.sorted, len(w.rows))
	for _, r := range w.rows {
		code := c.Codes[r]
		w.sorted[w.starts[code]] = r
		w.starts[code]++
	}
}

// take sets w.sample to the known values of a column in the given rows.
func (w *workspace) take(t *dataset.Table, column int, rows []int32) {
	s := &w.sample
	n := len(rows)
	s.values, s.class, s.weights = scratch.Resize(s.values, n), scratch.Resize(s.class, n), s.weights[:0]
	numbers, weights, class := t.Numbers(column), t.Weights(), t.Codes(t.ClassIndex())
	k := 0
	for _, r := range rows {
		x := numbers[r]
		if x != x {
			continue
		}
		s.values[k], s.class[k] = x, class[r]
		if weights != nil {
			s.weights = append(s.weights, weights[r])
		}
		k++
	}
	s.values, s.class = s.values[:k], s.class[:k]
}

// precision returns the mean of the positive distances of neighbours in
// ascending values.
func precision(values []float64) float64 {
	if len(values) == 0 {
		return defaultPrecision
	}
	sum, distinct, last := 0.0, 0, values[0]
	for _, x := range values {
		sum += x - last
		if x != last {
			distinct++
		}
		last = x
	}
	if distinct == 0 {
		return defaultPrecision
	}
	return sum / float64(distinct)
}

// round returns the multiple of the precision that is nearest to x.
func round(x, precision float64) float64 {
	return float64(math.RoundToEven(x/precision) * precision)
}
