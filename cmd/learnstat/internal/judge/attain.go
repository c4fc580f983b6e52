package judge

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// cannot returns why the gate could not fail, or could not hold, whatever the results were.
func (g *Rules) cannot(r *report.Report) []error {
	var problems []error
	for _, q := range g.Require {
		if q.metric != "" && !slices.ContainsFunc(r.Tables,
			func(t report.Table) bool { return t.Metric == q.metric }) {
			problems = append(problems, fmt.Errorf("-require %s: there is no comparison in %s%s", q,
				q.metric,
				catalogue.Suggest(q.metric, metricsOf(r))))
		}
		if q.what == improved {
			continue
		}
		for i := range r.Tables {
			if t := &r.Tables[i]; q.of(t.Metric) && !hasMargin(t) {
				problems = append(problems, fmt.Errorf("-require %s: %s has no margin, without which nothing is %s: give one with -margin %s=VALUE", q, t.Metric, q.what, t.Metric))
			}
		}
	}
	for _, x := range []struct{ what, tail string }{{regressed, "better"}, {improved, "worse"}} {
		if slices.Contains(g.FailOn, x.what) && r.Settings.Tail == x.tail {
			problems = append(problems, fmt.Errorf("the gate cannot fail: with -tail %s nothing is %s, and -fail-on %s would pass everything: leave out one of the two", x.tail, x.what, x.what))
		}
	}
	if g.onDifferences() {
		problems = append(problems, g.settled(r)...)
		problems = append(problems, g.attainable(r)...)
	}
	return problems
}

// metricsOf returns the metrics of the report.
func metricsOf(r *report.Report) []string {
	var names []string
	for i := range r.Tables {
		names = append(names, r.Tables[i].Metric)
	}
	return names
}

// settled returns an error if the gate takes the p of all runs of comparisons that fewer have
// settled: an adjustment and the tests over data sets depend on it beyond the side of the level
// that it is on.
func (g *Rules) settled(r *report.Report) []error {
	all, early := r.Comparisons(), 0
	for c := range r.All() {
		if c.Judged() && c.Planned > c.Runs {
			early++
		}
	}
	if early == 0 || all == 1 || !g.adjusted() && r.Settings.Shares.Over == 0 {
		return nil
	}
	return []error{fmt.Errorf("-fail-on %v over %d comparisons takes the p of all runs, and the training of %d was stopped earlier, when their verdicts were settled: %s; or require each of them to be %s, within a margin", &g.FailOn, all, early, record.TrainOn, nonInferior)}
}

func hasMargin(t *report.Table) bool {
	for c := range t.All() {
		if c.Judged() && c.Margin == nil {
			return false
		}
	}
	return true
}

// attainable returns an error for each metric of which a comparison could not be significant,
// whatever its results were and where no other is: because its test has few values of p, or there
// are many comparisons.
func (g *Rules) attainable(r *report.Report) []error {
	var problems []error
	n, level := r.Comparisons(), r.Settings.RowLevel()
	told := make(map[string]bool)
	alone := make(map[unit.Number]float64) // from a smallest p to its adjusted value
	for c := range r.All() {
		if !c.Judged() || c.LeastP.IsNaN() || told[c.Table.Metric] {
			continue
		}
		p := float64(c.LeastP)
		adjusted, ok := alone[c.LeastP]
		if !ok {
			adjusted = p
			if g.adjusted() {
				family := slices.Repeat([]float64{1}, n)
				family[0] = p
				all, err := g.Adjust.Adjust(family)
				if err != nil {
					return []error{fmt.Errorf("-adjust: %w", err)}
				}
				adjusted = all[0]
			}
			alone[c.LeastP] = adjusted
		}
		if adjusted <= level {
			continue
		}
		told[c.Table.Metric] = true
		how, size, more := "", fmt.Sprintf("%d runs of %d folds", c.Runs, c.Folds), "more runs"
		if c.Items != nil {
			size, more = c.Size(), "more clusters"
		}
		if adjusted != p {
			how = fmt.Sprintf(", %s over %d comparisons %s", g.Adjust.Name, n, unit.FormatP(adjusted))
		}
		problems = append(problems, fmt.Errorf("the gate cannot fail: %s of %s could not be significant at level %.4g whatever the results were: the smallest p of %s from %s is %s%s; use another test, %s or fewer comparisons",
			c.Table.Metric, c.Row.Label, level, c.Test, size, unit.FormatP(p), how, more))
	}
	return problems
}
