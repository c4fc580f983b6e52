package judge

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// manyDataSets is from where on the exact signed-rank test takes longer than it is worth: its p
// differs from the p of the normal approximation in the third digit.
const manyDataSets = 200

// A group is the rows of one learner, or of the learners that one column each has, on different
// data sets.
type group struct {
	learner string
	rows    []*report.Row
	data    map[string]bool
	twice   bool // a data set is there more than once
}

// An overall compares the columns of a table over data sets.
type overall struct {
	*Options
	table   *report.Table
	samples map[*report.Cell]hierarchical.Sample // of cells, where folds are compared
}

// compare compares the learners of the rows, each for itself.
func (a *overall) compare() error {
	for _, g := range groups(a.table) {
		if !g.isSample() {
			continue
		}
		o, err := a.group(g)
		if err != nil {
			return fmt.Errorf("%s of %s over data sets: %w", a.table.Metric, g.learner, err)
		}
		a.table.Over = append(a.table.Over, *o)
	}
	if a.Across.Method.Hierarchical() && len(a.table.Over) == 0 {
		return fmt.Errorf("%s: %w", a.table.Metric, errNoSample)
	}
	return nil
}

// isSample reports whether the rows are a sample: one data set says nothing of others, and a data
// set that is there twice makes no sample.
func (g *group) isSample() bool { return len(g.rows) > 1 && !g.twice }

