package print

import (
	"math"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A historyView is the table of the histories in one metric.
type historyView struct {
	r       *report.Report
	t       *report.HistoryTable
	unit    unit.Unit
	commits bool // are known
	adjust  bool
}

func newHistoryView(r *report.Report, i int) *historyView {
	v := &historyView{r: r, t: &r.History.Tables[i], adjust: r.Settings.Adjusts()}
	v.unit, v.commits = v.t.Measure(), v.t.HasCommits()
	return v
}

// historyTable returns a table with a row for each segment.
func historyTable(r *report.Report, i int) sheet {
	v := newHistoryView(r, i)
	table := sheet{Title: v.t.Metric, Groups: v.groups()}
	for _, k := range v.t.Keys {
		table.Keys = append(table.Keys, k.Key+": "+k.Value)
		table.Title += ", " + k.Key + ": " + k.Value
	}
	for j := range v.t.Tracks {
		v.rows(&table, &v.t.Tracks[j])
	}
	table.number()
	return table
}

func (v *historyView) groups() []group {
	segment := []column{{Title: "means"}, {Title: "files"}}
	if v.commits {
		segment = append(segment, column{Title: "commits"})
	}
	segment = append(segment, rightColumn(v.t.Metric))
	interval := intervalColumn(v.r, v.unit)
	change := []column{rightColumn("difference"), interval, rightColumn("p")}
	if v.adjust {
		change = append(change, rightColumn(v.r.Settings.Adjust))
	}
	change = append(change, column{Title: "verdict"})
	return []group{
		{Columns: []column{{}}},
		{Title: "segment", Columns: segment},
		{Title: "from the segment before", Columns: change},
		{Title: "from " + report.HistoryReference(v.r), Columns: change},
	}
}

func (v *historyView) rows(table *sheet, t *report.Track) {
	for i, l := range v.t.Lines(v.r, t) {
		bars := ""
		if i == 0 {
			bars = sparkline(v.history(t))
		}
		cells := []cell{{Text: t.Label}, {Text: bars}, {Text: l.Files}}
		if v.commits {
			cells = append(cells, cell{Text: l.Commits})
		}
		cells = append(cells, cell{Text: l.Mean})
		cells = append(cells, v.change(l.Previous)...)
		cells = append(cells, v.change(l.Reference)...)
		table.Rows = append(table.Rows, line{Cells: cells, Bad: l.Mean == ""})
	}
}

// history returns the means without the mean of a pinned reference.
func (v *historyView) history(t *report.Track) []unit.Number {
	if v.r.History.Pinned {
		return t.Means[1:]
	}
	return t.Means
}

// change returns the cells on a difference.
func (v *historyView) change(c report.Change) []cell {
	n := 4
	if v.adjust {
		n++
	}
	cells := make([]cell, n)
	last := &cells[n-1]
	switch {
	case c.Facts == nil:
		return cells
	case !c.Judged():
		*last = cell{Text: c.Outcome, Mood: doubtful}
		return cells
	}
	cells[0] = cell{Text: c.Difference, Mood: moods[c.Outcome]}
	cells[1] = cell{Text: formatInterval(v.unit, c.Facts)}
	cells[2] = cell{Text: unit.FormatP(float64(c.P))}
	if v.adjust {
		cells[3] = cell{Text: unit.FormatP(float64(c.AdjustedP))}
	}
	*last = cell{Text: c.Outcome, Mood: moods[c.Outcome], notes: c.Notes}
	return cells
}

// sparkline draws numbers, neighbours as one if there are many.
func sparkline(xs []unit.Number) string {
	const most = 40
	bars := []rune("▁▂▃▄▅▆▇█")
	width := min(len(xs), most)
	var means []float64
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range width {
		sum, n := 0.0, 0
		for _, x := range xs[i*len(xs)/width : (i+1)*len(xs)/width] {
			if !x.IsNaN() {
				sum, n = sum+float64(x), n+1
			}
		}
		m := sum / float64(n)
		means = append(means, m)
		if n > 0 {
			lo, hi = min(lo, m), max(hi, m)
		}
	}
	var b strings.Builder
	for _, m := range means {
		switch {
		case math.IsNaN(m):
			b.WriteRune('·')
		case !(hi > lo):
			b.WriteRune(bars[len(bars)/2])
		default:
			b.WriteRune(bars[int(math.Round((m/2-lo/2)/(hi/2-lo/2)*float64(len(bars)-1)))])
		}
	}
	return b.String()
}
