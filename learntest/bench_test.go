package learntest

import (
	"context"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// BenchmarkTrialOverhead measures what a trial costs beside the learner: the
// figures are those of one trial on 1000 examples in 10 folds.
func BenchmarkTrialOverhead(b *testing.B) {
	s, err := newSession([]Data[int, bool]{numbers(1000)}, []Learner[int, bool]{constant("a", true), constant("b", false)},
		Config{Protocol: split.CV(1000, 10), Parallel: 1})
	if err != nil {
		b.Fatal(err)
	}
	in := s.inputs[0]
	b.ReportAllocs()
	for n := 0; n < b.N; {
		b.StopTimer()
		runs := min(in.plan.Runs(), (b.N-n+19)/20)
		b.StartTimer()
		batches, err := s.missing(runs, s.learners)
		if err != nil {
			b.Fatal(err)
		}
		trial.Engine{Metrics: s.cfg.Metrics, Parallel: 1}.Run(context.Background(), batchesOf(batches)...)
		if _, err := s.keep(batches); err != nil {
			b.Fatal(err)
		}
		n += len(batches[0].Cells)
		b.StopTimer()
		in.block, err = record.NewBlock(s.header(in), s.learners, s.cfg.units(), in.examples.N)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkWorkers compares one and two workers on naive Bayes over vehicle.
func BenchmarkWorkers(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			for b.Loop() {
				_, err := Run(context.Background(), []Data[dataset.Row, int]{uci.Vehicle()},
					[]Learner[dataset.Row, int]{Classifier(naivebayes.New(naivebayes.Config{}))},
					Config{Parallel: workers})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
