package judge

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// overShare is the part of the level that tests over data sets take in a gate on differences, if
// they can be significant at it. A loss that is small on each of many data sets is seen there and
// nowhere else.
const overShare = 1.0 / 5

// onDifferences reports whether the gate fails on differences that are significant.
func (g *Rules) onDifferences() bool {
	return g != nil && (slices.Contains(g.FailOn, regressed) || slices.Contains(g.FailOn, improved))
}

// shares returns the levels of rows and of tests over data sets. They depend on the design alone,
// never on scores.
func (b *builder) shares() (report.Shares, error) {
	alpha := b.Claim.Alpha
	s := report.Shares{Rows: alpha}
	if !b.Gate.onDifferences() || b.Across.Off {
		return s, nil
	}
	over := alpha
	if b.Gate.adjusted() {
		over = alpha * overShare
	}
	var least []float64
	for _, t := range pooled(skeleton(b.layout)) {
		for _, g := range groups(&t) {
			if !g.isSample() {
				continue
			}
			p, err := b.Across.leastP(len(g.rows))
			if err != nil {
				return s, err
			}
			for range g.rows[0].Cells[1:] {
				least = append(least, p)
			}
		}
	}
	least = slices.DeleteFunc(least, func(p float64) bool { return p > over })
	adjusted, err := b.Adjust.Adjust(least)
	if err != nil {
		return s, err
	}
	if !slices.ContainsFunc(adjusted, func(p float64) bool { return p <= over }) {
		return s, nil
	}
	s.Over = over
	if b.Gate.adjusted() {
		s.Rows = alpha - over
	}
	return s, nil
}

// leastP returns the smallest p that the test over n data sets could have: the p of differences in
// one direction, no two of which are equal.
func (a *Across) leastP(n int) (float64, error) {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	out, err := a.testOf(n).Run(x, make([]float64, n), stat.TwoSided)
	return out.P, err
}

// skeleton returns the tables of a layout as if all comparisons could be judged.
func skeleton(l *match.Layout) []report.Table {
	tables := make([]report.Table, len(l.Tables))
	for i, t := range l.Tables {
		tables[i] = report.Table{Metric: t.Metric, Rows: make([]report.Row, len(t.Rows))}
		for j, r := range t.Rows {
			cells := make([]report.Cell, len(r.Cells))
			for k, c := range r.Cells {
				if c != nil {
					cells[k] = report.Cell{Data: c.Data, Learner: c.Learner, Verdict: &verdict.Facts{}}
				}
			}
			tables[i].Rows[j].Cells = cells
		}
	}
	return tables
}

// pooled returns a table for each metric, with the rows of all tables in it: how rows are arranged
// changes no test over data sets. Tables that have data sets in common stay separate.
func pooled(tables []report.Table) []report.Table {
	var all []report.Table
	for i := range tables {
		metric := tables[i].Metric
		if slices.ContainsFunc(all, func(t report.Table) bool { return t.Metric == metric }) {
			continue
		}
		var own []report.Table
		pool := report.Table{Metric: metric}
		for _, t := range tables[i:] {
			if t.Metric != metric {
				continue
			}
			own = append(own, report.Table{Metric: metric, Unit: t.Unit, Rows: t.Rows})
			pool.Rows = append(pool.Rows, t.Rows...)
			if pool.Unit == nil {
				pool.Unit = t.Unit
			}
		}
		if slices.ContainsFunc(groups(&pool), func(g *group) bool { return g.twice }) {
			all = append(all, own...)
		} else {
			all = append(all, pool)
		}
	}
	return all
}

// overTests returns the tests over data sets that are part of the gate.
func (b *builder) overTests() ([]report.OverTest, error) {
	tests := []report.OverTest{}
	level := b.report.Settings.Shares.Over
	if level == 0 {
		return tests, nil
	}
	for _, t := range pooled(b.report.Tables) {
		if t.Unit == nil {
			continue
		}
		a := &overall{&Options{Claim: b.Claim, Across: Across{Test: b.Across.Test}}, &t, nil}
		if err := a.compare(); err != nil {
			return nil, err
		}
		for i := range t.Over {
			o := &t.Over[i]
			if p, err := b.Across.leastP(o.DataSets); err != nil {
				return nil, err
			} else if p > level {
				continue
			}
			for j := 1; j < len(o.Columns); j++ {
				tests = append(tests, report.OverTest{
					Metric: t.Metric, Learner: o.Learner, Column: j,
					DataSets: o.DataSets, Test: o.Test, OverColumn: o.Columns[j],
				})
			}
		}
	}
	p := make([]float64, len(tests))
	for i := range tests {
		p[i] = float64(tests[i].P)
	}
	adjusted, err := b.Adjust.Adjust(p)
	if err != nil {
		return nil, err
	}
	for i := range tests {
		tests[i].AdjustedP = unit.Number(adjusted[i])
	}
	return tests, nil
}

// sharesNote says what the shares are; nothing if rows have all.
func sharesNote(r *report.Report) []string {
	s := &r.Settings
	if s.Shares.Over == 0 {
		return nil
	}
	tests := "the test"
	if n := len(r.Gate.Over); n != 1 {
		tests = fmt.Sprintf("%d tests", n)
	}
	if s.Shares.Rows == s.Alpha {
		return []string{fmt.Sprintf("%s over data sets are part of the gate, at level %.4g", tests,
			s.Shares.Over)}
	}
	return []string{fmt.Sprintf("the gate keeps level %.4g: rows have %.4g of it, and %s over data sets %.4g", s.Alpha, s.Shares.Rows, tests, s.Shares.Over)}
}

// holdOver decides on the tests over data sets.
func (g *Rules) holdOver(r *report.Report) {
	for i := range r.Gate.Over {
		o := &r.Gate.Over[i]
		if slices.Contains(g.FailOn, o.Outcome) && (o.Outcome == regressed || o.Outcome == improved) &&
			float64(o.AdjustedP) <= r.Settings.Shares.Over {
			o.Why = o.Outcome
		}
	}
}
