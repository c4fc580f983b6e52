package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A report is what there is to print.
type report struct {
	*config
	sides []*side
	rows  []*row
	notes []string
}

// judged returns the number of rows with a verdict.
func (r *report) judged() int {
	n := 0
	for _, row := range r.rows {
		if row.judged() {
			n++
		}
	}
	return n
}

// renderText returns the header, a table for each metric and the notes, or
// nothing if no row was judged.
func renderText(r *report) string {
	if r.judged() == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(r.header())
	for i, rows := range byMetric(r.rows) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.table(rows).String())
		if r.verbose {
			for _, row := range rows {
				fmt.Fprintf(&b, "\n%v", r.full(row))
			}
		}
	}
	notes := slices.Concat(r.notes, r.family())
	for i, text := range notes {
		if i == 0 && r.verbose {
			b.WriteByte('\n')
		}
		b.WriteString(verdict.Printable(text) + "\n")
	}
	return b.String()
}

// table returns the table of a metric.
func (r *report) table(rows []*row) *texttab.Table {
	metric := rows[0].metric
	i := slices.IndexFunc(rows, (*row).judged)
	fraction := i >= 0 && verdict.IsFraction(rows[i].v.Unit)
	interval := fmt.Sprintf("%.4g%% interval", 100*(1-r.claim.Alpha))
	if fraction {
		interval += ", points"
	}
	p := ""
	if r.adjust.Name != noAdjustment {
		p = r.adjust.Name
	}
	old, new := r.titles()
	score := texttab.Column{Title: verdict.Printable(metric), Align: texttab.Right, TitleAlign: texttab.Center}
	t := texttab.New(
		texttab.Group{Columns: []texttab.Column{{}}},
		texttab.Group{Title: verdict.Printable(old), Columns: []texttab.Column{score}},
		texttab.Group{Title: verdict.Printable(new), Columns: []texttab.Column{
			score,
			{Title: "vs base", Align: texttab.Right, TitleAlign: texttab.Center},
			{Title: interval, Align: texttab.Right, TitleAlign: texttab.Center},
			{Title: p, TitleAlign: texttab.Center},
			{Title: "R", Align: texttab.Right, TitleAlign: texttab.Center},
			{Title: "verdict"},
		}},
	)
	for _, row := range rows {
		t.Row(row.cells(t)...)
	}
	return t
}

// titles returns the titles of the columns: files, with their commits if these
// differ, or learners.
func (r *report) titles() (old, new string) {
	if r.oneFile() {
		return r.baseline, "candidate"
	}
	titles := []string{r.sides[0].label, r.sides[1].label}
	if commits := r.commits(); commits.apart() {
		for i, commit := range commits.texts {
			for _, label := range commits.owners[i] {
				for j := range titles {
					if label == r.sides[j].label {
						titles[j] += " " + abbreviated(commit)
					}
				}
			}
		}
	}
	return titles[0], titles[1]
}

// abbreviated returns a commit as it is shown: the first seven of twelve or more
// digits, and what follows the digits, such as -dirty.
func abbreviated(commit string) string {
	end := strings.IndexFunc(commit, func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) })
	if end < 0 {
		end = len(commit)
	}
	if end < 12 {
		return commit
	}
	return commit[:7] + commit[end:]
}

// cells returns the cells of a row.
func (r *row) cells(t *texttab.Table) []string {
	v := &r.v
	label := verdict.Printable(r.String())
	if !r.judged() {
		return []string{label, "", "", "", "", "", "", v.Outcome.String()}
	}
	difference, interval, replicability := "~", "", ""
	if r.significant() {
		difference = verdict.FormatDifference(v.Unit, v.Estimate)
	}
	if !math.IsNaN(v.Difference.Lo) {
		interval = strings.TrimSuffix(verdict.FormatInterval(v.Unit, v.Difference.Lo, v.Difference.Hi), " points")
	}
	if v.Rerun != nil {
		replicability = fmt.Sprintf("%.3f", v.Rerun.R)
	}
	return []string{
		label, verdict.FormatScore(v.Unit, v.BaselineMean), verdict.FormatScore(v.Unit, v.CandidateMean),
		difference, interval, fmt.Sprintf("(p=%s n=%d×%d)", verdict.FormatP(r.p()), v.Runs, v.Folds), replicability,
		v.Outcome.String() + r.marks(t),
	}
}

// marks returns the marks of the footnotes of a row.
func (r *row) marks(t *texttab.Table) string {
	var texts []string
	if v := &r.v; v.Reason != "" && (v.Outcome == verdict.Invalid || v.Significance() != 0 && v.Adjustment == "" && !v.Within()) {
		texts = append(texts, v.Reason)
	}
	if v := &r.v; v.Outcome == verdict.Same && v.Claim.Margin > 0 && !r.same {
		texts = append(texts, "less than the margin apart: p = "+verdict.FormatP(max(v.Above.P, v.Below.P)))
	}
	for _, w := range r.v.Warnings {
		if !r.same || !errors.Is(w, stat.ErrZeroVariance) {
			texts = append(texts, w.Error())
		}
	}
	if r.same {
		texts = append(texts, "all scores are the same")
	}
	var marks []string
	for _, text := range texts {
		if m := t.Note(verdict.Printable(text)); !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	if marks == nil {
		return ""
	}
	return " " + strings.Join(marks, " ")
}

// full returns the whole verdict on a row.
func (r *report) full(row *row) verdict.Verdict {
	v := row.v
	if !r.oneFile() {
		v.Candidate += " of " + r.sides[1].label
		v.Baseline += " of " + r.sides[0].label
	}
	return v
}

// family returns the note on false alarms among several comparisons.
func (r *report) family() []string {
	n := r.judged()
	if n < 2 {
		return nil
	}
	if r.adjust.Name == noAdjustment {
		return []string{fmt.Sprintf("%d comparisons at level %.4g: without any difference, expect up to %.2g false alarms; see -adjust",
			n, r.claim.Alpha, float64(n)*r.claim.Alpha)}
	}
	return []string{fmt.Sprintf("p is adjusted by the %s method for the comparisons of its table; interval and R are those of one comparison", r.adjust.Name)}
}
