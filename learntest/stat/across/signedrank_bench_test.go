package across

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
)

func BenchmarkSignedRank(b *testing.B) {
	for _, n := range []int{10, 54, 100, 1000} {
		for _, decimals := range []float64{0, 2} {
			b.Run(fmt.Sprintf("n=%d/decimals=%v", n, decimals), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				x, y := make([]float64, n), make([]float64, n)
				for i := range x {
					x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
					if decimals > 0 {
						s := math.Pow(10, decimals)
						x[i], y[i] = math.Round(x[i]*s)/s, math.Round(y[i]*s)/s
					}
				}
				for b.Loop() {
					if _, err := SignedRank(x, y, stat.TwoSided, SignedRankOptions{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
