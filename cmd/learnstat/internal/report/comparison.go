package report

import (
	"iter"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Comparison is a cell that was compared with the first one of its row.
type Comparison struct {
	At    At
	Table *Table
	Row   *Row
	Base  *Cell
	Cell  *Cell
	*verdict.Facts
}

// All returns all comparisons, including comparisons that could not be judged.
func (r *Report) All() iter.Seq[Comparison] {
	return func(yield func(Comparison) bool) {
		for i := range r.Tables {
			for c := range r.Tables[i].All() {
				if c.At.Table = i; !yield(c) {
					return
				}
			}
		}
	}
}

// All returns the comparisons of a table, which does not know its own index.
func (t *Table) All() iter.Seq[Comparison] {
	return func(yield func(Comparison) bool) {
		for i := range t.Rows {
			row := &t.Rows[i]
			for j := range row.Cells {
				cell := &row.Cells[j]
				if cell.Verdict != nil && !yield(Comparison{
					At{0, i, j},
					t, row, &row.Cells[0], cell,
					cell.Verdict,
				}) {
					return
				}
			}
		}
	}
}

// Comparison returns the one that is there. It has no verdict if the cell was not compared.
func (r *Report) Comparison(at At) Comparison {
	t := &r.Tables[at.Table]
	row := &t.Rows[at.Row]
	cell := &row.Cells[at.Column]
	return Comparison{at, t, row, &row.Cells[0], cell, cell.Verdict}
}

// Judged reports whether there is a verdict that is not invalid.
func (c *Cell) Judged() bool {
	return c.Verdict != nil && c.Verdict.Outcome != verdict.Invalid.String()
}

// Judged reports whether there is a verdict that is not invalid.
func (c *Comparison) Judged() bool { return c.Cell.Judged() }

// Judged returns the number of comparisons with a verdict.
func (r *Report) Judged() int {
	n := 0
	for t := range r.Tables {
		n += r.Tables[t].Judged()
	}
	return n
}

// Judged returns the number of comparisons with a verdict.
func (t *Table) Judged() int {
	n := 0
	for c := range t.All() {
		if c.Judged() {
			n++
		}
	}
	return n
}

// Comparisons returns the number of comparisons, including comparisons that could not be judged.
func (r *Report) Comparisons() int {
	n := 0
	for range r.All() {
		n++
	}
	return n
}

// Empty reports whether there is nothing to show.
func (r *Report) Empty() bool {
	return r.Judged() == 0 && (r.History == nil || r.History.Segments() == 0)
}

// Many reports whether there are more comparisons than [ManyComparisons].
func (r *Report) Many() bool { return r.Comparisons() > ManyComparisons }

// ManyComparisons is up to how many comparisons tables for people say how replicable each is:
// of few runs, a prediction takes much longer than all else.
const ManyComparisons = 300

// Adjusts reports whether p is adjusted for several comparisons. Each row asks it: it looks no
// further than to the second comparison that was judged.
func (r *Report) Adjusts() bool {
	judged := 0
	for c := range r.All() {
		if c.Judged() {
			judged++
		}
		if judged > 1 {
			return r.Settings.Adjusts()
		}
	}
	return false
}
