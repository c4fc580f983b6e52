package naivebayes

import (
	"fmt"
	"math"
	"slices"
)

const (
	// minKernelPrecision is the least precision of a kernel density.
	minKernelPrecision = 1e-6

	// maxKernelError is the relative error at which a density is no longer
	// summed.
	maxKernelError = 0.01
)

// A density is the kernel density of a numeric attribute in one class: the
// mean of normal densities around the rounded values.
type density struct {
	values    []float64 // distinct, ascending
	weights   []float64 // number of times that each occurs
	sum       float64   // of weights
	sd        float64   // of each kernel
	precision float64
}

// fitKernels sets the densities of a from the sample, which is sorted.
func (w *workspace) fitKernels(a *attribute) {
	s := &w.sampler.sample
	a.kernels = make([]density, w.classes)
	for c := range a.kernels {
		d := &a.kernels[c]
		d.precision = max(a.precision, minKernelPrecision)
		d.sd = d.precision / 6
		for i, x := range s.values {
			if s.class[i] != int32(c) {
				continue
			}
			weight := 1.0
			if len(s.weights) > 0 {
				weight = s.weights[i]
			}
			d.sum += weight
			x = round(x, d.precision)
			if n := len(d.values); n > 0 && d.values[n-1] == x {
				d.weights[n-1] += weight
				continue
			}
			d.values, d.weights = append(d.values, x), append(d.weights, weight)
		}
		if n := len(d.values); n > 0 && d.values[n-1] > d.values[0] {
			d.sd = max((d.values[n-1]-d.values[0])/math.Sqrt(d.sum), d.precision/6)
		}
	}
}

// likelihood returns the probability of an interval as wide as the precision around x. It sums
// the kernels from x upwards, then from x downwards, in either direction until the rest cannot
// add more than 1%.
func (d *density) likelihood(x float64) float64 {
	if len(d.values) == 0 {
		return d.kernel(x)
	}
	start, _ := slices.BinarySearch(d.values, x)
	sum, weight := 0.0, 0.0
	add := func(i int) (more bool) {
		p := d.kernel(d.values[i] - x)
		sum += float64(p * d.weights[i])
		weight += d.weights[i]
		return float64(p*(d.sum-weight)) >= float64(sum*maxKernelError)
	}
	for i := start; i < len(d.values) && add(i); i++ {
	}
	for i := start - 1; i >= 0 && add(i); i-- {
	}
	return sum / d.sum
}

// kernel returns the probability of the interval around 0 of a kernel whose
// mean is at the given distance.
func (d *density) kernel(distance float64) float64 {
	half := float64(d.precision / 2)
	return normalCDF((distance+half)/d.sd) - normalCDF((distance-half)/d.sd)
}

func (d *density) String() string {
	return fmt.Sprintf("%d kernels sd %.4g", len(d.values), d.sd)
}
