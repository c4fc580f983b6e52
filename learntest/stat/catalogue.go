package stat

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/catalogue"
)

// ErrUnknown is wrapped by the error about a name that no test has.
var ErrUnknown = errors.New("unknown test")

// Tests returns the tests for the paired differences of one data set, the
// recommended one first. The slice and its values are the caller's own.
func Tests() []Test {
	return slices.Concat(
		correctedTests(), fiveByTwoTests(), averagedTests(), dieboldMarianoTests(), permutationTests(), pairedTests(), bouckaertTests(),
	)
}

// Lookup returns the test of [Tests] with the given name, the corrected test with a ratio
// of its own, as [CorrectedCVT] names it, one of Bouckaert's or the corrected resampled t test
// with degrees of freedom, as [Bouckaert.Calibrated] and [CorrectedResampledT] do, or that of
// Diebold and Mariano with a horizon, as [DieboldMariano] does. For a name that is not there the
// error wraps [ErrUnknown] and lists those that are.
func Lookup(name string) (Test, error) {
	tests := Tests()
	for _, t := range tests {
		if t.with == nil {
			continue
		}
		if value, ok := strings.CutPrefix(name, t.Name+"/"+t.setting+"="); ok {
			return t.with(value)
		}
	}
	return catalogue.Lookup(ErrUnknown, tests, func(t Test) string { return t.Name }, name)
}

// MustLookup is [Lookup] for names that are known to be there. It panics if one is
// not.
func MustLookup(name string) Test { return catalogue.Must(Lookup(name)) }

// designFolds returns the design check of a test that needs at least the given
// numbers of runs and folds, and two differences in all.
func designFolds(name string, minRuns, minFolds int) func(runs, folds int) error {
	return func(runs, folds int) error {
		if runs < minRuns || folds < minFolds || runs == 1 && folds == 1 {
			return fmt.Errorf("%w: %s cannot be applied to %d runs of %d folds", ErrDesign, name, runs, folds)
		}
		return nil
	}
}
