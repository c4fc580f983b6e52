package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// ratioPrefix begins a requirement on times or costs of items, as in ratio<=1.2:fit-sec.
const ratioPrefix = "ratio<="

// takeRequirements takes a list of -require: requirements on times and costs, and others.
func takeRequirements(c *config, list string) error {
	var others []string
	for item := range strings.SplitSeq(list, ",") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(item), ratioPrefix)
		if !ok {
			others = append(others, item)
			continue
		}
		number, name, _ := strings.Cut(rest, ":")
		limit, err := strconv.ParseFloat(number, 64)
		if err != nil || !(limit > 0) || math.IsInf(limit, 1) || name == "" {
			return fmt.Errorf("%q is no requirement on times or costs: %s1.2:%s, %[2]s1.2:usd or %[2]s1:model-bytes", item, ratioPrefix, record.FitTime)
		}
		if slices.ContainsFunc(c.ratios, func(r verdict.Claim) bool { return r.Metric == name }) {
			return fmt.Errorf("two limits of %s", name)
		}
		c.ratios = append(c.ratios, verdict.Claim{
			Kind: verdict.RatioAtMost, Metric: name,
			Threshold: limit,
		})
	}
	if others == nil {
		return nil
	}
	return c.gate.Require.Set(strings.Join(others, ","))
}

// setRatios checks that the format shows ratios: a page without them would be green above a
// failure.
func setRatios(c *config, set map[string]bool) error {
	if c.ratios == nil {
		return nil
	}
	if f := c.format.Name; f != "text" && f != "json" || c.drawing.page != "" {
		return fmt.Errorf("%s is for -format text and json without -html: other formats do not show ratios", ratioPrefix)
	}
	for _, name := range []string{"waivers", "lenient"} {
		if set[name] {
			return fmt.Errorf("-%s is not for %s: it would let a ratio pass", name, ratioPrefix)
		}
	}
	for i := range c.ratios {
		c.ratios[i].Alpha = c.compare.Claim.Alpha
	}
	c.query.Strict, c.from.Times = true, true
	return nil
}

// judgeRatios holds the times or costs of each comparison against the limits, and adds what the
// gate fails on.
func judgeRatios(c *config, l *match.Layout, r *report.Report) (text string, problems []error) {
	t := texttab.New(texttab.Group{Columns: []texttab.Column{
		{Title: ""},
		{Title: "of"},
		right("base"),
		right("new"), right("ratio"), right("at most"), right("p"),
		{Title: ""},
	}})
	var verdicts strings.Builder
	seen := make(map[string]bool)
	for _, table := range l.Tables {
		for _, row := range table.Rows {
			for k, cell := range row.Cells[1:] {
				base := row.Cells[0]
				id := fmt.Sprintf("%s%s\x00%d", keys(table), row.Label, k)
				if cell == nil || base == nil || seen[id] {
					continue // of another metric
				}
				seen[id] = true
				for _, claim := range c.ratios {
					v := verdict.Of(titled(c, l, cell, k+1), titled(c, l, base, 0), claim)
					label := keys(table) + row.Label
					if len(row.Cells) > 2 {
						label += " in " + l.Columns[k+1].Label
					}
					cells := []string{unit.Printable(label), v.Claim.Metric, "", "", "", "", "", "invalid"}
					if v.Outcome == verdict.Invalid {
						problems = append(problems, fmt.Errorf("%s: %s: %w", cell.Pos(), v.Statement(), v.Err))
					} else {
						copy(cells[2:], verdict.RatioCells(&v))
						cells[7] = ratioOutcome(&v)
						x := report.Ratio{
							Row: label, Time: claim.Metric, Limit: unit.Number(claim.Threshold),
							P: unit.Number(v.Decision.P), Within: v.Holds,
							Sentence: unit.Printable(firstLine(v.String()) + "; " + v.Reason),
						}
						switch {
						case v.Costs != nil:
							x.Median, x.AtMost = unit.Number(v.Costs.Ratio), unit.Number(v.Costs.Upper)
						case v.Totals != nil:
							x.Median, x.AtMost, x.P = unit.Number(v.Totals.Ratio), unit.Number(v.Totals.Ratio),
								unit.Number(math.NaN())
						default:
							x.Median, x.AtMost = unit.Number(v.Ratio.Median), unit.Number(v.Ratio.Most)
						}
						r.Gate.Ratios = append(r.Gate.Ratios, x)
					}
					t.Row(cells...)
					if c.compare.Verbose {
						verdicts.WriteString("\n" + v.String())
					}
				}
			}
		}
	}
	if len(seen) == 0 { // nothing may pass
		problems = append(problems, errors.New("no times or costs were held against "+ratioPrefix))
	}
	if c.format.Name != "text" {
		return "", problems
	}
	return "\n" + t.String() + verdicts.String(), problems
}

// titled selects the results of a cell under a name that tells both sides apart.
func titled(c *config, l *match.Layout, cell *match.Cell, column int) record.Selection {
	s := cell.Selection()
	if !c.query.HasBaseline {
		s.Title = cell.Learner + " of " + l.Columns[column].Label
	}
	return s
}

func ratioOutcome(v *verdict.Verdict) string {
	limit := fmt.Sprintf("×%v", v.Claim.Threshold)
	switch {
	case v.Holds:
		return "within " + limit
	case v.Outcome == verdict.Regressed:
		return "above " + limit
	}
	return "not shown within " + limit
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}
