package hierarchical

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
)

// A Sample is the differences candidate − baseline on one data set, positive ones in favour of the
// candidate.
type Sample struct {
	stat.Differences
	Tested float64 // number of examples that a fold tests; with rope 0 and equal differences it is needed
}

// Options modify a test.
type Options struct {
	// Rope is the largest difference, in the unit of the scores, that is of no practical
	// importance. If zero, there is none.
	Rope float64

	Seed uint64 // of the draws
	Nu   Prior  // if zero, Default

	draws int // of each chain, at first; if zero, firstDraws
}

// A Shrunken is the estimate of one data set in the light of all others.
type Shrunken struct {
	Mean float64        // of δ_i
	P    across.Regions // probabilities that δ_i is worse, in the rope and better
}

// A Result is the outcome of the test.
type Result struct {
	DataSets int

	// P has for each region the probability that it is the most probable one on a further data set,
	// SE their Monte Carlo errors, and Theta the mean of the probability that a further data set is
	// in it.
	P, SE, Theta across.Regions

	Mean, Lo, Hi float64 // δ₀, the center of the data sets' differences, with its 95% interval
	Spread, Nu   float64 // geometric means of σ₀ and ν

	Sets  []Shrunken // the data sets, in their order
	Draws int        // from the posterior distribution
	RHat  float64    // the largest of δ₀, log σ₀ and log ν
	ESS   float64    // the smallest

	Constant int // data sets on which all differences are equal
	Warnings []error
}

// Errors and warnings of this package.
var (
	// ErrNotConverged means that the chains have not mixed, however long they were.
	ErrNotConverged = errors.New("the chains have not converged")

	errTwoSets  = errors.New("two data sets say next to nothing about others: the result is mostly the prior distribution's")
	errConstant = errors.New("all differences are equal")
)

const (
	chains     = 4
	leftOut    = 1000
	firstDraws = 5000
	doublings  = 4
	batches    = 50

	mostRHat = 1.01
	leastESS = 400

	// upperFactor is how many times their estimates the standard deviations may be.
	upperFactor = 1000

	// leastRopeShare of the largest score is what a rope is no less than, or it is in another unit.
	leastRopeShare = 1. / 2000
)

// Test compares a candidate with a baseline over data sets. It draws from the posterior
// distribution of the [Model], with ρ = n2/(n1+n2), the share of examples that a fold tests; σ_i up
// to 1000 times the mean standard deviation of a data set, σ₀ up to 1000 times the means' standard
// deviation, and |δ₀| up to the largest difference.
//
// Four chains of 1,000 + 5,000 sweeps are drawn. Unless the rank-normalised split R-hat of δ₀, log
// σ₀ and log ν is at most 1.01 and their effective number of draws at least 400, they become twice
// as long, up to four times; if that does not help, the error is [ErrNotConverged].
//
// On a data set where all differences are equal, they are taken to vary as numbers that are uniform
// in the rope; without one, as if by one example. If all are zero everywhere, P is 1 for the rope,
// or [stat.ErrZeroVariance] without one. Two data sets are a warning, one is [stat.ErrSampleSize],
// and so are fewer than three differences; [stat.ErrDomain] is returned for a rope that is negative
// or out of proportion to the scores, such as 0.01 for scores in percent, and [stat.ErrNotFinite]
// names the difference.
func Test(samples []Sample, opt Options) (Result, error) {
	m, p, err := newModel(samples, &opt)
	if err != nil {
		return Result{}, err
	}
	r := Result{DataSets: len(samples), Constant: p.constant}
	if p.constant > 0 {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w on %d of %d data sets", errConstant, p.constant,
			len(samples)))
	}
	if len(samples) == 2 {
		r.Warnings = append(r.Warnings, errTwoSets)
	}
	if p.unit == 0 {
		r.Sets = slices.Repeat([]Shrunken{{P: across.Regions{Rope: 1}}}, len(samples))
		r.P.Rope, r.Theta.Rope, r.RHat = 1, 1, 1
		return r, nil
	}
	s := newSampler(m, opt.Rope/p.unit, opt.Seed)
	for doubling := 0; ; doubling++ {
		s.run(opt.draws << max(doubling-1, 0))
		if r.RHat, r.ESS = s.diagnose(); r.RHat <= mostRHat && r.ESS >= leastESS {
			break
		}
		if doubling == doublings {
			return Result{}, fmt.Errorf("%w after %d draws: R-hat %.3f, %.0f effective draws",
				ErrNotConverged, s.draws(), r.RHat, r.ESS)
		}
	}
	s.summarise(&r, p.unit)
	return r, nil
}

