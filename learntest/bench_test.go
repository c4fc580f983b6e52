package learntest

import (
	"context"
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/split"
)

// BenchmarkTrialOverhead measures the cost of a trial beside the learner: the
// figures are for one trial on 1000 examples in 10 folds.
func BenchmarkTrialOverhead(b *testing.B) {
	x, err := newExperiment(new(results.Registry), []Data[int, bool]{numbers(1000)},
		[]Learner[int, bool]{constant("a", true), constant("b", false)},
		Config{Protocol: split.CV(1000, 10), Parallel: 1})
	if err != nil {
		b.Fatal(err)
	}
	set := x.there.Sets()[0]
	b.ReportAllocs()
	for n := 0; n < b.N; {
		b.StopTimer()
		set, err = results.New(new(results.Registry), x.cfg.settings(x.learners)).Add(set.Data, set.Plan,
			results.Facts{})
		if err != nil {
			b.Fatal(err)
		}
		runs := min(set.Runs(), (b.N-n+19)/20)
		b.StartTimer()
		pieces, err := wanted{sets: []*results.Set{set}, runs: runs, learners: x.learners}.pieces()
		if err != nil {
			b.Fatal(err)
		}
		trial.Engine{Metrics: x.cfg.Metrics, Parallel: 1}.Run(context.Background(), pieces[0].Batch)
		if _, err := set.Take(pieces[0].Batch, ""); err != nil {
			b.Fatal(err)
		}
		n += len(pieces[0].Cells)
	}
}

// BenchmarkWorkers compares one and two workers on naive Bayes over vehicle. Two comparisons side by
// side, of which each has one worker, show what the machine's second processor is worth.
func BenchmarkWorkers(b *testing.B) {
	compare := func(workers int) error {
		_, err := Run(context.Background(), []Data[dataset.Row, int]{uci.Vehicle()},
			[]Learner[dataset.Row, int]{FromClassifier(naivebayes.New(naivebayes.Config{}))},
			Config{Parallel: workers})
		return err
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			for b.Loop() {
				if err := compare(workers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("side by side", func(b *testing.B) {
		b.SetParallelism(1)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := compare(1); err != nil {
					b.Error(err)
				}
			}
		})
	})
}
