package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// averageT returns the mean over the groups of mean/(sd/√size), or an error
// that wraps ErrZeroVariance if a group's standard deviation is at most tol.
func averageT(groups [][]float64, tol float64) (float64, error) {
	var sum float64
	for i, g := range groups {
		mean, sd, _ := sample.MeanSD(g)
		if sd <= tol {
			return 0, fmt.Errorf("%w in group %d, so that its t is undefined", ErrZeroVariance, i+1)
		}
		sum += mean / (sd / math.Sqrt(float64(len(g))))
	}
	return sum / float64(len(groups)), nil
}

// checkFinite returns an error that wraps ErrNotFinite and names the first
// value of x that is NaN or infinite, or nil.
func checkFinite(what string, x []float64) error {
	if i := sample.NotFinite(x); i >= 0 {
		return fmt.Errorf("%w: %s %d is %v", ErrNotFinite, what, i, x[i])
	}
	return nil
}
