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
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// levelFlags are the flags that claims about the scores of one file may have: nothing is compared.
var levelFlags = []string{
	"at-least", "at-most", "data", "learner", "filter", "format", "v", "alpha", "test",
	"allow-majority",
	"from", "dataset", "runs", "folds", "partitions", "examples", "measure", "where", "map",
}

// levels are the claims of -at-least and -at-most.
type levels []verdict.Claim

// of returns the flag of a kind of claims: a list of metric=number.
func (l *levels) of(kind verdict.Kind) func(string) error {
	return func(text string) error {
		for _, item := range unit.SplitList(text) {
			at := strings.LastIndexByte(item, '=')
			if at < 1 {
				return fmt.Errorf("%q is no threshold of a metric, such as accuracy=0.70", item)
			}
			metric, number := item[:at], item[at+1:]
			x, err := strconv.ParseFloat(number, 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("threshold %q of %s is not a number in its unit, such as 0.70",
					number, metric)
			}
			if slices.ContainsFunc(*l, func(c verdict.Claim) bool { return c.Metric == metric }) {
				return fmt.Errorf("two thresholds of %s", metric)
			}
			*l = append(*l, verdict.Claim{Kind: kind, Metric: metric, Threshold: x})
		}
		return nil
	}
}

// setLevels takes the file whose scores are held against thresholds.
func (c *config) setLevels(args []string, set map[string]bool) error {
	for name := range set {
		if !slices.Contains(levelFlags, name) {
			return fmt.Errorf("-%s is not for -at-least and -at-most, which hold each learner of one file against a threshold, and compare nothing", name)
		}
	}
	if f := c.format.Name; f != "text" && f != "csv" {
		return fmt.Errorf("-format %s is not for -at-least and -at-most, which have text and csv", f)
	}
	if err := c.takeSources(args); err != nil {
		return err
	}
	if len(c.sources) != 1 {
		return fmt.Errorf("-at-least and -at-most are about one file, and there are %d", len(c.sources))
	}
	for i := range c.levels {
		l := &c.levels[i]
		l.Alpha, l.Test, l.AllowMajority = c.compare.Claim.Alpha, c.compare.Claim.Test,
			c.compare.Claim.AllowMajority
	}
	c.query.History, c.query.Strict = true, true
	return nil
}

// judgeLevels judges the claims of all learners on all data sets of the file.
func (c *config) judgeLevels(stdin io.Reader) (a answer, err error) {
	l, sides, problems, err := c.read(stdin)
	if err != nil {
		return answer{status: cli.Unjudged}, err
	}
	var verdicts []verdict.Verdict
	for _, claim := range c.levels {
		of, missing := cellsWith(l, claim.Metric)
		problems = append(problems, missing...)
		for _, cell := range of {
			v := verdict.Of(cell.Selection(), cell.Selection(), claim)
			if v.Outcome == verdict.Invalid {
				problems = append(problems, fmt.Errorf("%s: %s of %s: %w", cell.Pos(), claim.Metric, cell,
					v.Err))
			}
			verdicts = append(verdicts, v)
		}
	}
	failed := 0
	for i := range verdicts {
		v := &verdicts[i]
		if v.Outcome != verdict.Invalid && !v.Holds {
			failed++
			first, _, _ := strings.Cut(v.String(), "\n")
			a.messages = append(a.messages, first+"; "+unit.Printable(v.Reason))
		}
		if err := v.MostlyCopies(); err != nil {
			a.messages = append(a.messages, unit.Printable(fmt.Sprintf("%s on %s: %v", v.Candidate,
				v.Data, err)))
		}
	}
	switch {
	case len(verdicts) == 0:
		return answer{status: cli.Unjudged}, errors.Join(append(problems,
			errors.New("nothing was held against a threshold"))...)
	case len(problems) > 0:
		a.status = cli.Unjudged
	case failed > 0:
		a.status = cli.Failed
	}
	if c.format.Name == "csv" {
		a.text = levelsCSV(verdicts)
	} else {
		a.text = levelsText(sides[0].Label, verdicts, a.status, failed, c.compare.Verbose)
	}
	return a, errors.Join(problems...)
}

