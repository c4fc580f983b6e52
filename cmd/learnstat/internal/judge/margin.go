package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Margins is a flag that sets the margins of equivalence: a number, or a list of
// metric=number. A number may have the unit pp, percentage points, or %, percent of the
// baseline's mean.
type Margins struct{ items []margin }

// A margin is that of a metric, or of all if the name is empty.
type margin struct {
	metric string
	value  float64
	unit   string // "", "pp" or "%"
}

// String returns the list.
func (m *Margins) String() string {
	var items []string
	for _, x := range m.items {
		text := strconv.FormatFloat(x.value, 'g', -1, 64) + x.unit
		if x.metric != "" {
			text = x.metric + "=" + text
		}
		items = append(items, text)
	}
	return strings.Join(items, ",")
}

// Set adds a list.
func (m *Margins) Set(text string) error {
	items := slices.Clone(m.items)
	for _, item := range match.SplitList(text) {
		x := margin{}
		number := item
		if at := strings.LastIndexByte(item, '='); at >= 0 {
			x.metric, number = item[:at], item[at+1:]
			if x.metric == "" {
				return fmt.Errorf("margin %q has no metric before the equals sign", item)
			}
		}
		var err error
		if x.value, x.unit, err = ParseAmount(number); err != nil || !(x.value > 0) {
			return fmt.Errorf("margin %q is not a positive number, with or without the unit pp or %%", number)
		}
		if x.unit == "%" && x.value >= 100 {
			return fmt.Errorf("margin %q is all of the baseline's mean, or more", number)
		}
		switch {
		case !slices.ContainsFunc(items, func(o margin) bool { return o.metric == x.metric }):
		case x.metric == "":
			return errors.New("two margins without a metric")
		default:
			return fmt.Errorf("two margins for %s", x.metric)
		}
		items = append(items, x)
	}
	if len(items) > 1 && slices.ContainsFunc(items, func(o margin) bool { return o.metric == "" }) {
		return errors.New("a margin without a metric beside others")
	}
	m.items = items
	return nil
}

// ParseAmount returns a number and its unit, which is "", "pp" or "%".
func ParseAmount(text string) (float64, string, error) {
	unit := ""
	for _, u := range []string{"pp", "%"} {
		if rest, ok := strings.CutSuffix(text, u); ok {
			text, unit = rest, u
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, "", fmt.Errorf("%q is not a number", text)
	}
	return x, unit, nil
}

// Amount returns a number with its unit in the unit of the metric. A percentage is of the
// mean.
func Amount(u record.Unit, x float64, unit string, mean float64) (float64, error) {
	switch unit {
	case "pp":
		if !verdict.IsFraction(u) {
			return 0, fmt.Errorf("pp, percentage points, are for metrics of the range 0 to 1, and %s is none: give the number in its own unit, or in %% of the baseline's mean", u.Name)
		}
		return x / 100, nil
	case "%":
		return x / 100 * math.Abs(mean), nil
	}
	return x, nil
}

// check returns an error unless the margins are for metrics of the layout, and such as a
// difference can be beyond.
func (m *Margins) check(l *match.Layout) error {
	units := make(map[string]record.Unit)
	var metrics []string
	for _, t := range l.Tables {
		if _, ok := units[t.Metric]; ok {
			continue
		}
		metrics = append(metrics, t.Metric)
		units[t.Metric] = unitOf(t)
	}
	if len(metrics) == 0 {
		return nil
	}
	for _, x := range m.items {
		if x.metric == "" && x.unit == "" && len(metrics) > 1 {
			return fmt.Errorf("a margin is in the unit of its metric, and there are several: write -margin metric=value, with %s", match.Quoted(metrics))
		}
		if x.metric != "" && !slices.Contains(metrics, x.metric) {
			return fmt.Errorf("-margin is for %q, which is not compared; there are: %s", x.metric, match.Quoted(metrics))
		}
		if x.unit == "%" {
			continue // of a mean that differs from row to row
		}
		for _, name := range metrics {
			if x.metric != "" && x.metric != name {
				continue
			}
			value, err := Amount(units[name], x.value, x.unit, 0)
			if err != nil {
				return err
			}
			if err := cli.CheckMargin(units[name], value); err != nil {
				return err
			}
		}
	}
	return nil
}

// unitOf returns the unit of a table's metric.
func unitOf(t *match.Table) record.Unit {
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
	return record.Unit{Name: t.Metric, Better: record.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
}

// of returns the margin of a metric against the scores of a baseline; 0 if it has none.
func (m *Margins) of(u record.Unit, baseline []float64) (float64, error) {
	for _, x := range m.items {
		if x.metric != "" && x.metric != u.Name {
			continue
		}
		if x.unit != "%" {
			return Amount(u, x.value, x.unit, 0)
		}
		sum := 0.0
		for _, b := range baseline {
			sum += b
		}
		value, err := Amount(u, x.value, x.unit, sum/float64(len(baseline)))
		if err == nil && value == 0 {
			err = fmt.Errorf("-margin %v%% of the baseline's mean of 0 is none: give one in the unit of %s", x.value, u.Name)
		}
		if err == nil {
			err = cli.CheckMargin(u, value)
		}
		return value, err
	}
	return 0, nil
}

// lines say how much the margins are that were given in percent of a mean, which differs from row to row.
func (m *Margins) lines(tables []report.Table) []report.Line {
	var lines []report.Line
	seen := make(map[string]bool)
	for i := range tables {
		metric := tables[i].Metric
		at := slices.IndexFunc(m.items, func(x margin) bool { return x.unit == "%" && (x.metric == "" || x.metric == metric) })
		if at < 0 || seen[metric] {
			continue
		}
		seen[metric] = true
		least, most := math.Inf(1), math.Inf(-1)
		var u record.Unit
		for j := i; j < len(tables); j++ {
			if tables[j].Metric != metric || tables[j].Unit == nil {
				continue
			}
			u = tables[j].Unit.Record()
			for _, v := range verdicts(&tables[j]) {
				if v.Margin != nil {
					least, most = math.Min(least, float64(v.Margin.Value)), math.Max(most, float64(v.Margin.Value))
				}
			}
		}
		if least > most { // nothing was judged
			continue
		}
		amount := verdict.FormatMargin(u, most)
		if low := verdict.FormatMargin(u, least); low != amount {
			amount = low + " to " + amount
		}
		lines = append(lines, report.Line{Key: "margin", Value: fmt.Sprintf("%v%% of the baseline's mean %s, which is %s", m.items[at].value, metric, amount)})
	}
	return lines
}
