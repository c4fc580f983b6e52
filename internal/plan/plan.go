// Package plan says what an experiment could show before it is run, and its cost.
//
// A plan is for two learners on one data set of n examples under r runs of k folds. The plan needs
// to know how much their scores differ from example to example: the standard deviation σ of the
// difference of single examples. It comes from stored results or from a guess: for accuracy σ² is
// the share of examples that just one of the two gets right, less the square of their difference.
//
// The variance of a fold's difference is σ²k/n if the variance of training is left out, as where σ²
// comes from stored results of another number of folds; with the correction of Nadeau and Bengio
// the standard error of the corrected test is then
//
//	SE² = (1/rk + 1/(k−1))·σ²k/n = σ²/n·(1/r + k/(k−1)).
//
// All else follows from functions of package stat.
package plan

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

// ErrPlan is wrapped by errors about plans that make no sense.
var ErrPlan = errors.New("invalid plan")

// An Experiment is the subject of a plan.
type Experiment struct {
	Examples int     // n
	SD       float64 // σ, in the unit of the metric
	Alpha    float64 // significance level
	Power    float64 // with which a difference is to be detected
}

// A Design is a number of runs of a number of folds.
type Design struct{ Runs, Folds int }

// String returns the design as in 10×10.
func (d Design) String() string { return fmt.Sprintf("%d×%d", d.Runs, d.Folds) }

// Trainings returns how many trainings of both learners together the design takes.
func (d Design) Trainings() int { return 2 * d.Runs * d.Folds }

// check returns an error that wraps ErrPlan for an experiment that makes no sense.
func (e Experiment) check(d Design) error {
	switch {
	case !(e.SD > 0) || math.IsInf(e.SD, 1):
		return fmt.Errorf("%w: a standard deviation of %v", ErrPlan, e.SD)
	case !(e.Alpha > 0 && e.Alpha < e.Power && e.Power < 1):
		return fmt.Errorf("%w: need 0 < alpha < power < 1, not alpha %v and power %v", ErrPlan,
			e.Alpha, e.Power)
	case d.Folds < 2 || d.Runs < 1:
		return fmt.Errorf("%w: %v: at least one run of two folds", ErrPlan, d)
	case e.Examples < d.Folds:
		return fmt.Errorf("%w: %d examples in %d folds", ErrPlan, e.Examples, d.Folds)
	}
	return nil
}

// SDOf returns σ from the differences of stored results on n examples.
func SDOf(d stat.Differences, n int) (float64, error) {
	r, err := stat.PairedTTest(d, stat.TwoSided)
	if err != nil {
		return 0, err
	}
	// SE of the paired test is s/√(rk), and s² is σ²k/n.
	sd := r.SE * math.Sqrt(float64(d.Runs)*float64(n))
	if !(sd > 0) {
		return 0, fmt.Errorf("%w: the stored differences are all equal, which says nothing of how they vary", ErrPlan)
	}
	return sd, nil
}

// result returns the result of the corrected test with the expected standard error.
func (e Experiment) result(d Design, alt stat.Alternative) stat.Result {
	n, k, r := float64(e.Examples), float64(d.Folds), float64(d.Runs)
	return stat.Result{
		Test: "corrected-cv-t", Alternative: alt, N: d.Runs * d.Folds,
		SE: e.SD * math.Sqrt((1/r+k/(k-1))/n), DF: r*k - 1, DF2: math.NaN(),
	}
}

// Detectable returns the smallest difference that the two-sided corrected test detects.
func (e Experiment) Detectable(d Design) (float64, error) {
	if err := e.check(d); err != nil {
		return 0, err
	}
	return e.result(d, stat.TwoSided).Detectable(e.Alpha, e.Power)
}

// Margin returns the smallest margin of no regression that is shown if there is no difference.
func (e Experiment) Margin(d Design) (float64, error) {
	if err := e.check(d); err != nil {
		return 0, err
	}
	return e.result(d, stat.Greater).Detectable(e.Alpha, e.Power)
}

// maxRuns is the number of runs from which on more of them change nothing that is seen.
const maxRuns = 10000

// Runs returns the smallest number of runs of so many folds with which the given amount is
// reached: a margin of no regression, or a difference to be detected. It returns 0 if no number
// is enough, and how many times as many examples it takes then.
func (e Experiment) Runs(folds int, amount float64, margin bool) (runs int, examples float64,
	err error,
) {
	least := e.Detectable
	if margin {
		least = e.Margin
	}
	if !(amount > 0) {
		return 0, 0, fmt.Errorf("%w: an amount of %v", ErrPlan, amount)
	}
	limit, err := least(Design{maxRuns, folds})
	if err != nil {
		return 0, 0, err
	}
	if limit > amount {
		return 0, math.Pow(limit/amount, 2), nil
	}
	lo, hi := 0, maxRuns // the examples needed fall with the runs
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		x, err := least(Design{mid, folds})
		if err != nil {
			return 0, 0, err
		}
		if x <= amount {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, 1, nil
}

// power inverts Detectable by bisection.
func (e Experiment) power(d Design, difference float64) (float64, error) {
	lo, hi := e.Alpha, 1.0
	for range 60 {
		mid := (lo + hi) / 2
		e.Power = mid
		x, err := e.Detectable(d)
		if err != nil {
			return 0, err
		}
		if x <= difference {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// PowerAt returns the share of cases in which the two-sided corrected test detects a
// difference: alpha for one of zero.
func (e Experiment) PowerAt(d Design, difference float64) (float64, error) {
	if err := e.check(d); err != nil {
		return 0, err
	}
	if difference = math.Abs(difference); difference == 0 {
		return e.Alpha, nil
	}
	return e.power(d, difference)
}

// maxPartitions is the number of partitions that nobody would run.
const maxPartitions = 1000000

// Partitions returns how many partitions the sufficiency test of Bradford and Brodley would
// ask for, given the t statistics of some of them with df degrees of freedom each, if their mean
// and spread do not change: the smallest number with which the mean t is significantly on its side
// of the critical value. It returns 0 if that takes more than a million.
func Partitions(ts []float64, df, alpha1, alpha2 float64) (int, error) {
	s, err := replicate.PartitionSufficiency(ts, df, alpha1, alpha2)
	if err != nil {
		return 0, err
	}
	// Of the three statistics the largest is the one that can succeed; it grows as √n.
	per := max(s.Candidate, s.Baseline, s.Neither) / math.Sqrt(float64(s.Partitions))
	enough := func(n int) bool {
		t, err := stat.StudentT(float64(n - 1))
		if err != nil {
			return false
		}
		q, err := t.Quantile(alpha2)
		return err == nil && per*math.Sqrt(float64(n)) > q
	}
	if !(per > 0) || !enough(maxPartitions) {
		return 0, nil
	}
	lo, hi := 1, maxPartitions
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}
