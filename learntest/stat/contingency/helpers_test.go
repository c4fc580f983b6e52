package contingency_test

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

type (
	vector = vectors.Case
	number = vectors.Number
)

// each runs f on the cases of the given procedure, as subtests.
func each(t *testing.T, name, procedure string, f func(t *testing.T, v vector)) {
	t.Helper()
	for _, v := range vectors.Of(t, name, procedure) {
		t.Run(v.ID, func(t *testing.T) { f(t, v) })
	}
}
