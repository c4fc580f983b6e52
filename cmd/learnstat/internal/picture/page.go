package picture

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/view"
	"github.com/learnbench/learnbench/internal/htmlreport"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// pageRows is how many comparisons a picture on a page shows, the worst ones: all of them are below
// it.
const pageRows = 40

// Page writes the report as one HTML file. The command is the one that makes it.
func (s *Source) Page(w io.Writer, command string) error {
	r := s.Report
	p := &htmlreport.Page{Title: s.pageTitle(), Result: view.Result(r), Verdict: "plain", Command: verdict.Printable(command)}
	switch {
	case r.Status > 1:
		p.Verdict = "unjudged"
	case r.Status == 1:
		p.Verdict = "fail"
	case len(r.Gate.FailOn)+len(r.Gate.Require) > 0:
		p.Verdict = "pass"
	}
	for _, l := range r.Header {
		value := l.Value
		if len(l.Of) > 0 {
			value += " (" + few(l.Of) + ")"
		}
		p.Header = append(p.Header, htmlreport.Line{Key: l.Key, Value: verdict.Printable(value)})
	}
	p.Problems, p.Notes = printable(r.Problems), printable(r.Notes)
	if s := view.Undecided(r); s != "" {
		p.Result += "; " + verdict.Printable(s)
	}
	worst := view.Worst(r)
	for t := range r.Tables {
		var own []report.Offence
		for _, o := range worst {
			if o.Table == t {
				own = append(own, o)
			}
		}
		p.Sections = append(p.Sections, s.section(t, own))
	}
	return htmlreport.Write(w, p, plot.DarkCSS("figure"))
}

func printable(texts []string) []string {
	var all []string
	for _, x := range texts {
		all = append(all, verdict.Printable(x))
	}
	return all
}

func (s *Source) pageTitle() string {
	var titles []string
	for _, c := range s.Report.Columns {
		titles = append(titles, c.Title)
	}
	if s.Report.Settings.Learners && len(titles) > 0 {
		return verdict.Printable("Learners against " + titles[0])
	}
	if len(titles) == 2 {
		return verdict.Printable(titles[1] + " against " + titles[0])
	}
	return verdict.Printable(few(titles))
}

// section returns a table. The comparisons are in the order of what matters most.
func (s *Source) section(t int, order []report.Offence) htmlreport.Section {
	table := &s.Report.Tables[t]
	u := unit(table)
	x := htmlreport.Section{Title: verdict.Printable(table.Metric), Summary: summary(table), Columns: htmlreport.Columns{
		Baseline: verdict.Printable(s.Report.Columns[0].Title), Candidate: "mean", Interval: "interval",
	}}
	for _, k := range table.Keys {
		x.Title += verdict.Printable(", " + k.Key + ": " + k.Value)
	}
	if u.Better == record.Lower {
		x.Title += ", lower is better"
	}
	if len(s.Report.Columns) == 2 && !s.Report.Settings.Learners {
		x.Columns.Candidate = verdict.Printable(s.Report.Columns[1].Title)
	}
	adjusted := table.Judged() > 1 && s.Report.Settings.Adjust != "none"
	if adjusted {
		x.Columns.Adjusted = s.Report.Settings.Adjust
	}
	for _, o := range order {
		x.Rows = append(x.Rows, s.pageRow(&o, u, adjusted))
	}
	x.Pictures = s.pagePictures(t, order)
	for i := range table.Over {
		x.Notes = append(x.Notes, s.over(t, &table.Over[i])...)
	}
	return x
}

