package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/htmlreport"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// pageHistories is how many pictures of histories a table has on a page.
const pageHistories = 20

// A historySection is the part of a page on the histories in one metric.
type historySection struct {
	*Source
	table *report.HistoryTable
	notes map[string]int // footnotes by text, from 1 on
	page  htmlreport.Section
}

// historySections returns the parts of a page on a history.
func historySections(s *Source) []htmlreport.Section {
	var all []htmlreport.Section
	for i := range s.Report.History.Tables {
		x := &historySection{Source: s, table: &s.Report.History.Tables[i], notes: make(map[string]int)}
		x.fill()
		all = append(all, x.page)
	}
	return all
}

func (x *historySection) fill() {
	t, p := x.table, &x.page
	p.Title = unit.Printable(t.Metric)
	for _, k := range t.Keys {
		p.Title += unit.Printable(", " + k.Key + ": " + k.Value)
	}
	if t.Measure().Better == unit.Lower {
		p.Title += ", lower is better"
	}
	p.Summary = x.summary()
	p.Matrix = &htmlreport.Matrix{About: "The segments of each row: consecutive files with equal scores.", Columns: x.columns()}
	for i := range t.Tracks {
		track := &t.Tracks[i]
		for _, l := range t.Lines(x.Report, track) {
			p.Matrix.Rows = append(p.Matrix.Rows, x.row(track, &l))
		}
	}
	x.pictures()
}

// summary counts the last files of all rows by what became of their scores since the reference.
func (x *historySection) summary() string {
	counts := make(map[string]int)
	for i := range x.table.Tracks {
		counts[x.last(i)]++
	}
	var items []string
	for _, o := range worstFirst {
		if n := counts[o]; n > 0 {
			items = append(items, fmt.Sprintf("%d %s", n, o))
		}
	}
	if n := counts[""]; n > 0 {
		items = append(items, fmt.Sprintf("%d unchanged", n))
	}
	return unit.Printable(fmt.Sprintf("The last files against %s: %s",
		report.HistoryReference(x.Report), strings.Join(items, ", ")))
}

// worstFirst are outcomes in the order in which they matter.
var worstFirst = []string{
	verdict.Regressed.String(), verdict.Invalid.String(), verdict.Inconclusive.String(),
	verdict.Improved.String(), verdict.Same.String(),
}

// last returns the outcome of the last segment of a row against the reference; "" if there is but
// one.
func (x *historySection) last(track int) string {
	segments := x.table.Tracks[track].Segments
	if len(segments) == 0 {
		return ""
	}
	s := &segments[len(segments)-1]
	switch {
	case s.Reference != nil:
		return s.Reference.Outcome
	case s.Previous != nil:
		return s.Previous.Outcome // why it could not be read
	}
	return ""
}

func (x *historySection) columns() []string {
	columns := []string{"files"}
	if x.table.HasCommits() {
		columns = append(columns, "commits")
	}
	columns = append(columns, x.table.Metric)
	interval := fmt.Sprintf("%.4g%% interval", 100*x.Report.Settings.IntervalLevel())
	for _, from := range []string{"the segment before", report.HistoryReference(x.Report)} {
		columns = append(columns, "from "+from, interval, "p")
		if x.Report.Settings.Adjusts() {
			columns = append(columns, x.Report.Settings.Adjust)
		}
		columns = append(columns, "verdict")
	}
	return printable(columns)
}

func (x *historySection) row(track *report.Track, l *report.HistoryLine) htmlreport.MatrixRow {
	texts := []string{l.Files}
	if x.table.HasCommits() {
		texts = append(texts, l.Commits)
	}
	row := htmlreport.MatrixRow{Label: unit.Printable(track.Label)}
	for _, text := range printable(append(texts, l.Mean)) {
		row.Cells = append(row.Cells, htmlreport.MatrixCell{Text: text})
	}
	row.Cells = append(row.Cells, x.change(l.Previous)...)
	row.Cells = append(row.Cells, x.change(l.Reference)...)
	return row
}

// change returns the cells on a difference.
func (x *historySection) change(c report.Change) []htmlreport.MatrixCell {
	n := 4
	if x.Report.Settings.Adjusts() {
		n++
	}
	cells := make([]htmlreport.MatrixCell, n)
	if c.Facts == nil {
		return cells
	}
	u := x.table.Measure()
	cells[0] = htmlreport.MatrixCell{
		Text:    strings.TrimSuffix(c.Difference, " points"),
		Outcome: c.Outcome,
	}
	verdict := c.Outcome
	notes := c.Notes
	if !c.Judged() {
		notes = append(slices.Clone(notes), c.Reason)
	} else {
		if !c.Lo.IsNaN() {
			cells[1].Text = strings.TrimSuffix(u.FormatInterval(float64(c.Lo), float64(c.Hi)), " points")
		}
		cells[2].Text = unit.FormatP(float64(c.P))
		if n == 5 {
			cells[3].Text = unit.FormatP(float64(c.AdjustedP))
		}
	}
	for _, note := range printable(notes) {
		if x.notes[note] == 0 {
			x.notes[note] = len(x.notes) + 1
			x.page.Notes = append(x.page.Notes, texttab.Mark(x.notes[note])+" "+note)
		}
		verdict += " " + texttab.Mark(x.notes[note])
	}
	cells[n-1].Text = verdict
	return cells
}

// pictures adds the pictures of the rows that matter most.
func (x *historySection) pictures() {
	order := make([]int, len(x.table.Tracks))
	for i := range order {
		order[i] = i
	}
	rank := func(track int) int {
		if at := slices.Index(worstFirst, x.last(track)); at >= 0 {
			return at
		}
		return len(worstFirst)
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	drawn := 0
	for _, i := range order {
		p := x.history(x.table, &x.table.Tracks[i])
		if p == nil {
			continue
		}
		if drawn++; drawn <= pageHistories {
			x.page.Pictures = append(x.page.Pictures, htmlreport.Picture{
				Wide:   p.SVG(plot.Wide),
				Narrow: p.SVG(plot.Narrow),
			})
		}
	}
	if drawn > pageHistories {
		x.page.Notes = append(x.page.Notes,
			fmt.Sprintf("%d rows of %d have a picture, the worst ones: -plot draws them all", pageHistories,
				drawn))
	}
}
