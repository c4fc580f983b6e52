package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// bf5Study returns the simulation of Bouckaert & Frank (2004), table 5.
func bf5Study() Study {
	return Study{
		Name: "bf5",
		Doc:  "Bouckaert & Frank 2004, table 5: how consistent five tests are on ten partitions of data sets from four sources",
		Run:  runBF5,
	}
}

// A repeated test is one that is applied ten times to a data set, on partitions of its own:
// to the first runs of each tenth of the runs of a protocol.
type repeated struct {
	name     string
	test     stat.Test
	protocol split.Protocol
	runs     int
}

// repeats is how often a test is applied to a data set.
const repeats = 10

// The protocols that the tests of the papers share.
func crossValidation() split.Protocol { return split.CV(100, 10) }
func resampling() split.Protocol      { return split.Subsample(1000, 0.9) }
func fiveByTwo() split.Protocol       { return split.CV(50, 2) }

func bf5Tests() []repeated {
	corrected := stat.MustLookup("corrected-resampled-t")
	return []repeated{
		{"5×2 cv", stat.MustLookup("5x2cv-t"), fiveByTwo(), 5},
		{"10 × resampling", corrected, resampling(), 10},
		{"100 × resampling", corrected, resampling(), 100},
		{"10-fold cv", stat.MustLookup("paired-t"), crossValidation(), 1},
		{"corrected 10×10 fold cv", stat.MustLookup("corrected-cv-t"), crossValidation(), 10},
	}
}

// rejections returns how often the test of two subjects rejects at the level.
func (r repeated) rejections(ctx context.Context, s *drawn, a, b subject, alpha float64) (int, error) {
	d, err := s.differences(ctx, r.protocol, a, b)
	if err != nil {
		return 0, err
	}
	step, k := d.Runs/repeats, 0
	for i := range repeats {
		result, err := r.test.Run(part(d, i*step, r.runs), stat.TwoSided)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.name, err)
		}
		k += index(result.P <= alpha)
	}
	return k, nil
}

// bf5Figures are the consistencies that table 5 prints, in percent, by test and source.
func bf5Figures() [][4]float64 {
	return [][4]float64{
		{72.3, 71.2, 63.5, 16.9},
		{65.5, 44.0, 26.0, 48.8},
		{90.9, 73.2, 66.8, 97.2},
		{49.7, 47.6, 33.2, 90.8},
		{91.9, 80.3, 76.7, 98.9},
	}
}

// printedSets is the number of data sets from each source in the papers.
const printedSets = 1000

// A bf5Set is what is found on a data set: how often each test rejects.
type bf5Set []int

func runBF5(ctx context.Context, cfg Config) (_ *Report, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	networks, err := Networks()
	if err != nil {
		return nil, err
	}
	sets := cfg.sets(3, printedSets)
	lab, err := openLab(cfg, sets*len(networks))
	if err != nil {
		return nil, err
	}
	defer lab.close(&err)
	tests := bf5Tests()
	found := make([][]bf5Set, len(networks))
	graders := make([]*grader, len(networks))
	for i, n := range networks {
		found[i] = make([]bf5Set, sets)
		if graders[i], err = newGrader(n, cfg.Seed, sets); err != nil {
			return nil, err
		}
		if err := lab.each(ctx, n, examples, sets, func(ctx context.Context, s *drawn) error {
			if err := graders[i].add(s); err != nil {
				return err
			}
			found[i][s.index] = make(bf5Set, len(tests))
			for j, test := range tests {
				k, err := test.rejections(ctx, s, treeSubject(), bayesSubject(), 0.05)
				if err != nil {
					return err
				}
				found[i][s.index][j] = k
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return &Report{Tables: []Table{
		sourceTable(graders), bf5Consistency(tests, found), bf5Rejections(tests, found),
	}}, nil
}

// bf5Consistency is table 5 beside the print.
func bf5Consistency(tests []repeated, found [][]bf5Set) Table {
	t := Table{
		Title: "Bouckaert & Frank 2004, table 5: consistency",
		Notes: []string{fmt.Sprintf("How many percent of %d data sets of %d examples a test says the same of on ten partitions, C4.5 against naive Bayes at the 5%% level; the Monte Carlo error; the printed figure; and the difference in standard errors, those of both.",
			len(found[0]), examples)},
		Columns: []string{"test", "source", "consistent, %", "±", "printed", "in errors"},
	}
	for j, test := range tests {
		least := proportion{k: math.MaxInt}
		for i := range found {
			p := proportion{n: len(found[i])}
			for _, s := range found[i] {
				p.k += index(replicate.Consistent(s[j], repeats))
			}
			if p.k < least.k {
				least = p
			}
			t.add(append([]string{test.name, fmt.Sprint(i + 1)}, p.beside(bf5Figures()[j][i], printedSets)...)...)
		}
		printed := bf5Figures()[j]
		t.add(append([]string{test.name, "min."}, least.beside(slices.Min(printed[:]), printedSets)...)...)
	}
	return t
}

// bf5Rejections says how often the tests reject: the Type I error on the first source, the
// power on the others.
func bf5Rejections(tests []repeated, found [][]bf5Set) Table {
	t := Table{
		Title:   "Rejections and replicability of the same tests",
		Notes:   []string{"How often a test rejects, in percent: on source 1 the Type I error, on the others the power. And R, the probability that it says the same on two partitions. The errors are those of a mean over data sets."},
		Columns: []string{"test", "source", "rejects, %", "±", "R", "±"},
	}
	for j, test := range tests {
		for i := range found {
			var rejects, r mean
			for _, s := range found[i] {
				rejects.add(float64(s[j]) / repeats)
				x, err := replicate.Replicability(s[j], repeats)
				if err != nil { // not reached: there are repeats
					x = math.NaN()
				}
				r.add(x)
			}
			t.add(test.name, fmt.Sprint(i+1), percent(rejects.mean()), percent(rejects.se()), figure(r.mean(), 3), figure(r.se(), 3))
		}
	}
	return t
}
