package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// newPools runs the learners on the data set, each once, and returns a pool for each
// pair of them.
func newPools(ctx context.Context, t *dataset.Table, learners []learntest.Learner[dataset.Row, int],
	runs int, cfg lab.Config,
) ([]*lab.Pool, error) {
	f, err := learntest.Run(ctx, []learntest.Data[dataset.Row, int]{t}, learners, learntest.Config{
		Protocol: split.CV(runs, 10).WithSeed(cfg.Seed), Parallel: cfg.Parallel,
	})
	if err != nil {
		return nil, fmt.Errorf("data set %s: %w", t.Name(), err)
	}
	var pools []*lab.Pool
	for i := range learners {
		for j := range i {
			p, err := lab.NewPool(f, t.Name(), learners[j].Name, learners[i].Name)
			if err != nil {
				return nil, err
			}
			pools = append(pools, p)
		}
	}
	return pools, nil
}

// A truth is what a test on a given number of runs concludes on the partitions that a pool
// stands for.
type truth struct {
	better, worse float64 // shares of the repeats that find the candidate so
	repeats       int
}

// truthOf repeats the test on runs drawn from the pool.
func truthOf(p *lab.Pool, rng *rand.Rand, q replicate.Retest, repeats int) (truth, error) {
	d := p.Room(q.Runs)
	better, worse := 0, 0
	for range repeats {
		p.Draw(rng, &d)
		r, err := q.Test.Run(d, stat.TwoSided)
		switch {
		case err != nil:
			return truth{}, fmt.Errorf("%s and %s on %s: %w", p.Candidate, p.Baseline, p.Data, err)
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
