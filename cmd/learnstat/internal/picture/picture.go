// Package picture shows a report in pictures and as a page: it takes the numbers from the report, and
// the scores of folds from the results that it was made of.
package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/layout"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Source is what is shown: a report and the layout that it was made of, table by table, row by row
// and cell by cell.
type Source struct {
	Layout *layout.Layout
	Report *report.Report

	gate map[[3]int]report.Offence // by table, row and column; what is waived only if all is
}

// New returns the source of pictures of a report on a layout.
func New(l *layout.Layout, r *report.Report) *Source {
	s := &Source{Layout: l, Report: r, gate: make(map[[3]int]report.Offence)}
	for _, o := range r.Gate.Offences {
		at := [3]int{o.Table, o.Row, o.Column}
		if have, ok := s.gate[at]; !ok || have.Waived != "" {
			s.gate[at] = o
		}
	}
	return s
}

// unit returns the metric of a table.
func unit(t *report.Table) record.Unit {
	if t.Unit == nil {
		return record.Unit{Name: t.Metric, Better: record.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
	}
	return t.Unit.Record()
}

// factor is what scores are shown in units of: percent, and points for their differences.
func factor(u record.Unit) float64 {
	if verdict.IsFraction(u) {
		return 100
	}
	return 1
}

// axes returns the titles of axes for differences and for scores.
func axes(u record.Unit) (differences, scores string) {
	name := verdict.Printable(u.Name)
	if verdict.IsFraction(u) {
		return name + ", points", name + ", %"
	}
	return name, name
}

// row returns what pictures of several rows show of a cell; false if it was not compared.
func (s *Source) row(t, r, c int) (plot.Row, bool) {
	table := &s.Report.Tables[t]
	row := &table.Rows[r]
	cell := &row.Cells[c]
	if cell.Verdict == nil {
		return plot.Row{}, false
	}
	v, by := cell.Verdict, report.Number(factor(unit(table)))
	shown := plot.Row{
		Label: verdict.Printable(row.Label), Outcome: v.Outcome,
		Difference: float64(by * v.Difference), Lo: float64(by * v.Lo), Hi: float64(by * v.Hi),
		Baseline: float64(by * row.Cells[0].Mean), Candidate: float64(by * cell.Mean), Note: s.why(t, r, c),
	}
	if v.Margin != nil {
		shown.Margin = float64(by * v.Margin.Value)
	}
	if b := v.Bayes; b != nil {
		shown.Posterior = &plot.Regions{Worse: float64(b.Worse), Rope: float64(b.Rope), Better: float64(b.Better)}
	}
	if !cell.Judged() {
		shown.Note = verdict.Printable(strings.Join(append([]string{v.Reason}, nonempty(shown.Note)...), "; "))
	}
	return shown, true
}

func nonempty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// why says why the gate fails on a comparison, or lets it pass; nothing if it says nothing about it.
func (s *Source) why(t, r, c int) string {
	o, ok := s.gate[[3]int{t, r, c}]
	switch {
	case !ok:
		return ""
	case o.Waived != "":
		return verdict.Printable("waived: " + o.Waived)
	}
	return verdict.Printable("the gate fails: " + o.Why)
}

// offends reports whether the gate fails on a comparison.
func (s *Source) offends(t, r, c int) bool {
	o, ok := s.gate[[3]int{t, r, c}]
	return ok && o.Waived == ""
}

// rows returns those of a column that were compared.
func (s *Source) rows(t, c int) []plot.Row {
	var all []plot.Row
	for r := range s.Report.Tables[t].Rows {
		if row, ok := s.row(t, r, c); ok {
			all = append(all, row)
		}
	}
	return all
}

// title says which column of a table is compared with which.
func (s *Source) title(t, c int) string {
	table := &s.Report.Tables[t]
	text := verdict.Printable(table.Metric)
	for _, k := range table.Keys {
		text += ", " + verdict.Printable(k.Key+": "+k.Value)
	}
	candidate, baseline := s.Report.Columns[c].Title, s.Report.Columns[0].Title
	if s.Report.Settings.Learners {
		return fmt.Sprintf("%s: learners against %s", text, verdict.Printable(baseline))
	}
	return fmt.Sprintf("%s: %s against %s", text, verdict.Printable(candidate), verdict.Printable(baseline))
}

// lines say how a table was compared: the numbers of runs and folds, the test, the level and the
// protocols.
func (s *Source) lines(t, c int) []string {
	var designs, tests []string
	level, compared := math.NaN(), 0
	for i := range s.Report.Tables[t].Rows {
		cell := &s.Report.Tables[t].Rows[i].Cells[c]
		if cell.Verdict == nil {
			continue
		}
		compared++
		if !cell.Judged() {
			continue
		}
		v := cell.Verdict
		designs, tests = adding(designs, fmt.Sprintf("%d×%d", v.Runs, v.Folds)), adding(tests, v.Test)
		level = float64(v.Level)
	}
	text := fmt.Sprintf("%d comparisons", compared)
	if compared == 1 {
		text = "1 comparison"
	}
	if len(designs) > 0 {
		text += fmt.Sprintf(", n = %s, %s, %.4g%% intervals", few(designs), few(tests), 100*level)
	}
	lines := []string{text}
	for _, l := range s.Report.Header {
		if l.Key == "protocol" && len(lines) < 4 {
			lines = append(lines, verdict.Printable(l.Key+": "+l.Value))
		}
	}
	return lines
}

// adding adds a text that is not there.
func adding(list []string, text string) []string {
	for _, x := range list {
		if x == text {
			return list
		}
	}
	return append(list, text)
}

// few returns the first texts of a list.
func few(list []string) string {
	if len(list) > 3 {
		return strings.Join(list[:3], ", ") + fmt.Sprintf(" and %d more", len(list)-3)
	}
	return strings.Join(list, ", ")
}

// forest returns the picture of rows from one on, as many as there is room for.
func (s *Source) forest(t, c int, rows []plot.Row) *plot.Picture {
	u := unit(&s.Report.Tables[t])
	axis, _ := axes(u)
	return (&plot.Forest{Title: s.title(t, c), Lines: s.lines(t, c), Axis: axis, LowerBetter: u.Better == record.Lower, Rows: rows}).Picture()
}

func (s *Source) scatter(t, c int) *plot.Picture {
	u := unit(&s.Report.Tables[t])
	_, axis := axes(u)
	return (&plot.Scatter{Title: s.title(t, c), Lines: s.lines(t, c), Axis: axis, LowerBetter: u.Better == record.Lower, Rows: s.rows(t, c)}).Picture()
}

// posterior returns the picture of posterior probabilities; nil if there are none.
func (s *Source) posterior(t, c int) *plot.Picture {
	x := &plot.Simplex{Title: s.title(t, c), Lines: s.lines(t, c), Rows: s.rows(t, c), Rope: s.rope(t, c)}
	for _, row := range x.Rows {
		if row.Posterior == nil {
			continue
		}
		for _, o := range s.Report.Tables[t].Over {
			of := ""
			if len(s.Report.Tables[t].Over) > 1 {
				of = " of " + verdict.Printable(o.Learner)
			}
			column := &o.Columns[c]
			for _, test := range []struct {
				name string
				p    *report.Regions
			}{{"sign test", column.BayesSign}, {"signed-rank test", column.BayesSignedRank}} {
				if test.p != nil {
					x.Over = append(x.Over, plot.Overall{
						Label:     test.name + of,
						Posterior: plot.Regions{Worse: float64(test.p.Worse), Rope: float64(test.p.Rope), Better: float64(test.p.Better)},
					})
				}
			}
		}
		return x.Picture()
	}
	return nil
}

// rope says in words what is practically equal; nothing if it differs from row to row.
func (s *Source) rope(t, c int) string {
	u, text := unit(&s.Report.Tables[t]), ""
	for r := range s.Report.Tables[t].Rows {
		v := s.Report.Tables[t].Rows[r].Cells[c].Verdict
		if v == nil || v.Bayes == nil {
			continue
		}
		x := verdict.DefaultMargin
		if v.Margin != nil {
			x = float64(v.Margin.Value)
		}
		own := "within " + verdict.FormatMargin(u, x)
		if text != "" && text != own {
			return ""
		}
		text = own
	}
	return text
}

// ranks returns the picture of columns over data sets; nil if there are no more than two.
func (s *Source) ranks(t int, o *report.Over) *plot.Picture {
	if o.Ranks == nil {
		return nil
	}
	x := &plot.Ranks{Title: verdict.Printable(s.Report.Tables[t].Metric) + " over data sets", Alpha: s.Report.Settings.Alpha}
	if !s.Report.Settings.Learners && len(s.Report.Tables[t].Over) > 1 {
		x.Title += ": " + verdict.Printable(o.Learner)
	}
	x.Lines = []string{fmt.Sprintf("n = %d data sets; %s test of each pair of columns, p adjusted by Holm's method, level %g", o.DataSets, o.Test, x.Alpha)}
	for i, rank := range o.Ranks.Mean {
		x.Columns = append(x.Columns, plot.RankedColumn{Label: verdict.Printable(s.Report.Columns[i].Title), Rank: float64(rank)})
	}
	for _, p := range o.Ranks.Pairs {
		x.Pairs = append(x.Pairs, plot.RankedPair{A: p.A, B: p.B, P: float64(p.AdjustedP)})
	}
	return x.Picture()
}

// comparison returns the picture of one comparison; nil if it was not judged.
func (s *Source) comparison(t, r, c int) (*plot.Picture, error) {
	table := &s.Report.Tables[t]
	row := &table.Rows[r]
	if !row.Cells[c].Judged() {
		return nil, nil
	}
	cells := s.Layout.Tables[t].Rows[r].Cells
	pairs, err := record.Pair(cells[c].Selection(), cells[0].Selection(), table.Metric)
	if err != nil {
		return nil, err
	}
	v := row.Cells[c].Verdict
	f := plot.Finding{
		Outcome: v.Outcome, Difference: float64(v.Difference), Lo: float64(v.Lo), Hi: float64(v.Hi), Level: float64(v.Level),
		P: float64(v.P), Alpha: s.Report.Settings.Alpha, Test: v.Test,
		Title: s.named(t, r, c), Subtitle: s.found(t, r, c),
	}
	if v.Margin != nil {
		f.Margin = float64(v.Margin.Value)
	}
	x, err := plot.NewComparison(pairs, f)
	if err != nil {
		return nil, err
	}
	return x.Picture(), nil
}

// named says what was compared and what came of it.
func (s *Source) named(t, r, c int) string {
	row := &s.Report.Tables[t].Rows[r]
	against := s.Report.Columns[c].Title + " against " + s.Report.Columns[0].Title
	if s.Report.Settings.Learners {
		against = "against " + s.Report.Columns[0].Title
	}
	return verdict.Printable(fmt.Sprintf("%s, %s: %s", row.Label, against, row.Cells[c].Verdict.Outcome))
}

// found says in a sentence what was found.
func (s *Source) found(t, r, c int) string {
	table := &s.Report.Tables[t]
	v := table.Rows[r].Cells[c].Verdict
	if !table.Rows[r].Cells[c].Judged() {
		return verdict.Printable(v.Reason)
	}
	u := unit(table)
	text := fmt.Sprintf("%s %s", verdict.Printable(table.Metric), verdict.FormatDifference(u, float64(v.Difference)))
	if !v.Lo.IsNaN() {
		text += fmt.Sprintf(", %.4g%% interval %s", 100*float64(v.Level), verdict.FormatInterval(u, float64(v.Lo), float64(v.Hi)))
	}
	text += ", p = " + verdict.FormatP(float64(v.P))
	if table.Judged() > 1 && !v.AdjustedP.IsNaN() && s.Report.Settings.Adjust != "none" {
		text += fmt.Sprintf(", %s p = %s", s.Report.Settings.Adjust, verdict.FormatP(float64(v.AdjustedP)))
	}
	if v.Rerun != nil && !v.Rerun.Agrees.IsNaN() {
		text += fmt.Sprintf("; a rerun agrees with probability %.3f", float64(v.Rerun.Agrees))
	}
	return text
}
