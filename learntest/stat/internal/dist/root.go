package dist

import "math"

// Root returns an x in [lo, hi] at which the increasing function f is zero, to
// about 1e-14 relative, by the Illinois variant of regula falsi, with a
// bisection wherever three steps of that have not halved the interval. It returns lo
// if f(lo) ≥ 0 and hi if f(hi) ≤ 0.
func Root(f func(float64) float64, lo, hi float64) float64 {
	flo, fhi := f(lo), f(hi)
	if flo >= 0 {
		return lo
	}
	if fhi <= 0 {
		return hi
	}
	side, width := 0, hi-lo
	for i := range 400 {
		if hi-lo <= 1e-14*math.Max(math.Abs(lo), math.Abs(hi)) {
			break
		}
		x := (lo*fhi - hi*flo) / (fhi - flo)
		slow := false
		if i%3 == 2 {
			slow = hi-lo > 0.5*width
			width = hi - lo
		}
		if slow || !(x > lo && x < hi) {
			x = 0.5 * (lo + hi)
		}
		switch fx := f(x); {
		case math.Abs(fx) <= 1e-15:
			return x
		case fx < 0:
			lo, flo = x, fx
			if side < 0 {
				fhi /= 2
			}
			side = -1
		default:
			hi, fhi = x, fx
			if side > 0 {
				flo /= 2
			}
			side = 1
		}
	}
	return 0.5 * (lo + hi)
}
