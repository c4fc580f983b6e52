package bouckaert2003

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/simulation"
)

// printedTable5 has the consistency of the tests on each source at 5%, in percent; the
// last row is for the 5×2 cv test.
func printedTable5() [][]float64 {
	return [][]float64{
		{72.5, 48.5, 30.1, 42},
		{73.2, 48.8, 30.3, 41.4},
		{81.8, 71.3, 42.6, 51.9},
		{92.8, 80.9, 76.6, 98.5},
		{92.9, 81.9, 75.2, 98.1},
		{91.6, 80.3, 74.2, 98.3},
		{92.2, 80, 76.5, 98.7},
		{91.2, 78.2, 73.2, 98.6},
		{92.5, 81.7, 75, 98.3},
		{72.3, 71.2, 63.5, 16.9},
	}
}

// printedTable6 has the least consistency over the sources at each of the levels.
func printedTable6() [][]float64 {
	return [][]float64{
		{9.8, 20.7, 30.1, 21},
		{10.2, 22.4, 30.3, 20.6},
		{12.8, 23.6, 42.6, 33.6},
		{78.3, 75.5, 76.6, 78},
		{77.8, 76, 75.2, 78.1},
		{75.6, 73.1, 74.2, 76.4},
		{76.8, 75.3, 76.5, 77},
		{74.1, 73.3, 73.2, 74.8},
		{77.6, 76.1, 75, 77.4},
	}
}

func runB03Table5(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	b, err := openB03(cfg, 4)
	if err != nil {
		return nil, err
	}
	defer b.lab.Close(&err)
	tests := paperTests()
	fiveTimesTwo := simulation.Tests()[0]
	var df [][]stat.Calibration
	found := make([][][]lab.Proportion, len(tests)) // by test, source and level
	for k := range found {
		found[k] = make([][]lab.Proportion, len(b.networks))
	}
	halved := make([]lab.Proportion, len(b.networks)) // of the 5×2 cv test
	for i, n := range b.networks {
		z := lab.NewZTable(len(tests), simulation.Repeats, b.sets)
		counts := make([]int, b.sets)
		if err := b.lab.Each(ctx, n, lab.Examples, b.sets, func(ctx context.Context,
			s *lab.Drawn,
		) (err error) {
			candidate, baseline := pair()
			if counts[s.Index], err = fiveTimesTwo.Rejections(ctx, s, candidate, baseline,
				0.05); err != nil {
				return err
			}
			return fill(z, tests, byRepeat(), s.Index, func(p split.Protocol) (stat.Differences, error) {
				return s.Differences(ctx, p, candidate, baseline)
			})
		}); err != nil {
			return nil, err
		}
		if i == 0 {
			if df, err = calibrateAll(tests, z, 0, paperLevels); err != nil {
				return nil, err
			}
		}
		for k := range tests {
			for l, alpha := range paperLevels {
				p, err := tests[k].consistent(z[k], df[k][l].DF, alpha)
				if err != nil {
					return nil, err
				}
				found[k][i] = append(found[k][i], p)
			}
		}
		halved[i].N = b.sets
		for _, k := range counts {
			halved[i].K += lab.Indicator(replicate.Consistent(k, simulation.Repeats))
		}
	}
	return &study.Report{Tables: []study.Table{
		b.table5(tests, found, halved),
		b.table6(tests, found),
	}}, nil
}

// consistent returns on how many data sets the outcomes of the test agree in all repeats.
func (c *paperTest) consistent(z [][]float64, df int, alpha float64) (lab.Proportion, error) {
	p := lab.Proportion{N: len(z[0])}
	critical, err := c.Critical(paperRuns, df, alpha)
	for set := range z[0] {
		k := 0
		for _, repeat := range z {
			k += lab.Indicator(math.Abs(repeat[set]) >= critical)
		}
		p.K += lab.Indicator(replicate.Consistent(k, len(z)))
	}
	return p, err
}

const fivePercent = 2 // in paperLevels

func (b *b03) table5(tests []paperTest, found [][][]lab.Proportion,
	halved []lab.Proportion,
) study.Table {
	t := besideTable("Bouckaert 2003, table 5: consistency", "source",
		fmt.Sprintf("Percentage of %d data sets on which a test decides alike on ten partitions at the 5%% level. ", b.sets)+fmt.Sprintf(dfNote, b.sets)+" The 5×2 cv test is not calibrated.", "consistent, %")
	row := func(name string, ps []lab.Proportion, printed []float64) {
		for i, p := range ps {
			t.Add(append([]string{name, fmt.Sprint(i + 1)},
				p.Beside(printed[i], simulation.PrintedSets)...)...)
		}
		t.Add(append([]string{name, "min."}, least(ps).Beside(slices.Min(printed),
			simulation.PrintedSets)...)...)
	}
	for k := range tests {
		var ps []lab.Proportion
		for i := range found[k] {
			ps = append(ps, found[k][i][fivePercent])
		}
		row(tests[k].Name, ps, printedTable5()[k])
	}
	row("5×2 cv", halved, printedTable5()[len(tests)])
	return t
}

func least(ps []lab.Proportion) lab.Proportion {
	return slices.MinFunc(ps, func(a, b lab.Proportion) int { return a.K - b.K })
}

func (b *b03) table6(tests []paperTest, found [][][]lab.Proportion) study.Table {
	t := besideTable("Bouckaert 2003, table 6: least consistency by level", "level, %",
		fmt.Sprintf("The least over the four sources, %d data sets each. ", b.sets)+fmt.Sprintf(dfNote,
			b.sets), "consistent, %")
	for k := range tests {
		for l, alpha := range paperLevels {
			var ps []lab.Proportion
			for i := range found[k] {
				ps = append(ps, found[k][i][l])
			}
			t.Add(append([]string{tests[k].Name, lab.Percent(alpha)}, least(ps).Beside(printedTable6()[k][l],
				simulation.PrintedSets)...)...)
		}
	}
	return t
}
