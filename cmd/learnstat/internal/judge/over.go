package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Across says how learners are compared over data sets.
type Across struct {
	Test      across.PairTest // if it has no Run, signed ranks: exact up to manyDataSets
	Off       bool            // they are not
	MeanRanks bool            // compare mean ranks, too
	Bayes     bool            // and by the Bayesian sign and signed-rank tests
}

// manyDataSets is from where on the exact signed-rank test takes longer than it is worth: its
// p differs from that of the normal approximation in the third digit.
const manyDataSets = 200

// A group is the rows of one learner, or of the learners that one column each has, on different
// data sets.
type group struct {
	learner string
	rows    []*report.Row
	data    map[string]bool
	twice   bool // a data set is there more than once
}

// over compares the columns of a table over data sets, the learners of its rows each for itself.
func (b *builder) over(t *report.Table) error {
	if b.Across.Off || t.Unit == nil {
		return nil
	}
	var groups []*group
	index := make(map[string]*group)
	for i := range t.Rows {
		row := &t.Rows[i]
		data, learner := row.Cells[0].Data, ""
		complete := true
		for j := range row.Cells {
			c := &row.Cells[j]
			complete = complete && (j == 0 || c.Judged())
			learner += c.Learner + "\x00"
		}
		if !complete {
			continue
		}
		g := index[learner]
		if g == nil {
			g = &group{learner: row.Cells[len(row.Cells)-1].Learner, data: make(map[string]bool)}
			index[learner] = g
			groups = append(groups, g)
		}
		g.twice = g.twice || g.data[data]
		g.data[data] = true
		g.rows = append(g.rows, row)
	}
	for _, g := range groups {
		if len(g.rows) < 2 || g.twice {
			continue // one data set says nothing of others, and twice the same is no sample
		}
		o, err := b.overGroup(t, g)
		if err != nil {
			return fmt.Errorf("%s of %s over data sets: %w", t.Metric, g.learner, err)
		}
		t.Over = append(t.Over, *o)
	}
	return nil
}

