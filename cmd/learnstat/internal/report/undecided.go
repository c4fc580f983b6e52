package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// Undecided says in a line what a gate on regressions lets pass that it could not decide, how large
// a loss that may be, and what gate would not; nothing if there is nothing, or if not everything
// could be judged, which nothing passes.
func (r *Report) Undecided() string {
	all := r.Gate.Undecided
	if len(all) == 0 || r.Status > 1 {
		return ""
	}
	what := verdict.Inconclusive.String()
	if slices.ContainsFunc(all, func(u Undecided) bool { return r.Comparison(u.At).Outcome != what }) {
		what = "undecided"
	}
	var losses, margins []string
	required := true // there are margins, and only the requirement is missing
	seen := make(map[string]bool)
	for _, u := range all {
		c := r.Comparison(u.At)
		if seen[c.Table.Metric] {
			continue
		}
		seen[c.Table.Metric] = true
		losses = append(losses, clauses{r}.largestLoss(c.Table.Metric))
		required = required && c.Margin != nil
		margins = append(margins, exampleMargin(c.Table, len(r.Tables) > 1))
	}
	remedy := "-require non-inferior"
	if !required {
		remedy += " -margin " + strings.Join(margins, ",")
	}
	form := "%d comparisons of %d are %s and pass -fail-on regressed, with losses of %s; %s passes only comparisons that are shown to lose less than the margin"
	if len(all) == 1 {
		form = "%d comparison of %d is %s and passes -fail-on regressed, with a loss of %s; %s passes only comparisons that are shown to lose less than the margin"
	}
	return fmt.Sprintf(form, len(all), r.Comparisons(), what, strings.Join(losses, ", "), remedy)
}

// largestLoss says how large a loss in the metric passes. The loss of a test without an interval is
// the largest.
func (r clauses) largestLoss(metric string) string {
	var worst *Undecided
	for i := range r.Gate.Undecided {
		u := &r.Gate.Undecided[i]
		if r.Tables[u.Table].Metric == metric && (worst == nil || !worst.Loss.IsNaN() &&
			(u.Loss.IsNaN() || u.Loss > worst.Loss)) {
			worst = u
		}
	}
	c := r.Comparison(worst.At)
	of := metric + " of " + c.Row.Label
	if worst.Loss.IsNaN() {
		return fmt.Sprintf("any size (%s, %s has no interval)", of, c.Test)
	}
	return fmt.Sprintf("up to %s (%s, %.4g%% interval)",
		c.Table.Measure().FormatMargin(float64(worst.Loss)), of, 100*float64(c.Level))
}

// exampleMargin returns a margin to begin with, of the metric if it is to be named.
func exampleMargin(t *Table, named bool) string {
	text := "VALUE"
	if t.Measure().IsFraction() {
		text = "2pp"
	}
	if named {
		text = t.Metric + "=" + text
	}
	return text
}
