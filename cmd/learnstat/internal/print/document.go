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

// newDocument returns a report in words. Its tables are wide, with a row for each row of the report and a group
// for each column; or long, with a row for each comparison, the worst first.
func newDocument(r *report.Report, long bool) *document {
	d := &document{Result: r.Result(), Undecided: r.Undecided(), Problems: r.Problems, Header: header(r)}
	if r.History != nil {
		for i := range r.History.Tables {
			d.Tables = append(d.Tables, historyTable(r, i))
		}
		d.Notes = slices.Concat(r.Notes, historyNotes(r))
		return d
	}
	byTable := make([][]report.Ranked, len(r.Tables))
	if long {
		for _, x := range r.Worst() {
			byTable[x.Table] = append(byTable[x.Table], x)
		}
	}
	for i := range r.Tables {
		d.Tables = append(d.Tables, newTable(r, i, long, byTable[i]))
	}
	d.Notes = slices.Concat(r.Notes, family(r), asked(r), sparse(r))
	return d
}

// family returns the note on false alarms among several comparisons.
func family(r *report.Report) []string {
	n := r.Judged()
	if n < 2 {
		return nil
	}
	if !r.Settings.Adjusts() {
		return []string{fmt.Sprintf("%d comparisons at level %.4g: without any difference, expect up to %.2g false alarms; see -adjust",
			n, r.Settings.Alpha, float64(n)*r.Settings.Alpha)}
	}
	return []string{fmt.Sprintf("%s is p adjusted for all %d comparisons; -fail-on improved and regressed go by it", r.Settings.Adjust, r.Comparisons())}
}

// asked returns the notes on tables whose R is about another claim than the verdicts beside it.
func asked(r *report.Report) []string {
	var notes []string
	for i := range r.Tables {
		t := &r.Tables[i]
		if t.Asked == "" || !has(t, func(w *verdict.Facts) bool { return w.Rerun != nil }) {
			continue
		}
		note := fmt.Sprintf("R is the replicability of what is required: that rows are %s", t.Asked)
		if len(r.Tables) > 1 {
			note = fmt.Sprintf("R of %s is the replicability of what is required: that rows are %s", t.Metric, t.Asked)
		}
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// sparse returns the note that R is left out for very many comparisons.
func sparse(r *report.Report) []string {
	if !r.Many() || slices.ContainsFunc(r.Tables, func(t report.Table) bool { return hasCounted(&t) }) {
		return nil
	}
	return []string{fmt.Sprintf("R is not shown of more than %d comparisons; -format csv and json have it, with its interval", report.ManyComparisons)}
}
