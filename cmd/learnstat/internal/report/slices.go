package report

import (
	"fmt"
	"iter"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// Unjudged stands in the place of the verdict on a slice that is too small to be judged. Items of
// too few clusters may be many.
func (s *Slice) Unjudged() string {
	if s.Members >= verdict.LeastMembers {
		return fmt.Sprintf("in too few clusters (%d)", verdict.LeastClusters)
	}
	return fmt.Sprintf("too small (%d)", verdict.LeastMembers)
}

// Slices returns the number of comparisons on slices.
func (r *Report) Slices() int {
	n := 0
	for c := range r.All() {
		if c.Row.Slice != nil {
			n++
		}
	}
	return n
}

// Shown returns all comparisons, and the cells of slices that are too small to be judged.
func (r *Report) Shown() iter.Seq[Comparison] {
	return func(yield func(Comparison) bool) {
		for i := range r.Tables {
			t := &r.Tables[i]
			for j := range t.Rows {
				row := &t.Rows[j]
				for k := range row.Cells {
					c := Comparison{At{i, j, k}, t, row, &row.Cells[0], &row.Cells[k], row.Cells[k].Verdict}
					if c.Facts == nil && k > 0 && row.Slice != nil && row.Slice.TooSmall && !c.Cell.Mean.IsNaN() {
						c.Facts = verdict.Fail(verdict.Claim{}, verdict.ErrTooSmall).Facts()
						c.Facts.Outcome = "too small"
					}
					if c.Facts != nil && !yield(c) {
						return
					}
				}
			}
		}
	}
}

// smallSlices counts the rows of slices that are too small to be judged.
func (r clauses) smallSlices() string {
	var reasons []string
	number := make(map[string]int)
	for i := range r.Tables {
		for _, row := range r.Tables[i].Rows {
			if row.Slice == nil || !row.Slice.TooSmall {
				continue
			}
			reason := row.Slice.Unjudged()
			if number[reason]++; number[reason] == 1 {
				reasons = append(reasons, reason)
			}
		}
	}
	text := ""
	for _, reason := range reasons {
		text += fmt.Sprintf("; %s %s, not judged", count(number[reason], "slice"), reason)
	}
	return text
}

// SmallSlices returns a line on each slice of the table that is too small to be judged.
func (t *Table) SmallSlices() []string {
	var lines []string
	for i := range t.Rows {
		row := &t.Rows[i]
		if row.Slice == nil || !row.Slice.TooSmall {
			continue
		}
		text := fmt.Sprintf("%s, n=%d: %s", row.Label, row.Slice.Members, row.Slice.Unjudged())
		for j := range row.Cells {
			if x := row.Cells[j].Mean; !x.IsNaN() {
				text += map[bool]string{true: ", ", false: " → "}[j == 0] + t.Measure().FormatScore(float64(x))
			}
		}
		lines = append(lines, text)
	}
	return lines
}
