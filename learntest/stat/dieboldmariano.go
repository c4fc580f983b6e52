package stat

import (
	"fmt"
	"math"
	"strconv"
)

// dieboldMarianoName is the name of the test in the catalogue.
const dieboldMarianoName = "diebold-mariano"

func dieboldMarianoTests() []Test {
	t := dieboldMarianoEntry(dieboldMarianoName, 1)
	t.setting, t.with = "h", func(value string) (Test, error) {
		h, err := strconv.Atoi(value)
		if err != nil || h < 1 || strconv.Itoa(h) != value {
			return Test{}, fmt.Errorf("%w: %s/h=%s: a horizon of %q blocks, need a whole number from 1 on",
				ErrDomain, dieboldMarianoName, value, value)
		}
		return dieboldMarianoEntry(horizonName(h), h), nil
	}
	return []Test{t}
}

// DieboldMarianoTest is the test of Diebold and Mariano for the differences d_1, ..., d_T
// of two learners on successive blocks of a time series, with the corrections of Harvey,
// Leybourne and Newbold for few blocks. The null hypothesis is that the expected difference
// is zero.
//
// h is the horizon of the predictions in blocks: the test allows correlation between
// differences fewer than h blocks apart, and assumes none between the others. With the
// autocovariances
//
//	γ_k = Σ (d_t − m)(d_{t−k} − m) / T,   the sum over t = k+1, ..., T,
//
// where m is the mean, the statistic
//
//	m / √((γ_0 + 2γ_1 + ... + 2γ_{h−1})/T) · √((T + 1 − 2h + h(h−1)/T)/T)
//
// is referred to Student's t with T−1 degrees of freedom. With h = 1 this is [PairedTTest].
// The test is not for cross-validation: it ignores that folds share training examples.
//
// d is one run of more than h folds, which are the blocks in order of time ([ErrDesign]);
// d.Ratio is not used. The interval and the detectable difference are as for a t test with
// the standard error of the statistic.
//
// It returns an error that wraps [ErrDomain] if h < 1, and the errors of
// [CorrectedCVTTest]. An error that wraps [ErrZeroVariance] means that the sum of the
// autocovariances is negative or, up to round-off, zero, as it can be from h = 2 on if the
// differences alternate: the statistic is then undefined.
//
// Special cases: if all differences are equal up to round-off, the special cases of
// [CorrectedCVTTest] apply for any h.
//
// The cost is O(hT).
//
// Note: sources do not agree on a negative sum. Diebold and Mariano reject the null
// hypothesis then; dm.test of R's package forecast goes on with h = 1. Without a variance
// there is no answer, so this function returns an error.
//
// Source: F. X. Diebold and R. S. Mariano (1995), "Comparing predictive accuracy"; D.
// Harvey, S. Leybourne and P. Newbold (1997), "Testing the equality of prediction mean
// squared errors", for the factor and the degrees of freedom.
func DieboldMarianoTest(d Differences, alt Alternative, h int) (Result, error) {
	return dieboldMariano(horizonName(h), &d, alt, h)
}

func horizonName(h int) string { return fmt.Sprintf("%s/h=%d", dieboldMarianoName, h) }

func dieboldMarianoEntry(name string, h int) Test {
	return Test{
		Name:   name,
		Doc:    "Diebold and Mariano's test with few blocks: for time series; naive under cross-validation",
		Naive:  true,
		Design: func(runs, folds int) error { return dieboldMarianoDesign(name, h, runs, folds) },
		Run: func(d Differences, alt Alternative) (Result, error) {
			return dieboldMariano(name,
				&d, alt, h)
		},
	}
}

func dieboldMarianoDesign(name string, h, runs, folds int) error {
	switch {
	case h < 1:
		return fmt.Errorf("%w: %s: a horizon of %d blocks, need at least 1", ErrDomain, name, h)
	case runs != 1 || folds <= h:
		return fmt.Errorf("%w: %s needs one run of more than %d folds, not %d of %d", ErrDesign, name,
			h, runs, folds)
	}
	return nil
}

// dieboldMariano is the paired t test with another standard error.
func dieboldMariano(name string, d *Differences, alt Alternative, h int) (Result, error) {
	if err := dieboldMarianoDesign(name, h, d.Runs, d.Folds); err != nil {
		return Result{}, err
	}
	r, err := meanT(name, d, alt, 0)
	if err != nil || r.SE == 0 || h == 1 {
		return r, err
	}
	n := float64(r.N)
	ratio := d.longRun(r.Mean, r.SE, h)
	// Each product in the sum has the rounding errors of two scores in it.
	if ratio <= float64(2*h-1)*r.tol/(r.SE*math.Sqrt(n)) {
		return Result{}, fmt.Errorf("%s: %w or less: the sum of the autocovariances is %.3g of the variance, not positive, since the differences alternate: ask for more folds, or a smaller h",
			name, ErrZeroVariance, ratio)
	}
	// (T−h)(T−h+1)/T² is the square of the second root above.
	r.SE *= math.Sqrt(n * (n - 1) / (float64(r.N-h) * float64(r.N-h+1)) * ratio)
	r.judgeT()
	return r, nil
}

// longRun returns (γ_0 + 2γ_1 + ... + 2γ_{h−1})/γ_0. The unit, of the size of
// the deviations from the mean, keeps their products in range.
func (d *Differences) longRun(mean, unit float64, h int) float64 {
	e := make([]float64, len(d.X))
	for t, x := range d.X {
		e[t] = (x - mean) / unit
	}
	var variance, rest float64
	for k := range h {
		var sum float64
		for t := k; t < len(e); t++ {
			sum += float64(e[t] * e[t-k])
		}
		if k == 0 {
			variance = sum
		} else {
			rest += sum
		}
	}
	return 1 + 2*rest/variance
}