func (b *builder) overGroup(t *report.Table, g *group) (*report.Over, error) {
	better := across.Higher
	if t.Unit.Better == unit.Lower.String() {
		better = across.Lower
	}
	scores := make([][]float64, len(g.rows))
	columns := len(g.rows[0].Cells)
	o := &report.Over{Learner: g.learner, DataSets: len(g.rows), Columns: make([]report.OverColumn, columns)}
	for i, row := range g.rows {
		scores[i] = make([]float64, columns)
		for j := range row.Cells {
			scores[i][j] = float64(row.Cells[j].Mean)
			o.Columns[j].Mean += row.Cells[j].Mean
		}
	}
	test := b.Across.Test
	if test.Run == nil {
		name := "signed-rank"
		if len(g.rows) > manyDataSets {
			name = "signed-rank-normal"
		}
		var err error
		if test, err = across.Lookup(name); err != nil {
			return nil, err
		}
	}
	o.Test = test.Name
	result, err := across.VersusControl(scores, 0, stat.TwoSided, across.PairwiseOptions{Test: test, Adjust: adjust.MustLookup("none"), Better: better})
	if err != nil {
		return nil, err
	}
	for j := range o.Columns {
		c := &o.Columns[j]
		c.Mean /= report.Number(len(g.rows))
		c.P = report.NaN()
		c.Difference = c.Mean - o.Columns[0].Mean
	}
	for _, p := range result.Pairs {
		c := &o.Columns[p.I]
		c.Better, c.Worse, c.Same, c.P = p.Wins, p.Losses, p.Ties, report.Number(p.P)
		for _, w := range p.Warnings {
			if !errors.Is(w, across.ErrNoDifference) { // the counts say so
				c.Notes = append(c.Notes, w.Error())
			}
		}
		if b.Across.Bayes {
			if err := b.bayesOver(t, scores, p.I, c, better); err != nil {
				return nil, err
			}
		}
	}
	if columns > 2 {
		if err := b.ranks(o, scores, test, better); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// bayesOver adds the posterior probabilities of the Bayesian tests over data sets.
func (b *builder) bayesOver(t *report.Table, scores [][]float64, column int, c *report.OverColumn, better across.Direction) error {
	sign := 1.0
	if better == across.Lower {
		sign = -1
	}
	x, base := make([]float64, len(scores)), make([]float64, len(scores))
	for i, s := range scores {
		x[i], base[i] = sign*s[column], sign*s[0]
	}
	rope, err := b.rope(t.Unit.Record(), base)
	if err != nil {
		return err
	}
	signs, err := across.BayesSign(x, base, across.BayesSignOptions{Rope: rope})
	if err != nil {
		return err
	}
	ranks, err := across.BayesSignedRank(x, base, across.BayesSignedRankOptions{Rope: rope, Seed: 1})
	if err != nil {
		return err
	}
	c.BayesSign, c.BayesSignedRank = regions(signs.P), regions(ranks.P)
	return nil
}

func regions(r across.Regions) *report.Regions {
	return &report.Regions{Worse: report.Number(r.Worse), Rope: report.Number(r.Rope), Better: report.Number(r.Better)}
}

// ranks adds what compares more than two columns.
func (b *builder) ranks(o *report.Over, scores [][]float64, test across.PairTest, better across.Direction) error {
	friedman, err := across.Friedman(scores, better)
	if err != nil {
		return err
	}
	r := &report.Ranks{
		Statistic: report.Number(friedman.ChiSquared.Statistic), DF: report.Number(friedman.ChiSquared.DF), P: report.Number(friedman.ChiSquared.P),
		F: report.Number(friedman.ImanDavenport.Statistic), FP: report.Number(friedman.ImanDavenport.P), W: report.Number(friedman.KendallW),
	}
	for _, x := range friedman.MeanRanks {
		r.Mean = append(r.Mean, report.Number(x))
	}
	for _, w := range friedman.Warnings {
		r.Notes = append(r.Notes, w.Error())
	}
	pairs, err := across.Pairwise(scores, across.PairwiseOptions{Test: test, Better: better})
	if err != nil {
		return err
	}
	for _, p := range pairs.Pairs {
		r.Pairs = append(r.Pairs, report.Pair{A: p.I, B: p.J, P: report.Number(p.P), AdjustedP: report.Number(p.Adjusted), MeanRanksP: report.NaN()})
	}
	if b.Across.MeanRanks {
		m, err := across.MeanRanks(scores, better)
		if err != nil {
			return err
		}
		for i, p := range m.Pairs {
			r.Pairs[i].MeanRanksP = report.Number(p.Nemenyi)
		}
		for _, w := range m.Warnings {
			r.Notes = append(r.Notes, w.Error())
		}
	}
	o.Ranks = r
	return nil
}

// consistency adds how well repetitions of the tests agree over the rows of the table.
func consistency(t *report.Table) {
	c := &report.Consistency{}
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			cell := &t.Rows[i].Cells[j]
			if !cell.Judged() || cell.Verdict.Rerun == nil || cell.Verdict.Rerun.Repeats == 0 {
				continue
			}
			r := cell.Verdict.Rerun
			c.Comparisons++
			c.MeanR += r.R
			if r.Agreeing == r.Repeats {
				c.Consistent++
			}
			if r.Agreeing >= r.Repeats-1 || r.Agreeing == 1 { // the first may be the one that differs
				c.Almost++
			}
		}
	}
	if c.Comparisons > 0 {
		c.MeanR /= report.Number(c.Comparisons)
		t.Consistency = c
	}
}

// rope returns the region of practical equivalence for the Bayesian tests: the margin, or one
// percentage point for metrics of the range 0 to 1.
func (b *builder) rope(u unit.Unit, baseline []float64) (float64, error) {
	x, err := marginOf(&b.Margins, u, baseline)
	if err == nil && x == 0 {
		if !u.IsFraction() {
			return 0, fmt.Errorf("-bayes needs a margin for %s, the difference that is of no practical importance: give one with -margin %s=VALUE", u.Name, u.Name)
		}
		x = verdict.DefaultMargin
	}
	return x, err
}

// bayes adds the posterior probabilities of the Bayesian correlated t test.
func (b *builder) bayes(p *record.Pairs, v *report.Verdict) error {
	own := p.Runs * p.Folds
	rope, err := b.rope(p.Unit, p.B[:own])
	if err != nil {
		return err
	}
	opt := stat.TableOptions{Better: stat.Higher}
	if p.Unit.Better == unit.Lower {
		opt.Better = stat.Lower
	}
	train, tested := 0, 0
	for i := range own {
		train, tested = train+int(p.TrainN[i]), tested+int(p.TestN[i])
	}
	opt.Ratio = float64(tested) / float64(train)
	runs := func(scores []float64) [][]float64 { return slices.Collect(slices.Chunk(scores[:own], p.Folds)) }
	d, err := stat.NewDifferences(runs(p.A), runs(p.B), opt)
	if err != nil {
		return err
	}
	post, err := stat.BayesianCorrelatedT(d, rope)
	if err != nil {
		return err
	}
	v.Bayes = &report.Regions{Worse: report.Number(post.Worse), Rope: report.Number(post.Equivalent), Better: report.Number(post.Better)}
	return nil
}
