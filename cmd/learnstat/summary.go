package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// summaryFlags are the flags that a summary of one file may have: it compares and judges nothing.
var summaryFlags = []string{
	"data", "learner", "metric", "filter", "table", "row", "ignore", "lenient", "format", "width",
	"from", "dataset", "runs", "folds", "partitions", "examples", "measure", "where",
}

// A summaryRow is the scores of a learner on a data set in a metric.
type summaryRow struct {
	table, metric, label, data, learner string
	unit                                unit.Unit
	scores                              []float64 // of the protocol's own runs
	runs, folds                         int
	weighted                            *float64 // mean where clusters of items weigh equally
	fit, predict                        float64  // mean seconds of a trial; 0 where no times are stored
}

// summarise returns what one file holds: means, how they vary over folds, and times.
func (c *config) summarise(stdin io.Reader) (string, error) {
	l, sides, problems, err := c.read(stdin)
	if err != nil {
		return "", err
	}
	var rows []summaryRow
	for _, t := range l.Tables {
		for _, r := range t.Rows {
			row, err := summaryOf(t, r)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: %s of %s: %w", r.Cells[0].Pos(), t.Metric,
					r.Label, err))
				continue
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return "", errors.Join(problems...)
	}
	write := summaryText
	if c.format.Name == "csv" {
		write = summaryCSV
	}
	return write(sides[0].Label, rows), errors.Join(problems...)
}

// summaryOf pairs a learner with itself, which checks that all of its trials are there.
func summaryOf(t *match.Table, r *match.Row) (summaryRow, error) {
	c := r.Cells[0]
	p, err := record.Pair(c.Selection(), c.Selection(), t.Metric)
	if err != nil {
		return summaryRow{}, err
	}
	row := summaryRow{
		metric: t.Metric, label: r.Label, data: c.Data, learner: c.Learner, unit: p.Unit,
		scores: p.A[:p.Runs*p.Folds], table: strings.TrimSpace(keys(t)), runs: p.Runs, folds: p.Folds,
	}
	if p.CandidateHeader.Weight == record.ByCluster {
		mean, _ := p.Means()
		row.weighted = &mean
	}
	row.fit, row.predict, _ = timesOf(c)
	return row, nil
}

// spread returns mean and standard deviation of the folds; a single one has none. Where clusters of
// items weigh equally, the mean is theirs.
func (r *summaryRow) spread() (mean, sd float64) {
	for _, x := range r.scores {
		mean += x / float64(len(r.scores))
	}
	for _, x := range r.scores {
		sd += (x - mean) * (x - mean)
	}
	if r.weighted != nil {
		mean = *r.weighted
	}
	return mean, math.Sqrt(sd / float64(max(len(r.scores)-1, 1)))
}

// summaryText is a table for each metric, with the times of each learner.
func summaryText(label string, rows []summaryRow) string {
	var b strings.Builder
	b.WriteString(unit.Printable(label+": nothing is compared; give a second file, or a learner of this one as -baseline") + "\n")
	for len(rows) > 0 {
		first := rows[0]
		n := slices.IndexFunc(rows, func(r summaryRow) bool {
			return r.metric != first.metric ||
				r.table != first.table
		})
		if n < 0 {
			n = len(rows)
		}
		if first.table != "" {
			b.WriteString(unit.Printable(first.table) + "\n")
		}
		t := texttab.New(texttab.Group{Columns: []texttab.Column{
			{Title: unit.Printable(first.metric)},
			right("mean"), right("sd of folds"), right("min"),
			right("max"), right("n"), right("fit s"), right("predict s"),
		}})
		for _, r := range rows[:n] {
			mean, sd := r.spread()
			t.Row(unit.Printable(r.label), r.unit.FormatScore(mean),
				strings.TrimSuffix(r.unit.FormatMargin(sd), " points"),
				r.unit.FormatScore(slices.Min(r.scores)), r.unit.FormatScore(slices.Max(r.scores)),
				fmt.Sprintf("%d×%d", r.runs, r.folds), seconds(r.fit), seconds(r.predict))
		}
		b.WriteString(t.String())
		if slices.ContainsFunc(rows[:n], func(r summaryRow) bool { return r.weighted != nil }) {
			b.WriteString("mean: clusters weigh equally, where the results say so\n")
		}
		rows = rows[n:]
	}
	return b.String()
}

// summaryCSV has a line for each learner, data set and metric.
func summaryCSV(_ string, rows []summaryRow) string {
	var b strings.Builder
	out := csv.NewWriter(&b)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	lines := [][]string{{
		"metric", "data", "learner", "row", "table", "mean", "sd", "min", "max",
		"runs", "folds", "fit_seconds", "predict_seconds",
	}}
	for _, r := range rows {
		mean, sd := r.spread()
		line := []string{
			r.metric, r.data, r.learner, r.label, r.table, number(mean), number(sd),
			number(slices.Min(r.scores)), number(slices.Max(r.scores)), strconv.Itoa(r.runs),
			strconv.Itoa(r.folds), "", "",
		}
		if r.fit+r.predict > 0 {
			line[11], line[12] = number(r.fit), number(r.predict)
		}
		for i := range line {
			line[i] = unit.Printable(line[i])
		}
		lines = append(lines, line)
	}
	_ = out.WriteAll(lines) // a strings.Builder takes all
	return b.String()
}
