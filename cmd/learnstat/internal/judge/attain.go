package judge

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// cannot returns why the gate could not fail, or could not hold, whatever the results were.
func (g *Rules) cannot(r *report.Report) []error {
	var problems []error
	for _, q := range g.Require {
		if q.metric != "" && !slices.ContainsFunc(r.Tables, func(t report.Table) bool { return t.Metric == q.metric }) {
			problems = append(problems, fmt.Errorf("-require %s: there is no comparison in %s", q, q.metric))
		}
		if q.what == improved {
			continue
		}
		for i := range r.Tables {
			if t := &r.Tables[i]; q.of(t.Metric) && !hasMargin(t) {
				problems = append(problems, fmt.Errorf("-require %s: %s has no margin, without which nothing but equal scores is %s: give one with -margin %s=VALUE", q, t.Metric, q.what, t.Metric))
			}
		}
	}
	for _, x := range []struct{ what, tail string }{{regressed, "better"}, {improved, "worse"}} {
		if slices.Contains(g.FailOn, x.what) && r.Settings.Tail == x.tail {
			problems = append(problems, fmt.Errorf("the gate cannot fail: with -tail %s nothing is %s, and -fail-on %s would pass whatever there is: leave out one of the two", x.tail, x.what, x.what))
		}
	}
	if slices.Contains(g.FailOn, regressed) || slices.Contains(g.FailOn, improved) {
		for i := range r.Tables {
			if err := g.attainable(r, &r.Tables[i]); err != nil {
				problems = append(problems, err)
			}
		}
	}
	return problems
}

func hasMargin(t *report.Table) bool {
	for c := range t.All() {
		if c.Judged() && c.Margin == nil && !c.Identical {
			return false
		}
	}
	return true
}

// attainable returns an error if a comparison could not be significant whatever its results
// were: because its test has few values of p, or there are many comparisons.
func (g *Rules) attainable(r *report.Report, t *report.Table) error {
	var least []float64
	for c := range t.All() {
		if c.Judged() && !c.LeastP.IsNaN() {
			least = append(least, float64(c.LeastP))
		} else {
			least = append(least, 1)
		}
	}
	adjusted := least
	if g.adjusted() {
		var err error
		if adjusted, err = g.Adjust.Adjust(least); err != nil {
			return fmt.Errorf("-adjust: %w", err)
		}
	}
	i := -1
	for c := range t.All() {
		if i++; !c.Judged() || c.LeastP.IsNaN() || adjusted[i] <= r.Settings.Alpha {
			continue
		}
		how := ""
		if g.adjusted() && adjusted[i] != least[i] {
			how = fmt.Sprintf(", %s over %d comparisons %s", g.Adjust.Name, len(least), unit.FormatP(adjusted[i]))
		}
		return fmt.Errorf("the gate cannot fail: %s of %s could not be significant at level %.4g whatever the results were: the smallest p of %s from %d runs of %d folds is %s%s; use another test, more runs or fewer comparisons",
			t.Metric, c.Row.Label, r.Settings.Alpha, c.Test, c.Runs, c.Folds, unit.FormatP(least[i]), how)
	}
	return nil
}
