// Package picture shows a report in pictures and as a page: it takes the numbers from the report,
// and the scores of folds from the results that it was made of.
package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Source is the content of the pictures: a report and the layout that it was made of, table by
// table, row by row and cell by cell.
type Source struct {
	Layout *match.Layout
	Report *report.Report

	gate map[report.At]report.Offence // the offence that counts of each comparison
}

// New returns the source of pictures of a report on a layout.
func New(l *match.Layout, r *report.Report) *Source {
	return &Source{Layout: l, Report: r, gate: r.Gate.Decisive()}
}

// factor turns scores of a unit into percent and their differences into points, if they are
// fractions.
func factor(u unit.Unit) float64 {
	if u.IsFraction() {
		return 100
	}
	return 1
}

// axes returns the titles of axes for differences and for scores.
func axes(u unit.Unit) (differences, scores string) {
	name := unit.Printable(u.Name)
	if u.IsFraction() {
		return name + ", points", name + ", %"
	}
	return name, name
}

// row returns what pictures of several rows show of a comparison.
func (s *Source) row(c *report.Comparison) plot.Row {
	by := unit.Number(factor(c.Table.Measure()))
	shown := plot.Row{
		Label: unit.Printable(c.Row.Label), Outcome: c.Outcome,
		Difference: float64(by * c.Difference), Lo: float64(by * c.Lo), Hi: float64(by * c.Hi),
		Baseline: float64(by * c.Base.Mean), Candidate: float64(by * c.Cell.Mean), Note: s.why(c.At),
	}
	if c.Margin != nil {
		shown.Margin = float64(by * c.Margin.Value)
	}
	if c.Bayes != nil {
		shown.Posterior = regions(c.Bayes)
	}
	if !c.Judged() {
		note := c.Reason
		if shown.Note != "" {
			note += "; " + shown.Note
		}
		shown.Note = unit.Printable(note)
	}
	return shown
}

func regions(r *verdict.Regions) *plot.Regions {
	return &plot.Regions{Worse: float64(r.Worse), Rope: float64(r.Rope), Better: float64(r.Better)}
}

// why says why the gate fails on a comparison, or lets it pass; nothing if it says nothing about
// it.
func (s *Source) why(at report.At) string {
	switch o, ok := s.gate[at]; {
	case !ok:
		return ""
	case o.Waived != "":
		return unit.Printable("waived: " + o.Waived)
	default:
		return unit.Printable("the gate fails: " + o.Why)
	}
}

// offends reports whether the gate fails on a comparison.
func (s *Source) offends(at report.At) bool {
	o, ok := s.gate[at]
	return ok && o.Waived == ""
}

// A panel is a column of a table, which a picture shows beside the baseline.
type panel struct {
	*Source
	t, c int // numbers of the table and the column
}

func (p panel) table() *report.Table { return &p.Report.Tables[p.t] }

// column returns the comparisons of the panel.
func (p panel) column() []report.Comparison {
	var all []report.Comparison
	for c := range p.table().All() {
		if c.At.Table = p.t; c.At.Column == p.c {
			all = append(all, c)
		}
	}
	return all
}

// rows returns what pictures show of them.
func (p panel) rows() []plot.Row {
	var all []plot.Row
	for _, c := range p.column() {
		all = append(all, p.row(&c))
	}
	return all
}

// title says which column of a table is compared with which.
func (p panel) title() string {
	table := p.table()
	text := unit.Printable(table.Metric)
	for _, k := range table.Keys {
		text += ", " + unit.Printable(k.Key+": "+k.Value)
	}
	candidate, baseline := p.Report.Columns[p.c].Title, p.Report.Columns[0].Title
	if p.Report.Settings.Learners {
		return fmt.Sprintf("%s: learners against %s", text, unit.Printable(baseline))
	}
	return fmt.Sprintf("%s: %s against %s", text, unit.Printable(candidate), unit.Printable(baseline))
}

// lines say how a table was compared: the numbers of runs and folds, the test, the level and the
// protocols.
func (p panel) lines() []string {
	var designs, tests []string
	level := math.NaN()
	all := p.column()
	for _, c := range all {
		if c.Judged() && c.Row.Slice == nil {
			designs, tests = adding(designs, c.Size()), adding(tests, c.Test)
			level = float64(c.Level)
		}
	}
	text := fmt.Sprintf("%d comparisons", len(all))
	if len(all) == 1 {
		text = "1 comparison"
	}
	if len(designs) > 0 {
		text += fmt.Sprintf(", n = %s, %s, %.4g%% intervals", few(designs), few(tests), 100*level)
	}
	lines := []string{text}
	for _, l := range p.Report.Header {
		if l.Key == "protocol" && len(lines) < 4 {
			lines = append(lines, unit.Printable(l.Key+": "+l.Value))
		}
	}
	return lines
}

