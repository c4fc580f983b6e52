package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// The degrees of freedom that a calibration chooses from.
const (
	leastCalibrated = 2
	mostCalibrated  = 100
)

// A Calibration is the number of degrees of freedom at which a test keeps its level on data
// sets where the learners are equal by construction.
type Calibration struct {
	Alpha float64 // level
	N     int     // number of data sets

	// DF is the largest number of degrees of freedom in 2..100 at which the test rejects on
	// at most the fraction Alpha of the data sets. It is 0 if there is none: then degrees
	// of freedom alone cannot repair the test.
	DF int

	// TypeI is the fraction of data sets on which the test rejects at DF; NaN if DF is 0.
	TypeI float64

	// Lo and Hi are the ends of a 95% confidence interval for the DF that infinitely many
	// data sets would give. At Lo degrees of freedom and below, the Type I error is less
	// than Alpha, and above Hi it is greater, each by an exact binomial test at 2.5%. An
	// end of 0 means that there may be no such DF.
	Lo, Hi int
}

// CalibrateDF calibrates a [Bouckaert] test, or another test whose statistic is
// proportional to √(df+1). Its input z are the statistics of the test, with df degrees of
// freedom, on data sets where the learners are equal by construction. It returns the
// largest number of degrees of freedom in 2..100 at which the two-sided test at level alpha
// rejects at most the fraction alpha of them.
//
// Another df needs no new simulation. An infinite statistic rejects at any df.
//
// It returns an error that wraps [ErrSampleSize] if z is empty, [ErrNotFinite] if a
// statistic is NaN, and [ErrDomain] if df or alpha is out of range.
//
// Source: Bouckaert (2003), section 4; the interval is our own.
func CalibrateDF(z []float64, df, alpha float64) (Calibration, error) {
	switch {
	case len(z) == 0:
		return Calibration{}, fmt.Errorf("%w: no statistics to calibrate on", ErrSampleSize)
	case !(df > 0) || math.IsInf(df, 1):
		return Calibration{}, fmt.Errorf("%w: %v degrees of freedom", ErrDomain, df)
	case !(alpha > 0 && alpha < 1):
		return Calibration{}, fmt.Errorf("%w: level %v is not between 0 and 1", ErrDomain, alpha)
	}
	for i, v := range z {
		if math.IsNaN(v) {
			return Calibration{}, fmt.Errorf("%w: statistic %d is NaN", ErrNotFinite, i)
		}
	}
	const tail = 0.025
	c := Calibration{Alpha: alpha, N: len(z), TypeI: math.NaN()}
	for f := leastCalibrated; f <= mostCalibrated; f++ {
		// Rejections rise with f: the statistic grows and its critical value falls.
		k := rejections(z, df, float64(f), alpha)
		if share := float64(k) / float64(c.N); share <= alpha {
			c.DF, c.TypeI = f, share
		}
		if dist.BinomialCDF(k, c.N, alpha) <= tail {
			c.Lo = f
		}
		if dist.BinomialSF(k, c.N, alpha) > tail {
			c.Hi = f
		}
	}
	return c, nil
}

// rejections returns how many of the statistics, which were taken with df degrees of
// freedom, reject with f.
func rejections(z []float64, df, f, alpha float64) int {
	critical := dist.StudentInvSF(alpha/2, f) * math.Sqrt((df+1)/(f+1))
	k := 0
	for _, v := range z {
		if math.Abs(v) >= critical {
			k++
		}
	}
	return k
}
