package dist

import "math"

// trapezoid integrates a smooth positive function that vanishes, with its
// derivatives, at both ends. For analytic functions of this kind the
// trapezoidal rule converges geometrically; the step is halved until the sum
// stands still.
func trapezoid(f func(float64) float64, lo, hi float64) float64 {
	n := 16
	h := (hi - lo) / float64(n)
	sum := 0.5 * (f(lo) + f(hi))
	for i := 1; i < n; i++ {
		sum += f(lo + float64(i)*h)
	}
	last := sum * h
	for range 12 {
		for i := range n {
			sum += f(lo + (float64(i)+0.5)*h)
		}
		n *= 2
		h *= 0.5
		next := sum * h
		// The error is squared, roughly, when the step is halved.
		if n > 32 && math.Abs(next-last) <= 1e-9*next {
			return next
		}
		last = next
	}
	return last
}

// maximize returns the place of the maximum of a unimodal function to within
// scale/20, by a golden section search from [-scale, scale] outward.
func maximize(f func(float64) float64, scale float64) float64 {
	lo, hi := -scale, scale
	for f(lo) >= f(0.5*(lo+hi)) && lo > -700 {
		lo -= hi - lo
	}
	for f(hi) >= f(0.5*(lo+hi)) && hi < 350 {
		hi += hi - lo
	}
	return goldenSection(f, lo, hi, 0.05*scale)
}

// goldenSection returns the place of the maximum of a unimodal function between
// lo and hi to within tol.
func goldenSection(f func(float64) float64, lo, hi, tol float64) float64 {
	const g = 0.6180339887498949
	x1, x2 := hi-g*(hi-lo), lo+g*(hi-lo)
	f1, f2 := f(x1), f(x2)
	for hi-lo > tol {
		if f1 < f2 {
			lo, x1, f1 = x1, x2, f2
			x2 = lo + g*(hi-lo)
			f2 = f(x2)
		} else {
			hi, x2, f2 = x2, x1, f1
			x1 = hi - g*(hi-lo)
			f1 = f(x1)
		}
	}
	return 0.5 * (lo + hi)
}

// walk returns a place beyond which, going from x in steps that grow from step,
// the unimodal f stays below bound.
func walk(f func(float64) float64, x, step, bound float64) float64 {
	for i := 0; i < 200; i++ {
		x += step
		if !(f(x) > bound) {
			break
		}
		if i%4 == 3 {
			step *= 1.5
		}
	}
	return x
}
