package print

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A document is a report in words.
type document struct {
	Result    string   // what the exit status says, in a line
	Undecided string   // what a gate lets pass that it could not decide, in a line
	Problems  []string // why something could not be judged
	Header    []string // lines, a line that begins with a space continues the one before
	Tables    []sheet
	Notes     []string
}

// newDocument returns a report in words. Its tables are wide, with a row for each row of the report
// and a group for each column; or long, with a row for each comparison, the worst first.
func newDocument(r *report.Report, long bool) *document {
	d := &document{
		Result: r.Result(), Undecided: r.Undecided(), Problems: r.Problems,
		Header: header(r, true), Notes: notes(r, true),
	}
	if r.History != nil {
		for i := range r.History.Tables {
			d.Tables = append(d.Tables, historyTable(r, i))
		}
		return d
	}
	worst := make([][]report.Ranked, len(r.Tables))
	if long {
		worst = byTable(r)
	}
	for i := range r.Tables {
		d.Tables = append(d.Tables, newTable(r, i, long, worst[i]))
	}
	return d
}

// byTable returns the comparisons of each table, the ones that matter most first.
func byTable(r *report.Report) [][]report.Ranked {
	worst := make([][]report.Ranked, len(r.Tables))
	for i := range worst {
		worst[i] = make([]report.Ranked, 0, r.Tables[i].Judged())
	}
	for _, x := range r.Worst() {
		worst[x.Table] = append(worst[x.Table], x)
	}
	return worst
}

// notes returns the lines below all tables. Tables that are not full call p that is adjusted by
// another name.
func notes(r *report.Report, full bool) []string {
	if r.History != nil {
		return slices.Concat(r.Notes, report.HistoryNotes(r))
	}
	return slices.Concat(r.Notes, family(r, full), asked(r), sparse(r))
}

// family returns the note on false alarms among several comparisons.
func family(r *report.Report, full bool) []string {
	n := r.Judged()
	if n < 2 {
		return nil
	}
	if !r.Settings.Adjusts() {
		return []string{fmt.Sprintf("%d comparisons at level %.4g: without any difference, expect up to %.2g false alarms; see -adjust",
			n, r.Settings.Alpha, float64(n)*r.Settings.Alpha)}
	}
	text := r.Settings.Adjust + " is p adjusted"
	if !full {
		text = "adj p: by " + r.Settings.Adjust
	}
	of := fmt.Sprintf("all %d comparisons", r.Comparisons())
	if n := r.Slices(); n > 0 {
		them := "them"
		if n == 1 {
			them = "it"
		}
		of = fmt.Sprintf("%s%s, and apart from %s for %s", the(n, "slice"), chosen(r), them,
			the(r.Comparisons()-n, "other comparison"))
	}
	return []string{fmt.Sprintf("%s for %s; -fail-on improved and regressed use it", text, of)}
}

// chosen marks slices that were chosen when the predictions were there.
func chosen(r *report.Report) string {
	for c := range r.All() {
		if s := c.Row.Slice; s != nil && s.Afterwards {
			return " (chosen afterwards: no adjustment counts further slices that were looked at)"
		}
	}
	return ""
}

// the names all n things of a kind.
func the(n int, what string) string {
	if n == 1 {
		return "the " + what
	}
	return fmt.Sprintf("the %d %ss", n, what)
}

// asked returns the notes on tables whose R is about another claim than the verdicts beside it.
func asked(r *report.Report) []string {
	var notes, whats []string
	all := true
	for i := range r.Tables {
		t := &r.Tables[i]
		if !has(t, func(w *verdict.Facts) bool { return w.Rerun != nil }) {
			continue
		}
		if all = all && t.Asked != ""; t.Asked == "" {
			continue
		}
		whats = addNew(whats, t.Asked)
		notes = addNew(notes, fmt.Sprintf("R of %s: replicability of the requirement (%s)",
			t.Metric, t.Asked))
	}
	if all && len(whats) == 1 {
		return []string{"R: replicability of the requirement (" + whats[0] + ")"}
	}
	return notes
}

// sparse returns the note that R is left out for very many comparisons.
func sparse(r *report.Report) []string {
	if !r.Many() || slices.ContainsFunc(r.Tables,
		func(t report.Table) bool { return hasCounted(&t) }) {
		return nil
	}
	return []string{fmt.Sprintf("R is not shown of more than %d comparisons; -format csv and json have it, with its interval", report.ManyComparisons)}
}
