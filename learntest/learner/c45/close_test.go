package c45

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// scanThreshold is closeThreshold by its definition.
func scanThreshold(p *problem, c *column, mid float64) (cut, most float64) {
	cut = -math.MaxFloat64
	for _, r := range p.set {
		if x := c.x[r]; x == x && gr(x, cut) && smEq(x, mid) {
			cut = x
		}
	}
	most = math.Inf(-1)
	for _, x := range c.x {
		if x > most && smEq(x, cut) {
			most = x
		}
	}
	return cut, most
}

func TestThresholdsOfCloseValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		n := rapid.IntRange(2, 200).Draw(t, "rows")
		step := rapid.SampledFrom([]float64{1e-8, 1e-7, 3e-7, 9e-7, 1.1e-6}).Draw(t, "step")
		x, y := make([]float64, n), make([]int32, n)
		for i := range x {
			x[i], y[i] = 1+step*float64(rng.IntN(3*n)), rng.Int32N(2)
			if rng.IntN(20) == 0 {
				x[i] = math.NaN()
			}
		}
		tb := fixture.Table(t, nil, fixture.Numeric("x", x...),
			fixture.Nominal("class", []string{"a", "b"}, y...))
		var set []int32
		for range n {
			set = append(set, rng.Int32N(int32(n)))
		}
		var w workspace
		w.load(newFrame(tb, nil), set, nil)
		c := &w.cols[0]
		for range 20 {
			mid := 1 + step*3*float64(n)*rng.Float64()
			if v := c.x[rng.IntN(n)]; v == v && rng.IntN(2) == 0 {
				mid = v
			}
			cut, most := w.closeThreshold(0, mid)
			if want, wantMost := scanThreshold(&w.problem, c, mid); cut != want || most != wantMost {
				t.Fatalf("(%v, %v), want (%v, %v)", cut, most, want, wantMost)
			}
		}
	})
}
