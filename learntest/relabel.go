package learntest

import (
	"math"
	"reflect"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// relabel returns a data set in which the given examples have other labels. There is none of
// rows whose labels nobody knows but their table.
func relabel[X any, Y comparable](data Data[X, Y], s *source[X, Y], rows []int) (Data[X, Y], bool) {
	switch d := any(data).(type) {
	case *dataset.Table:
		t, ok := relabelTable(d, rows)
		if !ok {
			return nil, false
		}
		return any(t).(Data[X, Y]), true
	case dataset.Regression:
		t, ok := relabelTable(d.Table, rows)
		if !ok {
			return nil, false
		}
		return any(dataset.Regression{Table: t}).(Data[X, Y]), true
	}
	if s.tables != nil {
		return nil, false
	}
	labels := make(map[int]Y, len(rows))
	for _, row := range rows {
		if s.classification() {
			labels[row] = s.classes[(s.truth[row]+1)%len(s.classes)]
		} else {
			y := reflect.New(reflect.TypeFor[Y]()).Elem()
			y.SetFloat(otherValue(s.values[row]))
			labels[row] = y.Interface().(Y)
		}
	}
	return relabelled[X, Y]{data, labels}, true
}

func otherValue(y float64) float64 { return y + 1 + math.Abs(y)/2 }

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

// relabelTable returns a copy of a table in which the given rows have other targets.
func relabelTable(t *dataset.Table, rows []int) (*dataset.Table, bool) {
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
	}
	target := &cols[t.ClassIndex()]
	target.Codes, target.Numbers = slices.Clone(target.Codes), slices.Clone(target.Numbers)
	for _, row := range rows {
		if n := t.NumClasses(); n > 0 {
			target.Codes[row] = (target.Codes[row] + 1) % int32(n)
		} else {
			target.Numbers[row] = otherValue(target.Numbers[row])
		}
	}
	changed, err := dataset.New(t.Name(), cols, t.ClassIndex(), t.Weights())
	return changed, err == nil
}
