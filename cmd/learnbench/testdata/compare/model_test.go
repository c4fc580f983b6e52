package model

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

func numbers() *learntest.ExampleSet[int, bool] {
	xs, ys := make([]int, 100), make([]bool, 100)
	for i := range xs {
		xs[i], ys[i] = i, (i >= 50) != (i%7 == 0)
	}
	return learntest.Examples("numbers", xs, ys)
}

func TestThreshold(t *testing.T) {
	c := learntest.Compare(t, numbers(),
		learntest.Pretrained("threshold", func(x int) bool { return x >= Threshold }),
		learntest.Pretrained("always", func(int) bool { return true }))
	assert.Improves(t, c)
}
