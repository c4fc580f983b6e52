package study

import (
	"context"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

func gateStudy() Study {
	return Study{
		Name: "gate",
		Doc:  "how often the default test finds a difference where there is none, beside the second opinion and what others do",
		Run:  runGate,
	}
}

// A gate is a way to decide about two learners on one data set.
type gate int

// The gates. bothShort and bothLong are the default test and the halves test together.
const (
	defaultGate gate = iota
	bothShort
	bothLong
	wideGate
	fewDegrees
	pairedGate
	unpaired
	numGates
)

// halvings are those of the second opinion, and those of a final claim.
var halvings = map[gate]int{bothShort: 20, bothLong: 40}

// halfFolds is the number of folds in each half.
const halfFolds = 5

func (g gate) String() string {
	switch g {
	case bothShort, bothLong:
		return fmt.Sprintf("and halves m=%d", halvings[g])
	case unpaired:
		return "U test"
	}
	return g.test().Name
}

// test returns the test of the catalogue that decides alone, or first.
func (g gate) test() stat.Test {
	switch g {
	case wideGate:
		return stat.MustLookup("corrected-cv-t/ratio=0.18")
	case fewDegrees:
		return stat.MustLookup("b03-use-all-data/df=10")
	case pairedGate:
		return stat.MustLookup("paired-t")
	}
	return stat.MustLookup("corrected-cv-t")
}

// A null is an experiment without any difference: two learners of the same expected
// accuracy.
type null struct {
	name                string
	source              Source
	n                   int
	candidate, baseline subject
	expected            [numGates]float64 // Type I errors in percent, NaN where there is none
	expectedRatio       float64           // of the standard error to the standard deviation, or NaN
}

// nulls returns the experiments. What is expected are figures that were measured with
// other code, before this study was there, on sources of the same kind.
func nulls() ([]null, error) {
	networks, err := Networks()
	if err != nil {
		return nil, err
	}
	neighbors := func(k int) func() learner.Classifier {
		return func() learner.Classifier { return neighbor.New(neighbor.Config{K: k}) }
	}
	none := math.NaN()
	expected := func(alone, both, wide float64) (e [numGates]float64) {
		for i := range e {
			e[i] = none
		}
		e[defaultGate], e[bothShort], e[wideGate] = alone, both, wide
		return e
	}
	halved := func(name string, positive float64, n int, of func() learner.Classifier, e [numGates]float64, ratio float64) null {
		a, b := onHalves(of)
		return null{name, mixture{attributes: 10, shift: 0.8, positive: positive}, n, a, b, e, ratio}
	}
	all := []null{
		halved("1-NN", 0.5, 300, neighbors(1), expected(11.2, 3.7, 4.7), 0.80),
		halved("1-NN", 0.5, 100, neighbors(1), expected(11.3, 4.7, 3.3), none),
		halved("1-NN, 10% positives", 0.1, 300, neighbors(1), expected(10.6, 3.9, 5.3), none),
		halved("5-NN", 0.5, 100, neighbors(5), expected(9.3, 3.5, 2.1), none),
		halved("naive Bayes", 0.5, 300, newBayes, expected(4.2, 2.9, none), 1.04),
		halved("C4.5", 0.5, 300, newTree, expected(5.2, 2.2, none), 1.00),
		halved("C4.5", 0.5, 50, newTree, expected(12.8, 4.8, 1.6), 0.83),
		{"C4.5, naive Bayes", networks[0], examples, treeSubject(), bayesSubject(), expected(3.5, none, none), 1.05},
	}
	return all, nil
}

func (u *null) String() string { return fmt.Sprintf("%s, n = %d", u.name, u.n) }

// gateLevel is that of all gates, two-sided.
const gateLevel = 0.05

// A gateSet is what is found on a data set.
type gateSet struct {
	rejects  [numGates]bool
	mean, se float64 // of the default test
}

// measure has all gates decide about a data set. Halves are trained only where the default
// test rejects, as in a second opinion: elsewhere they decide nothing.
func (u *null) measure(ctx context.Context, s *drawn) (found gateSet, err error) {
	protocol := split.TenByTen()
	ratio, a, err := s.scores(ctx, protocol, u.candidate)
	if err != nil {
		return found, err
	}
	_, b, err := s.scores(ctx, protocol, u.baseline)
	if err != nil {
		return found, err
	}
	d := newDifferences(ratio, a, b, protocol.Runs())
	for _, g := range []gate{defaultGate, wideGate, fewDegrees, pairedGate} {
		r, err := g.test().Run(d, stat.TwoSided)
		if err != nil {
			return found, fmt.Errorf("%v: %w", g, err)
		}
		found.rejects[g] = r.P <= gateLevel
		if g == defaultGate {
			found.mean, found.se = r.Mean, r.SE
		}
	}
	found.rejects[unpaired] = uTest(a, b) <= gateLevel
	if !found.rejects[defaultGate] {
		return found, nil
	}
	halves, err := protocol.Halves(halvings[bothLong], halfFolds)
	if err != nil {
		return found, err
	}
	h, err := s.differences(ctx, halves, u.candidate, u.baseline)
	if err != nil {
		return found, err
	}
	for _, g := range []gate{bothShort, bothLong} {
		if found.rejects[g], err = agree(d, part(h, 0, halvings[g]), gateLevel); err != nil {
			return found, err
		}
	}
	return found, nil
}

// A gateRow is what is found on all data sets of a null.
type gateRow struct {
	of       *null
	rejected [numGates]proportion
	ratio    float64 // of the standard error of the default test to the standard deviation of the mean, as root mean squares
}

func newGateRow(u *null, sets []gateSet) gateRow {
	row := gateRow{of: u}
	var means, errs float64
	for i := range sets {
		for g := range row.rejected {
			row.rejected[g].n++
			row.rejected[g].k += index(sets[i].rejects[g])
		}
		means += float64(sets[i].mean * sets[i].mean)
		errs += float64(sets[i].se * sets[i].se)
	}
	row.ratio = math.Sqrt(errs / means)
	return row
}

func runGate(ctx context.Context, cfg Config) (_ *Report, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	all, err := nulls()
	if err != nil {
		return nil, err
	}
	sets := cfg.sets(3, gateSets)
	lab, err := openLab(cfg, sets*len(all))
	if err != nil {
		return nil, err
	}
	defer lab.close(&err)
	rows := make([]gateRow, len(all))
	for i := range all {
		u := &all[i]
		found := make([]gateSet, sets)
		if err := lab.each(ctx, u.source, u.n, sets, func(ctx context.Context, s *drawn) (err error) {
			found[s.index], err = u.measure(ctx, s)
			return err
		}); err != nil {
			return nil, err
		}
		rows[i] = newGateRow(u, found)
	}
	return &Report{Tables: []Table{gateTable(rows), gateBeside(rows)}}, nil
}

// gateSets is the number of data sets of each null in a full study.
const gateSets = 2000

// gateTable has the gates side by side.
func gateTable(rows []gateRow) Table {
	t := Table{
		Title: "Type I errors of gates",
		Notes: []string{
			fmt.Sprintf("How often a gate rejects, at %v%% and in either direction, on %d data sets without any difference, in percent, with the Monte Carlo error: the default test alone, with the halves test as a second opinion (both have to reject), with another ratio of test to training examples; the calibrated degrees of freedom of Bouckaert (2003); and what takes the 100 folds for independent, the paired t test (which is b03-use-all-data) and an unpaired U test, as benchstat has it. SE/sd is the standard error of the default test in units of the true standard deviation.",
				100*gateLevel, rows[0].rejected[0].n),
			"One learner in a row: it sees two halves of ten attributes that are alike, those of two normal classes 0.8 standard deviations apart in each. Two: on source 1 of the simulated networks.",
		},
		Columns: []string{"null"},
	}
	for g := range numGates {
		t.Columns = append(t.Columns, g.String())
	}
	t.Columns = append(t.Columns, "SE/sd")
	for i := range rows {
		cells := []string{rows[i].of.String()}
		for _, p := range rows[i].rejected {
			cells = append(cells, percent(p.share())+" ± "+percent(p.se()))
		}
		t.add(append(cells, figure(rows[i].ratio, 2))...)
	}
	return t
}

// elsewhereSets is the number of data sets that the expected figures are taken to be of:
// they are of 300 to 2,000.
const elsewhereSets = 1000

// gateBeside holds the figures against those that are expected.
func gateBeside(rows []gateRow) Table {
	t := Table{
		Title: "Type I errors beside those expected",
		Notes: []string{
			fmt.Sprintf("Expected are figures that were measured with other code on sources of the same kind, but not the same sources. The difference is in standard errors, those of both, theirs being that of %d data sets.", elsewhereSets),
		},
		Columns: []string{"null", "gate", "rejects, %", "±", "expected", "in errors", "SE/sd", "expected"},
	}
	for i := range rows {
		u := rows[i].of
		for g := range numGates {
			if math.IsNaN(u.expected[g]) {
				continue
			}
			cells := append([]string{u.String(), g.String()}, rows[i].rejected[g].beside(u.expected[g], elsewhereSets)...)
			if g == defaultGate {
				t.add(append(cells, figure(rows[i].ratio, 2), figure(u.expectedRatio, 2))...)
			} else {
				t.add(append(cells, "", "")...)
			}
		}
	}
	return t
}
