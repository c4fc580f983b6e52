package judge

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
	"github.com/learnbench/learnbench/learntest/unit"
)

// shown is the probability above which a region is taken for shown.
const shown = 0.95

// ropes returns the ropes of the hierarchical test.
func (o *Options) ropes() *unit.Margins {
	if len(o.Rope.Metrics()) > 0 {
		return &o.Rope
	}
	return &o.Margins
}

// sampleOf returns the differences of the folds on one data set.
func sampleOf(p *record.Pairs) (hierarchical.Sample, error) {
	own := p.Runs * p.Folds
	d, err := differences(p)
	s := hierarchical.Sample{Differences: d}
	for _, n := range p.TestN[:own] {
		s.Tested += float64(n) / float64(own)
	}
	return s, err
}

// byFolds compares a column with the first one by all folds of all data sets. Each row has the
// sample of its cell.
func (a *overall) byFolds(g *group, column int, baseline []float64) (*report.Hierarchical, error) {
	u := a.table.Measure()
	rope, err := ofFolds.rope(a.ropes(), u, baseline)
	if err != nil {
		return nil, err
	}
	samples := make([]hierarchical.Sample, len(g.rows))
	for i, row := range g.rows {
		samples[i] = a.samples[&row.Cells[column]]
	}
	r, err := hierarchical.Test(samples, hierarchical.Options{Rope: rope, Seed: 1})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", OverFolds, err)
	}
	sign := float64(u.Better)
	h := &report.Hierarchical{
		Rope: unit.Number(rope), P: *regions(r.P), Errors: *regions(r.SE), Theta: *regions(r.Theta),
		Mean: unit.Number(sign * r.Mean), Lo: unit.Number(sign * r.Lo), Hi: unit.Number(sign * r.Hi),
		Spread: unit.Number(r.Spread), Draws: r.Draws, RHat: unit.Number(r.RHat), ESS: unit.Number(r.ESS),
		Outcome: outcomeOf(r.P),
	}
	if sign < 0 {
		h.Lo, h.Hi = h.Hi, h.Lo
	}
	for i, row := range g.rows {
		cell := &row.Cells[column]
		h.Sets = append(h.Sets, report.Shrunken{
			Data: cell.Data, Difference: cell.Mean - row.Cells[0].Mean,
			Mean: unit.Number(sign * r.Sets[i].Mean), P: *regions(r.Sets[i].P),
		})
	}
	for _, w := range r.Warnings {
		h.Notes = append(h.Notes, w.Error())
	}
	return h, nil
}

func outcomeOf(p across.Regions) string {
	switch {
	case p.Better > shown:
		return improved
	case p.Worse > shown:
		return regressed
	case p.Rope > shown:
		return equivalent
	}
	return inconclusive
}

// errNoSample says why -over hierarchical has nothing to say.
var errNoSample = errors.New("-over " + OverFolds +
	" compares learners that have results on two data sets or more, and there is none: compare more data sets, or leave it out")
