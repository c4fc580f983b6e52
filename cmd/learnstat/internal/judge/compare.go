// Package judge judges what is laid out in a match, says what was found in a report, and holds that against a gate.
package judge

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Options say how to judge.
type Options struct {
	Claim    verdict.Claim // of every comparison, but for metric and margin
	Margins  unit.Margins
	Adjust   adjust.Method
	Across   Across
	Tail     Tail
	Full     bool // fill in what few formats show
	Verbose  bool // with the texts of all verdicts
	Learners bool // of one file are compared

	// NonInferior reports whether of a metric it is required, and no more, that the candidate is not worse
	// by the margin: what is said of the margin is about that. If nil, it is of none.
	NonInferior func(metric string) bool
}

// nonInferior reports whether a margin is there to rule out losses alone.
func (o *Options) nonInferior(c *verdict.Claim) bool {
	return c.Margin > 0 && o.NonInferior != nil && o.NonInferior(c.Metric)
}

// Build returns the report on a layout, and what could not be judged beside the problems of
// the layout. It returns an error if the options do not fit the results.
func Build(l *match.Layout, o Options) (*report.Report, []error, error) {
	b, err := newBuilder(l, o)
	if err != nil {
		return nil, nil, err
	}
	b.many = l.Comparisons() > report.ManyComparisons
	for _, t := range l.Tables {
		if o.Across.Bayes {
			if _, err := b.rope(unitOf(t), []float64{1}); err != nil {
				return nil, nil, err
			}
		}
		table := b.table(t)
		if err := b.adjust(verdicts(&table)); err != nil {
			return nil, nil, err
		}
		if err := b.over(&table); err != nil {
			return nil, nil, err
		}
		consistency(&table)
		b.report.Tables = append(b.report.Tables, table)
	}
	b.header.finish(b.report, o.Learners)
	b.report.Header = append(b.report.Header, marginLines(&o.Margins, b.report.Tables)...)
	return b.report, b.failures.problems(l.Problems), nil
}

// newBuilder returns a builder, or an error if the margins do not fit the results.
func newBuilder(l *match.Layout, o Options) (*builder, error) {
	if err := o.Margins.Check(unitsOf(l)); err != nil {
		return nil, err
	}
	return &builder{
		Options: o, layout: l, header: newHeader(l.Columns),
		report: &report.Report{
			Schema: report.Schema,
			Settings: report.Settings{
				Alpha: o.Claim.Alpha, Tail: o.Tail.String(), Test: o.Claim.Test.Name, Adjust: o.Adjust.Name, Learners: o.Learners, Verbose: o.Verbose,
			},
			Columns: []report.Column{}, Header: []report.Line{}, Data: []report.DataSet{}, Tables: []report.Table{},
			Notes: append([]string{}, l.Notes...), Problems: []string{},
			Gate: report.Gate{FailOn: []string{}, Require: []string{}, Offences: []report.Offence{}, Undecided: []report.Undecided{}},
		},
	}, nil
}

// A builder builds a report.
type builder struct {
	Options
	layout   *match.Layout
	report   *report.Report
	header   *header
	failures failures
	least    map[design]report.Number
	many     bool // so many comparisons that no format but those in full says how replicable they are
}

// A design is what the values of p depend on that a test can have.
type design struct {
	test        string
	runs, folds int
}

// leastP returns the smallest p that the test of a verdict could have: that of differences
// which are nearly the same in all folds, and in the direction that is looked for.
func (b *builder) leastP(v *verdict.Verdict) report.Number {
	k := design{v.Claim.Test.Name, v.Runs, v.Folds}
	if p, ok := b.least[k]; ok {
		return p
	}
	d := stat.Differences{Runs: v.Runs, Folds: v.Folds, X: make([]float64, v.Runs*v.Folds), Ratio: 0.1, Scale: 1}
	for i := range d.X {
		d.X[i] = 1 + 1e-9*float64(i*i%7)
	}
	p := report.NaN()
	alternative := stat.TwoSided
	if b.Tail != Both {
		alternative = stat.Greater
	}
	if r, err := v.Claim.Test.Run(d, alternative); err == nil {
		p = report.Number(r.P)
	}
	if b.least == nil {
		b.least = make(map[design]report.Number)
	}
	b.least[k] = p
	return p
}

func (b *builder) table(t *match.Table) report.Table {
	table := report.Table{Keys: keysOf(t), Metric: t.Metric, Rows: make([]report.Row, len(t.Rows))}
	for i, r := range t.Rows {
		row := &table.Rows[i]
		row.Label, row.Cells = r.Label, make([]report.Cell, len(r.Cells))
		for j, c := range r.Cells {
			row.Cells[j].Mean = report.NaN()
			if c != nil {
				row.Cells[j].Data, row.Cells[j].Learner = c.Data, c.Learner
			}
			if c != nil && j > 0 {
				b.compare(&table, row, t, r, j)
			}
		}
	}
	return table
}

