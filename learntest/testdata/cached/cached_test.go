// Package cached has a test that another test has go test run, to see what it
// remembers.
package cached

import (
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

func TestCached(t *testing.T) {
	xs, ys := make([]int, 20), make([]bool, 20)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	parity := learntest.Pretrained("parity", func(x int) bool { return x%2 == 1 })
	odd := learntest.Pretrained("odd", func(int) bool { return true })
	learntest.CompareWith(t, learntest.Config{NoClaim: true, Protocol: split.CV(1, 2)}, learntest.Examples("numbers", xs, ys), parity, odd)
}
