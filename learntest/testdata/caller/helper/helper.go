// Package helper compares for the tests of other packages.
package helper

import (
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

// Compare compares two learners on some numbers.
func Compare(t *testing.T) {
	t.Helper()
	xs, ys := make([]int, 20), make([]bool, 20)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	parity := learntest.Pretrained("parity", func(x int) bool { return x%2 == 1 })
	odd := learntest.Pretrained("odd", func(int) bool { return true })
	learntest.CompareWith(t, learntest.Config{NoClaim: true, Protocol: split.CV(1, 2)}, learntest.Examples("numbers", xs, ys), parity, odd)
}

// Run compares in a subtest that is a function of this package.
func Run(t *testing.T) {
	t.Run("helper's own", func(t *testing.T) { Compare(t) })
}
