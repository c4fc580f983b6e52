// Package sample sums up samples of numbers, with the tolerance by which values count as
// equal.
package sample

import "math"

// ulps is the number of units in the last place of the scores by which values
// may differ and still count as equal.
const ulps = 8

// Tolerance returns the standard deviation up to which values count as equal that were
// computed from scores of which the given one is the largest.
func Tolerance(largest float64) float64 { return ulps * ulp(largest) }

// ulp returns the distance from the finite x ≥ 0 to the next larger number.
func ulp(x float64) float64 {
	if x > math.MaxFloat64/2 {
		return x - math.Nextafter(x, 0)
	}
	return math.Nextafter(x, math.Inf(1)) - x
}

// Mean returns the mean of x, which must not be empty.
func Mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// MeanSD returns the mean, the unbiased standard deviation and the largest
// absolute value of at least two values. The standard deviation is not finite
// if one of them is not.
func MeanSD(x []float64) (mean, sd, largest float64) {
	var sum float64
	for _, v := range x {
		sum += v
		if a := math.Abs(v); a > largest {
			largest = a
		}
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

// RootMeanSquare returns the root of the mean square of x, which must not be
// empty.
func RootMeanSquare(x []float64) float64 {
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

// NotFinite returns the index of the first value that is NaN or infinite, or -1.
func NotFinite(x []float64) int {
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1
}
