package stat

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// A Bouckaert is one of the ten tests on repeated cross-validation in Bouckaert (2003),
// table 1. Each treats a different summary of the r×k differences x_ij (fold i of run j) as
// a sample, and they differ in the estimate of its variance:
//
//	Z = m/√(var/(df+1)), referred to Student's t with df degrees of freedom,
//
// where m is the mean of all differences; the last three average t statistics instead. None
// corrects for the dependence of the differences. The remedy of the paper is to calibrate
// df, which replaces df in both places (see [CalibrateDF]). "Folds" stands for averages
// over the folds of a run, "runs" for averages over the runs of a fold number, and "sorted
// runs" means that the differences of each run are sorted first.
type Bouckaert uint8

// Bouckaert's tests: the variance that each takes, or the statistic, and its
// default degrees of freedom.
const (
	UseAllData            Bouckaert = iota // variance of all differences: the uncorrected t test [kr−1; calibrated: 10]
	MeanFolds                              // variance of the r run means [r−1]
	FoldsAveragedVar                       // mean of the r variances inside of runs [r−1]
	MeanRuns                               // variance of the k fold means [k−1]
	RunsAveragedVar                        // mean of the k variances over runs [k−1]
	MeanSortedRuns                         // variance of the k sorted-fold means [k−1]
	SortedRunsAveragedVar                  // mean of the k variances over sorted runs [k−1]
	FoldsAveragedT                         // mean of the r runs' t [k−1]
	RunsAveragedT                          // mean of the k fold numbers' t [r−1]
	SortedRunsAveragedT                    // mean of the k sorted fold numbers' t [r−1]

	bouckaertCount
)

func bouckaertTests() []Test {
	var tests []Test
	for b := range bouckaertCount {
		t := b.entry()
		t.setting, t.with = "df", func(value string) (Test, error) {
			df, err := degreesOfFreedom(b.String(), value)
			return b.Calibrated(df), err
		}
		tests = append(tests, t)
	}
	return tests
}

// degreesOfFreedom parses the degrees of freedom after the name of a test.
func degreesOfFreedom(name, value string) (float64, error) {
	df, err := strconv.ParseFloat(value, 64)
	if err != nil || !(df > 0) || math.IsInf(df, 1) {
		return 0, fmt.Errorf("%w: %s/df=%s: degrees of freedom %q", ErrDomain, name, value, value)
	}
	return df, nil
}

// String returns the name of the test in the catalogue, such as "b03-use-all-data".
func (b Bouckaert) String() string {
	names := [bouckaertCount]string{
		"b03-use-all-data", "b03-folds", "b03-folds-averaged-var", "b03-runs", "b03-runs-averaged-var",
		"b03-sorted-runs",
		"b03-sorted-runs-averaged-var", "b03-folds-averaged-t", "b03-runs-averaged-t",
		"b03-sorted-runs-averaged-t",
	}
	if b < bouckaertCount {
		return names[b]
	}
	return fmt.Sprintf("Bouckaert(%d)", uint8(b))
}

// DefaultDF returns the degrees of freedom of the test in table 1 for the given number of
// runs and folds.
func (b Bouckaert) DefaultDF(runs, folds int) float64 {
	switch b {
	case UseAllData:
		return float64(runs)*float64(folds) - 1
	case MeanFolds, FoldsAveragedVar, RunsAveragedT, SortedRunsAveragedT:
		return float64(runs - 1)
	}
	return float64(folds - 1)
}

// Design returns an error that wraps [ErrDesign] if the test does not apply to the given
// number of runs and folds. Every test needs two of either, except that UseAllData needs
// only two differences.
func (b Bouckaert) Design(runs, folds int) error {
	if b == UseAllData {
		return designFolds(b.String(), 1, 1)(runs, folds)
	}
	return designFolds(b.String(), 2, 2)(runs, folds)
}

// Test applies the test with its default degrees of freedom: it is TestDF with df =
// b.DefaultDF(d.Runs, d.Folds).
func (b Bouckaert) Test(d Differences, alt Alternative) (Result, error) {
	return b.TestDF(d, alt, b.DefaultDF(d.Runs, d.Folds))
}

