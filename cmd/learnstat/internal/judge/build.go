package judge

import (
	"errors"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Build returns the report on a layout, and what could not be judged beside the problems of
// the layout. It returns an error if the options do not fit the results.
func Build(l *match.Layout, o Options) (*report.Report, []error, error) {
	b, err := newBuilder(l, o)
	if err != nil {
		return nil, nil, err
	}
	b.many = l.Comparisons() > report.ManyComparisons
	if b.report.Settings.Shares, err = b.shares(); err != nil {
		return nil, nil, err
	}
	if o.Gate.onDifferences() {
		b.rowLevel = b.report.Settings.RowLevel()
	}
	for _, t := range l.Tables {
		if o.Across.Bayes {
			if _, err := ofBayes.rope(&o.Margins, unitOf(t), []float64{1}); err != nil {
				return nil, nil, err
			}
		}
		if o.Across.Method.Hierarchical() {
			if _, err := ofFolds.rope(o.ropes(), unitOf(t), []float64{1}); err != nil {
				return nil, nil, err
			}
		}
		table := b.table(t)
		if !o.Across.Off && table.Unit != nil {
			if err := (&overall{&o, &table, b.samples}).compare(); err != nil {
				return nil, nil, err
			}
		}
		consistency(&table)
		b.report.Tables = append(b.report.Tables, table)
	}
	var all, sliced []*verdict.Facts
	for c := range b.report.All() {
		if c.Row.Slice == nil {
			all = append(all, c.Facts)
		} else {
			sliced = append(sliced, c.Facts)
		}
	}
	if err := b.adjust(all, "all comparisons"); err != nil {
		return nil, nil, err
	}
	if len(sliced) > 0 { // a family of its own: to ask for slices changes nothing about the whole
		if err := b.adjust(sliced, "all slices"); err != nil {
			return nil, nil, err
		}
	}
	if b.report.Gate.Over, err = b.overTests(); err != nil {
		return nil, nil, err
	}
	b.report.Notes = append(b.report.Notes, sharesNote(b.report)...)
	b.header.finish(b.report, o.Learners)
	b.report.Header = append(b.report.Header, marginLines(&o.Margins, unitsOf(l),
		func(metric string) []*verdict.Facts {
			var of []*verdict.Facts
			for c := range b.report.All() {
				if c.Table.Metric == metric {
					of = append(of, c.Facts)
				}
			}
			return of
		})...)
	return b.report, b.failures.problems(l.Problems), nil
}

func (b *builder) table(t *match.Table) report.Table {
	table := report.Table{
		Keys: keysOf(t), Metric: t.Metric, Asked: b.Gate.asks(t.Metric),
		Rows: make([]report.Row, len(t.Rows)),
	}
	for i, r := range t.Rows {
		row := &table.Rows[i]
		row.Label, row.Cells = r.Label, make([]report.Cell, len(r.Cells))
		for j, c := range r.Cells {
			row.Cells[j].Mean = unit.NaN()
			if c != nil {
				row.Cells[j].Data, row.Cells[j].Learner = c.Data, c.Learner
			}
			if c != nil && j > 0 {
				b.cell(&table, row, t, r, j)
			}
		}
	}
	return table
}

// cell compares a cell with the first one of its row.
func (b *builder) cell(table *report.Table, row *report.Row, t *match.Table, r *match.Row, j int) {
	claim := b.Claim
	claim.Metric = t.MetricOf(r)
	v, err := b.compare(r.Cells[j], r.Cells[0], claim)
	cell := &row.Cells[j]
	if v.Slice != nil {
		row.Slice = &report.Slice{
			Name: v.Slice.Name, Members: v.Slice.Members,
			TooSmall: errors.Is(err, verdict.ErrTooSmall), Afterwards: verdict.ChosenAfterwards(&v.Verdict),
		}
		if row.Slice.TooSmall { // it is shown, and not judged
			row.Cells[0].Mean, cell.Mean = unit.Number(v.BaselineMean), unit.Number(v.CandidateMean)
			return
		}
	} else if r.Slice != "" {
		row.Slice = &report.Slice{Name: r.Slice}
	}
	cell.Verdict = b.facts(&v, v.pairs != nil && same(v.pairs))
	if err == nil && b.Across.Bayes && r.Slice == "" {
		cell.Verdict.Bayes, err = bayes(&b.Margins, v.pairs)
	}
	if err == nil && b.Across.Method.Hierarchical() && r.Slice == "" {
		b.samples[cell], err = sampleOf(v.pairs)
	}
	if err != nil && v.Outcome != verdict.Invalid {
		v.Outcome = verdict.Invalid
		cell.Verdict.Outcome, cell.Verdict.Reason = v.Outcome.String(), err.Error()
	}
	if v.Outcome == verdict.Invalid {
		b.failures.add(r.Cells[j], t.Metric, row.Label, explained(err, r.Cells[0], r.Cells[j]))
		return
	}
	if table.Unit == nil {
		table.Unit = report.NewUnit(v.Unit)
	}
	row.Cells[0].Mean, cell.Mean = unit.Number(v.BaselineMean), unit.Number(v.CandidateMean)
	cell.CommitTime = v.CandidateHeader.CommitTime
	for _, h := range []*record.Header{v.CandidateHeader, v.BaselineHeader} {
		if _, score, ok := h.MajorityIn(t.Metric); ok {
			cell.Majority = new(unit.Number(score))
		}
	}
	b.header.of(v.BaselineHeader, 0)
	b.header.add(v.Data, v.CandidateHeader, j)
	b.header.describe(v.Data, v.BaselineHeader)
	if b.Full {
		cell.Verdict.Full = b.full(&v, j)
	}
}

// full returns what few formats show, with the text of the verdict.
func (b *builder) full(j *judgement, column int) *verdict.Origin {
	whole := b.text(j)
	if !b.Learners {
		whole.Candidate += " of " + b.layout.Columns[column].Label
		whole.Baseline += " of " + b.layout.Columns[0].Label
	}
	return whole.Origin()
}

// consistency adds how well repetitions of the tests agree over the rows of the table.
func consistency(t *report.Table) {
	c := &report.Consistency{}
	for x := range t.All() {
		r := x.Rerun
		if r == nil || r.Repeats == 0 {
			continue
		}
		c.Comparisons++
		c.MeanR += r.R
		if r.Agreeing == r.Repeats {
			c.Consistent++
		}
		if r.Agreeing >= r.Repeats-1 || r.Agreeing == 1 { // the first may be the one that differs
			c.Almost++
		}
	}
	if c.Comparisons > 0 {
		c.MeanR /= unit.Number(c.Comparisons)
		t.Consistency = c
	}
}
