package bouckaert2004

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/simulation"
)

// A bf5Set is what is found on a data set: how often each test rejects.
type bf5Set []int

func runBF5(ctx context.Context, cfg lab.Config) (_ *study.Report, err error) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, err
	}
	networks, err := lab.Networks()
	if err != nil {
		return nil, err
	}
	sets := cfg.SetsOr(3, simulation.PrintedSets)
	l, err := lab.Open(cfg, sets*len(networks))
	if err != nil {
		return nil, err
	}
	defer l.Close(&err)
	tests := simulation.Tests()
	found := make([][]bf5Set, len(networks))
	graders := make([]*simulation.Grader, len(networks))
	for i, n := range networks {
		found[i] = make([]bf5Set, sets)
		if graders[i], err = simulation.NewGrader(n, cfg.Seed, sets); err != nil {
			return nil, err
		}
		if err := l.Each(ctx, n, lab.Examples, sets, func(ctx context.Context, s *lab.Drawn) error {
			if err := graders[i].Add(s); err != nil {
				return err
			}
			found[i][s.Index] = make(bf5Set, len(tests))
			for j, test := range tests {
				k, err := test.Rejections(ctx, s, lab.Tree(), lab.Bayes(), 0.05)
				if err != nil {
					return err
				}
				found[i][s.Index][j] = k
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return &study.Report{Tables: []study.Table{
		simulation.SourceTable(graders), bf5Consistency(tests, found), bf5Rejections(tests, found),
	}}, nil
}

// bf5Consistency is table 5 beside the print.
func bf5Consistency(tests []simulation.Repeated, found [][]bf5Set) study.Table {
	t := study.Table{
		Title: "Bouckaert & Frank 2004, table 5: consistency",
		Notes: []string{fmt.Sprintf("How many percent of %d data sets of %d examples a test says the same of on ten partitions, C4.5 against naive Bayes at the 5%% level; the Monte Carlo error; the printed figure; and the difference in standard errors, those of both.",
			len(found[0]), lab.Examples)},
		Columns: []string{"test", "source", "consistent, %", "±", "printed", "in errors"},
	}
	for j, test := range tests {
		least := lab.Proportion{K: math.MaxInt}
		for i := range found {
			p := lab.Proportion{N: len(found[i])}
			for _, s := range found[i] {
				p.K += lab.Indicator(replicate.Consistent(s[j], simulation.Repeats))
			}
			if p.K < least.K {
				least = p
			}
			t.Add(append([]string{test.Name, fmt.Sprint(i + 1)}, p.Beside(simulation.PrintedConsistencies()[j][i], simulation.PrintedSets)...)...)
		}
		printed := simulation.PrintedConsistencies()[j]
		t.Add(append([]string{test.Name, "min."}, least.Beside(slices.Min(printed[:]), simulation.PrintedSets)...)...)
	}
	return t
}

// bf5Rejections says how often the tests reject: the Type I error on the first source, the
// power on the others.
func bf5Rejections(tests []simulation.Repeated, found [][]bf5Set) study.Table {
	t := study.Table{
		Title:   "Rejections and replicability of the same tests",
		Notes:   []string{"How often a test rejects, in percent: on source 1 the Type I error, on the others the power. And R, the probability that it says the same on two partitions. The errors are those of a mean over data sets."},
		Columns: []string{"test", "source", "rejects, %", "±", "R", "±"},
	}
	for j, test := range tests {
		for i := range found {
			var rejects, r lab.Mean
			for _, s := range found[i] {
				rejects.Add(float64(s[j]) / simulation.Repeats)
				x, err := replicate.Replicability(s[j], simulation.Repeats)
				if err != nil { // not reached: there are repeats
					x = math.NaN()
				}
				r.Add(x)
			}
			t.Add(test.Name, fmt.Sprint(i+1), lab.Percent(rejects.Mean()), lab.Percent(rejects.SE()), lab.Figure(r.Mean(), 3), lab.Figure(r.SE(), 3))
		}
	}
	return t
}