// A preparation is what [newModel] has done to the differences.
type preparation struct {
	unit     float64 // that they were divided by; 0 if all are zero
	constant int     // number of data sets on which all are equal
}

// newModel checks the arguments, completes the options and returns the model.
func newModel(samples []Sample, opt *Options) (*Model, preparation, error) {
	var p preparation
	if len(samples) < 2 {
		return nil, p, fmt.Errorf("%w: %d data set: one says nothing of others", stat.ErrSampleSize,
			len(samples))
	}
	if !(opt.Rope >= 0) || math.IsInf(opt.Rope, 1) {
		return nil, p, fmt.Errorf("%w: rope %v", stat.ErrDomain, opt.Rope)
	}
	if opt.Nu == (Prior{}) {
		opt.Nu = Default
	}
	if opt.draws == 0 {
		opt.draws = firstDraws
	}
	m := &Model{Sets: make([]Moments, len(samples)), Nu: opt.Nu}
	largest, scale := 0.0, 0.0
	for i := range samples {
		var err error
		s := &samples[i]
		if m.Sets[i], err = s.moments(); err != nil {
			return nil, p, fmt.Errorf("data set %d: %w", i+1, err)
		}
		if m.Sets[i].Squares == 0 {
			p.constant++
		}
		for _, x := range s.X {
			largest = max(largest, math.Abs(x))
		}
		scale = max(scale, s.Scale)
	}
	if opt.Rope > 0 && opt.Rope < leastRopeShare*scale {
		return nil, p, fmt.Errorf("%w: rope %v is next to nothing beside scores of %v: give it in their unit", stat.ErrDomain, opt.Rope, scale)
	}
	if !slices.ContainsFunc(m.Sets, func(s Moments) bool { return s.Squares > 0 || s.Mean != 0 }) {
		if opt.Rope == 0 {
			return nil, p, fmt.Errorf("%w: all differences are zero, and there is no rope",
				stat.ErrZeroVariance)
		}
		return m, p, nil
	}
	for i := range m.Sets {
		s := &m.Sets[i]
		if s.Squares == 0 {
			width := opt.Rope
			if width == 0 {
				if !(samples[i].Tested >= 1) {
					return nil, p, fmt.Errorf("%w: data set %d: all differences are equal, and there is neither a rope nor the number of tested examples", stat.ErrZeroVariance, i+1)
				}
				width = 1 / samples[i].Tested
			}
			s.Squares = float64(s.N) * width * width / 3
		}
		p.unit += math.Sqrt(s.Squares/float64(s.N)) / float64(len(m.Sets))
	}
	means := make([]float64, len(m.Sets))
	for i := range m.Sets {
		s := &m.Sets[i]
		s.Mean, s.Squares = s.Mean/p.unit, s.Squares/(p.unit*p.unit)
		means[i] = s.Mean
	}
	_, variance := meanVariance(means)
	m.MaxSD, m.MaxMean = upperFactor, largest/p.unit
	m.MaxSpread = upperFactor * math.Sqrt(variance*float64(len(means)-1)/float64(len(means)))
	if m.MaxSpread == 0 { // all means are equal
		m.MaxSpread = upperFactor
	}
	return m, p, nil
}

// moments returns the moments of a sample. Squares are 0 if the differences count as equal.
func (s *Sample) moments() (Moments, error) {
	if n := len(s.X); n < 3 {
		return Moments{}, fmt.Errorf("%w: %d differences, need at least 3", stat.ErrSampleSize, n)
	}
	m, err := s.Differences.Moments()
	if err != nil {
		return Moments{}, err
	}
	ratio := s.Ratio
	if ratio == 0 && s.Folds > 1 {
		ratio = 1 / float64(s.Folds-1)
	}
	if !(ratio > 0) || math.IsInf(ratio, 1) {
		return Moments{}, fmt.Errorf("%w: ratio %v of test to training examples", stat.ErrDomain, s.Ratio)
	}
	return Moments{
		N: m.N, Correlation: ratio / (1 + ratio), Mean: m.Mean,
		Squares: float64(m.N-1) * m.SD * m.SD,
	}, nil
}