// groups returns the rows of each learner that all columns have.
func groups(t *report.Table) []*group {
	var groups []*group
	index := make(map[string]*group)
	for i := range t.Rows {
		row := &t.Rows[i]
		data, learner := row.Cells[0].Data, ""
		complete := row.Slice == nil
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
	return groups
}

// column returns a column of a table of scores.
func column(scores [][]float64, j int) []float64 {
	x := make([]float64, len(scores))
	for i, s := range scores {
		x[i] = s[j]
	}
	return x
}

func (a *overall) group(g *group) (*report.Over, error) {
	better := a.table.Measure().Better
	scores := make([][]float64, len(g.rows))
	columns := len(g.rows[0].Cells)
	o := &report.Over{
		Learner: g.learner, DataSets: len(g.rows),
		Columns: make([]report.OverColumn, columns),
	}
	for i, row := range g.rows {
		scores[i] = make([]float64, columns)
		for j := range row.Cells {
			scores[i][j] = float64(row.Cells[j].Mean)
			o.Columns[j].Mean += row.Cells[j].Mean
		}
	}
	test := a.Across.testOf(len(g.rows))
	o.Test = test.Name
	result, err := across.VersusControl(scores, 0, stat.TwoSided, across.PairwiseOptions{
		Test:   test,
		Adjust: adjust.MustLookup("none"), Better: better,
	})
	if err != nil {
		return nil, err
	}
	for j := range o.Columns {
		c := &o.Columns[j]
		c.Mean /= unit.Number(len(g.rows))
		c.P = unit.NaN()
		c.Difference = c.Mean - o.Columns[0].Mean
	}
	for _, p := range result.Pairs {
		c := &o.Columns[p.I]
		c.Better, c.Worse, c.Same, c.P = p.Wins, p.Losses, p.Ties, unit.Number(p.P)
		for _, w := range p.Warnings {
			if !errors.Is(w, across.ErrNoDifference) { // the counts say so
				c.Notes = append(c.Notes, w.Error())
			}
		}
		if c.Outcome, err = a.outcome(scores, p.I, c, test); err != nil {
			return nil, err
		}
		if a.Across.Bayes {
			if err := a.bayes(scores, p.I, c, better); err != nil {
				return nil, err
			}
		}
		if a.Across.Method.Hierarchical() {
			if c.Hierarchical, err = a.byFolds(g, p.I, column(scores, 0)); err != nil {
				return nil, err
			}
		}
	}
	if columns > 2 {
		if err := a.ranks(o, scores, test, better); err != nil {
			return nil, err
		}
	}
	if m := a.Across.Method; m.run != nil {
		if o.Alike, err = m.test(scores, better); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// testOf returns the test over n data sets.
func (a *Across) testOf(n int) across.PairTest {
	switch {
	case a.Test.Run != nil:
		return a.Test
	case n > manyDataSets:
		return across.MustLookup("signed-rank-normal")
	}
	return across.MustLookup("signed-rank")
}

// outcome says what a test has shown of a column, in the direction of the test itself: the mean may
// have another direction.
func (a *overall) outcome(scores [][]float64, of int, c *report.OverColumn,
	test across.PairTest,
) (string, error) {
	switch {
	case c.Better+c.Worse == 0:
		return equivalent, nil
	case !(float64(c.P) <= a.Claim.Alpha):
		return inconclusive, nil
	}
	x, base := column(scores, of), column(scores, 0)
	higher, err := test.Run(x, base, stat.Greater)
	if err != nil {
		return "", err
	}
	lower, err := test.Run(x, base, stat.Less)
	if err != nil {
		return "", err
	}
	if (higher.P < lower.P) == (a.table.Measure().Better != unit.Lower) {
		return improved, nil
	}
	return regressed, nil
}

// bayes adds the posterior probabilities of the Bayesian tests over data sets.
func (a *overall) bayes(scores [][]float64, column int, c *report.OverColumn,
	better unit.Direction,
) error {
	sign := float64(better)
	x, base := make([]float64, len(scores)), make([]float64, len(scores))
	for i, s := range scores {
		x[i], base[i] = sign*s[column], sign*s[0]
	}
	region, err := ofBayes.rope(&a.Margins, a.table.Measure(), base)
	if err != nil {
		return err
	}
	signs, err := across.BayesSign(x, base, across.BayesSignOptions{Rope: region})
	if err != nil {
		return err
	}
	ranks, err := across.BayesSignedRank(x, base, across.BayesSignedRankOptions{Rope: region, Seed: 1})
	if err != nil {
		return err
	}
	c.BayesSign, c.BayesSignedRank = regions(signs.P), regions(ranks.P)
	return nil
}

func regions(r across.Regions) *verdict.Regions {
	return &verdict.Regions{
		Worse: unit.Number(r.Worse), Rope: unit.Number(r.Rope),
		Better: unit.Number(r.Better),
	}
}

// ranks adds what compares more than two columns.
func (a *overall) ranks(o *report.Over, scores [][]float64, test across.PairTest,
	better unit.Direction,
) error {
	friedman, err := across.Friedman(scores, better)
	if err != nil {
		return err
	}
	r := &report.Ranks{
		Statistic: unit.Number(friedman.ChiSquared.Statistic), DF: unit.Number(friedman.ChiSquared.DF),
		P: unit.Number(friedman.ChiSquared.P),
		F: unit.Number(friedman.ImanDavenport.Statistic), FP: unit.Number(friedman.ImanDavenport.P),
		W: unit.Number(friedman.KendallW),
	}
	for _, x := range friedman.MeanRanks {
		r.Mean = append(r.Mean, unit.Number(x))
	}
	for _, w := range friedman.Warnings {
		r.Notes = append(r.Notes, w.Error())
	}
	pairs, err := across.Pairwise(scores, across.PairwiseOptions{Test: test, Better: better})
	if err != nil {
		return err
	}
	for _, p := range pairs.Pairs {
		r.Pairs = append(r.Pairs, report.Pair{
			A: p.I, B: p.J, P: unit.Number(p.P),
			AdjustedP: unit.Number(p.Adjusted), MeanRanksP: unit.NaN(),
		})
	}
	if a.Across.MeanRanks {
		m, err := across.MeanRanks(scores, better)
		if err != nil {
			return err
		}
		for i, p := range m.Pairs {
			r.Pairs[i].MeanRanksP = unit.Number(p.Nemenyi)
		}
		for _, w := range m.Warnings {
			r.Notes = append(r.Notes, w.Error())
		}
	}
	o.Ranks = r
	return nil
}