// summary counts outcomes.
func summary(t *report.Table) string {
	counts := make(map[string]int)
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if v := t.Rows[i].Cells[j].Verdict; v != nil {
				counts[v.Outcome]++
			}
		}
	}
	var items []string
	for _, o := range []verdict.Outcome{verdict.Regressed, verdict.Invalid, verdict.Inconclusive, verdict.Same, verdict.Improved} {
		if n := counts[o.String()]; n > 0 {
			items = append(items, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(items, ", ")
}

func (s *Source) pageRow(o *report.Offence, u record.Unit, adjusted bool) htmlreport.Row {
	row := &s.Report.Tables[o.Table].Rows[o.Row]
	cell := &row.Cells[o.Column]
	v := cell.Verdict
	x := htmlreport.Row{
		Label: verdict.Printable(row.Label), Outcome: v.Outcome, Offends: s.offends(o.Table, o.Row, o.Column), Why: s.why(o.Table, o.Row, o.Column),
		Baseline: score(u, row.Cells[0].Mean), Candidate: score(u, cell.Mean), Sentence: verdict.Printable(view.Sentence(s.Report, o)), Notes: printable(v.Notes),
	}
	if len(s.Report.Columns) > 2 {
		x.Column = verdict.Printable(s.Report.Columns[o.Column].Title)
	}
	if cell.Judged() {
		x.Difference, x.P = verdict.FormatDifference(u, float64(v.Difference)), verdict.FormatP(float64(v.P))
		if !v.Lo.IsNaN() {
			x.Interval = verdict.FormatInterval(u, float64(v.Lo), float64(v.Hi))
		}
		if adjusted && !v.AdjustedP.IsNaN() {
			x.Adjusted = verdict.FormatP(float64(v.AdjustedP))
		}
		if !v.Lo.IsNaN() {
			x.Sentence += fmt.Sprintf(", %.4g%% interval %s", 100*float64(v.Level), x.Interval)
		}
		if v.Rerun != nil && !v.Rerun.Agrees.IsNaN() {
			x.Sentence += fmt.Sprintf("; a rerun agrees with probability %.3f", float64(v.Rerun.Agrees))
		}
		if v.Reason != "" {
			x.Sentence += "; " + verdict.Printable(v.Reason)
		}
	}
	fact := func(key, value string) {
		if value != "" {
			x.Facts = append(x.Facts, htmlreport.Line{Key: key, Value: verdict.Printable(value)})
		}
	}
	if f := v.Full; f != nil {
		if cell.Judged() {
			fact("test", fmt.Sprintf("%s, n = %d×%d", v.Test, v.Runs, v.Folds))
		}
		if !v.Detectable.IsNaN() {
			fact("detectable", verdict.FormatMargin(u, float64(v.Detectable))+" with 80% power")
		}
		fact("protocol", f.Protocol)
		fact("data", cell.Data+", sha256 "+f.DataSHA256)
		fact("partitions", "sha256 "+f.SplitSHA256)
		if f.Commit != "" || f.BaselineCommit != "" {
			fact("commits", fmt.Sprintf("%s, baseline %s", orNone(f.Commit), orNone(f.BaselineCommit)))
		}
		x.Command = verdict.Printable(f.Reproduce)
	}
	return x
}

func orNone(commit string) string {
	if commit == "" {
		return "of no commit"
	}
	return commit
}

// pagePictures returns the few pictures that a page has room for: the comparisons that matter most, the
// scores, and the ranks.
func (s *Source) pagePictures(t int, order []report.Offence) []htmlreport.Picture {
	var pictures []htmlreport.Picture
	add := func(p *plot.Picture) {
		if p != nil {
			pictures = append(pictures, htmlreport.Picture{Wide: p.SVG(plot.Wide), Narrow: p.SVG(plot.Narrow)})
		}
	}
	for c := 1; c < min(len(s.Report.Columns), 4); c++ {
		var rows []plot.Row
		compared := 0
		for _, o := range order {
			if o.Column != c {
				continue
			}
			if row, ok := s.row(t, o.Row, c); ok {
				if compared++; len(rows) < pageRows {
					rows = append(rows, row)
				}
			}
		}
		if len(rows) == 0 {
			continue
		}
		p := s.forest(t, c, rows)
		if compared > len(rows) {
			p.Notes = append(p.Notes, fmt.Sprintf("The %d that matter most, of %d.", len(rows), compared))
		}
		add(p)
		if compared > 1 && compared <= plot.MaxRows {
			add(s.scatter(t, c))
		}
		add(s.posterior(t, c))
	}
	over := s.Report.Tables[t].Over
	for i := range over[:min(len(over), 3)] {
		add(s.ranks(t, &over[i]))
	}
	if judged := slices.IndexFunc(order, func(o report.Offence) bool {
		return s.Report.Tables[t].Rows[o.Row].Cells[o.Column].Judged()
	}); judged >= 0 {
		o := order[judged]
		if p, err := s.comparison(t, o.Row, o.Column); err == nil {
			add(p)
		}
	}
	return pictures
}

// over says what was found over data sets.
func (s *Source) over(t int, o *report.Over) []string {
	u := unit(&s.Report.Tables[t])
	var texts []string
	for c := 1; c < len(o.Columns); c++ {
		x := &o.Columns[c]
		texts = append(texts, verdict.Printable(fmt.Sprintf("%s in %s over %d data sets: mean %s, better on %d, worse on %d, the same on %d; %s test p = %s",
			o.Learner, s.Report.Columns[c].Title, o.DataSets, score(u, x.Mean), x.Better, x.Worse, x.Same, o.Test, verdict.FormatP(float64(x.P)))))
	}
	return texts
}
