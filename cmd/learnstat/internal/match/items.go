package match

import (
	"errors"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// errNoItems says that nothing could be left out.
var errNoItems = errors.New("-common: the compared results are of examples, and not of items, which it is about: leave it out")

// haveItems reports whether any of the compared results are of items.
func haveItems(tables []*Table) bool {
	for _, t := range tables {
		for _, r := range t.Rows {
			if slices.ContainsFunc(r.Cells, (*Cell).hasItems) {
				return true
			}
		}
	}
	return false
}

// hasItems reports whether the results are of items.
func (c *Cell) hasItems() bool {
	return c != nil && slices.ContainsFunc(c.File.Blocks(), func(b *record.Block) bool {
		return b.Header.HasItems() && b.Header.Data == c.Data && slices.Contains(b.Learners, c.Learner)
	})
}
