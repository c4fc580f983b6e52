package adjust

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func uniform(n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	p := make([]float64, n)
	for i := range p {
		p[i] = rng.Float64()
	}
	return p
}

func BenchmarkBergmannHommel(b *testing.B) {
	for _, m := range []int{5, 8, 9, 12} {
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			p := uniform(m * (m - 1) / 2)
			for b.Loop() {
				if _, err := bergmannHommel(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The p-values fall as 1/i, which spares Rom's procedure least.
func BenchmarkRom(b *testing.B) {
	for _, n := range []int{20, 100, 500} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			p := make([]float64, n)
			for i := range p {
				p[i] = 0.9 / float64(1+i)
			}
			for b.Loop() {
				if _, err := rom(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMethods(b *testing.B) {
	p := uniform(36)
	for _, m := range Methods() {
		b.Run(m.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Adjust(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
