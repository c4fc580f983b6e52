package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// changedItems lists the items of each comparison whose scores have changed, the greatest loss
// first.
func changedItems(r *report.Report) []string {
	var lines []string
	found := false
	for c := range r.All() {
		if !c.Judged() || c.Items == nil {
			continue
		}
		found = true
		name := c.Table.Metric + " of " + c.Row.Label
		if len(r.Columns) > 2 {
			name += ", " + r.Columns[c.At.Column].Label
		}
		changed := c.Items.Better + c.Items.Worse
		if changed == 0 {
			lines = append(lines, "", fmt.Sprintf("%s: the same scores on all %d items", name,
				c.Items.Items))
			continue
		}
		head := fmt.Sprintf("%s: %d items better, %d worse, of %d", name, c.Items.Better, c.Items.Worse,
			c.Items.Items)
		if shown := len(c.Items.Flips); shown < changed {
			head += fmt.Sprintf("; the %d that changed most", shown)
		}
		lines = append(lines, "", head)
		right := texttab.Column{Align: texttab.Right, TitleAlign: texttab.Right}
		column := func(title string, like texttab.Column) texttab.Group {
			like.Title = title
			return texttab.Group{Columns: []texttab.Column{like}}
		}
		u := c.Table.Measure()
		table := texttab.New(column("item", texttab.Column{}), column("cluster", texttab.Column{}),
			column("old", right), column("new", right), column("change", right))
		for _, f := range c.Items.Flips {
			gain := float64(u.Better) * float64(f.Gain)
			table.Row(unit.Printable(f.ID), unit.Printable(f.Cluster), f.Old, f.New,
				u.FormatDifference(gain))
		}
		lines = append(lines, strings.Split(strings.TrimRight(table.String(), "\n"), "\n")...)
	}
	if !found {
		return []string{"", "-items: no row is of items"}
	}
	return lines
}
