package stat

import (
	"fmt"
	"math"
)

// FiveByTwoTTest is the 5×2cv paired t test: the difference of the first fold
// of the first run over the pooled standard deviation within runs,
//
//	x_11/√(Σ s_j²/5)   with s_j² = (x_1j − x_.j)² + (x_2j − x_.j)²,
//
// referred to Student's t with 5 degrees of freedom. The null hypothesis is that the
// expected difference is zero.
//
// It keeps its level, but which of the ten differences comes first decides the
// outcome: of the tests compared in the literature it is the least replicable.
// Estimate is x_11, the difference that the test uses; Mean is that of all ten.
//
// d must have 5 runs of 2 folds ([ErrDesign]); d.Ratio is not used. The other errors
// are those of [CorrectedCVTTest]. Special cases: if no run has two different
// differences, up to round-off, the result has the warning [ErrZeroVariance];
// the statistic is then 0 and P is 1 if x_11 is 0, and the statistic infinite and P 0 (or 1 in
// the other direction) if not.
//
// Source: T. G. Dietterich (1998), "Approximate statistical tests for comparing
// supervised classification learning algorithms"; Bouckaert and Frank (2004), section 3.1.
//
// Note: Bradford and Brodley (2001) centre s_j² on the mean of all ten
// differences, which makes a test of practically no power.
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
	}
	r.judgeT()
	return r, nil
}

// A fiveByTwoSum is what the tests on 5×2 cross-validation need.
type fiveByTwoSum struct {
	mean, first float64
	sd          float64 // √(Σ s_j²/5); 0 if it is due to round-off
	ratio       float64 // Σ x²/(2·Σ s_j²)
}

// fiveByTwo checks d and sums it up.
func fiveByTwo(name string, d *Differences, alt Alternative) (fiveByTwoSum, error) {
	if err := alt.check(); err != nil {
		return fiveByTwoSum{}, err
	}
	if err := fiveByTwoDesign(name)(d.Runs, d.Folds); err != nil {
		return fiveByTwoSum{}, err
	}
	m, err := d.moments()
	if err != nil {
		return fiveByTwoSum{}, err
	}
	f := fiveByTwoSum{mean: m.mean, first: d.X[0]}
	var largest float64
	for _, x := range d.X {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return f, nil
	}
	var within, all float64
	for j := range d.Runs {
		x, y := d.X[2*j]/largest, d.X[2*j+1]/largest
		e := x - y
		within += float64(e * e)
		all += float64(x*x) + float64(y*y)
	}
	f.sd = largest * math.Sqrt(within/10) // s_j² = (x−y)²/2
	f.ratio = all / within
	tol := d.tolerance(largest)
	if f.sd <= tol {
		f.sd = 0
		if math.Abs(f.first) <= tol {
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
