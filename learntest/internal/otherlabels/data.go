package otherlabels

import (
	"reflect"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
)

// Relabel returns the data of a sample, which has all of them, with other labels of some examples.
// There are none of rows whose labels nobody knows but their table.
func Relabel[X any, Y comparable](all learntest.Sample[X, Y], rows []int,
	c Change,
) (learntest.Data[X, Y], bool) {
	var changed any
	var ok bool
	switch d := any(all.Data()).(type) {
	case *dataset.Table:
		changed, ok = c.Table(d, rows)
	case dataset.Regression:
		var t *dataset.Table
		t, ok = c.Table(d.Table, rows)
		changed = dataset.Regression{Table: t}
	default:
		if ok = !OfRows[X](); ok {
			changed = relabelled[X, Y]{all.Data(), labels(all, rows, c)}
		}
	}
	if !ok {
		return nil, false
	}
	return changed.(learntest.Data[X, Y]), true
}

// OfRows reports whether examples are rows of tables.
func OfRows[X any]() bool { return reflect.TypeFor[X]() == reflect.TypeFor[dataset.Row]() }

// labels returns the other labels of the examples in rows.
func labels[X any, Y comparable](all learntest.Sample[X, Y], rows []int, c Change) map[int]Y {
	others := make(map[int]Y, len(rows))
	for i, row := range rows {
		if classes := all.Classes(); classes != nil {
			others[row] = classes[c.Class(i, all.Class(row), len(classes))]
			continue
		}
		y := reflect.New(reflect.TypeFor[Y]()).Elem()
		y.SetFloat(c.Value(i, reflect.ValueOf(all.Label(row)).Float()))
		others[row] = y.Interface().(Y)
	}
	return others
}

// relabelled is a data set with other labels of some examples.
type relabelled[X any, Y comparable] struct {
	learntest.Data[X, Y]
	others map[int]Y
}

func (r relabelled[X, Y]) Label(i int) Y {
	if y, ok := r.others[i]; ok {
		return y
	}
	return r.Data.Label(i)
}
