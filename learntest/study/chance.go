package study

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// randomClasses draws the class of each of n examples: independently, all with the same
// probability, or, if they are to be balanced, as many of each as can be, in random order.
func randomClasses(rng *rand.Rand, n, classes int, balanced bool) []int32 {
	codes, k := make([]int32, n), int32(classes)
	if !balanced {
		for i := range codes {
			codes[i] = rng.Int32N(k)
		}
		return codes
	}
	first := rng.Int32N(k) // of the classes that are one more often
	for i := range codes {
		codes[i] = (first + int32(i%classes)) % k
	}
	rng.Shuffle(n, func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	return codes
}

// reseeded returns the name and the fit of a learner under another name and on other seeds, for it
// to be compared with itself.
func reseeded[Sample, Model any](name string, fit func(context.Context, Sample, uint64) (Model,
	error),
) (string, func(context.Context, Sample, uint64) (Model, error)) {
	return name + ", other seeds", func(ctx context.Context, train Sample, seed uint64) (Model,
		error,
	) {
		return fit(ctx, train, rand.NewPCG(seed, 1).Uint64())
	}
}

// interval returns the exact 95% interval of Clopper and Pearson for the probability of what
// happened in k of n cases.
func interval(k, n int) (lo, hi float64) {
	hi = 1
	if k > 0 {
		lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), 0.025)
	}
	if k < n {
		hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 0.975)
	}
	return lo, hi
}
