package hierarchical

import "math"

// gamma draws from the gamma distribution of a shape of at least 1, and scale 1, by the method of
// Marsaglia and Tsang (2000), A simple method for generating gamma variables.
func (c *chain) gamma(shape float64) float64 {
	d := shape - 1./3
	k := 1 / math.Sqrt(9*d)
	for {
		x := c.NormFloat64()
		v := 1 + k*x
		if v <= 0 {
			continue
		}
		v *= v * v
		u, x2 := c.Float64(), x*x
		if u < 1-0.0331*x2*x2 || math.Log(u) < 0.5*x2+d*(1-v+math.Log(v)) {
			return d * v
		}
	}
}

// truncatedNormal draws from the normal distribution between lo and hi. Where the mean is outside,
// as of data near the bound of a prior distribution, the tail is drawn by exponential proposals:
// Robert (1995), Simulation of truncated normal variables.
func (c *chain) truncatedNormal(mean, sd, lo, hi float64) float64 {
	if mean > hi {
		return -c.truncatedNormal(-mean, sd, -hi, -lo)
	}
	if from := (lo - mean) / sd; from > 0 && hi-lo >= 2*sd/(from+1) {
		rate := 0.5 * (from + math.Sqrt(from*from+4))
		for {
			z := from + c.ExpFloat64()/rate
			if x := mean + sd*z; x <= hi && math.Log(1-c.Float64()) <= -0.5*(z-rate)*(z-rate) {
				return max(x, lo)
			}
		}
	} else if from > 0 {
		for {
			x := lo + (hi-lo)*c.Float64()
			if z := (x - mean) / sd; math.Log(1-c.Float64()) <= -0.5*(z*z-from*from) {
				return x
			}
		}
	}
	if hi-lo < 2*sd {
		for {
			x := lo + (hi-lo)*c.Float64()
			if z := (x - mean) / sd; math.Log(1-c.Float64()) <= -0.5*z*z {
				return x
			}
		}
	}
	for {
		if x := mean + sd*c.NormFloat64(); x >= lo && x <= hi {
			return x
		}
	}
}

// slice draws from the density of which f is the logarithm, by a slice that is stepped out from x,
// as far as lo and hi, and shrunk: Neal (2003), Slice sampling, Annals of Statistics 31.
func (c *chain) slice(x, width, lo, hi float64, f func(float64) float64) float64 {
	level := f(x) + math.Log(1-c.Float64())
	left := x - width*c.Float64()
	right := left + width
	for left > lo && f(left) > level {
		left -= width
	}
	for right < hi && f(right) > level {
		right += width
	}
	return c.shrink(x, max(left, lo), min(right, hi), level, f)
}

// within is a slice that begins with the whole of an interval.
func (c *chain) within(x float64, interval [2]float64, f func(float64) float64) float64 {
	return c.shrink(x, interval[0], interval[1], f(x)+math.Log(1-c.Float64()), f)
}

func (c *chain) shrink(x, left, right, level float64, f func(float64) float64) float64 {
	for {
		y := left + (right-left)*c.Float64()
		if f(y) >= level || y == x {
			return y
		}
		if y < x {
			left = y
		} else {
			right = y
		}
	}
}
