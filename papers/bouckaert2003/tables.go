package bouckaert2003

import (
	"context"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/simulation"
)

// dfNote says which degrees of freedom tests have.
const dfNote = "Ten runs of ten folds, or ten resamples; each test has the degrees of freedom that are calibrated for the level on %d data sets of source 1."

// classProbabilities are the probabilities of table 2.
var classProbabilities = []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5}

// printedTable2 has the Type I errors of the tests in the order of papers, in percent.
func printedTable2() [][]float64 {
	return [][]float64{
		{0, 0, 0.4, 0.8, 3.2, 4.3},
		{0, 0, 0.4, 0.8, 3.1, 4.2},
		{0, 0, 0, 0.4, 2.6, 2.5},
		{0, 0, 0.4, 1, 3.8, 5},
		{0, 0, 0.2, 0.7, 3.5, 4.8},
		{0, 0, 0.2, 0.8, 3.8, 5.4},
		{0, 0, 0.4, 0.8, 3.9, 5.1},
		{0, 0, 0.3, 0.9, 4, 6},
		{0, 0, 0.6, 1, 4, 4.7},
	}
}

func runB03Table2(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 1+len(classProbabilities))
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	tests := paperTests()
	df, err := b.null(ctx, tests, []float64{0.05})
	if err != nil {
		return nil, err
	}
	t := besideTable("Bouckaert 2003, table 2: Type I error by class probability", "P(class)",
		fmt.Sprintf(dfNote, b.sets)+fmt.Sprintf(" Rejections at the 5%% level on %d other data sets without any difference for each probability of class 1.", b.sets), "Type I, %")
	for j, p := range classProbabilities {
		// A name of its own, so that the data sets of one half are not the data sets that the tests
		// were calibrated on.
		n := &lab.Network{
			Name: fmt.Sprintf("class=%v", p), Class: p,
			Attributes: b.networks[0].Attributes,
		}
		z, err := b.statistics(ctx, n, tests, once())
		if err != nil {
			return nil, err
		}
		for k := range tests {
			r, err := tests[k].Rejected(z[k][0], paperRuns, df[k][0].DF, 0.05)
			if err != nil {
				return nil, err
			}
			t.Add(append([]string{tests[k].Name, fmt.Sprint(p)}, r.Beside(printedTable2()[k][j],
				simulation.PrintedSets)...)...)
		}
	}
	return &study.Report{Tables: []study.Table{t}}, nil
}

// besideTable has figures in percent beside printed ones, by test and something else.
func besideTable(title, by, note, figure string) study.Table {
	return study.Table{
		Title:   title,
		Notes:   []string{note + " The Monte Carlo error; the printed figure; and the difference in standard errors of both figures."},
		Columns: []string{"test", by, figure, "±", "printed", "in errors"},
	}
}

func runB03Table3(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 4)
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	graders := make([]*simulation.Grader, len(b.networks))
	for i, n := range b.networks {
		if graders[i], err = simulation.NewGrader(n, b.cfg.Seed, b.sets); err != nil {
			return nil, err
		}
		if err := b.lab.Each(ctx, n, lab.Examples, b.sets,
			func(_ context.Context, s *lab.Drawn) error { return graders[i].Add(s) }); err != nil {
			return nil, err
		}
	}
	return &study.Report{Tables: []study.Table{simulation.SourceTable(graders)}}, nil
}

// printedTable4 has the Type I errors of the tests at each of the levels, in percent.
func printedTable4() [][]float64 {
	return [][]float64{
		{1.1, 2.1, 4.4, 10.1},
		{1.5, 2.2, 4.4, 9.2},
		{0.4, 1.1, 3.3, 6.7},
		{0.6, 2, 4.6, 9.6},
		{0.6, 1.9, 4.2, 9.2},
		{0.6, 1.8, 4.3, 10.2},
		{0.8, 2, 4.6, 9.8},
		{1, 2.1, 4.8, 10.5},
		{0.5, 2, 4.3, 9.7},
	}
}

