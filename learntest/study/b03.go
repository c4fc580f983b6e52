package study

import (
	"context"
	"math"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// figureRuns are the numbers of runs of Figures 2 and 4.
var figureRuns = []int{5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100}

// paperRuns is the number of runs of all tables.
const paperRuns = 10

// levels of the paper's tables 4 and 6.
var paperLevels = []float64{0.01, 0.025, 0.05, 0.1}

// A zTable has the statistics that tests took on data sets: of each test, of each number of
// runs or each repeat, of each data set.
type zTable [][][]float64

func newZTable(tests []calibratable, columns, sets int) zTable {
	t := make(zTable, len(tests))
	for i := range t {
		t[i] = make([][]float64, columns)
		for j := range t[i] {
			t[i][j] = make([]float64, sets)
		}
	}
	return t
}

// Columns of a zTable: which runs of a protocol of so many a test is applied to.
type columns struct {
	total int
	from  []int
	runs  []int
}

// byRuns has a column for each number of runs of Figures 2 and 4.
func byRuns() columns { return columns{100, make([]int, len(figureRuns)), figureRuns} }

// once has one column, the ten runs of the tables.
func once() columns { return columns{paperRuns, []int{0}, []int{paperRuns}} }

// byRepeat has a column for each repeat of ten runs.
func byRepeat() columns {
	c := columns{total: repeats * paperRuns}
	for i := range repeats {
		c.from = append(c.from, i*paperRuns)
		c.runs = append(c.runs, paperRuns)
	}
	return c
}

// A b03 is what the studies of Bouckaert (2003) have in common.
type b03 struct {
	cfg      Config
	lab      *lab
	networks []*Network
	sets     int
}

// openB03 returns a study that asks for data sets from so many sources. It is to be
// closed.
func openB03(cfg Config, sources int) (*b03, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	b := &b03{cfg: cfg, sets: cfg.sets(20, printedSets)}
	if b.networks, err = Networks(); err != nil {
		return nil, err
	}
	b.lab, err = openLab(cfg, b.sets*sources)
	return b, err
}

// pair are the learners of the paper, but for table 7.
func pair() (candidate, baseline subject) { return treeSubject(), bayesSubject() }

// statistics returns those of the tests on data sets from a source.
func (b *b03) statistics(ctx context.Context, src Source, tests []calibratable, c columns) (zTable, error) {
	z := newZTable(tests, len(c.from), b.sets)
	return z, b.lab.each(ctx, src, examples, b.sets, func(ctx context.Context, s *drawn) error {
		return z.fill(tests, c, s.index, func(p split.Protocol) (stat.Differences, error) {
			candidate, baseline := pair()
			return s.differences(ctx, p, candidate, baseline)
		})
	})
}

// fill puts in the statistics on a data set.
func (z zTable) fill(tests []calibratable, c columns, set int, differences func(p split.Protocol) (stat.Differences, error)) error {
	for t := range tests {
		d, err := differences(tests[t].protocol(c.total))
		if err != nil {
			return err
		}
		for i := range c.from {
			if z[t][i][set], err = tests[t].z(d, c.from[i], c.runs[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// null returns the calibrations of tests on ten runs, on data sets from the first source.
func (b *b03) null(ctx context.Context, tests []calibratable, alphas []float64) ([][]stat.Calibration, error) {
	z, err := b.statistics(ctx, b.networks[0], tests, once())
	if err != nil {
		return nil, err
	}
	return calibrateAll(tests, z, 0, alphas)
}

// calibrateAll calibrates tests on a column of ten runs, at each of the levels.
func calibrateAll(tests []calibratable, z zTable, column int, alphas []float64) ([][]stat.Calibration, error) {
	all := make([][]stat.Calibration, len(tests))
	for t := range tests {
		for _, alpha := range alphas {
			c, err := tests[t].calibrate(z[t][column], paperRuns, alpha)
			if err != nil {
				return nil, err
			}
			all[t] = append(all[t], c)
		}
	}
	return all, nil
}

// rejected returns how many statistics on so many runs reject with df degrees of freedom.
func (c *calibratable) rejected(z []float64, runs, df int, alpha float64) (proportion, error) {
	p := proportion{n: len(z)}
	critical, err := c.critical(runs, df, alpha)
	for _, x := range z {
		p.k += index(math.Abs(x) >= critical)
	}
	return p, err
}
