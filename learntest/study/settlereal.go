package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// settleSets returns the names of the real data sets with classes.
func settleSets(small bool) []string {
	if small {
		return []string{"iris", "labor"}
	}
	var names []string
	for _, name := range withoutContactLenses() {
		if t, err := uci.Load(name); err == nil && t.NumClasses() > 0 {
			names = append(names, name)
		}
	}
	return names
}

// realClaims are claims on real data.
func realClaims() []settleClaim {
	return []settleClaim{
		{name: "differs", claim: verdict.Claim{}},
		{name: "improves", claim: verdict.Claim{Kind: verdict.Improves}},
		{name: "gain of 0.02", claim: verdict.Claim{Kind: verdict.Improves, Gain: 0.02}},
		{name: "no regression, margin or budget of 0.02", claim: verdict.Claim{
			Kind:   verdict.NoRegression,
			Margin: 0.02,
		}},
		{name: "no regression, margin or budget of 0.05", claim: verdict.Claim{
			Kind:   verdict.NoRegression,
			Margin: 0.05,
		}},
		{name: "equivalent, margin of 0.05", claim: verdict.Claim{
			Kind:   verdict.Equivalent,
			Margin: 0.05,
		}},
	}
}

// settleReal measures the rule on pairs of learners on real data sets. A comparison without
// variance, or with a margin that no candidate could miss or keep, is none.
func settleReal(ctx context.Context, cfg lab.Config, names []string, done func()) (Table, error) {
	metrics := []metric.Metric{metric.Accuracy(), metric.LogLoss(), metric.Brier()}
	claims := realClaims()
	tallies := make([]settleTally, len(claims))
	learners := 0
	for _, name := range names {
		table, err := uci.Load(name)
		if err != nil {
			return Table{}, err
		}
		ls := append(referenceLearners(table),
			learntest.FromClassifier(neighbor.New(neighbor.Config{K: 5})))
		learners = max(learners, len(ls))
		f, err := learntest.Run(ctx, []learntest.Data[dataset.Row, int]{table}, ls,
			learntest.Config{Metrics: metrics, Parallel: cfg.Parallel})
		if err != nil {
			return Table{}, err
		}
		for _, m := range metrics {
			for a := range ls {
				for b := range a {
					p, err := record.Pair(f.Of(name, ls[a].Name), f.Of(name, ls[b].Name), m.Name)
					if err != nil {
						return Table{}, err
					}
					for i, c := range claims {
						if slices.Equal(p.A, p.B) {
							continue
						}
						if err := tallies[i].both(p, c.claim); err != nil && !errors.Is(err, verdict.ErrClaim) {
							return Table{}, fmt.Errorf("%s, %s against %s in %s: %w", name, ls[a].Name, ls[b].Name,
								m.Name, err)
						}
					}
				}
			}
		}
		done()
	}
	t := Table{
		Title: "Real comparisons",
		Notes: []string{
			fmt.Sprintf("All pairs of up to %d reference learners on %d data sets of package uci, in accuracy, log loss and Brier score, by the default 10×10 cross-validation, each in one direction. γ is %v, and the level 5%%. Left out are learners with equal scores, and margins that make no sense for a baseline.", learners, len(names), settleError),
			"How many comparisons the claim holds of by all ten runs, and by the first that settle it; of how many the two differ; how many are settled after 2, 3 and 5 runs, and how many take all; and the mean number of runs.",
		},
		Columns: []string{
			"claim", "comparisons", "all runs", "settled", "differ", "2 runs", "3 runs",
			"5 runs", "10 runs", "mean runs",
		},
	}
	for i, c := range claims {
		x := &tallies[i]
		t.Add(c.name, fmt.Sprint(x.n), fmt.Sprint(x.all), fmt.Sprint(x.settled), fmt.Sprint(x.differ),
			fmt.Sprint(x.after[2]), fmt.Sprint(x.after[3]), fmt.Sprint(x.after[5]), fmt.Sprint(x.after[10]),
			lab.Figure(float64(x.runs)/float64(x.n), 2))
	}
	return t, nil
}
