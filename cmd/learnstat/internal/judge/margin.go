package judge

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// unitsOf returns the units of the metrics that are compared.
func unitsOf(l *match.Layout) []unit.Unit {
	var units []unit.Unit
	seen := make(map[string]bool)
	for _, t := range l.Tables {
		if !seen[t.Metric] {
			seen[t.Metric] = true
			units = append(units, unitOf(t))
		}
	}
	return units
}

// unitOf returns the unit of a table's metric.
func unitOf(t *match.Table) unit.Unit {
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c == nil {
				continue
			}
			for _, u := range c.File.Metrics(c.Data, c.Learner) {
				if u.Name == t.Metric {
					return u
				}
			}
		}
	}
	return unit.Unit{Name: t.Metric, Better: unit.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
}

// marginOf returns the margin of a metric against the scores of a baseline; 0 if it has none.
func marginOf(m *unit.Margins, u unit.Unit, baseline []float64) (float64, error) {
	sum := 0.0
	for _, b := range baseline {
		sum += b
	}
	return m.Value(u, sum/float64(len(baseline)))
}

// marginLines say how much the margins of the verdicts in each metric are: margins in percent of a
// mean differ from row to row.
func marginLines(m *unit.Margins, units []unit.Unit,
	of func(metric string) []*verdict.Facts,
) []report.Line {
	var lines []report.Line
	for _, u := range units {
		amount, ok := m.Of(u.Name)
		if !ok {
			continue
		}
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range of(u.Name) {
			if v.Margin != nil {
				least, most = math.Min(least, float64(v.Margin.Value)), math.Max(most, float64(v.Margin.Value))
			}
		}
		if least > most { // nothing was judged
			continue
		}
		shown := u.FormatMargin(most)
		if low := u.FormatMargin(least); low != shown {
			shown = low + " to " + shown
		}
		value := shown + " of " + u.Name
		if amount.IsOfMean() {
			value = fmt.Sprintf("%v%% of the baseline's mean %s, which is %s", amount.Value, u.Name, shown)
		}
		lines = append(lines, report.Line{Key: report.MarginKey, Value: value})
	}
	return lines
}
