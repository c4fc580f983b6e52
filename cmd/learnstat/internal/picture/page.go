package picture

import (
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/flip"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/htmlreport"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// pageRows is how many comparisons a picture on a page shows, the worst ones: all of them are below
// it.
const pageRows = 40

// Page writes the report as one HTML file. The command is the one that makes it. Rows that a pair
// of predictions is of have a link to a section about it.
func (s *Source) Page(w io.Writer, command string, pairs []*flip.Pair) error {
	r := s.Report
	p := &htmlreport.Page{
		Title: s.pageTitle(), Result: unit.Printable(r.Result()),
		Counts: report.Counts(r), Verdict: "plain", Command: unit.Printable(command),
	}
	switch r.State() {
	case report.Fails:
		p.Verdict = "fail"
	case report.Passes:
		p.Verdict = "pass"
	case report.PassesWithLosses, report.PassesWithWaived:
		p.Verdict = "losses"
	}
	if r.Status > 1 {
		p.Verdict = "unjudged"
	}
	if strings.HasPrefix(p.Counts, p.Result+": ") {
		p.Result, p.Counts = p.Counts, "" // without a gate one line says both
	}
	for _, l := range r.Header {
		value := l.Value
		if len(l.Of) > 0 {
			value += " (" + few(l.Of) + ")"
		}
		p.Header = append(p.Header, htmlreport.Line{Key: l.Key, Value: unit.Printable(value)})
	}
	p.Problems, p.Notes = printable(r.Problems), printable(r.Notes)
	if s := r.Undecided(); s != "" {
		p.Result += "; " + unit.Printable(s)
	}
	worst := r.Worst()
	for t := range r.Tables {
		var own []report.Ranked
		for _, o := range worst {
			if o.Table == t {
				own = append(own, o)
			}
		}
		p.Sections = append(p.Sections, s.section(t, own))
	}
	linkPredictions(r, p, pairs)
	if r.History != nil {
		p.Sections, p.Notes = historySections(s), append(p.Notes, printable(report.HistoryNotes(r))...)
	}
	p.Data = s.digests()
	return htmlreport.Write(w, p, plot.DarkCSS("figure"))
}

// linkPredictions adds a section for each pair that a row is of, and links the row to it.
func linkPredictions(r *report.Report, p *htmlreport.Page, pairs []*flip.Pair) {
	if len(pairs) == 0 {
		return
	}
	worst := r.Worst()
	for i, pair := range pairs {
		id, linked := fmt.Sprintf("predictions-%d", i+1), false
		at := make([]int, len(p.Sections))
		for _, o := range worst {
			row := at[o.Table]
			at[o.Table]++
			c := r.Comparison(o.At)
			if c.Cell.Data == pair.Data && c.Cell.Learner == pair.New && c.Base.Learner == pair.Old {
				p.Sections[o.Table].Rows[row].Link, linked = id, true
			}
		}
		if linked {
			section := pair.Section()
			section.ID, section.Title = id, "Predictions of "+section.Title
			p.Sections = append(p.Sections, section)
		}
	}
	p.Notes = append(p.Notes, flip.Counting)
}

func printable(texts []string) []string {
	var all []string
	for _, x := range texts {
		all = append(all, unit.Printable(x))
	}
	return all
}

func (s *Source) pageTitle() string {
	var titles []string
	for _, c := range s.Report.Columns {
		titles = append(titles, c.Title)
	}
	if s.Report.History != nil {
		return unit.Printable("History of " + few(titles))
	}
	if s.Report.Settings.Learners && len(titles) > 0 {
		return unit.Printable("Learners against " + titles[0])
	}
	if len(titles) == 2 {
		return unit.Printable(titles[1] + " against " + titles[0])
	}
	return unit.Printable(few(titles))
}

// section returns a table. The comparisons are in the order of what matters most.
func (s *Source) section(t int, order []report.Ranked) htmlreport.Section {
	table := &s.Report.Tables[t]
	u := table.Measure()
	x := htmlreport.Section{
		Title: unit.Printable(table.Metric), Summary: table.Counts(s.Report),
		Columns: htmlreport.Columns{
			Baseline: unit.Printable(s.Report.Columns[0].Title), Candidate: "mean",
			Interval: fmt.Sprintf("%.4g%% interval", 100*s.Report.Settings.IntervalLevel()),
		},
	}
	for _, k := range table.Keys {
		x.Title += unit.Printable(", " + k.Key + ": " + k.Value)
	}
	if u.Better == unit.Lower {
		x.Title += ", lower is better"
	}
	if len(s.Report.Columns) == 2 && !s.Report.Settings.Learners {
		x.Columns.Candidate = unit.Printable(s.Report.Columns[1].Title)
	}
	if s.Report.Adjusts() {
		x.Columns.Adjusted = s.Report.Settings.Adjust
	}
	for _, o := range order {
		x.Rows = append(x.Rows, s.pageRow(&o, x.Columns.Adjusted != ""))
	}
	x.Facts = shared(x.Rows, s.Report.Header)
	x.Matrix = s.matrix(t, order)
	x.Pictures = s.pagePictures(t, order)
	x.Notes = printable(table.SmallSlices())
	for i := range table.Over {
		x.Notes = append(x.Notes, s.over(t, &table.Over[i])...)
	}
	return x
}

func (s *Source) pageRow(o *report.Ranked, adjusted bool) htmlreport.Row {
	c := s.Report.Comparison(o.At)
	u := c.Table.Measure()
	x := htmlreport.Row{
		Label: unit.Printable(c.Row.Label), Outcome: c.Outcome, Offends: s.offends(o.At),
		Why:      s.why(o.At),
		Baseline: score(u, c.Base.Mean), Candidate: score(u, c.Cell.Mean),
		Sentence: unit.Printable(s.Report.Sentence(o.Offence)), Notes: printable(c.Notes),
	}
	if len(s.Report.Columns) > 2 {
		x.Column = unit.Printable(s.Report.Columns[o.Column].Title)
	}
	if c.Judged() {
		x.Difference, x.P = u.FormatDifference(float64(c.Difference)), unit.FormatP(float64(c.P))
		if adjusted && !c.AdjustedP.IsNaN() {
			x.Adjusted = unit.FormatP(float64(c.AdjustedP))
		}
		if !c.Lo.IsNaN() {
			x.Interval = u.FormatInterval(float64(c.Lo), float64(c.Hi))
			x.Sentence += fmt.Sprintf(", %.4g%% interval %s", 100*float64(c.Level), x.Interval)
		}
		x.Sentence += again(&c)
		if c.Reason != "" {
			x.Sentence += "; " + unit.Printable(c.Reason)
		}
	}
	fact := func(key, value string) {
		if value != "" {
			x.Facts = append(x.Facts, htmlreport.Line{Key: key, Value: unit.Printable(value)})
		}
	}
	if f := c.Full; f != nil {
		if c.Judged() {
			fact("test", fmt.Sprintf("%s, n = %s", c.Test, c.Size()))
		}
		if !c.Detectable.IsNaN() {
			size := u.FormatMargin(float64(c.Detectable))
			if a := c.Table.Asked; a == report.NonInferior || a == verdict.Same.String() {
				size = "a margin of " + size + ", if there is no difference,"
			}
			fact("detectable", size+" with 80% power")
		}
		fact("protocol", f.Protocol)
		if f.Copies > 0 {
			fact("copies", fmt.Sprintf("%.3g%% of test examples have a copy in training",
				100*float64(f.Copies)))
		}
		if f.Commit != "" || f.BaselineCommit != "" {
			fact("commits", fmt.Sprintf("%s, baseline %s", orNone(f.Commit), orNone(f.BaselineCommit)))
		}
		x.Command = unit.Printable(f.Reproduce)
	}
	return x
}

func orNone(commit string) string {
	if commit == "" {
		return "of no commit"
	}
	return commit
}

// pagePictures returns the few pictures that a page has room for: the comparisons that matter most,
// the scores, and the ranks.
func (s *Source) pagePictures(t int, order []report.Ranked) []htmlreport.Picture {
	var pictures []htmlreport.Picture
	add := func(p *plot.Picture) {
		if p != nil {
			pictures = append(pictures, htmlreport.Picture{
				Wide:   p.SVG(plot.Wide),
				Narrow: p.SVG(plot.Narrow),
			})
		}
	}
	over := s.Report.Tables[t].Over
	for c := 1; c < min(len(s.Report.Columns), 4); c++ {
		var rows []plot.Row
		compared := 0
		for _, o := range order {
			if o.Column != c {
				continue
			}
			if compared++; compared <= pageRows {
				of := s.Report.Comparison(o.At)
				rows = append(rows, s.row(&of))
			}
		}
		if len(rows) == 0 {
			continue
		}
		shown := panel{s, t, c}
		p := shown.forest(rows)
		if compared > len(rows) {
			p.Notes = append(p.Notes, fmt.Sprintf("The %d that matter most, of %d.", len(rows), compared))
		}
		add(p)
		if compared > 1 && compared <= plot.MaxRows {
			add(shown.scatter())
		}
		add(shown.posterior())
		for i := range over[:min(len(over), 3)] {
			add(shown.hierarchical(&over[i]))
		}
	}
	for i := range over[:min(len(over), 3)] {
		add(s.ranks(t, &over[i]))
	}
	for _, o := range order {
		c := s.Report.Comparison(o.At)
		if !c.Judged() || c.Row.Slice != nil { // the folds of a slice are no scores
			continue
		}
		if p, err := s.comparison(&c); err == nil {
			add(p)
		}
		break
	}
	return pictures
}

// over returns sentences on the findings over data sets.
func (s *Source) over(t int, o *report.Over) []string {
	u := s.Report.Tables[t].Measure()
	var texts []string
	for c := 1; c < len(o.Columns); c++ {
		x := &o.Columns[c]
		texts = append(texts, unit.Printable(fmt.Sprintf("%s in %s over %d data sets is %s: mean %s, better on %d, worse on %d, equal on %d; %s test p = %s",
			o.Learner, s.Report.Columns[c].Title, o.DataSets, x.Outcome, score(u, x.Mean), x.Better, x.Worse,
			x.Same, o.Test, unit.FormatP(float64(x.P)))))
		if h := x.Hierarchical; h != nil {
			texts = append(texts, unit.Printable(fmt.Sprintf("by the hierarchical test, a further data set is most probably worse with probability %.3f, practically equal (within %s) %.3f, better %.3f: %s",
				float64(h.P.Worse), u.FormatMargin(float64(h.Rope)), float64(h.P.Rope), float64(h.P.Better),
				h.Outcome)))
		}
	}
	return texts
}

// again says whether a rerun would agree; nothing if that is not known.
func again(c *report.Comparison) string {
	if c.Rerun == nil || c.Rerun.Agrees.IsNaN() {
		return ""
	}
	return "; a rerun agrees with probability " + unit.FormatProbability(float64(c.Rerun.Agrees))
}
