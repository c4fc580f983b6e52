package study

import (
	"context"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// constantSets is the number of data sets of each null on which constant models are counted in a
// full study.
const constantSets = 200

// constantLevels are the least shares of constant models, in percent, that would make a verdict
// warn.
var constantLevels = []int{2, 5, 10, 20, 40}

// mostConstant is the share above which verdicts say something else, in percent.
const mostConstant = 98

// A constantRow has the findings on a null of C4.5, whose models may find nothing to split on.
type constantRow struct {
	of      *null
	ofGate  bool // a row of the study gate
	rejects lab.Proportion
	warned  []lab.Proportion // data sets, by level
	caught  []lab.Proportion // data sets on which the test rejects, by level
}

// constantNulls returns the nulls of C4.5 up to 300 examples, and how many of them are the study
// gate's: these come first, and the nulls of gate-shift follow.
func constantNulls() (of []null, ofGate int, err error) {
	all, err := nulls()
	if err != nil {
		return nil, 0, err
	}
	known := make(map[string]bool)
	add := func(u null) {
		if strings.HasPrefix(u.name, "C4.5") && u.n <= 300 && u.planned() == split.TenByTen() &&
			!known[u.String()] {
			known[u.String()] = true
			of = append(of, u)
		}
	}
	for _, u := range all {
		add(u)
	}
	ofGate = len(of)
	for _, f := range families() {
		for _, shift := range searchShifts {
			add(f.null(shift))
		}
	}
	return of, ofGate, nil
}

func runGateConstant(ctx context.Context, cfg lab.Config) (_ *Report, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, err
	}
	all, ofGate, err := constantNulls()
	if err != nil {
		return nil, err
	}
	sets := cfg.SetsOr(2, constantSets)
	l, err := lab.Open(cfg, sets*len(all))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	rows := make([]constantRow, len(all))
	for i := range all {
		u := &all[i]
		shares, rejects := make([][]float64, sets), make([]bool, sets)
		if err := l.Each(ctx, u.source, u.n, sets, func(ctx context.Context, s *lab.Drawn) error {
			d, err := s.Differences(ctx, u.planned(), u.candidate, u.baseline)
			if err != nil {
				return err
			}
			r, err := defaultGate.test().Run(d, stat.TwoSided)
			if err != nil {
				return err
			}
			rejects[s.Index] = r.P <= gateLevel
			shares[s.Index], err = u.constantShares(ctx, s)
			return err
		}); err != nil {
			return nil, err
		}
		rows[i] = newConstantRow(u, shares, rejects)
		rows[i].ofGate = i < ofGate
	}
	return &Report{Tables: []Table{constantSummary(rows, sets), constantTable(rows, sets)}}, nil
}

// constantShares returns how many percent of the models of each tree are constant. The baseline is
// a tree that sees the other half of the attributes or, where it is naive Bayes, is never constant.
func (u *null) constantShares(ctx context.Context, s *lab.Drawn) (shares []float64, err error) {
	seen := []lab.Subject{lab.Constant(learntest.FromClassifier(lab.NewTree()))}
	if !strings.Contains(u.name, "naive Bayes") {
		first, second := onHalves(seen[0])
		seen = []lab.Subject{first, second}
	}
	for _, of := range seen {
		_, marks, err := s.Scores(ctx, u.planned(), of)
		if err != nil {
			return nil, err
		}
		share := 0.0
		for _, x := range marks {
			share += 100 * x / float64(len(marks))
		}
		shares = append(shares, share)
	}
	return shares, nil
}

// newConstantRow counts the data sets that would be warned of.
func newConstantRow(u *null, shares [][]float64, rejects []bool) constantRow {
	row := constantRow{
		of: u, warned: make([]lab.Proportion, len(constantLevels)),
		caught: make([]lab.Proportion, len(constantLevels)),
	}
	for i := range shares {
		row.rejects.N++
		row.rejects.K += lab.Indicator(rejects[i])
		for k, least := range constantLevels {
			warns := false
			for _, x := range shares[i] {
				warns = warns || x >= float64(least) && x <= mostConstant
			}
			row.warned[k].N++
			row.warned[k].K += lab.Indicator(warns)
			if rejects[i] {
				row.caught[k].N++
				row.caught[k].K += lab.Indicator(warns)
			}
		}
	}
	return row
}

// stable reports whether the default test may well keep its level.
func (r *constantRow) stable() bool {
	return r.rejects.Share() <= gateLevel+2*lab.Proportion{K: r.rejects.N / 20, N: r.rejects.N}.SE()
}

func constantColumns(first ...string) []string {
	for _, least := range constantLevels {
		first = append(first, fmt.Sprintf("%d to %d%%", least, mostConstant))
	}
	return first
}

// constantSummary has what a warning from each level on would do.
func constantSummary(rows []constantRow, sets int) Table {
	t := Table{
		Title: "Warnings of constant models",
		Notes: []string{
			fmt.Sprintf("Verdicts warn of a learner of which some models, and not all, make the same prediction for all test examples. %d nulls of C4.5 on at most 300 examples, from the studies gate and gate-shift, %d data sets of each: how often a warning comes if it begins at the given share of models, in percent of data sets. A null on which the default test rejects in at most 5%% and two Monte Carlo errors is stable, one on which it rejects in more than 10%% is not; in parentheses the numbers of nulls.", len(rows), sets),
		},
	}
	for _, least := range constantLevels {
		var gates, stable, unstable, caught lab.Proportion
		var n [3]int
		k := len(t.Rows)
		for i := range rows {
			r := &rows[i]
			switch {
			case r.stable():
				n[1]++
				stable = plus(stable, r.warned[k])
				if r.ofGate {
					n[0]++
					gates = plus(gates, r.warned[k])
				}
			case r.rejects.Share() > 2*gateLevel:
				n[2]++
				unstable, caught = plus(unstable, r.warned[k]), plus(caught, r.caught[k])
			}
		}
		t.Columns = []string{
			"warns from", fmt.Sprintf("stable nulls of gate (%d)", n[0]),
			fmt.Sprintf("all stable nulls (%d)", n[1]), fmt.Sprintf("unstable nulls (%d)", n[2]),
			"their false alarms",
		}
		t.Add(fmt.Sprintf("%d%%", least), percentOf(gates), percentOf(stable), percentOf(unstable),
			percentOf(caught))
	}
	return t
}

func plus(a, b lab.Proportion) lab.Proportion { return lab.Proportion{K: a.K + b.K, N: a.N + b.N} }

// percentOf writes a share, as none where nothing was counted.
func percentOf(p lab.Proportion) string {
	if p.N == 0 {
		return "none"
	}
	return lab.Percent(p.Share())
}

// constantTable has each null.
func constantTable(rows []constantRow, sets int) Table {
	t := Table{
		Title:   "Warnings of constant models by null",
		Notes:   []string{fmt.Sprintf("In percent of %d data sets: how often the default test rejects, and how often a warning comes, by the share of models from which on it does.", sets)},
		Columns: constantColumns("null", "default"),
	}
	for i := range rows {
		cells := []string{rows[i].of.String(), percentOf(rows[i].rejects)}
		for _, p := range rows[i].warned {
			cells = append(cells, percentOf(p))
		}
		t.Add(cells...)
	}
	return t
}