// keysOf returns what a table is told apart by.
func keysOf(t *match.Table) []report.Line {
	var keys []report.Line
	for _, k := range t.Keys {
		keys = append(keys, report.Line{Key: k.Key, Value: k.Value})
	}
	return keys
}

// compare compares a cell with the first one of its row.
func (b *builder) compare(table *report.Table, row *report.Row, t *match.Table, r *match.Row, j int) {
	claim := b.Claim
	claim.Metric = t.Metric
	v, pairs, err := b.judge(r.Cells[j], r.Cells[0], claim)
	identical := false
	if pairs != nil {
		identical = same(pairs)
	}
	cell := &row.Cells[j]
	cell.Verdict = b.verdict(&v, identical)
	if err == nil && b.Across.Bayes {
		if err = b.bayes(pairs, cell.Verdict); err != nil {
			v.Outcome = verdict.Invalid
			cell.Verdict.Outcome, cell.Verdict.Reason = v.Outcome.String(), err.Error()
		}
	}
	if v.Outcome == verdict.Invalid {
		b.failures.add(r.Cells[j], t.Metric, row.Label, explained(err, r.Cells[0], r.Cells[j]))
		return
	}
	if table.Unit == nil {
		table.Unit = report.NewUnit(v.Unit)
	}
	row.Cells[0].Mean, cell.Mean = report.Number(v.BaselineMean), report.Number(v.CandidateMean)
	cell.CommitTime = v.CandidateHeader.CommitTime
	b.header.of(v.BaselineHeader, 0)
	b.header.add(v.Data, v.CandidateHeader, j)
	b.header.target(v.Data, v.BaselineHeader)
	if b.Full {
		cell.Verdict.Full = b.full(&v, b.claimed(&v, pairs), j)
	}
}

// judge is verdict.OfSelections, but keeps the error.
func (b *builder) judge(candidate, baseline *match.Cell, claim verdict.Claim) (v verdict.Verdict, pairs *record.Pairs, err error) {
	if pairs, err = record.Pair(candidate.Selection(), baseline.Selection(), claim.Metric); err == nil {
		pairs.Second, pairs.SecondErr = record.PairSecond(candidate.Selection(), baseline.Selection(), claim.Metric, 0)
		v, err = b.judgePairs(pairs, claim)
	}
	if err != nil && v.Err == nil {
		v = verdict.Fail(claim, err)
		v.Data, v.Candidate, v.Baseline = candidate.Data, candidate.Learner, baseline.Learner
	}
	return v, pairs, err
}

// judgePairs judges in as much detail as is shown.
func (b *builder) judgePairs(pairs *record.Pairs, claim verdict.Claim) (v verdict.Verdict, err error) {
	if claim.Margin, err = marginOf(&b.Margins, pairs.Unit, pairs.B[:pairs.Runs*pairs.Folds]); err != nil {
		return v, err
	}
	if pairs.Second != nil {
		claim.Halvings = pairs.Second.Runs
	}
	by := verdict.Brief
	switch {
	case b.Full:
		by = verdict.Judge
	case b.many:
		by = verdict.Bare
	}
	if v = b.Tail.judge(pairs, claim, by); v.Outcome == verdict.Invalid {
		return v, errors.New(v.Reason)
	}
	if err := pairs.SecondErr; err != nil && !errors.Is(err, record.ErrNotFound) {
		v.Warnings = append(v.Warnings, fmt.Errorf("no second opinion: %w", err))
	}
	return v, nil
}

// verdict returns what the report has of a verdict.
func (b *builder) verdict(v *verdict.Verdict, identical bool) *report.Verdict {
	d := &v.Difference
	w := &report.Verdict{
		Outcome: v.Outcome.String(), Identical: identical, Reason: v.Reason,
		Difference: report.NaN(), Lo: report.NaN(), Hi: report.NaN(), Level: report.NaN(),
		Statistic: report.NaN(), DF: report.NaN(), DF2: report.NaN(), P: report.NaN(), AdjustedP: report.NaN(), LeastP: report.NaN(), Detectable: report.NaN(),
	}
	if v.Outcome == verdict.Invalid {
		return w
	}
	w.Significant = v.Significance()
	w.Difference, w.Lo, w.Hi, w.Level = report.Number(v.Estimate), report.Number(d.Lo), report.Number(d.Hi), report.Number(d.Level)
	w.Test, w.Statistic, w.DF, w.DF2 = d.Result.Test, report.Number(d.Result.Statistic), report.Number(d.Result.DF), report.Number(d.Result.DF2)
	w.LeastP = b.leastP(v)
	w.P, w.Runs, w.Folds, w.Detectable = report.Number(d.P), v.Runs, v.Folds, report.Number(v.Detectable)
	if v.Claim.Margin > 0 {
		w.Margin = &report.Margin{
			Value: report.Number(v.Claim.Margin), P: report.Number(max(v.Above.P, v.Below.P)),
			Lo: report.Number(v.Above.Lo), Hi: report.Number(v.Above.Hi), Within: v.Within(), NonInferior: v.Above.Shown,
		}
	}
	if r := v.Rerun; r != nil {
		w.Rerun = &report.Rerun{
			R: report.Number(r.R), Lo: report.Number(r.Lo), Hi: report.Number(r.Hi), Agrees: report.Number(r.P),
			Runs: r.Runs, Repeats: r.Repeats, Agreeing: r.Agreeing,
		}
	}
	if s := v.Second; s != nil && s.Asked {
		w.Second = &report.Second{
			P: report.Number(s.Result.P), FirstP: report.Number(s.First), Agrees: s.Agrees, Protocol: s.Protocol, Trainings: s.Trainings,
		}
	}
	w.Notes = notes(v, identical, b.nonInferior(&v.Claim))
	return w
}

