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

// A bf5Set has the number of rejections of each test on a data set.
type bf5Set []int

// A bf5Source is a network that stands for one of the sources of the paper.
type bf5Source struct {
	*lab.Network
	printed int // the source, counted from 0
}

func (s bf5Source) String() string {
	if s.Name == fmt.Sprint("source", s.printed+1) {
		return fmt.Sprint(s.printed + 1)
	}
	return s.Name
}

func runBF5(ctx context.Context, cfg lab.Config) (*study.Report, error) {
	networks, err := lab.Networks()
	if err != nil {
		return nil, err
	}
	var sources []bf5Source
	for i, n := range networks {
		sources = append(sources, bf5Source{n, i})
	}
	found, graders, err := measureBF5(ctx, cfg, sources)
	if err != nil {
		return nil, err
	}
	tests := simulation.Tests()
	return &study.Report{Tables: []study.Table{
		simulation.SourceTable(graders), bf5Consistency(tests, sources, found),
		bf5Rejections(tests, sources, found),
	}}, nil
}

// runBF5Dense is table 5 on denser networks for sources 2 and 3.
func runBF5Dense(ctx context.Context, cfg lab.Config) (*study.Report, error) {
	networks, err := simulation.Dense()
	if err != nil {
		return nil, err
	}
	sources := []bf5Source{{networks[0], 1}, {networks[1], 2}}
	found, _, err := measureBF5(ctx, cfg, sources)
	if err != nil {
		return nil, err
	}
	tests := simulation.Tests()
	return &study.Report{Tables: []study.Table{
		bf5Consistency(tests, sources, found),
		bf5Rejections(tests, sources, found),
	}}, nil
}

// measureBF5 applies the tests and measures accuracies on data sets from the sources.
func measureBF5(ctx context.Context, cfg lab.Config, networks []bf5Source) (_ [][]bf5Set,
	_ []*simulation.Grader, err error,
) {
	if cfg, err = cfg.WithDefaults(); err != nil {
		return nil, nil, err
	}
	sets := cfg.SetsOr(3, simulation.PrintedSets)
	l, err := lab.Open(cfg, sets*len(networks))
	if err != nil {
		return nil, nil, err
	}
	defer l.Close(&err)
	tests := simulation.Tests()
	found := make([][]bf5Set, len(networks))
	graders := make([]*simulation.Grader, len(networks))
	for i, n := range networks {
		found[i] = make([]bf5Set, sets)
		if graders[i], err = simulation.NewGrader(n.Network, cfg.Seed, sets); err != nil {
			return nil, nil, err
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
			return nil, nil, err
		}
	}
	return found, graders, nil
}

// bf5Consistency is table 5 beside the print.
func bf5Consistency(tests []simulation.Repeated, sources []bf5Source,
	found [][]bf5Set,
) study.Table {
	t := study.Table{
		Title: "Bouckaert & Frank 2004, table 5: consistency",
		Notes: []string{fmt.Sprintf("Percentage of %d data sets of %d examples on which a test decides alike on ten partitions, C4.5 against naive Bayes at the 5%% level; the Monte Carlo error; the printed figure; and the difference in standard errors of both figures.",
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
			t.Add(append([]string{test.Name, sources[i].String()},
				p.Beside(simulation.PrintedConsistencies()[j][sources[i].printed],
					simulation.PrintedSets)...)...)
		}
		printed := simulation.PrintedConsistencies()[j]
		if len(sources) < len(printed) {
			continue // the print has the minimum of all
		}
		t.Add(append([]string{test.Name, "min."}, least.Beside(slices.Min(printed[:]),
			simulation.PrintedSets)...)...)
	}
	return t
}

// bf5Rejections says how often the tests reject: the Type I error on the first source, the
// power on the others.
func bf5Rejections(tests []simulation.Repeated, sources []bf5Source, found [][]bf5Set) study.Table {
	t := study.Table{
		Title:   "Rejections and replicability of the same tests",
		Notes:   []string{"How often a test rejects, in percent: on source 1 the Type I error, on the others the power. And R, the probability that it agrees with itself on two partitions. The errors are standard errors of a mean over data sets."},
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
			t.Add(test.Name, sources[i].String(), lab.Percent(rejects.Mean()), lab.Percent(rejects.SE()),
				lab.Figure(r.Mean(), 3), lab.Figure(r.SE(), 3))
		}
	}
	return t
}
