package report

import (
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reportOf returns a report with a row for each data set and learner.
func reportOf(data, learners []string) *Report {
	t := Table{Metric: "accuracy"}
	for _, d := range data {
		for _, l := range learners {
			cell := Cell{Data: d, Learner: l, Verdict: &verdict.Facts{
				Outcome:   "inconclusive",
				Identical: l == "same",
			}}
			t.Rows = append(t.Rows, Row{Label: d + "/" + l, Cells: []Cell{{Data: d, Learner: l}, cell}})
		}
	}
	return &Report{Columns: make([]Column, 2), Tables: []Table{{Metric: "other"}, t}}
}

func TestMatrixOf(t *testing.T) {
	t.Parallel()
	var data []string
	for i := range 16 {
		data = append(data, fmt.Sprint(i))
	}
	m := MatrixOf(reportOf(data, []string{"a", "same", "b"}), 1)
	require.NotNil(t, m)
	assert.Equal(t, data, m.Rows)
	assert.Equal(t, []string{"a", "b"}, m.Columns, "without the learner that never differs")
	for i, row := range m.Cells {
		require.Len(t, row, 2)
		for j, c := range row {
			assert.Equal(t, [2]string{data[i], m.Columns[j]}, [2]string{c.Cell.Data, c.Cell.Learner})
			assert.Equal(t, At{Table: 1, Row: 3*i + 2*j, Column: 1}, c.At)
		}
	}
	assert.Nil(t, MatrixOf(reportOf(data[:15], []string{"a", "b"}), 1), "30 comparisons are few")
	assert.NotNil(t, MatrixOf(reportOf(data, []string{"a", "b"}), 1))
	assert.Nil(t, MatrixOf(reportOf(append(data, data...), []string{"a"}), 1),
		"packages with the same names have no matrix")
	assert.NotNil(t, MatrixOf(reportOf([]string{"d", "e", "f"}, data), 1))
	assert.Nil(t, MatrixOf(reportOf([]string{"d", "e", "d"}, data), 1))
}
