package learntest

import (
	"reflect"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
)

// relabellings are changes of the labels of some examples that between them change what any learner
// learns.
func relabellings[X any, Y comparable](s *source[X, Y], rows []int) []otherlabels.Change {
	if s.classification() {
		return otherlabels.Classes(len(s.classes))
	}
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = s.values[row]
	}
	return otherlabels.Values(values)
}

// relabel returns a data set in which the given examples have other labels. There is none of
// rows whose labels nobody knows but their table.
func relabel[X any, Y comparable](data Data[X, Y], s *source[X, Y], rows []int, c otherlabels.Change) (Data[X, Y], bool) {
	switch d := any(data).(type) {
	case *dataset.Table:
		t, ok := c.Table(d, rows)
		if !ok {
			return nil, false
		}
		return any(t).(Data[X, Y]), true
	case dataset.Regression:
		t, ok := c.Table(d.Table, rows)
		if !ok {
			return nil, false
		}
		return any(dataset.Regression{Table: t}).(Data[X, Y]), true
	}
	if s.tables != nil {
		return nil, false
	}
	others := make(map[int]Y, len(rows))
	for i, row := range rows {
		if s.classification() {
			others[row] = s.classes[c.Class(i, s.truth[row], len(s.classes))]
		} else {
			y := reflect.New(reflect.TypeFor[Y]()).Elem()
			y.SetFloat(c.Value(i, s.values[row]))
			others[row] = y.Interface().(Y)
		}
	}
	return relabelled[X, Y]{data, others}, true
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
