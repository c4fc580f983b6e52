package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A timesRow is the mean seconds of the trials of a learner on a data set in one file.
type timesRow struct {
	file, label  string
	trials       int     // with times
	fit, predict float64 // 0 where no times are stored
	first        *timesRow
}

// timesOf returns the mean seconds of the trials of a cell, and how many have times.
func timesOf(c *match.Cell) (fit, predict float64, trials int) {
	for _, b := range c.File.Blocks() {
		if b.Header.Data != c.Data || b.Header.IsSecondOpinion() {
			continue
		}
		for trial := range b.Trials() {
			if trial.Learner == c.Learner && trial.FitSeconds+trial.PredictSec > 0 {
				trials++
				fit += trial.FitSeconds
				predict += trial.PredictSec
			}
		}
	}
	n := float64(max(trials, 1))
	return fit / n, predict / n, trials
}

// times returns the times of trials, file by file.
func (c *config) times(stdin io.Reader) (string, error) {
	l, _, problems, err := c.read(stdin)
	if err != nil {
		return "", err
	}
	var rows []*timesRow
	seen := make(map[string]bool)
	timed := false
	for _, t := range l.Tables {
		label := keys(t)
		for _, r := range t.Rows {
			if seen[label+r.Label] {
				continue // of another metric
			}
			seen[label+r.Label] = true
			var first *timesRow
			for i, cell := range r.Cells {
				if cell == nil {
					continue
				}
				x := &timesRow{file: l.Columns[i].Label, label: label + r.Label, first: first}
				x.fit, x.predict, x.trials = timesOf(cell)
				timed = timed || x.trials > 0
				if rows = append(rows, x); first == nil {
					first = x
				}
			}
		}
	}
	if !timed {
		return "", errors.Join(append(problems,
			errors.New("-times: no trial of these files has times"))...)
	}
	write := timesText
	if c.format.Name == "csv" {
		write = timesCSV
	}
	return write(rows), errors.Join(problems...)
}

// keys returns the keys of a table, each with a space after it.
func keys(t *match.Table) string {
	text := ""
	for _, k := range t.Keys {
		text += k.Key + ": " + k.Value + " "
	}
	return text
}

// right is a column of numbers.
func right(title string) texttab.Column {
	return texttab.Column{Title: title, Align: texttab.Right, TitleAlign: texttab.Right}
}

// seconds formats a mean of times; 0 is none.
func seconds(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", x)
}

// timesText is a table with a line for each file of each row.
func timesText(rows []*timesRow) string {
	t := texttab.New(texttab.Group{Columns: []texttab.Column{
		{},
		{Title: "file"},
		right("fit s"),
		right("ratio"), right("predict s"), right("ratio"),
	}})
	ratio := func(x float64, of func(*timesRow) float64, first *timesRow) string {
		if x == 0 || first == nil || of(first) == 0 {
			return ""
		}
		return fmt.Sprintf("%.3g", x/of(first))
	}
	for _, r := range rows {
		t.Row(unit.Printable(r.label), unit.Printable(r.file),
			seconds(r.fit), ratio(r.fit, func(f *timesRow) float64 { return f.fit }, r.first),
			seconds(r.predict), ratio(r.predict, func(f *timesRow) float64 { return f.predict }, r.first))
	}
	return "mean seconds of a trial, and their ratio to the first file; nothing is judged:\ntimes of other machines, or under other load, are others\n" + t.String()
}

// timesCSV has a line for each file of each row.
func timesCSV(rows []*timesRow) string {
	var b strings.Builder
	out := csv.NewWriter(&b)
	lines := [][]string{{"row", "file", "trials", "fit_seconds", "predict_seconds"}}
	for _, r := range rows {
		line := []string{unit.Printable(r.label), unit.Printable(r.file), strconv.Itoa(r.trials), "", ""}
		if r.trials > 0 {
			line[3], line[4] = strconv.FormatFloat(r.fit, 'g', -1, 64), strconv.FormatFloat(r.predict, 'g',
				-1, 64)
		}
		lines = append(lines, line)
	}
	_ = out.WriteAll(lines) // a strings.Builder takes all
	return b.String()
}

// setTimes checks that nothing but times is asked for: a gate that judges no scores would pass.
func (c *config) setTimes(args []string, set map[string]bool) error {
	for name := range set {
		if name != "times" && name != "col" && !slices.Contains(summaryFlags, name) {
			return fmt.Errorf("-%s is not for -times, which shows seconds and judges nothing", name)
		}
	}
	if c.format.Name != "text" && c.format.Name != "csv" {
		return fmt.Errorf("-format %s is not for -times: there are text and csv", c.format.Name)
	}
	c.from.Times = true
	if err := c.takeSources(args); err != nil {
		return err
	}
	if len(c.sources) == 1 {
		return fmt.Errorf("-times has nothing to compare %s with: give a second file; learnstat %s shows its times", args[0], args[0])
	}
	return nil
}
