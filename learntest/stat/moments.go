package stat

import (
	"fmt"
	"math"
)

// meanSD returns the mean, the unbiased standard deviation and the largest
// absolute value of at least two values. The standard deviation is not finite
// if one of them is not.
func meanSD(x []float64) (mean, sd, largest float64) {
	var sum float64
	for _, v := range x {
		sum += v
		largest = max(largest, math.Abs(v))
	}
	mean = sum / float64(len(x))
	// Squares of numbers as far from 1 as these would overflow or underflow.
	unit := 1.0
	if largest > 0x1p500 || largest < 0x1p-400 && largest > 0 {
		unit = math.Ldexp(1, min(-math.Ilogb(largest), 1000))
	}
	var sq, dev float64
	for _, v := range x {
		e := float64((v - mean) * unit)
		dev += e
		sq += float64(e * e)
	}
	// dev would be 0 were it not for the rounding of the mean.
	v := (sq - dev*dev/float64(len(x))) / float64(len(x)-1)
	return mean, math.Sqrt(max(v, 0)) / unit, largest
}

// rootMeanSquare returns the root of the mean square of x, which must not be
// empty.
func rootMeanSquare(x []float64) float64 {
	var largest float64
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0
	}
	var sq float64
	for _, v := range x {
		v /= largest
		sq += float64(v * v)
	}
	return largest * math.Sqrt(sq/float64(len(x)))
}

// averageT returns the mean over the groups of mean/(sd/√size), or an error
// that wraps ErrZeroVariance if a group's standard deviation is at most tol.
func averageT(groups [][]float64, tol float64) (float64, error) {
	var sum float64
	for i, g := range groups {
		mean, sd, _ := meanSD(g)
		if sd <= tol {
			return 0, fmt.Errorf("%w in group %d, so that its t is undefined", ErrZeroVariance, i)
		}
		sum += mean / (sd / math.Sqrt(float64(len(g))))
	}
	return sum / float64(len(groups)), nil
}

// checkFinite returns an error that wraps ErrNotFinite and names the first
// value of x that is NaN or infinite, or nil.
func checkFinite(what string, x []float64) error {
	for i, v := range x {
		if v-v != 0 {
			return fmt.Errorf("%w: %s %d is %v", ErrNotFinite, what, i, v)
		}
	}
	return nil
}

// checkLevel returns an error unless level is between 0 and 1.
func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: level %v is not between 0 and 1", ErrDomain, level)
	}
	return nil
}
