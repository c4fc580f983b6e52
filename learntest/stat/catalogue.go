package stat

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Catalogue returns the tests for the paired differences of one data set, the
// recommended one first. The slice and its values are the caller's own.
func Catalogue() []Test {
	tests := []Test{
		{
			Name:   "corrected-cv-t",
			Doc:    "corrected repeated k-fold cross-validation t test: the default, for repeated cross-validation",
			Design: designFolds("corrected-cv-t", 1, 2),
			Run:    CorrectedCVTTest,
		},
		{
			Name:   "corrected-resampled-t",
			Doc:    "corrected resampled t test: for repeated random splits into a training and a test set",
			Design: designFolds("corrected-resampled-t", 1, 1),
			Run:    CorrectedResampledTTest,
		},
		{
			Name:   "5x2cv-t",
			Doc:    "5×2cv paired t test: keeps its level, but its outcome hangs on a single difference",
			Design: fiveByTwoDesign("5x2cv-t"),
			Run:    FiveByTwoTTest,
		},
		{
			Name:   "5x2cv-f",
			Doc:    "combined 5×2cv F test: uses all ten differences; two-sided only, without an interval",
			Design: fiveByTwoDesign("5x2cv-f"),
			Run:    FiveByTwoFTest,
		},
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
		dieboldMarianoEntry(dieboldMarianoName, 1),
		{
			Name:   "permutation",
			Doc:    "sign-flip permutation test of the mean: for independent differences; naive under cross-validation",
			Naive:  true,
			Design: designFolds("permutation", 1, 1),
			Run:    PermutationTest,
		},
		{
			Name:   "paired-t",
			Doc:    "uncorrected paired t test: a wrong baseline under cross-validation, with far too many false alarms",
			Naive:  true,
			Design: designFolds("paired-t", 1, 1),
			Run:    PairedTTest,
		},
	}
	for b := range bouckaertTests {
		tests = append(tests, b.entry())
	}
	return tests
}

// Lookup returns the test of the [Catalogue] with the given name, one of
// Bouckaert's with degrees of freedom of its own, as [Bouckaert.Calibrated] names
// it, or that of Diebold and Mariano with a horizon, as [DieboldMariano] does. For a name that is not there the error wraps [ErrDomain] and lists those that
// are.
func Lookup(name string) (Test, error) {
	if test, ok, err := lookupCalibrated(name); ok {
		return test, err
	}
	if test, ok, err := lookupHorizon(name); ok {
		return test, err
	}
	tests := Catalogue()
	names := make([]string, len(tests))
	for i, t := range tests {
		if t.Name == name {
			return t, nil
		}
		names[i] = t.Name
	}
	return Test{}, fmt.Errorf("%w: no test is called %q; the tests are %s", ErrDomain, name, strings.Join(names, ", "))
}

// MustLookup is [Lookup] for names that are known to be there. It panics if one is
// not.
func MustLookup(name string) Test {
	t, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return t
}

// lookupCalibrated returns the test with the name NAME/df=NUMBER, and whether
// there is a test NAME of Bouckaert's.
func lookupCalibrated(name string) (test Test, ok bool, err error) {
	base, number, ok := strings.Cut(name, "/df=")
	if !ok {
		return Test{}, false, nil
	}
	for b := range bouckaertTests {
		if b.String() != base {
			continue
		}
		df, err := strconv.ParseFloat(number, 64)
		if err != nil || !(df > 0) || math.IsInf(df, 1) {
			return Test{}, true, fmt.Errorf("%w: %s: degrees of freedom %q", ErrDomain, name, number)
		}
		return b.Calibrated(df), true, nil
	}
	return Test{}, false, nil
}

// designFolds returns the design check of a test that needs at least the given
// numbers of runs and folds, and two differences in all.
func designFolds(name string, minRuns, minFolds int) func(runs, folds int) error {
	return func(runs, folds int) error {
		if runs < minRuns || folds < minFolds || runs == 1 && folds == 1 {
			return fmt.Errorf("%w: %s cannot be applied to %d runs of %d folds", ErrDesign, name, runs, folds)
		}
		return nil
	}
}
