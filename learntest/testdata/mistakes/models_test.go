// Package mistakes has tests with a mistake in each, as their authors write them. Another test runs
// them in a module of its own: of each row it demands the outcome, and the first line of what is said,
// that stand at the end of the row's comment.
package mistakes

import (
	"context"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest"
)

type (
	point    = [2]float64
	examples = learntest.ExampleSet[point, bool]
	sample   = learntest.Sample[point, bool]
)

// points are n random points, each of them several times, labelled by the toss of a coin.
func points(n, times int) *examples {
	r := rand.New(rand.NewPCG(1, 2))
	var xs []point
	var ys []bool
	for range n {
		x, y := point{r.Float64(), r.Float64()}, r.IntN(2) == 0
		for range times {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	return learntest.Examples("points", xs, ys)
}

// memory remembers the labels of its training examples.
func memory(name string) learntest.Learner[point, bool] {
	return learntest.Func(name, func(_ context.Context, train sample, _ uint64) (func(point) bool, error) {
		label := make(map[point]bool)
		for x, y := range train.All() {
			label[x] = y
		}
		return func(x point) bool { return label[x] }, nil
	})
}

// always predicts one label.
func always[X any](name string, y bool) learntest.Learner[X, bool] {
	return learntest.Pretrained(name, func(X) bool { return y })
}

// numbers are the numbers below n, labelled true if they are odd.
func numbers(n int) *learntest.ExampleSet[int, bool] {
	xs, ys := make([]int, n), make([]bool, n)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	return learntest.Examples("numbers", xs, ys)
}

func odd(x int) bool { return x%2 == 1 }

// parity is always right about numbers.
func parity() learntest.Learner[int, bool] { return learntest.Pretrained("parity", odd) }

// wrongBelow is wrong about the numbers below a bound.
func wrongBelow(name string, bound int) learntest.Learner[int, bool] {
	return learntest.Pretrained(name, func(x int) bool { return odd(x) != (x < bound) })
}

// trained returns a learner of numbers that has one model.
func trained(name string, m learntest.Model[int, bool]) learntest.Learner[int, bool] {
	return learntest.Learner[int, bool]{Name: name, Fit: func(context.Context, learntest.Sample[int, bool], uint64) (learntest.Model[int, bool], error) {
		return m, nil
	}}
}
