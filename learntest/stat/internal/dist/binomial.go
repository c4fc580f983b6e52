package dist

import "math"

// BinomialPMF returns the probability of exactly k successes in n ≥ 0 trials
// that each succeed with probability p. It is 0 for k outside of 0..n.
//
// The algorithm is the saddle-point expansion of Loader (2000).
func BinomialPMF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0 || k > n:
		return 0
	case p == 0 || p == 1:
		if k == 0 && p == 0 || k == n && p == 1 {
			return 1
		}
		return 0
	case k == 0:
		return math.Exp(float64(n) * math.Log1p(-p))
	case k == n:
		return math.Pow(p, float64(n))
	}
	return betaTerm(float64(k), float64(n-k), p, 1-p)
}

// BinomialCDF returns the probability of at most k successes in n ≥ 0 trials
// that each succeed with probability p.
func BinomialCDF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return BetaInc(float64(n-k), float64(k)+1, 1-p, p)
}

// BinomialSF returns the probability of at least k successes in n ≥ 0 trials
// that each succeed with probability p. Note that k itself is included.
func BinomialSF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	return BetaInc(float64(k), float64(n-k)+1, p, 1-p)
}
