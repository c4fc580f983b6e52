package report

import "slices"

// manyForList is from how many comparisons on a table has a matrix first.
const manyForList = 30

// A Matrix arranges the comparisons of a table: data sets by learners, or rows by columns.
type Matrix struct {
	Rows, Columns []string
	Cells         [][]*Comparison // of each row; nil where there is none
}

// MatrixOf returns the matrix of a table that has very many comparisons, without the columns in
// which no score differs; nil if it has few, or only one learner or one data set.
func MatrixOf(r *Report, table int) *Matrix {
	m, t := &Matrix{}, &r.Tables[table]
	rows, columns := make(map[string]int), make(map[string]int)
	at := func(index map[string]int, list *[]string, name string) int {
		i, ok := index[name]
		if !ok {
			i = len(*list)
			index[name] = i
			*list = append(*list, name)
		}
		return i
	}
	n := 0
	differs := make(map[int]bool)
	for c := range t.All() {
		if c.Row.Slice != nil {
			return nil // its rows are more than data sets by learners
		}
		c.At.Table = table
		row, column := c.Cell.Data, c.Cell.Learner
		if len(r.Columns) > 2 {
			row, column = c.Row.Label, r.Columns[c.At.Column].Label
		}
		i, j := at(rows, &m.Rows, row), at(columns, &m.Columns, column)
		for len(m.Cells) <= i {
			m.Cells = append(m.Cells, nil)
		}
		for len(m.Cells[i]) <= j {
			m.Cells[i] = append(m.Cells[i], nil)
		}
		if m.Cells[i][j] != nil {
			return nil // packages have learners of one name
		}
		m.Cells[i][j] = &c
		differs[j] = differs[j] || !c.Identical
		n++
	}
	if n <= manyForList || len(m.Rows) < 2 || len(m.Columns) < 2 {
		return nil
	}
	for i := range m.Cells {
		for len(m.Cells[i]) < len(m.Columns) {
			m.Cells[i] = append(m.Cells[i], nil)
		}
	}
	for j := len(m.Columns) - 1; j >= 0; j-- {
		if !differs[j] {
			m.Columns = slices.Delete(m.Columns, j, j+1)
			for i := range m.Cells {
				m.Cells[i] = slices.Delete(m.Cells[i], j, j+1)
			}
		}
	}
	return m
}