// adding adds a text that is not there.
func adding(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
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
func (p panel) forest(rows []plot.Row) *plot.Picture {
	u := p.table().Measure()
	axis, _ := axes(u)
	return (&plot.Forest{
		Title: p.title(), Lines: p.lines(), Axis: axis,
		LowerBetter: u.Better == unit.Lower, Rows: rows,
	}).Picture()
}

func (p panel) scatter() *plot.Picture {
	u := p.table().Measure()
	_, axis := axes(u)
	return (&plot.Scatter{
		Title: p.title(), Lines: p.lines(), Axis: axis,
		LowerBetter: u.Better == unit.Lower, Rows: p.rows(),
	}).Picture()
}

// posterior returns the picture of posterior probabilities; nil if there are none.
func (p panel) posterior() *plot.Picture {
	x := &plot.Simplex{Title: p.title(), Lines: p.lines(), Rows: p.rows(), Rope: p.rope()}
	for _, row := range x.Rows {
		if row.Posterior == nil {
			continue
		}
		for _, o := range p.table().Over {
			learner := ""
			if len(p.table().Over) > 1 {
				learner = " of " + unit.Printable(o.Learner)
			}
			column := &o.Columns[p.c]
			for _, test := range []struct {
				name string
				of   *verdict.Regions
			}{{"sign test", column.BayesSign}, {"signed-rank test", column.BayesSignedRank}} {
				if test.of != nil {
					x.Over = append(x.Over, plot.Overall{Label: test.name + learner, Posterior: *regions(test.of)})
				}
			}
		}
		return x.Picture()
	}
	return nil
}

// hierarchical returns the picture of the hierarchical test: a point for each data set, and one for
// a further one; nil if it was not asked for.
func (p panel) hierarchical(o *report.Over) *plot.Picture {
	h := o.Columns[p.c].Hierarchical
	if h == nil {
		return nil
	}
	x := &plot.Simplex{
		Title: p.title() + ", hierarchical test",
		Rope:  "within " + p.table().Measure().FormatMargin(float64(h.Rope)),
		Lines: []string{fmt.Sprintf("%s on %d data sets, each in the light of the others",
			unit.Printable(o.Learner), o.DataSets)},
		Over: []plot.Overall{{Label: "a further data set", Posterior: *regions(&h.P)}},
	}
	for _, s := range h.Sets {
		x.Rows = append(x.Rows, plot.Row{Label: unit.Printable(s.Data), Posterior: regions(&s.P)})
	}
	return x.Picture()
}

// rope returns the range of practical equality in words; nothing if it differs from row to row.
func (p panel) rope() string {
	u, text := p.table().Measure(), ""
	for _, c := range p.column() {
		if c.Bayes == nil {
			continue
		}
		x := verdict.DefaultMargin
		if c.Margin != nil {
			x = float64(c.Margin.Value)
		}
		own := "within " + u.FormatMargin(x)
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
	x := &plot.Ranks{
		Title: unit.Printable(s.Report.Tables[t].Metric) + " over data sets",
		Alpha: s.Report.Settings.Alpha,
	}
	if !s.Report.Settings.Learners && len(s.Report.Tables[t].Over) > 1 {
		x.Title += ": " + unit.Printable(o.Learner)
	}
	x.Lines = []string{fmt.Sprintf("n = %d data sets; %s test of each pair of columns, p adjusted by Holm's method, level %g", o.DataSets, o.Test, x.Alpha)}
	for i, rank := range o.Ranks.Mean {
		x.Columns = append(x.Columns, plot.RankedColumn{
			Label: unit.Printable(s.Report.Columns[i].Title),
			Rank:  float64(rank),
		})
	}
	for _, p := range o.Ranks.Pairs {
		x.Pairs = append(x.Pairs, plot.RankedPair{A: p.A, B: p.B, P: float64(p.AdjustedP)})
	}
	return x.Picture()
}

// comparison returns the picture of one comparison that was judged.
func (s *Source) comparison(c *report.Comparison) (*plot.Picture, error) {
	cells := s.Layout.Tables[c.At.Table].Rows[c.At.Row].Cells
	pairs, err := record.Pair(cells[c.At.Column].Selection(), cells[0].Selection(), c.Table.Metric)
	if err != nil {
		return nil, err
	}
	f := plot.Finding{
		Outcome: c.Outcome, Difference: float64(c.Difference), Lo: float64(c.Lo), Hi: float64(c.Hi),
		Level: float64(c.Level),
		P:     float64(c.P), Alpha: s.Report.Settings.Alpha, Test: c.Test,
		Title: s.named(c), Subtitle: s.found(c),
	}
	if c.Margin != nil {
		f.Margin = float64(c.Margin.Value)
	}
	x, err := plot.NewComparison(pairs, f)
	if err != nil {
		return nil, err
	}
	return x.Picture(), nil
}

// named names a comparison and its outcome.
func (s *Source) named(c *report.Comparison) string {
	against := s.Report.Columns[c.At.Column].Title + " against " + s.Report.Columns[0].Title
	if s.Report.Settings.Learners {
		against = "against " + s.Report.Columns[0].Title
	}
	return unit.Printable(fmt.Sprintf("%s, %s: %s", c.Row.Label, against, c.Outcome))
}

// found returns the finding in a sentence.
func (s *Source) found(c *report.Comparison) string {
	u := c.Table.Measure()
	text := fmt.Sprintf("%s %s", unit.Printable(c.Table.Metric),
		u.FormatDifference(float64(c.Difference)))
	if !c.Lo.IsNaN() {
		text += fmt.Sprintf(", %.4g%% interval %s", 100*float64(c.Level), u.FormatInterval(float64(c.Lo),
			float64(c.Hi)))
	}
	text += ", p = " + unit.FormatP(float64(c.P))
	if s.Report.Adjusts() && !c.AdjustedP.IsNaN() {
		text += fmt.Sprintf(", %s p = %s", s.Report.Settings.Adjust, unit.FormatP(float64(c.AdjustedP)))
	}
	return text + again(c)
}
