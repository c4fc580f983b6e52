package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Wilson judges an expected share, such as an accuracy, by Wilson's score bound: from an observed
// share of a number of independent examples, each right or wrong. It also judges means of values
// from 0 to 1, which vary less.
//
// Further runs on the same examples add no examples: the number is the examples of one run.
//
// Source: E. B. Wilson (1927), "Probable inference, the law of succession, and statistical
// inference", JASA 22.
type Wilson struct {
	Examples int
	Alpha    float64 // one-sided level
}

// z returns the one-sided quantile, or an error that wraps [ErrDomain].
func (w Wilson) z() (float64, error) {
	if w.Examples < 1 || !(w.Alpha > 0 && w.Alpha < 0.5) {
		return 0, fmt.Errorf("%w: %d examples at the one-sided level %v", ErrDomain, w.Examples, w.Alpha)
	}
	return dist.NormalInvSF(w.Alpha), nil
}

// Bounds returns the one-sided lower and the one-sided upper bound of the expected share, given the
// one that was seen. It returns an error that wraps [ErrDomain] for a share outside of 0 to 1, a
// level outside of 0 to 0.5, or no examples.
func (w Wilson) Bounds(share float64) (lower, upper float64, err error) {
	z, err := w.z()
	if err == nil && !(share >= 0 && share <= 1) {
		err = fmt.Errorf("%w: share %v", ErrDomain, share)
	}
	if err != nil {
		return 0, 0, err
	}
	n := float64(w.Examples)
	z2 := float64(z * z)
	center, half := share+z2/(2*n), z*math.Sqrt(float64(share*(1-share))/n+z2/(4*n*n))
	return (center - half) / (1 + z2/n), (center + half) / (1 + z2/n), nil
}

// P returns the one-sided p of the hypothesis that the expected share is below the threshold: the
// probability of such a share, or a larger one, at the threshold. It is at most Alpha just if the
// lower bound is at least the threshold.
func (w Wilson) P(share, threshold float64) (float64, error) {
	if _, err := w.z(); err != nil {
		return 0, err
	}
	if !(share >= 0 && share <= 1) || !(threshold > 0 && threshold < 1) {
		return 0, fmt.Errorf("%w: share %v at a threshold of %v", ErrDomain, share, threshold)
	}
	return dist.NormalSF((share - threshold) / math.Sqrt(float64(threshold*(1-threshold))/float64(w.Examples))), nil
}

// Least returns the smallest share whose lower bound is the threshold. It is above 1 if no share
// would do.
func (w Wilson) Least(threshold float64) (float64, error) {
	z, err := w.z()
	if err == nil && !(threshold >= 0 && threshold <= 1) {
		err = fmt.Errorf("%w: threshold %v", ErrDomain, threshold)
	}
	if err != nil {
		return 0, err
	}
	return threshold + float64(z*math.Sqrt(float64(threshold*(1-threshold))/float64(w.Examples))), nil
}

// Highest returns the largest threshold that any data could show: n/(n+z²), the lower bound of a
// share of 1.
func (w Wilson) Highest() (float64, error) {
	z, err := w.z()
	if err != nil {
		return 0, err
	}
	n := float64(w.Examples)
	return n / (n + float64(z*z)), nil
}
