package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// Moments are the mean and spread of differences.
type Moments struct {
	N         int     // number of differences
	Mean      float64 // 0 if all differences count as zero
	SD        float64 // root of the unbiased variance; 0 if the differences count as equal
	Tolerance float64 // standard deviation up to which they do
}

// Check returns an error that wraps [ErrSampleSize] unless the number of differences is
// runs·folds, [ErrDomain] for a scale or least variance that is negative, NaN or infinite,
// and [ErrNotFinite], naming the index, if a difference is NaN or infinite.
func (d *Differences) Check() error {
	if err := d.shape(); err != nil {
		return err
	}
	return d.notFinite()
}

// shape returns an error unless the number of differences is runs·folds.
func (d *Differences) shape() error {
	if d.Runs < 1 || d.Folds < 1 || d.Runs > len(d.X) || d.Runs*d.Folds != len(d.X) {
		return fmt.Errorf("%w: %d differences for %d runs of %d folds", ErrSampleSize, len(d.X),
			d.Runs, d.Folds)
	}
	if math.IsNaN(d.Scale) || math.IsInf(d.Scale, 0) || d.Scale < 0 {
		return fmt.Errorf("%w: scale %v", ErrDomain, d.Scale)
	}
	if d.Members < 0 || d.Members == 1 {
		return fmt.Errorf("%w: a slice of %d members, need at least 2", ErrSampleSize, d.Members)
	}
	if !(d.LeastVariance >= 0) || math.IsInf(d.LeastVariance, 1) {
		return fmt.Errorf("%w: least variance %v", ErrDomain, d.LeastVariance)
	}
	return nil
}

// notFinite returns the error for the first difference that is not finite, or
// nil.
func (d *Differences) notFinite() error {
	for i, x := range d.X {
		if x-x != 0 {
			return fmt.Errorf("%w: X[%d], of run %d, fold %d, is %v", ErrNotFinite, i, i/d.Folds+1,
				i%d.Folds+1, x)
		}
	}
	return nil
}

// Moments returns the mean and the standard deviation of at least two differences, or the
// error of [Differences.Check]. It returns an error that wraps [ErrSampleSize] if there are
// fewer than two, and [ErrNotFinite] if their sum or spread is too large for a float64.
func (d *Differences) Moments() (Moments, error) {
	if err := d.shape(); err != nil {
		return Moments{}, err
	}
	n := len(d.X)
	if n < 2 {
		return Moments{}, fmt.Errorf("%w: %d difference, need at least 2", ErrSampleSize, n)
	}
	mean, sd, largest := sample.MeanSD(d.X)
	if sd-sd != 0 || mean-mean != 0 {
		if err := d.notFinite(); err != nil {
			return Moments{}, err
		}
		return Moments{}, fmt.Errorf("%w: the sum or the spread of the differences", ErrNotFinite)
	}
	m := Moments{N: n, Mean: mean, SD: sd, Tolerance: d.tolerance(largest)}
	if m.SD <= m.Tolerance {
		m.SD = 0
		if math.Abs(mean) <= m.Tolerance {
			m.Mean = 0
		}
	}
	return m, nil
}

// Zero reports whether there are at least two differences and all of them are zero up to
// the round-off of the scores. Every test uses this rule when its standard error is zero,
// and every test without a standard error uses it, too.
func (d *Differences) Zero() bool {
	m, err := d.Moments()
	return err == nil && m.SD == 0 && m.Mean == 0
}

// tolerance returns the standard deviation up to which differences count as
// equal, given the largest absolute difference.
func (d *Differences) tolerance(largest float64) float64 {
	if d.Scale > 0 {
		largest = d.Scale
	}
	return sample.Tolerance(largest)
}

// ratio returns n2/n1, which is fallback if the caller left it out.
func (d *Differences) ratio(fallback float64) (float64, error) {
	switch {
	case d.Ratio > 0 && !math.IsInf(d.Ratio, 1):
		return d.Ratio, nil
	case d.Ratio == 0 && fallback > 0:
		return fallback, nil
	case d.Ratio == 0:
		return 0, fmt.Errorf("%w: the test needs the ratio of test to training examples", ErrDomain)
	}
	return 0, fmt.Errorf("%w: ratio %v of test to training examples", ErrDomain, d.Ratio)
}