func runB03Table4(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 4)
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	tests := paperTests()
	var df [][]stat.Calibration
	typeI := besideTable("Bouckaert 2003, table 4: Type I error by level", "level, %",
		fmt.Sprintf(dfNote, b.sets)+" Rejections on the same data sets of source 1, in percent.",
		"Type I, %")
	power := study.Table{
		Title:   "Power by level",
		Notes:   []string{"Rejections on the data sets of the other sources with the same degrees of freedom, in percent, and the Monte Carlo error. The paper does not print them."},
		Columns: []string{"test", "source", "1%", "2.5%", "5%", "10%"},
	}
	for i, n := range b.networks {
		z, err := b.statistics(ctx, n, tests, once())
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if df, err = calibrateAll(tests, z, 0, paperLevels); err != nil {
				return nil, err
			}
		}
		for k := range tests {
			row := []string{tests[k].Name, fmt.Sprint(i + 1)}
			for l, alpha := range paperLevels {
				p, err := tests[k].Rejected(z[k][0], paperRuns, df[k][l].DF, alpha)
				if err != nil {
					return nil, err
				}
				row = append(row, lab.Percent(p.Share())+" ± "+lab.Percent(p.SE()))
				if i == 0 {
					typeI.Add(append([]string{tests[k].Name, lab.Percent(alpha)}, p.Beside(printedTable4()[k][l],
						simulation.PrintedSets)...)...)
				}
			}
			if i > 0 {
				power.Add(row...)
			}
		}
	}
	return &study.Report{Tables: []study.Table{typeI, power}}, nil
}

// printedTable7 has the Type I errors of pairs: of the learner with those before it.
func printedTable7() [][]float64 {
	return [][]float64{{}, {5}, {2, 3.8}, {4.3, 1.7, 2.7}, {1.4, 0.4, 0.1, 0.6}}
}

func runB03Table7(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 1)
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	subjects := []lab.Subject{lab.Tree(), lab.Bayes(), lab.IB1(), lab.TAN(), lab.Perceptron()}
	names := []string{"C4.5", "naive Bayes", "nearest neighbour", "TAN", "voted perceptron"}
	all := calibratables()[3:4] // use all data
	z := make([][]lab.ZTable, len(subjects))
	for i := range subjects {
		for range i {
			z[i] = append(z[i], lab.NewZTable(len(all), 1, b.sets))
		}
	}
	if err := b.lab.Each(ctx, b.networks[0], lab.Examples, b.sets, func(ctx context.Context,
		s *lab.Drawn,
	) error {
		for i := range subjects {
			for j := range i {
				if err := fill(z[i][j], all, once(), s.Index, func(p split.Protocol) (stat.Differences, error) {
					return s.Differences(ctx, p, subjects[i], subjects[j])
				}); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	df, err := calibrateAll(all, z[1][0], 0, []float64{0.05})
	if err != nil {
		return nil, err
	}
	t := study.Table{
		Title: "Bouckaert 2003, table 7: Type I error for pairs of learners",
		Notes: []string{fmt.Sprintf("The test on all data of ten runs of ten folds, with the %s degrees of freedom that are calibrated for C4.5 and naive Bayes, at the 5%% level on %d data sets of source 1; beside it the corrected test, the default, which needs no calibration. The Monte Carlo error; the printed figure; and the difference in standard errors of both figures.",
			lab.Degrees(df[0][0].DF), b.sets), lab.IB1Note},
		Columns: []string{"learners", "Type I, %", "±", "printed", "in errors", "corrected test, %", "±"},
	}
	for i := range subjects {
		for j := range i {
			p, err := all[0].Rejected(z[i][j][0][0], paperRuns, df[0][0].DF, 0.05)
			if err != nil {
				return nil, err
			}
			c, err := b.correctedRejections(z[i][j][0][0])
			if err != nil {
				return nil, err
			}
			row := append([]string{names[i] + ", " + names[j]}, p.Beside(printedTable7()[i][j],
				simulation.PrintedSets)...)
			t.Add(append(row, lab.Percent(c.Share()), lab.Percent(c.SE()))...)
		}
	}
	return &study.Report{Tables: []study.Table{t}}, nil
}

// correctedRejections returns how often the corrected test rejects at 5%, whose statistic is
// the statistic of the test on all data times a constant: √(1/n) against √(1/n + 1/9), n = 100.
func (b *b03) correctedRejections(z []float64) (lab.Proportion, error) {
	const n, ratio = 100, 1.0 / 9
	t, err := stat.StudentT(n - 1)
	if err != nil {
		return lab.Proportion{}, err
	}
	q, err := t.Quantile(0.025)
	p := lab.Proportion{N: len(z)}
	for _, x := range z {
		p.K += lab.Indicator(math.Abs(x) >= q*math.Sqrt(1+n*ratio))
	}
	return p, err
}
