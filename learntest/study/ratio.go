package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

// ratioRuns is the number of comparisons of each kind in a full study.
const ratioRuns = 40

func ratioStudy() Study {
	return Study{
		Name: "ratio",
		Doc:  "how often a claim that a learner takes at most so many times as long as itself is shown, on this machine and under its present load",
		Run:  configured(runRatio),
	}
}

// ratioSets are the data sets, by how long training takes: about 0.2 ms on the first.
func ratioSets() []string { return []string{"iris", "vehicle", "german-credit"} }

func runRatio(ctx context.Context, cfg lab.Config) (*Report, error) {
	if cfg.Store != "" {
		return nil, fmt.Errorf("%w: it keeps no scores, and times of stored trials would be of another load", ErrConfig)
	}
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	runs := cfg.SetsOr(3, ratioRuns)
	kinds := []int{1, 2}
	done := cfg.Counter(runs * len(kinds) * len(ratioSets()))
	t := Table{
		Title: "Ratios of equal times",
		Notes: []string{fmt.Sprintf("C4.5 under two names, training time, 5 runs of 10 folds, so 50 cells; %d comparisons each, with so many trials at the same time (a claim takes 1). A comparison is within a limit if the bound of its median ratio is; within ×1.00 is false. Slower: the median is above 1 (half of them should be), and shown slower: its lower bound is, too (false).", runs)},
		Columns: []string{
			"data, parallel", "mean, ms", "medians", "spread of a cell", "×1.20", "×1.10",
			"×1.05", "×1.00", "slower", "shown slower",
		},
	}
	for _, name := range ratioSets() {
		data, err := uci.Load(name)
		if err != nil {
			return nil, err
		}
		for _, parallel := range kinds {
			var all []stat.MedianRatio
			var spread, total float64
			for i := range runs {
				a, b, err := timesOfTwins(ctx, data, cfg.Seed+uint64(i), parallel)
				if err != nil {
					return nil, err
				}
				r, err := stat.RatioAtMost(a, b, 1, gateLevel)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				all = append(all, r)
				spread += spreadOfLogs(a, b) / float64(runs)
				for k := range a {
					total += (a[k] + b[k]) / float64(2*len(a)*runs)
				}
				done()
			}
			t.Rows = append(t.Rows, ratioRow(fmt.Sprintf("%s, %d", name, parallel), total, spread, all))
		}
	}
	return &Report{Tables: []Table{t}}, nil
}

// timesOfTwins returns the training times of a learner under two names.
func timesOfTwins(ctx context.Context, data *dataset.Table, seed uint64, parallel int) (a,
	b []float64, err error,
) {
	var twins []learntest.Learner[dataset.Row, int]
	for _, name := range []string{"new", "old"} {
		l := learntest.FromClassifier(c45.New(c45.Config{}))
		l.Name = name
		twins = append(twins, l)
	}
	f, err := learntest.Run(ctx, []learntest.Data[dataset.Row, int]{data}, twins,
		learntest.Config{Protocol: split.CV(5, 10).WithSeed(seed), Parallel: parallel})
	if err != nil {
		return nil, nil, err
	}
	if failed := f.Failures(); len(failed) > 0 {
		return nil, nil, errors.New(failed[0].Err)
	}
	for t := range f.Blocks()[0].Trials() {
		if t.Learner == "new" {
			a = append(a, t.FitSeconds)
		} else {
			b = append(b, t.FitSeconds)
		}
	}
	return a, b, nil
}

// spreadOfLogs returns the standard deviation of the logarithms of ratios.
func spreadOfLogs(a, b []float64) float64 {
	var sum, squares float64
	for i := range a {
		sum += math.Log(a[i]/b[i]) / float64(len(a))
	}
	for i := range a {
		d := math.Log(a[i]/b[i]) - sum
		squares += float64(d*d) / float64(len(a)-1)
	}
	return math.Sqrt(squares)
}

// ratioRow counts the limits that comparisons of equal times show.
func ratioRow(name string, mean, spread float64, all []stat.MedianRatio) []string {
	share := func(of func(r stat.MedianRatio) bool) string {
		n := 0
		for _, r := range all {
			n += lab.Indicator(of(r))
		}
		return fmt.Sprintf("%d/%d", n, len(all))
	}
	within := func(limit float64) string {
		return share(func(r stat.MedianRatio) bool { return r.Most <= limit })
	}
	medians := make([]float64, len(all))
	for i, r := range all {
		medians[i] = r.Median
	}
	return []string{
		name, fmt.Sprintf("%.2g", 1000*mean), fmt.Sprintf("%.2f to %.2f", slices.Min(medians),
			slices.Max(medians)), fmt.Sprintf("%.2f", spread),
		within(1.2), within(1.1), within(1.05), within(1),
		share(func(r stat.MedianRatio) bool { return r.Median > 1 }),
		share(func(r stat.MedianRatio) bool { return r.Least > 1 }),
	}
}
