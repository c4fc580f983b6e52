package hierarchical

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkTest has the size of the paper's comparisons: 54 data sets, 10×10 cross-validation.
func BenchmarkTest(b *testing.B) {
	samples := simulated(54, 0.02)
	for b.Loop() {
		if _, err := Test(samples, Options{Rope: 0.01, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// simulated returns differences in 10×10 cross-validation whose means have a spread.
func simulated(sets int, spread float64) []Sample {
	r := rand.New(rand.NewPCG(1, 2))
	samples := make([]Sample, sets)
	for i := range samples {
		center := spread * (r.NormFloat64() + 1)
		s := &samples[i].Differences
		s.Runs, s.Folds = 10, 10
		for range 100 {
			s.X = append(s.X, center+0.03*r.NormFloat64())
		}
	}
	return samples
}
