package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// A pool is the differences of two learners on one data set in many runs, which stand
// for all runs that there could be: a run is drawn from it with replacement.
type pool struct {
	candidate, baseline, data string
	all                       stat.Differences
}

// newPools runs the learners on the data set, each once, and returns a pool for each
// pair of them.
func newPools(ctx context.Context, t *dataset.Table, learners []learntest.Learner[dataset.Row, int], runs int, cfg Config) ([]*pool, error) {
	f, err := learntest.Run(ctx, []learntest.Data[dataset.Row, int]{t}, learners, learntest.Config{
		Protocol: split.CV(runs, 10).WithSeed(cfg.Seed), Parallel: cfg.Parallel,
	})
	if err != nil {
		return nil, fmt.Errorf("data set %s: %w", t.Name(), err)
	}
	var pools []*pool
	for i := range learners {
		for j := range i {
			p, err := newPool(f, t.Name(), learners[j].Name, learners[i].Name)
			if err != nil {
				return nil, err
			}
			pools = append(pools, p)
		}
	}
	return pools, nil
}

// newPool pairs the trials of two learners.
func newPool(f *record.File, data, candidate, baseline string) (*pool, error) {
	of := func(learner string) record.Selection {
		return record.Selection{File: f, Data: data, Learner: learner}
	}
	pairs, err := record.Pair(of(candidate), of(baseline), "accuracy")
	if err != nil {
		return nil, err
	}
	d := stat.Differences{Runs: pairs.Runs, Folds: pairs.Folds, X: make([]float64, len(pairs.A))}
	train, tested := 0, 0
	for i, a := range pairs.A {
		d.X[i] = a - pairs.B[i]
		d.Scale = max(d.Scale, math.Abs(a), math.Abs(pairs.B[i]))
		train += int(pairs.TrainN[i])
		tested += int(pairs.TestN[i])
	}
	d.Ratio = float64(tested) / float64(train)
	return &pool{candidate: candidate, baseline: baseline, data: data, all: d}, nil
}

// draw fills in the runs of d with ones of the pool.
func (p *pool) draw(rng *rand.Rand, d *stat.Differences) {
	k := p.all.Folds
	for j := range d.Runs {
		i := int(rng.Uint64N(uint64(p.all.Runs)))
		copy(d.X[j*k:(j+1)*k], p.all.X[i*k:])
	}
}

// room returns differences of the given number of runs to draw into.
func (p *pool) room(runs int) stat.Differences {
	d := p.all
	d.Runs, d.X = runs, make([]float64, runs*d.Folds)
	return d
}

// A truth is what a test on a given number of runs concludes on the partitions that a pool
// stands for.
type truth struct {
	better, worse float64 // shares of the repeats that find the candidate so
	repeats       int
}

// truth repeats the test on runs drawn from the pool.
func (p *pool) truth(rng *rand.Rand, q replicate.Retest, repeats int) (truth, error) {
	d := p.room(q.Runs)
	better, worse := 0, 0
	for range repeats {
		p.draw(rng, &d)
		r, err := q.Test.Run(d, stat.TwoSided)
		switch {
		case err != nil:
			return truth{}, fmt.Errorf("%s and %s on %s: %w", p.candidate, p.baseline, p.data, err)
		case r.P > q.Alpha:
		case r.Statistic > 0:
			better++
		default:
			worse++
		}
	}
	n := float64(repeats)
	return truth{float64(better) / n, float64(worse) / n, repeats}, nil
}

// agreement returns the probability that two repeats come to the same conclusion:
// better, worse, or neither.
func (t truth) agreement() float64 {
	neither := 1 - t.better - t.worse
	return float64(t.better*t.better) + float64(t.worse*t.worse) + float64(neither*neither)
}

// se returns the Monte Carlo standard error of the agreement, by the delta method.
func (t truth) se() float64 {
	neither := 1 - t.better - t.worse
	var mean, square float64
	for _, p := range []float64{t.better, t.worse, neither} {
		mean += float64(p * p)
		square += float64(p * p * p)
	}
	return 2 * math.Sqrt(max(0, square-float64(mean*mean))/float64(t.repeats))
}

// agrees returns the probability that a repeat comes to the given conclusion.
func (t truth) agrees(rejected bool, direction stat.Alternative) float64 {
	switch {
	case !rejected:
		return 1 - t.better - t.worse
	case direction == stat.Less:
		return t.worse
	}
	return t.better
}
