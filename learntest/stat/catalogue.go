package stat

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/catalogue"
)

// ErrUnknown means that no test has the given name.
var ErrUnknown = errors.New("unknown test")

// Tests returns the tests for the paired differences of one data set, the recommended test
// first. The caller may change the slice and its values.
func Tests() []Test { return slices.Clone(tests()) }

// tests returns the tests for the differences of one data set, which the caller does not change.
var tests = sync.OnceValue(func() []Test {
	return slices.Concat(
		correctedTests(), fiveByTwoTests(), averagedTests(), dieboldMarianoTests(), permutationTests(),
		pairedTests(), bouckaertTests(),
	)
})

// Lookup returns the test with the given name: one of [Tests], or one of them with a setting. The
// settings are a ratio, as in the names of [CorrectedCVT]; degrees of freedom, as in
// corrected-resampled-t/df=20 and the names that [Bouckaert.Calibrated] gives; and a horizon, as in
// diebold-mariano/h=2, for [DieboldMarianoTest]. cluster-flip and mcnemar are tests of answers to
// items, which verdicts apply, and refuse folds. For an unknown name the error wraps [ErrUnknown]
// and lists the known ones.
func Lookup(name string) (Test, error) {
	for _, t := range tests() {
		if t.with == nil {
			continue
		}
		if value, ok := strings.CutPrefix(name, t.Name+"/"+t.setting+"="); ok {
			return t.with(value)
		}
	}
	var ofItems []string
	for _, t := range itemTests() {
		if t.Name == name {
			return t, nil
		}
		ofItems = append(ofItems, t.Name)
	}
	t, err := catalogue.Lookup(ErrUnknown, tests(), func(t Test) string { return t.Name }, name)
	if err != nil {
		err = fmt.Errorf("%w; for items %s", err, strings.Join(ofItems, ", "))
	}
	return t, err
}

// MustLookup is [Lookup] for names that are known to exist. It panics on any other name.
func MustLookup(name string) Test { return catalogue.Must(Lookup(name)) }

// designFolds returns the design check of a test that needs at least the given
// numbers of runs and folds, and two differences in all.
func designFolds(name string, minRuns, minFolds int) func(runs, folds int) error {
	return func(runs, folds int) error {
		if runs < minRuns || folds < minFolds || runs == 1 && folds == 1 {
			return fmt.Errorf("%w: %s cannot be applied to %d runs of %d folds", ErrDesign, name, runs,
				folds)
		}
		return nil
	}
}
