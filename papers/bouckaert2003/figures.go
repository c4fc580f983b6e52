package bouckaert2003

import (
	"context"
	"fmt"
	"strconv"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
)

func runB03Fig2(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 1)
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	tests := calibratables()
	z, err := b.statistics(ctx, b.networks[0], tests, byRuns())
	if err != nil {
		return nil, err
	}
	ten, err := b.tenRuns(tests, z)
	if err != nil {
		return nil, err
	}
	r := &study.Report{Tables: []study.Table{ten}}
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
func (b *b03) tenRuns(tests []paperTest, z lab.ZTable) (study.Table, error) {
	t := study.Table{
		Title: "Bouckaert 2003, figure 2: ten runs of ten folds, level 5%",
		Notes: []string{fmt.Sprintf("The calibrated degrees of freedom of a test are the largest number from 2 to 100 at which it rejects on at most 5%% of %d data sets of %d examples without any difference, C4.5 against naive Bayes; with the 95%% confidence interval, beside what the test would have were the differences independent, and what the paper says. A test is not calibratable where there are none, or at most 3 and less than half of the expected ones: more is wrong with it than that differences depend on one another.", b.sets, lab.Examples)},
		Columns: []string{
			"test", "expected", "paper", "calibrated", "interval", "Type I, %", "±",
			"calibratable",
		},
	}
	const column = 1
	for i := range tests {
		test := &tests[i]
		c, err := test.Calibrate(z[i][column], figureRuns[column], 0.05)
		if err != nil {
			return t, err
		}
		typeI, se := "", ""
		if c.DF > 0 {
			p, err := test.Rejected(z[i][column], figureRuns[column], c.DF, 0.05)
			if err != nil {
				return t, err
			}
			typeI, se = lab.Percent(p.Share()), lab.Percent(p.SE())
		}
		suits := "not"
		if test.Suits(c.DF, figureRuns[column]) {
			suits = "yes"
		}
		t.Add(test.Name, strconv.Itoa(test.Expected(figureRuns[column])), test.said, lab.Degrees(c.DF),
			lab.CalibrationInterval(c), typeI, se, suits)
	}
	return t, nil
}

// fig2Tables are the left and the right half of the figure at a level.
func (b *b03) fig2Tables(tests []paperTest, z lab.ZTable, alpha float64) (df, typeI study.Table,
	err error,
) {
	level := lab.Figure(100*alpha, 0)
	df = runsTable("Calibrated degrees of freedom by runs, level "+level+"%",
		"One column for each number of runs of ten folds, or of resamples. In parentheses the 95% confidence interval; a dash where there are none.")
	typeI = runsTable("Type I error by runs, level "+level+"%",
		"In percent, at these degrees of freedom, with the Monte Carlo error. Where it is farther below the level than that, no degrees of freedom fit better.")
	for i := range tests {
		test := &tests[i]
		dfs, errs := []string{test.Name}, []string{test.Name}
		for j, runs := range figureRuns {
			c, err := test.Calibrate(z[i][j], runs, alpha)
			if err != nil {
				return df, typeI, err
			}
			p, err := test.Rejected(z[i][j], runs, c.DF, alpha)
			if err != nil {
				return df, typeI, err
			}
			dfs = append(dfs, lab.Degrees(c.DF)+" ("+lab.CalibrationInterval(c)+")")
			if c.DF > 0 {
				errs = append(errs, lab.Percent(p.Share())+" ± "+lab.Percent(p.SE()))
			} else {
				errs = append(errs, "–")
			}
		}
		df.Add(dfs...)
		typeI.Add(errs...)
	}
	return df, typeI, nil
}

// runsTable has a column for each number of runs.
func runsTable(title, note string) study.Table {
	t := study.Table{Title: title, Notes: []string{note}, Columns: []string{"test"}}
	for _, r := range figureRuns {
		t.Columns = append(t.Columns, strconv.Itoa(r))
	}
	return t
}

func runB03Fig4(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 4)
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	tests := paperTests()
	df := make([][]int, len(tests))
	r := &study.Report{}
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
			row := []string{tests[k].Name}
			for j, runs := range figureRuns {
				p, err := tests[k].Rejected(z[k][j], runs, df[k][j], 0.05)
				if err != nil {
					return nil, err
				}
				row = append(row, lab.Percent(p.Share())+" ± "+lab.Percent(p.SE()))
			}
			t.Add(row...)
		}
		r.Tables = append(r.Tables, t)
	}
	return r, nil
}

// calibrateRuns fills in the calibrated degrees of freedom for each number of runs.
func calibrateRuns(tests []paperTest, z lab.ZTable, df [][]int) error {
	for k := range tests {
		for j, runs := range figureRuns {
			c, err := tests[k].Calibrate(z[k][j], runs, 0.05)
			if err != nil {
				return err
			}
			df[k] = append(df[k], c.DF)
		}
	}
	return nil
}
