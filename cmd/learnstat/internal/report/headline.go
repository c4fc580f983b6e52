package report

import (
	"fmt"
	"iter"
	"strings"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// Headline returns what to read first: what the gate does, in capitals, and how many comparisons
// have which outcome. Without a gate the numbers are all there is.
func Headline(r *Report) []string {
	counts := Counts(r)
	if r.Status > 1 {
		return []string{"NOT EVERYTHING COULD BE JUDGED", counts}
	}
	state := r.State()
	if state == "" {
		return []string{counts}
	}
	line := strings.ToUpper(strings.TrimPrefix(state, "the "))
	if state == Fails {
		line += " on " + clauses{r}.failing(func(n int) string {
			return fmt.Sprintf("%d of %s", n,
				count(r.Comparisons(), "comparison"))
		})
	}
	line += clauses{r}.margins(", with a margin of ")
	if n := len(r.Gate.Undecided); n > 0 {
		line += fmt.Sprintf(", %d undecided", n)
	}
	return []string{line, counts}
}

// Counts says how many comparisons have which outcome, nothing of a history.
func Counts(r *Report) string {
	n := r.Comparisons()
	if n == 0 {
		return ""
	}
	return count(n, "comparison") + ": " + outcomes(r, r.All()) + clauses{r}.smallSlices() +
		clauses{r}.leftOut()
}

// leftOut says how many items were left out.
func (r clauses) leftOut() string {
	most, rows := 0, 0
	for c := range r.All() {
		if c.Items != nil && c.Items.LeftOut > 0 {
			most, rows = max(most, c.Items.LeftOut), rows+1
		}
	}
	switch rows {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; %s left out, which just one side has", count(most, "item"))
	}
	return fmt.Sprintf("; up to %s left out in %d comparisons, which just one side has",
		count(most, "item"), rows)
}

// Counts says how many comparisons of a table have which outcome.
func (t *Table) Counts(r *Report) string { return outcomes(r, t.All()) }

// outcomes counts comparisons by their outcome. Where p is adjusted and spares some, the numbers
// after the adjustment stand beside.
func outcomes(r *Report, comparisons iter.Seq[Comparison]) string {
	order := []verdict.Outcome{
		verdict.Regressed, verdict.Improved, verdict.Inconclusive, verdict.Same,
		verdict.Invalid,
	}
	counts, kept := make(map[string]int), make(map[string]int)
	adjusts, level := r.Adjusts(), r.Settings.RowLevel()
	for c := range comparisons {
		counts[c.Outcome]++
		if !adjusts || float64(c.AdjustedP) <= level {
			kept[c.Outcome]++
		}
	}
	var items []string
	for _, o := range order {
		name := o.String()
		n := counts[name]
		if n == 0 {
			continue
		}
		item := fmt.Sprintf("%d %s", n, name)
		if (o == verdict.Regressed || o == verdict.Improved) && kept[name] < n {
			item += fmt.Sprintf(" (%d by adjusted p)", kept[name])
		}
		items = append(items, item)
	}
	return strings.Join(items, ", ")
}
