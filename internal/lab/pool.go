package lab

import (
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A Pool is the differences of two learners on one data set in many runs, which stand
// for all runs that there could be: a run is drawn from it with replacement.
type Pool struct {
	Candidate, Baseline, Data string
	All                       stat.Differences
}

// NewPool pairs the trials of two learners.
func NewPool(f *record.File, data, candidate, baseline string) (*Pool, error) {
	pairs, err := record.Pair(f.Of(data, candidate), f.Of(data, baseline), "accuracy")
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
	return &Pool{Candidate: candidate, Baseline: baseline, Data: data, All: d}, nil
}

// Draw fills in the runs of d with ones of the pool.
func (p *Pool) Draw(rng *rand.Rand, d *stat.Differences) {
	k := p.All.Folds
	for j := range d.Runs {
		i := int(rng.Uint64N(uint64(p.All.Runs)))
		copy(d.X[j*k:(j+1)*k], p.All.X[i*k:])
	}
}

// Room returns differences of the given number of runs to draw into.
func (p *Pool) Room(runs int) stat.Differences {
	d := p.All
	d.Runs, d.X = runs, make([]float64, runs*d.Folds)
	return d
}