// TestDF applies the test with df degrees of freedom, positive and finite, to r×k
// differences. The null hypothesis is that the expected difference is zero.
//
// SE is √(var/(df+1)) for the seven tests that have a variance and NaN for the averaged t.
// d.Ratio is not used.
//
// It returns an error that wraps [ErrDomain] if b, alt or df is out of range, [ErrDesign]
// as Design does, [ErrSampleSize] if the number of differences is not runs·folds, and
// [ErrNotFinite] if one is NaN or infinite.
//
// Special cases: if the values in the variance are all equal up to round-off, the result
// has the warning [ErrZeroVariance]; if m is zero, the statistic is 0 and P is 1, otherwise
// the statistic is infinite and P is 0 (or 1 in the other direction). An averaged t is
// undefined, an error that wraps [ErrZeroVariance], if one of its groups has no variance,
// unless all differences are equal.
//
// The cost is O(rk), or O(rk log k) for the sorted tests.
//
// Source: R. R. Bouckaert (2003), "Choosing between two learning algorithms based on
// calibrated tests", table 1. This implementation has √(df+1) under the variance's root
// throughout, and variances of the sorted tests about the sorted means, where the print has
// the unsorted ones.
func (b Bouckaert) TestDF(d Differences, alt Alternative, df float64) (Result, error) {
	if b >= bouckaertCount {
		return Result{}, fmt.Errorf("%w: %v is not a test", ErrDomain, b)
	}
	if err := alt.Check(); err != nil {
		return Result{}, err
	}
	if err := b.Design(d.Runs, d.Folds); err != nil {
		return Result{}, err
	}
	if !(df > 0) || math.IsInf(df, 1) {
		return Result{}, fmt.Errorf("%w: %v degrees of freedom", ErrDomain, df)
	}
	m, err := d.Moments()
	if err != nil {
		return Result{}, err
	}
	r := Result{
		Test:        b.String(),
		Alternative: alt,
		N:           m.N,
		Mean:        m.Mean,
		Estimate:    m.Mean,
		SE:          math.NaN(),
		DF:          df,
		DF2:         math.NaN(),
		tol:         m.Tolerance,
	}
	if m.SD == 0 {
		r.degenerate(m.Mean)
		if b < FoldsAveragedT {
			r.SE = 0
		}
		return r, nil
	}
	groups := b.groups(&d)
	if b >= FoldsAveragedT {
		t, err := averageT(groups, m.Tolerance)
		if err != nil {
			return Result{}, fmt.Errorf("%s: %w", b, err)
		}
		// t has √(group size) where Z has √(df+1).
		r.Statistic = t / math.Sqrt(float64(len(groups[0]))) * math.Sqrt(df+1)
		r.P = alt.tailT(r.Statistic, df)
		return r, nil
	}
	sd := b.sampleSD(groups, m.SD)
	if sd <= m.Tolerance {
		sd = 0
		if math.Abs(r.Estimate) <= m.Tolerance {
			r.Estimate = 0
		}
	}
	r.SE = sd / math.Sqrt(df+1)
	r.judgeT()
	return r, nil
}

// sampleSD returns the standard deviation that the test takes, given its groups
// and the standard deviation of all differences.
func (b Bouckaert) sampleSD(groups [][]float64, all float64) float64 {
	if b == UseAllData {
		return all
	}
	means, sds := make([]float64, len(groups)), make([]float64, len(groups))
	for i, g := range groups {
		means[i], sds[i], _ = sample.MeanSD(g)
	}
	switch b {
	case MeanFolds, MeanRuns, MeanSortedRuns:
		_, sd, _ := sample.MeanSD(means)
		return sd
	}
	return sample.RootMeanSquare(sds)
}

// Calibrated returns the test with the given degrees of freedom in place of the default
// ones. Its name is the name of the test followed by "/df=" and df. The paper's calibrated
// value for UseAllData on binary data is 10.
func (b Bouckaert) Calibrated(df float64) Test {
	t := b.entry()
	t.Name = fmt.Sprintf("%s/df=%g", t.Name, df)
	t.Naive = false // the calibrated degrees of freedom make up for it
	t.Run = func(d Differences, alt Alternative) (Result, error) {
		r, err := b.TestDF(d, alt, df)
		if err == nil {
			r.Test = t.Name
		}
		return r, err
	}
	return t
}

// entry returns the test's entry in the catalogue.
func (b Bouckaert) entry() Test {
	docs := [bouckaertCount]string{
		"all differences as if independent: the paired t test, meant for calibrated degrees of freedom",
		"variance of the means of runs; far too many false alarms",
		"average of the variances inside of runs",
		"variance of the means of fold numbers",
		"average of the variances of fold numbers",
		"variance of the means of fold numbers after sorting each run",
		"average of the variances of fold numbers after sorting each run",
		"average of the t statistics of runs",
		"average of the t statistics of fold numbers",
		"average of the t statistics of fold numbers after sorting each run",
	}
	return Test{
		Name:   b.String(),
		Doc:    "Bouckaert 2003: " + docs[b],
		Naive:  b == UseAllData,
		Design: b.Design,
		Run:    b.Test,
	}
}

// groups returns the differences by run, by fold number, or by fold number
// after sorting each run, as the test wants them.
func (b Bouckaert) groups(d *Differences) [][]float64 {
	runs := make([][]float64, d.Runs)
	for j := range runs {
		runs[j] = d.X[j*d.Folds : (j+1)*d.Folds : (j+1)*d.Folds]
	}
	switch b {
	case UseAllData, MeanFolds, FoldsAveragedVar, FoldsAveragedT:
		return runs
	case MeanSortedRuns, SortedRunsAveragedVar, SortedRunsAveragedT:
		for j := range runs {
			runs[j] = slices.Sorted(slices.Values(runs[j]))
		}
	}
	folds := make([][]float64, d.Folds)
	for i := range folds {
		folds[i] = make([]float64, d.Runs)
		for j := range runs {
			folds[i][j] = runs[j][i]
		}
	}
	return folds
}
