package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func fiveByTwoTests() []Test {
	return []Test{
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
	}
}

// FiveByTwoTTest is the 5×2cv paired t test: the difference of the first fold of the first
// run over the pooled standard deviation within runs,
//
//	x_11/√(Σ s_j²/5)   with s_j² = (x_1j − x_.j)² + (x_2j − x_.j)²,
//
// referred to Student's t with 5 degrees of freedom. The null hypothesis is that the
// expected difference is zero.
//
// The test keeps its level, but its outcome depends on which of the ten differences comes
// first: it is the least replicable of the tests compared in the literature. Estimate is
// x_11, the difference that the test uses; Mean is the mean of all ten.
//
// d must have 5 runs of 2 folds ([ErrDesign]); d.Ratio is not used. The other errors are as
// for [CorrectedCVTTest]. Special cases: if no run has two different differences, up to
// round-off, the result has the warning [ErrZeroVariance]; the statistic is then 0 and P is
// 1 if x_11 is 0, and the statistic infinite and P 0 (or 1 in the other direction) if not.
//
// Source: T. G. Dietterich (1998), "Approximate statistical tests for comparing supervised
// classification learning algorithms"; Bouckaert and Frank (2004), section 3.1.
//
// Note: Bradford and Brodley (2001) centre s_j² on the mean of all ten differences, which
// makes a test of practically no power.
func FiveByTwoTTest(d Differences, alt Alternative) (Result, error) {
	f, err := fiveByTwo("5x2cv-t", &d, alt)
	if err != nil {
		return Result{}, err
	}
	r := Result{
		Test:        "5x2cv-t",
		Alternative: alt,
		N:           len(d.X),
		Mean:        f.mean,
		Estimate:    f.first,
		SE:          f.sd,
		DF:          5,
		DF2:         math.NaN(),
		tol:         f.tol,
	}
	r.judgeT()
	return r, nil
}

// FiveByTwoFTest is the combined 5×2cv F test, which uses all ten differences of 5×2
// cross-validation,
//
//	Σ x_ij² / (2 Σ s_j²)   with s_j² as in [FiveByTwoTTest],
//
// referred to the F distribution with 10 and 5 degrees of freedom. The null hypothesis is
// that the expected difference is zero.
//
// The alternative must be two-sided, because squares have no direction ([ErrDomain]). SE is
// NaN: there is no interval. d must have 5 runs of 2 folds ([ErrDesign]); d.Ratio is not
// used; the other errors are as for [CorrectedCVTTest]. Special cases: if no run has two
// different differences, up to round-off, the result has the warning [ErrZeroVariance]; the
// statistic is then 0 and P is 1 if all differences are 0, otherwise it is infinite and P
// is 0.
//
// Source: E. Alpaydin (1999), "Combined 5×2 cv F test for comparing supervised
// classification learning algorithms".
func FiveByTwoFTest(d Differences, alt Alternative) (Result, error) {
	if alt != TwoSided {
		return Result{}, fmt.Errorf("%w: 5x2cv-f is two-sided, not %v", ErrDomain, alt)
	}
	f, err := fiveByTwo("5x2cv-f", &d, alt)
	if err != nil {
		return Result{}, err
	}
	r := Result{
		Test:      "5x2cv-f",
		N:         len(d.X),
		Mean:      f.mean,
		Estimate:  f.mean,
		SE:        math.NaN(),
		Law:       LawF,
		DF:        10,
		DF2:       5,
		Statistic: f.ratio,
	}
	if f.sd == 0 {
		r.degenerate(f.largest)
		return r, nil
	}
	r.P = dist.FSF(r.Statistic, r.DF, r.DF2)
	return r, nil
}

// A fiveByTwoSum has the figures for the tests on 5×2 cross-validation.
type fiveByTwoSum struct {
	mean, first float64
	sd          float64 // √(Σ s_j²/5); 0 if it is due to round-off
	ratio       float64 // Σ x²/(2·Σ s_j²)
	largest     float64 // max |x|; 0 if it is due to round-off
	tol         float64
}

// fiveByTwo checks d and sums it up.
func fiveByTwo(name string, d *Differences, alt Alternative) (fiveByTwoSum, error) {
	if err := alt.Check(); err != nil {
		return fiveByTwoSum{}, err
	}
	if err := fiveByTwoDesign(name)(d.Runs, d.Folds); err != nil {
		return fiveByTwoSum{}, err
	}
	m, err := d.Moments()
	if err != nil {
		return fiveByTwoSum{}, err
	}
	f := fiveByTwoSum{mean: m.Mean, first: d.X[0], tol: m.Tolerance}
	for _, x := range d.X {
		f.largest = max(f.largest, math.Abs(x))
	}
	if f.largest <= m.Tolerance {
		f.first, f.largest = 0, 0
		return f, nil
	}
	var within, all float64
	for j := range d.Runs {
		x, y := d.X[2*j]/f.largest, d.X[2*j+1]/f.largest
		e := x - y
		within += float64(e * e)
		all += float64(x*x) + float64(y*y)
	}
	f.sd = f.largest * math.Sqrt(within/10) // s_j² = (x−y)²/2
	f.ratio = all / within
	if f.sd <= m.Tolerance {
		f.sd = 0
		if math.Abs(f.first) <= m.Tolerance {
			f.first = 0
		}
	}
	return f, nil
}

// fiveByTwoDesign returns the design check of a test that needs 5 runs of 2
// folds.
func fiveByTwoDesign(name string) func(runs, folds int) error {
	return func(runs, folds int) error {
		if runs != 5 || folds != 2 {
			return fmt.Errorf("%w: %s needs 5 runs of 2 folds, not %d of %d", ErrDesign, name, runs, folds)
		}
		return nil
	}
}
