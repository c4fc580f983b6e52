package itemwise

import (
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
)

// BenchmarkMillionItems takes a million different differences in 100,000 clusters, the most work
// that a test and its bounds can be.
func BenchmarkMillionItems(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	d := Data{
		Differences: make([]float64, 1_000_000), Clusters: make([]int, 1_000_000),
		Range: Range{-1, 1},
	}
	for i := range d.Differences {
		d.Differences[i], d.Clusters[i] = 2*r.Float64()-1, r.IntN(100_000)
	}
	for _, c := range []struct {
		name     string
		clusters []int
	}{{"clusters", d.Clusters}, {"none", nil}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				d.Clusters = c.clusters
				s, err := Prepare(d)
				if err == nil {
					_, err = s.Test(-0.01, stat.Greater)
				}
				if err == nil {
					_, _, err = s.Bounds(0.05)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
