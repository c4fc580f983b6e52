package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// manyRows is the number of rows of a table from which on few training rows are sorted by
// themselves.
const manyRows = 1 << 14

// A sample is the known values of one numeric attribute, in the order of
// summation, with the classes and weights of their rows. weights is empty if
// all are 1.
type sample struct {
	values  []float64
	class   []int32
	weights []float64
}

// A sampler takes the sample of one numeric attribute after the other from the training rows.
type sampler struct {
	sample
	rows   []int32   // training rows
	labels []int32   // the class of each
	tags   []int32   // for each row of the table its class, or -1 if it is not trained on
	seen   []uint8   // 1 for each value of one numeric attribute that occurs
	sorted []int32   // rows in the order of one numeric attribute
	starts []int32   // where each value begins in sorted
	few    []float64 // numbers of the training rows, if they are few
	sorter trainset.Sorter
	order  []int32  // rows in Weka's order
	keys   []uint64 // scratch of sortAsWeka
}

// begin takes the training rows and their classes.
func (s *sampler) begin(rows, labels []int32) {
	s.rows, s.labels = rows, labels
}

// distinct sets the values of the sample to the distinct ones of the rows,
// ascending.
func (s *sampler) distinct(c trainset.Ranks) {
	s.seen = scratch.Resize(s.seen, len(c.Values)+1)
	clear(s.seen)
	for _, r := range s.rows {
		s.seen[c.Codes[r]] = 1
	}
	values := scratch.Resize(s.values, len(c.Values))
	k := 0
	for v, x := range c.Values {
		values[k] = x
		k += int(s.seen[v])
	}
	s.values = values[:k]
}

// mark sets s.tags, or makes it empty if the training rows cannot be
// picked from the sorted table, because some occur twice or are weighted, or
// if that would be slow, because they are few.
func (s *sampler) mark(t *dataset.Table) {
	s.tags = s.tags[:0]
	if t.Weights() != nil || 2*len(s.rows) < t.Len() {
		return
	}
	s.tags = scratch.Resize(s.tags, t.Len())
	for i := range s.tags {
		s.tags[i] = -1
	}
	for i, r := range s.rows {
		if s.tags[r] >= 0 {
			s.tags = s.tags[:0]
			return
		}
		s.tags[r] = s.labels[i]
	}
}

// pick sets the sample to the known values of a column, ascending, from the
// sorted rows of the table, those with a missing value last.
func (s *sampler) pick(order []int32, numbers []float64) {
	s.values, s.class, s.weights = scratch.Resize(s.values, len(s.rows)+1),
		scratch.Resize(s.class, len(s.rows)+1), s.weights[:0]
	values, class, tags := s.values, s.class, s.tags
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

// sort sets s.sorted to the rows in ascending order of their values, those
// with a missing value last, equal ones in the order of the training rows.
func (s *sampler) sort(c trainset.Ranks) {
	s.starts = scratch.Resize(s.starts, len(c.Values)+2)
	clear(s.starts)
	for _, r := range s.rows {
		s.starts[c.Codes[r]+1]++
	}
	sum := int32(0)
	for i, n := range s.starts {
		sum += n
		s.starts[i] = sum
	}
	s.sorted = scratch.Resize(s.sorted, len(s.rows))
	for _, r := range s.rows {
		code := c.Codes[r]
		s.sorted[s.starts[code]] = r
		s.starts[code]++
	}
}

// isFew reports whether the training rows are so few of a large table that they are sorted by
// themselves: to pick them from the ranks of all rows takes more memory, and hardly less time.
func (s *sampler) isFew(t *dataset.Table) bool {
	return t.Len() >= manyRows && 4*len(s.rows) < t.Len()
}

// sortFew sets s.sorted as sort does, without ranks.
func (s *sampler) sortFew(numbers []float64) {
	s.few = scratch.Resize(s.few, len(s.rows))
	for i, r := range s.rows {
		s.few[i] = numbers[r]
	}
	s.sorted = s.sorter.Order(scratch.Resize(s.sorted, len(s.rows)), s.few)
	for i, at := range s.sorted {
		s.sorted[i] = s.rows[at]
	}
}

// take sets the sample to the known values of a column in the given rows.
func (s *sampler) take(t *dataset.Table, column int, rows []int32) {
	n := len(rows)
	s.values, s.class, s.weights = scratch.Resize(s.values, n), scratch.Resize(s.class, n),
		s.weights[:0]
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

// sortAsWeka sets s.order to the rows in the order in which Weka has them when
// it takes sums: it sorts them by each numeric attribute in turn, missing values
// last, and its sort is not stable.
func (s *sampler) sortAsWeka(t *dataset.Table, index *trainset.Index) {
	s.keys, s.order = scratch.Resize(s.keys, len(s.rows)), scratch.Resize(s.order, len(s.rows))
	for i, r := range s.rows {
		s.keys[i] = uint64(r)
	}
	for j := range t.NumAttributes() {
		if t.Attribute(j).Kind != dataset.Numeric {
			continue
		}
		codes := index.Column(j).Codes
		for i, key := range s.keys {
			r := uint32(key)
			s.keys[i] = uint64(codes[r])<<32 | uint64(r)
		}
		weka.Sort(s.keys)
	}
	for i, key := range s.keys {
		s.order[i] = int32(uint32(key))
	}
}
