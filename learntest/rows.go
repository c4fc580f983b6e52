package learntest

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// rowsOf returns the table that the examples of a sample are rows of, and their
// indices there, which are not to be modified.
func rowsOf[Y comparable](train Sample[dataset.Row, Y]) (*dataset.Table, []int, error) {
	ts := train.src.tables
	if ts.alike != nil {
		return nil, nil, ts.alike
	}
	if ts.direct {
		return ts.all[0], train.rows, nil
	}
	t, rows := train.Example(0).Table, make([]int, train.Len())
	for i := range rows {
		r := train.Example(i)
		if r.Table != t {
			return nil, nil, fmt.Errorf("training examples %d and %d are rows of different tables: a learner on tables is trained on one", train.rows[0], train.rows[i])
		}
		rows[i] = r.Index
	}
	return t, rows, nil
}

// labelledRows returns the result of rowsOf, and an error unless the table's own labels are the
// labels to learn.
func labelledRows[Y comparable](train Sample[dataset.Row, Y]) (*dataset.Table, []int, error) {
	if err := train.src.tables.own; err != nil {
		return nil, nil, err
	}
	return rowsOf(train)
}
