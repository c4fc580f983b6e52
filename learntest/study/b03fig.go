package study

import (
	"context"
	"fmt"
	"strconv"

	"github.com/learnbench/learnbench/learntest/stat"
)

func b03Fig2Study() Study {
	return Study{
		Name: "b03-fig2",
		Doc:  "Bouckaert 2003, figure 2: degrees of freedom that give tests their level, for 5 to 100 runs",
		Run:  runB03Fig2,
	}
}

func b03Fig4Study() Study {
	return Study{
		Name: "b03-fig4",
		Doc:  "Bouckaert 2003, figure 4: Type I error and power of calibrated tests, for 5 to 100 runs",
		Run:  runB03Fig4,
	}
}

func runB03Fig2(ctx context.Context, cfg Config) (_ *Report, err error) {
	b, err := openB03(cfg, 1)
	if err != nil {
		return nil, err
	}
	defer b.lab.close(&err)
	tests := calibratables()
	z, err := b.statistics(ctx, b.networks[0], tests, byRuns())
	if err != nil {
		return nil, err
	}
	ten, err := b.tenRuns(tests, z)
	if err != nil {
		return nil, err
	}
	r := &Report{Tables: []Table{ten}}
	for _, alpha := range []float64{0.05, 0.01, 0.1} {
		df, typeI, err := b.fig2Tables(tests, z, alpha)
		if err != nil {
			return nil, err
		}
		r.Tables = append(r.Tables, df)
		if alpha == 0.05 {
			r.Tables = append(r.Tables, typeI)
		}
	}
	return r, nil
}

// tenRuns says what the paper has in words, of ten runs at the 5% level.
func (b *b03) tenRuns(tests []calibratable, z zTable) (Table, error) {
	t := Table{
		Title:   "Bouckaert 2003, figure 2: ten runs of ten folds, level 5%",
		Notes:   []string{fmt.Sprintf("The calibrated degrees of freedom of a test are the largest number from 2 to 100 at which it rejects on at most 5%% of %d data sets of %d examples without any difference, C4.5 against naive Bayes; with the 95%% confidence interval, beside what the test would have were the differences independent, and what the paper says. A test is not calibratable where there are none, or at most 3 and less than half of what is expected: more is wrong with it than that differences depend on one another.", b.sets, examples)},
		Columns: []string{"test", "expected", "paper", "calibrated", "interval", "Type I, %", "±", "calibratable"},
	}
	const column = 1
	for i := range tests {
		test := &tests[i]
		c, err := test.calibrate(z[i][column], figureRuns[column], 0.05)
		if err != nil {
			return t, err
		}
		typeI, se := "", ""
		if c.DF > 0 {
			p, err := test.rejected(z[i][column], figureRuns[column], c.DF, 0.05)
			if err != nil {
				return t, err
			}
			typeI, se = percent(p.share()), percent(p.se())
		}
		suits := "not"
		if test.suits(c.DF, figureRuns[column]) {
			suits = "yes"
		}
		t.add(test.name, strconv.Itoa(test.expected(figureRuns[column])), test.said, degrees(c.DF), interval(c), typeI, se, suits)
	}
	return t, nil
}

// degrees is a number of degrees of freedom in a cell, and a dash for none.
func degrees(df int) string {
	if df == 0 {
		return "–"
	}
	return strconv.Itoa(df)
}

// interval is that of a calibration in a cell.
func interval(c stat.Calibration) string { return degrees(c.Lo) + " to " + degrees(c.Hi) }

// fig2Tables are the left and the right half of the figure at a level.
func (b *b03) fig2Tables(tests []calibratable, z zTable, alpha float64) (df, typeI Table, err error) {
	level := figure(100*alpha, 0)
	df = runsTable("Calibrated degrees of freedom by runs, level "+level+"%",
		"One column for each number of runs of ten folds, or of resamples. In parentheses the 95% confidence interval; a dash where there are none.")
	typeI = runsTable("Type I error by runs, level "+level+"%",
		"In percent, at these degrees of freedom, with the Monte Carlo error. Where it is farther below the level than that, no degrees of freedom fit better.")
	for i := range tests {
		test := &tests[i]
		dfs, errs := []string{test.name}, []string{test.name}
		for j, runs := range figureRuns {
			c, err := test.calibrate(z[i][j], runs, alpha)
			if err != nil {
				return df, typeI, err
			}
			p, err := test.rejected(z[i][j], runs, c.DF, alpha)
			if err != nil {
				return df, typeI, err
			}
			dfs = append(dfs, degrees(c.DF)+" ("+interval(c)+")")
			if c.DF > 0 {
				errs = append(errs, percent(p.share())+" ± "+percent(p.se()))
			} else {
				errs = append(errs, "–")
			}
		}
		df.add(dfs...)
		typeI.add(errs...)
	}
	return df, typeI, nil
}

// runsTable has a column for each number of runs.
func runsTable(title, note string) Table {
	t := Table{Title: title, Notes: []string{note}, Columns: []string{"test"}}
	for _, r := range figureRuns {
		t.Columns = append(t.Columns, strconv.Itoa(r))
	}
	return t
}

func runB03Fig4(ctx context.Context, cfg Config) (_ *Report, err error) {
	b, err := openB03(cfg, 4)
	if err != nil {
		return nil, err
	}
	defer b.lab.close(&err)
	tests := paperTests()
	df := make([][]int, len(tests))
	r := &Report{}
	for i, n := range b.networks {
		z, err := b.statistics(ctx, n, tests, byRuns())
		if err != nil {
			return nil, err
		}
		title := fmt.Sprintf("Bouckaert 2003, figure 4: power on source %d", i+1)
		if i == 0 {
			title = "Bouckaert 2003, figure 4: Type I error on source 1"
			if err := calibrateRuns(tests, z, df); err != nil {
				return nil, err
			}
		}
		t := runsTable(title, fmt.Sprintf("Rejections on %d data sets at the 5%% level, in percent, by runs, with the degrees of freedom that were calibrated on source 1 for this number of runs; the Monte Carlo error.", b.sets))
		for k := range tests {
			row := []string{tests[k].name}
			for j, runs := range figureRuns {
				p, err := tests[k].rejected(z[k][j], runs, df[k][j], 0.05)
				if err != nil {
					return nil, err
				}
				row = append(row, percent(p.share())+" ± "+percent(p.se()))
			}
			t.add(row...)
		}
		r.Tables = append(r.Tables, t)
	}
	return r, nil
}

// calibrateRuns fills in the calibrated degrees of freedom for each number of runs.
func calibrateRuns(tests []calibratable, z zTable, df [][]int) error {
	for k := range tests {
		for j, runs := range figureRuns {
			c, err := tests[k].calibrate(z[k][j], runs, 0.05)
			if err != nil {
				return err
			}
			df[k] = append(df[k], c.DF)
		}
	}
	return nil
}
