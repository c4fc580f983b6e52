package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// CalibrateDF calibrates a [Bouckaert] test: from the statistics z that it
// took, with df degrees of freedom, on data sets on which the learners are
// equal by construction, it returns the largest number of degrees of freedom in
// 2..100 at which the two-sided test at level alpha rejects at most the
// fraction alpha of them, and that fraction, the measured Type I error. It
// returns 0 and NaN if there is none: more than degrees of freedom is wrong
// with the test.
//
// Nothing has to be simulated again for another df, since Z is proportional to
// √(df+1). An infinite statistic rejects at any df.
//
// It returns an error that wraps [ErrSampleSize] if z is empty, [ErrNotFinite]
// if a statistic is NaN, and [ErrDomain] if df or alpha is out of range.
//
// Source: Bouckaert (2003), section 4.
func CalibrateDF(z []float64, df, alpha float64) (calibrated int, typeI float64, err error) {
	const least, most = 2, 100
	switch {
	case len(z) == 0:
		return 0, 0, fmt.Errorf("%w: no statistics to calibrate on", ErrSampleSize)
	case !(df > 0) || math.IsInf(df, 1):
		return 0, 0, fmt.Errorf("%w: %v degrees of freedom", ErrDomain, df)
	case !(alpha > 0 && alpha < 1):
		return 0, 0, fmt.Errorf("%w: level %v is not between 0 and 1", ErrDomain, alpha)
	}
	for i, v := range z {
		if math.IsNaN(v) {
			return 0, 0, fmt.Errorf("%w: statistic %d is NaN", ErrNotFinite, i)
		}
	}
	for f := float64(most); f >= least; f-- {
		// Rejections fall with df: the statistic falls and its critical value
		// rises.
		critical := dist.StudentInvSF(alpha/2, f) * math.Sqrt((df+1)/(f+1))
		rejected := 0
		for _, v := range z {
			if math.Abs(v) >= critical {
				rejected++
			}
		}
		if share := float64(rejected) / float64(len(z)); share <= alpha {
			return int(f), share, nil
		}
	}
	return 0, math.NaN(), nil
}
