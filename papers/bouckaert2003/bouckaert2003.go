// Package bouckaert2003 reproduces R. R. Bouckaert (2003), "Choosing between two learning
// algorithms based on calibrated tests".
package bouckaert2003

import (
	"context"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/papers/internal/simulation"
)

// figureRuns are the numbers of runs of Figures 2 and 4.
var figureRuns = []int{5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100}

// paperRuns is the number of runs of all tables.
const paperRuns = 10

// levels of the paper's tables 4 and 6.
var paperLevels = []float64{0.01, 0.025, 0.05, 0.1}

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
	c := columns{total: simulation.Repeats * paperRuns}
	for i := range simulation.Repeats {
		c.from = append(c.from, i*paperRuns)
		c.runs = append(c.runs, paperRuns)
	}
	return c
}

// A b03 is the common part of the studies of Bouckaert (2003).
type b03 struct {
	cfg      lab.Config
	lab      *lab.Lab
	networks []*lab.Network
	sets     int
}

// openB03 returns a study that asks for data sets from so many sources. It is to be
// closed.
func openB03(cfg lab.Config, sources int) (*b03, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	b := &b03{cfg: cfg, sets: cfg.SetsOr(20, simulation.PrintedSets)}
	if b.networks, err = lab.Networks(); err != nil {
		return nil, err
	}
	b.lab, err = lab.Open(cfg, b.sets*sources)
	return b, err
}

// pair are the learners of the paper, but for table 7.
func pair() (candidate, baseline lab.Subject) { return lab.Tree(), lab.Bayes() }

// statistics returns the statistics of the tests on data sets from a source.
func (b *b03) statistics(ctx context.Context, src lab.Source, tests []paperTest,
	c columns,
) (lab.ZTable, error) {
	z := lab.NewZTable(len(tests), len(c.from), b.sets)
	return z, b.lab.Each(ctx, src, lab.Examples, b.sets, func(ctx context.Context,
		s *lab.Drawn,
	) error {
		return fill(z, tests, c, s.Index, func(p split.Protocol) (stat.Differences, error) {
			candidate, baseline := pair()
			return s.Differences(ctx, p, candidate, baseline)
		})
	})
}

// fill puts the statistics on a data set into z.
func fill(z lab.ZTable, tests []paperTest, c columns, set int,
	differences func(p split.Protocol) (stat.Differences, error),
) error {
	for t := range tests {
		d, err := differences(tests[t].protocol(c.total))
		if err != nil {
			return err
		}
		for i := range c.from {
			if z[t][i][set], err = tests[t].Z(d, c.from[i], c.runs[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// null returns the calibrations of tests on ten runs, on data sets from the first source.
func (b *b03) null(ctx context.Context, tests []paperTest, alphas []float64) ([][]stat.Calibration,
	error,
) {
	z, err := b.statistics(ctx, b.networks[0], tests, once())
	if err != nil {
		return nil, err
	}
	return calibrateAll(tests, z, 0, alphas)
}

// calibrateAll calibrates tests on a column of ten runs, at each of the levels.
func calibrateAll(tests []paperTest, z lab.ZTable, column int,
	alphas []float64,
) ([][]stat.Calibration, error) {
	all := make([][]stat.Calibration, len(tests))
	for t := range tests {
		for _, alpha := range alphas {
			c, err := tests[t].Calibrate(z[t][column], paperRuns, alpha)
			if err != nil {
				return nil, err
			}
			all[t] = append(all[t], c)
		}
	}
	return all, nil
}
