package stat

import "errors"

// The errors of this package wrap one of these.
var (
	// ErrNotFinite means that an input is NaN or infinite, or so large that its
	// sum is.
	ErrNotFinite = errors.New("not finite")

	// ErrSampleSize means that there are too few values, or that lengths do not
	// match.
	ErrSampleSize = errors.New("wrong sample size")

	// ErrZeroVariance means that values do not vary where a test divides by
	// their variation. On a [Result] it is a warning.
	ErrZeroVariance = errors.New("zero variance")

	// ErrDesign means that a test does not apply to the given number of runs
	// and folds.
	ErrDesign = errors.New("test does not fit the design")

	// ErrDomain means that a parameter is outside of its range.
	ErrDomain = errors.New("parameter out of range")
)
