package stat

import (
	"fmt"
	"math"
)

func averagedTests() []Test {
	return []Test{
		{
			Name:   "averaged-t",
			Doc:    "mean of the t statistics of single runs: as strong as one run, less subject to its luck",
			Design: designFolds("averaged-t", 1, 2),
			Run:    AveragedTTest,
		},
		{
			Name:   "averaged-5x2cv-t",
			Doc:    "mean of the 5×2cv t statistics of each five runs of two folds",
			Design: averagedFiveByTwoDesign,
			Run:    AveragedFiveByTwoTTest,
		},
	}
}

// AveragedT is the averaged t test: the mean of the t statistics of one test on several
// partitions of a data set, referred to Student's t with the degrees of freedom of the test
// on one partition (9 for one run of ten folds, 5 for 5×2cv).
//
// The null hypothesis is that the expected difference is zero. Averaging removes the luck
// of the partition from the statistic but does not make the test stronger: the number of
// partitions does not decide the outcome.
//
// It returns an error that wraps [ErrSampleSize] if ts is empty, [ErrNotFinite], naming the
// index, if a statistic is NaN or infinite (as on a partition without variance), and
// [ErrDomain] if df is not positive or the alternative is unknown. Estimate, Mean and SE of
// the result are NaN, because they do not follow from the statistics; N is the number of
// partitions.
//
// Source: J. P. Bradford and C. E. Brodley (2001), "The effect of instance-space partition
// on significance", section 4.
func AveragedT(ts []float64, df float64, alt Alternative) (Result, error) {
	if err := alt.Check(); err != nil {
		return Result{}, err
	}
	if len(ts) == 0 {
		return Result{}, fmt.Errorf("%w: no partitions", ErrSampleSize)
	}
	if !(df > 0) {
		return Result{}, fmt.Errorf("%w: %v degrees of freedom", ErrDomain, df)
	}
	if err := checkFinite("statistic", ts); err != nil {
		return Result{}, err
	}
	var sum float64
	for _, t := range ts {
		sum += t / float64(len(ts))
	}
	r := Result{
		Test:        "averaged-t",
		Alternative: alt,
		N:           len(ts),
		Mean:        math.NaN(),
		Estimate:    math.NaN(),
		SE:          math.NaN(),
		Statistic:   sum,
		DF:          df,
		DF2:         math.NaN(),
	}
	r.P = alt.tailT(sum, df)
	return r, nil
}

// AveragedTTest is [AveragedT] on runs of cross-validation: each run is a partition, and
// its t is the statistic of [PairedTTest] on its folds, with folds−1 degrees of freedom.
//
// d needs at least two folds ([ErrDesign]); d.Ratio is not used. The other errors are as for
// [CorrectedCVTTest], and one that wraps [ErrZeroVariance] and names the run if the
// differences of a run, but not all differences, are equal up to round-off. If all are equal,
// the special cases of [CorrectedCVTTest] hold. SE is NaN: there is no interval.
//
// Source: Bradford and Brodley (2001), section 4, there for 1×10CV.
func AveragedTTest(d Differences, alt Alternative) (Result, error) {
	if err := designFolds("averaged-t", 1, 2)(d.Runs, d.Folds); err != nil {
		return Result{}, err
	}
	return averaged("averaged-t", d, alt, 1, func(run Differences) (Result,
		error,
	) {
		return PairedTTest(run, TwoSided)
	})
}

// AveragedFiveByTwoTTest is [AveragedT] on 5×2 cross-validation: every five runs of two
// folds are a partition, and its t is the statistic of [FiveByTwoTTest], with 5 degrees of
// freedom.
//
// d must have 5, 10, 15, ... runs of 2 folds ([ErrDesign]); d.Ratio is not used. Other
// errors and special cases are as for [AveragedTTest].
//
// Source: Bradford and Brodley (2001), section 4, there for 5×2CV; with Dietterich's
// statistic in place of theirs, which has practically no power.
func AveragedFiveByTwoTTest(d Differences, alt Alternative) (Result, error) {
	if err := averagedFiveByTwoDesign(d.Runs, d.Folds); err != nil {
		return Result{}, err
	}
	return averaged("averaged-5x2cv-t", d, alt, 5, func(runs Differences) (Result,
		error,
	) {
		return FiveByTwoTTest(runs, TwoSided)
	})
}

// averagedFiveByTwoDesign is the design check of AveragedFiveByTwoTTest.
func averagedFiveByTwoDesign(runs, folds int) error {
	if runs < 5 || runs%5 != 0 || folds != 2 {
		return fmt.Errorf("%w: averaged-5x2cv-t needs a multiple of 5 runs of 2 folds, not %d of %d",
			ErrDesign, runs, folds)
	}
	return nil
}

// averaged averages the statistic of a test over each so many runs.
func averaged(name string, d Differences, alt Alternative, runs int, test func(Differences) (Result,
	error),
) (Result, error) {
	if err := alt.Check(); err != nil {
		return Result{}, err
	}
	m, err := d.Moments()
	if err != nil {
		return Result{}, err
	}
	// One scale decides for all partitions what counts as equal.
	if d.Scale == 0 {
		for _, x := range d.X {
			d.Scale = max(d.Scale, math.Abs(x))
		}
	}
	ts := make([]float64, 0, d.Runs/runs)
	var one Result
	for j := 0; j < d.Runs; j += runs {
		part := d
		part.Runs = runs
		part.X = d.X[j*d.Folds : (j+runs)*d.Folds]
		one, err = test(part)
		if err != nil {
			return Result{}, err
		}
		if len(one.Warnings) > 0 && m.SD > 0 {
			return Result{}, fmt.Errorf("%s: %w in run %d, so that its t is undefined", name,
				ErrZeroVariance, j+1)
		}
		ts = append(ts, one.Statistic)
	}
	r := Result{
		Test:        name,
		Alternative: alt,
		N:           len(d.X),
		Mean:        m.Mean,
		Estimate:    m.Mean,
		SE:          math.NaN(),
		DF:          one.DF,
		DF2:         math.NaN(),
	}
	if m.SD == 0 {
		r.degenerate(m.Mean)
		return r, nil
	}
	a, err := AveragedT(ts, one.DF, alt)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	r.Statistic, r.P = a.Statistic, a.P
	return r, nil
}
