package naivebayes

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
)

const (
	// defaultPrecision is that of an attribute with fewer than two distinct values.
	defaultPrecision = 0.01

	// minLikelihood is the least factor that an attribute contributes.
	minLikelihood = 1e-75

	// minDeviation is the greatest standard deviation that is taken for none.
	minDeviation = 1e-10
)

// moments are sums over the values of one class.
type moments struct{ n, sum, squares float64 }

// trainNumeric sets the parameters of all numeric attributes.
func (w *workspace) trainNumeric(t *dataset.Table, weights []float64, wekaOrder bool) {
	w.sums = resize(w.sums, w.classes)
	first := true
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.meta.Kind != dataset.Numeric {
			continue
		}
		if first {
			w.markRows(t)
			if wekaOrder {
				w.order = w.sorter.order(w.order, t, w.rows)
			}
			first = false
		}
		w.takeSorted(t, a.column, weights)
		a.precision = precision(w.sample.values)
		if wekaOrder {
			w.takeOrdered(t.Numbers(a.column), weights)
		}
		w.fitNormal(a)
		a.memo.reset(a.precision, w.classes)
	}
}

// sparse reports whether the training rows are so few that sorting them costs
// less than looking for them in the sorted table.
func (w *workspace) sparse(t *dataset.Table) bool { return 8*len(w.rows) < t.Len() }

// markRows sets w.tags, and w.times if a row occurs more than once.
func (w *workspace) markRows(t *dataset.Table) {
	w.times = w.times[:0]
	if w.sparse(t) {
		return
	}
	w.tags = resize(w.tags, t.Len())
	for i := range w.tags {
		w.tags[i] = -1
	}
	repeated := false
	for i, r := range w.rows {
		repeated = repeated || w.tags[r] >= 0
		w.tags[r] = w.class[i]
	}
	if repeated {
		w.times = resize(w.times, t.Len())
		clear(w.times)
		for _, r := range w.rows {
			w.times[r]++
		}
	}
}

// takeSorted sets w.sample to the known values of a column, ascending.
func (w *workspace) takeSorted(t *dataset.Table, column int, weights []float64) {
	s := &w.sample
	s.values, s.class = resize(s.values, len(w.rows)+1), resize(s.class, len(w.rows)+1)
	s.weights = s.weights[:0]
	k := 0
	switch {
	case w.sparse(t):
		w.subset = w.sorted.Subset(t, column, w.rows, w.subset)
		codes := t.Codes(t.ClassIndex())
		for i, r := range w.subset.Rows {
			s.values[i], s.class[i] = w.subset.Values[i], codes[r]
		}
		k = len(w.subset.Rows)
		s.takeWeights(w.subset.Rows, weights)
	case len(w.times) == 0 && weights == nil:
		col := w.sorted.Column(t, column)
		values := col.Values[:len(col.Rows)]
		for i, r := range col.Rows {
			tag := w.tags[r]
			s.values[k], s.class[k] = values[i], tag
			k += int(^uint32(tag) >> 31) // keeps it if tag >= 0
		}
	default:
		col := w.sorted.Column(t, column)
		for i, r := range col.Rows {
			times := int(^uint32(w.tags[r]) >> 31)
			if len(w.times) > 0 {
				times = int(w.times[r])
			}
			for range times {
				s.values[k], s.class[k] = col.Values[i], w.tags[r]
				if weights != nil {
					s.weights = append(s.weights, weights[r])
				}
				k++
			}
		}
	}
	s.values, s.class = s.values[:k], s.class[:k]
}

func (s *sample) takeWeights(rows []int32, weights []float64) {
	if weights == nil {
		return
	}
	for _, r := range rows {
		s.weights = append(s.weights, weights[r])
	}
}

// takeOrdered sets w.sample to the known values of a column in Weka's order.
func (w *workspace) takeOrdered(numbers, weights []float64) {
	s := &w.sample
	s.values, s.class, s.weights = s.values[:0], s.class[:0], s.weights[:0]
	for _, i := range w.order {
		r := w.rows[i]
		if x := numbers[r]; x == x {
			s.values = append(s.values, x)
			s.class = append(s.class, w.class[i])
			if weights != nil {
				s.weights = append(s.weights, weights[r])
			}
		}
	}
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
	return math.RoundToEven(x/precision) * precision
}

// fitNormal sets the parameters of a from w.sample.
func (w *workspace) fitNormal(a *attribute) {
	s := &w.sample
	clear(w.sums)
	if len(s.weights) == 0 {
		for i, x := range s.values {
			x = round(x, a.precision)
			m := &w.sums[s.class[i]]
			m.n++
			m.sum += x
			m.squares += float64(x * x)
		}
	} else {
		for i, x := range s.values {
			w.sums[s.class[i]].add(round(x, a.precision), s.weights[i])
		}
	}
	for c, m := range w.sums {
		a.mean[c], a.sd[c] = 0, a.precision/6
		if m.n == 0 {
			continue
		}
		a.mean[c] = m.sum / m.n
		if sd := m.deviation(); sd > minDeviation {
			a.sd[c] = max(a.precision/6, sd)
		} else if m.squares > 0 {
			a.sd[c] = s.lastDeviation(int32(c), a.precision)
		}
	}
}

func (m *moments) add(x, weight float64) {
	m.n += weight
	m.sum += float64(x * weight)
	m.squares += float64(float64(x*x) * weight)
}

// deviation returns the population standard deviation.
func (m *moments) deviation() float64 {
	mean := m.sum / m.n
	return math.Sqrt(math.Abs(m.squares-float64(mean*m.sum)) / m.n)
}

// lastDeviation returns the last of the standard deviations of the growing
// sample of a class that was not taken for none, as an estimator has it that
// is updated value by value and keeps the previous one when the new one is
// too small.
func (s *sample) lastDeviation(class int32, precision float64) float64 {
	var m moments
	last := precision / 6
	for i, x := range s.values {
		if s.class[i] != class {
			continue
		}
		weight := 1.0
		if len(s.weights) > 0 {
			weight = s.weights[i]
		}
		m.add(round(x, precision), weight)
		if sd := m.deviation(); sd > minDeviation {
			last = max(precision/6, sd)
		}
	}
	return last
}
