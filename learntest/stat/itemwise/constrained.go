package itemwise

import "math"

// constrained returns the constrained t for a null inside of the range. It is infinite only if all
// values are equal and as far from the null as the worst one.
func (s *Sample) constrained(null float64) float64 {
	if s.mean == null {
		return 0
	}
	// Seen from the null, the mean is at a positive value, and the worst value is the farthest on
	// the other side.
	sign, worst := 1.0, s.limits.Least-null
	if s.mean < null {
		sign, worst = -1, null-s.limits.Most
	}
	most := -1 / worst
	lambda := s.multiplier(null, sign, most)
	var seen, variance, square float64
	for _, p := range s.points {
		u := sign * (p.value - null)
		v := 1 + float64(lambda*u)
		seen += p.share / v
		variance += float64(p.share*u*u) / v
		square += float64(p.share * u * u)
	}
	if lambda == most { // the rest is the share of a worst value that no item had
		variance += float64(max(1-seen, 0) * worst * worst)
	}
	t := (s.mean - null) / math.Sqrt(max(variance, square)/s.effective)
	if t2 := float64(t * t); t2 < s.effective*(1-1e-12) {
		return t * math.Sqrt((s.effective-1)/(s.effective-t2))
	}
	return math.Copysign(math.Inf(1), t)
}

// multiplier returns Lagrange's multiplier λ, at which Σ share·u/(1+λu) falls to 0, or most if it
// is still positive there.
func (s *Sample) multiplier(null, sign, most float64) float64 {
	// sums returns the sum, the sum of its positive terms, and its negative derivative.
	sums := func(lambda float64) (sum, gains, slope float64) {
		for _, p := range s.points {
			u := sign * (p.value - null)
			x := u / (1 + float64(lambda*u))
			sum += float64(p.share * x)
			gains += float64(p.share * max(x, 0))
			slope += float64(p.share * x * x)
		}
		return sum, gains, slope
	}
	least := s.points[0].value - null
	if sign < 0 {
		least = null - s.points[len(s.points)-1].value
	}
	if 1+float64(most*least) > 0 {
		if sum, _, _ := sums(most); sum > 0 {
			return most
		}
	}
	lo, hi, lambda := 0.0, most, 0.0
	// Newton's steps, and bisections where they leave the bracket, or where the worst value
	// prevails: beside the pole at most, a step is as short as at the end.
	for range 200 {
		sum, gains, slope := sums(lambda)
		if sum > 0 {
			lo = lambda
		} else {
			hi = lambda
		}
		next := lambda + sum/slope
		if !(next > lo && next < hi) || -sum > gains {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-lambda) <= 1e-15*most {
			break
		}
		lambda = next
	}
	return lambda
}

// bound returns the null between end, where the range ends, and from, the bound by the ordinary t,
// at which the constrained t is the critical value c, or from if it exceeds c there.
func (s *Sample) bound(from, end, c float64) float64 {
	if math.Abs(from-s.mean) >= math.Abs(end-s.mean) {
		return end
	}
	exceeds := func(null float64) bool { return math.Abs(s.constrained(null)) >= c }
	if exceeds(from) {
		return from
	}
	for range 60 {
		null := from + (end-from)/2
		if exceeds(null) {
			end = null
		} else {
			from = null
		}
	}
	return end
}
