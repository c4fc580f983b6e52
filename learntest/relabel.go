package learntest

import (
	"math"
	"reflect"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A relabelling gives examples other labels. Its functions are given the number of the example
// among those that are relabelled.
type relabelling struct {
	class func(i, c, k int) int // of k classes, c is the one that it has
	value func(i int, y float64) float64
}

// relabellings are some of the given examples that between them change what any learner learns,
// also one that goes by the most frequent class, or cuts numbers off.
func relabellings[X any, Y comparable](s *source[X, Y], rows []int) []relabelling {
	if !s.classification() {
		return []relabelling{
			{value: func(_ int, y float64) float64 { return otherValue(y) }},
			{value: func(_ int, y float64) float64 { return y - 1 - 1.5*math.Abs(y) }},
			{value: func(i int, _ float64) float64 { return s.values[rows[len(rows)-1-i]] }},
		}
	}
	const most = 5
	rs := []relabelling{{class: nextClass}}
	for to := range min(len(s.classes), most) {
		rs = append(rs, relabelling{class: func(i, c, _ int) int {
			if i%10 == 0 {
				return c
			}
			return to
		}})
	}
	return rs
}

func nextClass(_, c, k int) int { return (c + 1) % k }

func otherValue(y float64) float64 { return y + 1 + math.Abs(y)/2 }

// otherLabels gives each example a label that it does not have.
func otherLabels() relabelling {
	return relabelling{class: nextClass, value: func(_ int, y float64) float64 { return otherValue(y) }}
}

// relabel returns a data set in which the given examples have other labels. There is none of
// rows whose labels nobody knows but their table.
func relabel[X any, Y comparable](data Data[X, Y], s *source[X, Y], rows []int, r relabelling) (Data[X, Y], bool) {
	switch d := any(data).(type) {
	case *dataset.Table:
		t, ok := r.table(d, rows)
		if !ok {
			return nil, false
		}
		return any(t).(Data[X, Y]), true
	case dataset.Regression:
		t, ok := r.table(d.Table, rows)
		if !ok {
			return nil, false
		}
		return any(dataset.Regression{Table: t}).(Data[X, Y]), true
	}
	if s.tables != nil {
		return nil, false
	}
	labels := make(map[int]Y, len(rows))
	for i, row := range rows {
		if s.classification() {
			labels[row] = s.classes[r.class(i, s.truth[row], len(s.classes))]
		} else {
			y := reflect.New(reflect.TypeFor[Y]()).Elem()
			y.SetFloat(r.value(i, s.values[row]))
			labels[row] = y.Interface().(Y)
		}
	}
	return relabelled[X, Y]{data, labels}, true
}

// relabelled is a data set with other labels of some examples.
type relabelled[X any, Y comparable] struct {
	Data[X, Y]
	labels map[int]Y
}

func (r relabelled[X, Y]) Label(i int) Y {
	if y, ok := r.labels[i]; ok {
		return y
	}
	return r.Data.Label(i)
}

// table returns a copy of a table in which the given rows have other targets.
func (r relabelling) table(t *dataset.Table, rows []int) (*dataset.Table, bool) {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
	}
	target := &cols[t.ClassIndex()]
	target.Codes, target.Numbers = slices.Clone(target.Codes), slices.Clone(target.Numbers)
	for i, row := range rows {
		if n := t.NumClasses(); n > 0 {
			target.Codes[row] = int32(r.class(i, int(target.Codes[row]), n))
		} else {
			target.Numbers[row] = r.value(i, target.Numbers[row])
		}
	}
	changed, err := dataset.New(t.Name(), cols, t.ClassIndex(), t.Weights())
	return changed, err == nil
}
