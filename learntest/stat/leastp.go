package stat

import "math"

// LeastP returns the smallest p that a test can have on the given runs and folds, for any
// differences. It is the p for nearly equal differences in all folds, on the side of the
// alternative. The test can never reject at a lower level. LeastP is NaN if the test does
// not apply to such a design.
func LeastP(test Test, runs, folds int, alternative Alternative) float64 {
	if test.Run == nil || runs < 1 || folds < 1 {
		return math.NaN()
	}
	d := Differences{Runs: runs, Folds: folds, X: make([]float64, runs*folds), Ratio: 0.1, Scale: 1}
	side := 1.0
	if alternative == Less {
		side = -1
	}
	for i := range d.X {
		d.X[i] = side * (1 + 1e-9*float64(i*i%7))
	}
	r, err := test.Run(d, alternative)
	if err != nil {
		return math.NaN()
	}
	return r.P
}