// notes returns what a footnote has to say. A margin is there for equivalence, or to rule out losses.
func notes(v *verdict.Verdict, identical, nonInferior bool) []string {
	var texts []string
	if v.Reason != "" && v.Significance() != 0 && v.Outcome == verdict.Inconclusive && v.Claim.Kind == verdict.Differs {
		texts = append(texts, v.Reason)
	}
	if s := v.Second; s != nil && s.Asked && !identical {
		texts = append(texts, "second opinion "+s.String())
	}
	if v.Outcome == verdict.Same && v.Claim.Margin > 0 && !identical {
		texts = append(texts, "less than the margin apart: p = "+unit.FormatP(max(v.Above.P, v.Below.P)))
	}
	if half := (v.Above.Hi - v.Above.Lo) / 2; v.Outcome == verdict.Inconclusive && v.Claim.Margin > 0 && half >= v.Claim.Margin {
		cannot := "equivalence cannot be shown with these runs"
		if nonInferior {
			cannot = "a loss of the margin cannot be ruled out with these runs where there is no difference"
		}
		texts = append(texts, cannot+": the interval is "+v.Unit.FormatMargin(half)+" to either side, the margin "+v.Unit.FormatMargin(v.Claim.Margin))
	}
	for _, w := range v.Warnings {
		if !identical || !errors.Is(w, stat.ErrZeroVariance) {
			texts = append(texts, w.Error())
		}
	}
	if identical {
		texts = append(texts, "all scores are the same")
	}
	return texts
}

// claimed returns the verdict on the claim that is required of a comparison, for its text: the one that there is,
// or that on a regression by the margin. With a tail, p and interval of the difference are others than those
// of that claim.
func (b *builder) claimed(v *verdict.Verdict, pairs *record.Pairs) *verdict.Verdict {
	if !b.nonInferior(&v.Claim) || b.Tail != Both {
		return v
	}
	c := v.Claim
	c.Kind = verdict.NoRegression
	w := verdict.Judge(pairs, c)
	if w.Outcome == verdict.Invalid {
		return v
	}
	w.Warnings = v.Warnings
	return &w
}

// full returns what few formats show, with the text of the whole verdict.
func (b *builder) full(v, text *verdict.Verdict, column int) *report.Full {
	h := v.CandidateHeader
	f := &report.Full{
		Protocol: h.Protocol, DataSHA256: h.DataDigest, SplitSHA256: h.SplitDigest,
		Commit: h.Commit, BaselineCommit: v.BaselineHeader.Commit, Reproduce: h.Reproduce,
	}
	for _, w := range v.Warnings {
		f.Warnings = append(f.Warnings, w.Error())
	}
	whole := *text
	if !b.Learners {
		whole.Candidate += " of " + b.layout.Columns[column].Label
		whole.Baseline += " of " + b.layout.Columns[0].Label
	}
	f.Text = whole.String()
	return f
}

// verdicts returns those of a table.
func verdicts(t *report.Table) []*report.Verdict {
	var all []*report.Verdict
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			if v := t.Rows[i].Cells[j].Verdict; v != nil {
				all = append(all, v)
			}
		}
	}
	return all
}

// adjust adjusts p for the number of verdicts. What could not be judged counts as one.
func (b *builder) adjust(verdicts []*report.Verdict) error {
	p := make([]float64, len(verdicts))
	for i, v := range verdicts {
		if p[i] = float64(v.P); v.P.IsNaN() {
			p[i] = 1
		}
	}
	adjusted, err := b.Adjust.Adjust(p)
	if err != nil {
		return err
	}
	for i, v := range verdicts {
		if !v.P.IsNaN() {
			v.AdjustedP = report.Number(adjusted[i])
			if alpha := b.Claim.Alpha; float64(v.P) <= alpha && !(adjusted[i] <= alpha) && v.Significant != 0 {
				v.Notes = append(v.Notes, fmt.Sprintf("by its own p, and not after the %s adjustment for the comparisons of the table", b.Adjust.Name))
			}
		}
	}
	return nil
}