// cellsWith returns the results that have a metric, and an error for each that has other metrics
// only.
func cellsWith(l *match.Layout, metric string) (of []*match.Cell, missing []error) {
	seen := make(map[string]bool)
	var metrics []string
	for _, t := range l.Tables {
		metrics = append(metrics, t.Metric)
	}
	for pass := range 2 { // the tables of the metric come first
		for _, t := range l.Tables {
			if (t.Metric == metric) != (pass == 0) {
				continue
			}
			for _, r := range t.Rows {
				cell := r.Cells[0]
				switch label := r.Label + "\x00" + cell.String(); {
				case seen[label]:
				case pass == 0:
					seen[label] = true
					of = append(of, cell)
				default:
					seen[label] = true
					missing = append(missing, fmt.Errorf("%s: %s has no %s: leave it out by -data, -learner or -filter, or measure it%s",
						cell.Pos(), cell, metric, catalogue.Suggest(metric, metrics)))
				}
			}
		}
	}
	return of, missing
}

// levelsText is a table with a row for each claim, after a line with the outcome.
func levelsText(label string, verdicts []verdict.Verdict, status, failed int, verbose bool) string {
	var b strings.Builder
	switch status {
	case cli.Clean:
		shown := fmt.Sprintf("all %d claims are shown", len(verdicts))
		if len(verdicts) == 1 {
			shown = "the claim is shown"
		}
		fmt.Fprintf(&b, "%s: the gate passes: %s\n", unit.Printable(label), shown)
	case cli.Failed:
		fmt.Fprintf(&b, "%s: THE GATE FAILS: %d of %d claims are not shown\n", unit.Printable(label),
			failed, len(verdicts))
	default:
		fmt.Fprintf(&b, "%s: NOT EVERYTHING COULD BE JUDGED\n", unit.Printable(label))
	}
	t := texttab.New(texttab.Group{Columns: []texttab.Column{
		{Title: ""},
		{Title: "claim"},
		right("mean"), right("shown"), right("p"),
		{Title: ""},
	}})
	for i := range verdicts {
		v := &verdicts[i]
		row := unit.Printable(v.Data + "/" + v.Candidate)
		if v.Outcome == verdict.Invalid {
			t.Row(row, levelClaim(v), "", "", "", "invalid")
			continue
		}
		t.Row(row, levelClaim(v), v.Unit.FormatScore(v.CandidateMean), v.Unit.FormatScore(v.Level.Bound),
			unit.FormatP(v.Level.P), levelOutcome(v))
	}
	b.WriteString(t.String())
	if verbose {
		for i := range verdicts {
			b.WriteString("\n" + verdicts[i].String())
		}
	}
	return b.String()
}

func levelClaim(v *verdict.Verdict) string {
	sign := "≥"
	if v.Claim.Kind == verdict.AtMost {
		sign = "≤"
	}
	shown := strconv.FormatFloat(v.Claim.Threshold, 'g', -1, 64)
	if v.Outcome != verdict.Invalid {
		shown = v.Unit.FormatScore(v.Claim.Threshold)
	}
	return unit.Printable(v.Claim.Metric) + " " + sign + " " + shown
}

func levelOutcome(v *verdict.Verdict) string {
	switch {
	case v.Outcome == verdict.Invalid:
		return "invalid"
	case v.Holds:
		return "shown"
	case v.Outcome == verdict.Regressed:
		return "refuted"
	}
	return "inconclusive"
}

// levelsCSV has a line for each claim.
func levelsCSV(verdicts []verdict.Verdict) string {
	var b strings.Builder
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	lines := [][]string{{
		"metric", "data", "learner", "claim", "threshold", "mean", "bound",
		"other_bound", "p", "p_test", "p_wilson", "runs", "folds", "outcome",
	}}
	for i := range verdicts {
		v := &verdicts[i]
		claim := "at-least"
		if v.Claim.Kind == verdict.AtMost {
			claim = "at-most"
		}
		line := []string{
			v.Claim.Metric, v.Data, v.Candidate, claim, number(v.Claim.Threshold), "", "",
			"", "", "", "", "", "", levelOutcome(v),
		}
		if x := v.Level; x != nil && v.Outcome != verdict.Invalid {
			line = append(line[:5], number(v.CandidateMean), number(x.Bound), number(x.Ceiling), number(x.P),
				number(x.T.P), "", strconv.Itoa(v.Runs), strconv.Itoa(v.Folds), levelOutcome(v))
			if x.Wilson != nil {
				line[10] = number(x.WilsonP)
			}
		}
		for k := range line {
			line[k] = unit.Printable(line[k])
		}
		lines = append(lines, line)
	}
	_ = csv.NewWriter(&b).WriteAll(lines) // a strings.Builder takes all
	return b.String()
}
