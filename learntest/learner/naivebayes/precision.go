package naivebayes

import "math"

// defaultPrecision is the precision of an attribute with fewer than two distinct values.
const defaultPrecision = 0.01

// precision returns the mean of the positive distances of neighbours in
// ascending values.
func precision(values []float64) float64 {
	if len(values) == 0 {
		return defaultPrecision
	}
	sum, distinct, last := 0.0, 0, values[0]
	for _, x := range values {
		sum += x - last
		if x != last {
			distinct++
		}
		last = x
	}
	if distinct == 0 {
		return defaultPrecision
	}
	return sum / float64(distinct)
}

// round returns the multiple of the precision that is nearest to x.
func round(x, precision float64) float64 {
	return float64(math.RoundToEven(x/precision) * precision)
}
