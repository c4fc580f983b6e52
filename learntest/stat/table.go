package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

// TableOptions describe two tables of scores. The zero value means that higher scores are
// better, on folds of one size.
type TableOptions struct {
	// Better is the direction of the better scores; if zero, higher is better. If it is
	// unit.Lower, the differences are baseline − candidate, so that positive differences
	// always favour the candidate.
	Better unit.Direction

	// Ratio is n2/n1, the number of test examples divided by the number of training
	// examples. If zero, it is computed from Train and Test; if those are nil, the test
	// chooses its default.
	Ratio float64

	// Train[j][i] and Test[j][i] are the numbers of training and test examples of fold i of
	// run j: both nil, or tables of the shape of the scores. With them Ratio must be zero.
	Train, Test [][]int
}

// NewDifferences returns the paired differences of candidate a and baseline b from their
// scores a[j][i] and b[j][i] on fold i of run j, in the unit of the scores. Their Scale is
// the largest absolute score. The result shares no memory with the arguments.
//
// It returns an error that wraps [ErrSampleSize], naming the run, if there are no scores or
// the tables do not have one rectangular shape; [ErrNotFinite], naming run and fold, for a
// score that is NaN or infinite or a difference that overflows; and [ErrDomain] for an
// unknown direction, a ratio that is negative, NaN, infinite or given twice, and sizes that
// are not positive. Runs and folds are counted from 0.
func NewDifferences(a, b [][]float64, opt TableOptions) (Differences, error) {
	if opt.Better != 0 && opt.Better != unit.Higher && opt.Better != unit.Lower {
		return Differences{}, fmt.Errorf("%w: %v is not a direction", ErrDomain, opt.Better)
	}
	if len(a) == 0 || len(a[0]) == 0 {
		return Differences{}, fmt.Errorf("%w: the candidate has no scores", ErrSampleSize)
	}
	d := Differences{Runs: len(a), Folds: len(a[0])}
	if err := sameShape(d, "candidate's scores", a); err != nil {
		return Differences{}, err
	}
	if err := sameShape(d, "baseline's scores", b); err != nil {
		return Differences{}, err
	}
	d.X = make([]float64, 0, d.Runs*d.Folds)
	for j := range a {
		for i, x := range a[j] {
			y := b[j][i]
			switch {
			case x-x != 0:
				return Differences{}, fmt.Errorf("%w: the candidate's score in run %d, fold %d is %v",
					ErrNotFinite, j+1, i+1, x)
			case y-y != 0:
				return Differences{}, fmt.Errorf("%w: the baseline's score in run %d, fold %d is %v",
					ErrNotFinite, j+1, i+1, y)
			}
			e := x - y
			if opt.Better == unit.Lower {
				e = y - x
			}
			if e-e != 0 {
				return Differences{}, fmt.Errorf("%w: the difference of %v and %v in run %d, fold %d",
					ErrNotFinite, x, y, j+1, i+1)
			}
			d.X = append(d.X, e)
			d.Scale = max(d.Scale, math.Abs(x), math.Abs(y))
		}
	}
	var err error
	d.Ratio, err = opt.ratio(d)
	if err != nil {
		return Differences{}, err
	}
	return d, nil
}

// ratio returns the ratio that the options give, or 0.
func (o *TableOptions) ratio(d Differences) (float64, error) {
	switch {
	case !(o.Ratio >= 0) || math.IsInf(o.Ratio, 1):
		return 0, fmt.Errorf("%w: ratio %v of test to training examples", ErrDomain, o.Ratio)
	case o.Train == nil && o.Test == nil:
		return o.Ratio, nil
	case o.Ratio > 0:
		return 0, fmt.Errorf("%w: ratio %v and the sizes that it follows from; leave one out", ErrDomain,
			o.Ratio)
	}
	var sums [2]float64
	for k, sizes := range [2]struct {
		what  string
		table [][]int
	}{{"numbers of training examples", o.Train}, {"numbers of test examples", o.Test}} {
		if err := sameShape(d, sizes.what, sizes.table); err != nil {
			return 0, err
		}
		for j, run := range sizes.table {
			for i, n := range run {
				if n < 1 {
					return 0, fmt.Errorf("%w: %s: %d in run %d, fold %d", ErrDomain, sizes.what, n, j+1, i+1)
				}
				sums[k] += float64(n)
			}
		}
	}
	return sums[1] / sums[0], nil
}

// sameShape returns an error unless the table has the runs and folds of d.
func sameShape[T any](d Differences, what string, table [][]T) error {
	if len(table) != d.Runs {
		return fmt.Errorf("%w: %s of %d runs, the candidate has %d", ErrSampleSize, what, len(table),
			d.Runs)
	}
	for j, run := range table {
		if len(run) != d.Folds {
			return fmt.Errorf("%w: %s of %d folds in run %d, the candidate has %d in run 1", ErrSampleSize,
				what, len(run), j+1, d.Folds)
		}
	}
	return nil
}
