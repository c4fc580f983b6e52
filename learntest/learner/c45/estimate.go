package c45

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
)

// An estimator raises the number of errors that a leaf makes on its training instances to an
// upper confidence limit.
type estimator struct {
	confidence float64 // of one error in n, as the limit for no error has it
	z          float64 // normal quantile
	logConf    float64
}

func newEstimator(confidence float64) estimator {
	cf := float32(confidence)
	return estimator{
		confidence: float64(cf),
		z:          normalQuantile(float64(1 - cf)),
		logConf:    detmath.Log(float64(cf)),
	}
}

// errors returns the limit for e errors among n instances, 0 if there are none. The limit is
// from [1], with Quinlan's cases for few errors:
//
//	e = 0        n(1 - confidence^(1/n))
//	0 < e < 1    linear between the limits of 0 and of 1
//	e + ½ >= n   n
//	otherwise    n (f + z²/2n + z√(f/n - f²/n + z²/4n²)) / (1 + z²/n),  f = (e+½)/n
//
// [1] J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann,
// 1993, 4.2 and st-thresh.c, stats.c.
func (s *estimator) errors(n, e float64) float64 {
	if eq(n, 0) {
		return 0
	}
	return e + s.extra(n, e)
}

func (s *estimator) extra(n, e float64) float64 {
	if e < 1 {
		base := float64(n * (1 - detmath.Exp(s.logConf/n)))
		if e == 0 {
			return base
		}
		return base + float64(e*(s.extra(n, 1)-base))
	}
	if e+0.5 >= n {
		return max(n-e, 0)
	}
	z := s.z
	f := (e + 0.5) / n
	zz := z * z
	under := f/n - float64(f*f)/n + zz/float64(float64(4*n)*n)
	r := (f + zz/float64(2*n) + float64(z*math.Sqrt(under))) / (1 + zz/n)
	return float64(r*n) - e
}
