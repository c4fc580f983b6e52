package trainset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// varied returns n numbers of which so many are distinct, and some missing.
func varied(rng *rand.Rand, n, distinct int, missing float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(rng.IntN(distinct)-distinct/3) * 1.7
		if rng.Float64() < missing {
			x[i] = math.NaN()
		}
	}
	return x
}

func TestRadixSortRanksAsBinarySearchDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		var s, plain Sorter
		for range 3 { // in memory that other columns have used
			x := varied(rng, rapid.IntRange(1, 500).Draw(t, "rows"),
				rapid.SampledFrom([]int{1, 2, 50, 1e9}).Draw(t, "distinct"),
				rapid.SampledFrom([]float64{0, 0, 0.1, 0.9, 1}).Draw(t, "missing"))
			if rapid.Bool().Draw(t, "close together") { // alike in their first bits, all or some
				for i := range x[rng.IntN(len(x)):] {
					x[i] = 1e6 + 1e-8*x[i]
				}
			}
			for _, v := range []float64{
				0, math.Copysign(0, -1), math.Inf(-1), math.Inf(1), -math.MaxFloat64,
				5e-324, -5e-324, math.NaN(),
			} {
				if rng.IntN(2) == 0 {
					x[rng.IntN(len(x))] = v
				}
			}
			want := plain.searchRows(x)
			for _, got := range []Ranks{s.sortRows(x), s.rankOrdered(x, s.Order(make([]int32, len(x)), x))} {
				if !slices.Equal(got.Values, want.Values) || !slices.Equal(got.Codes, want.Codes) ||
					!slices.Equal(got.Order, want.Order) {
					t.Fatalf("%v:\n%v, want\n%v", x, got, want)
				}
				for i, v := range got.Values {
					if math.Signbit(v) != math.Signbit(want.Values[i]) {
						t.Fatalf("%v has the other sign", v)
					}
				}
			}
		}
	})
}

func BenchmarkRank(b *testing.B) {
	for _, n := range []int{500, 1000, 10000, 100000} {
		for _, distinct := range []int{30, 300, 1e9} {
			x := varied(rand.New(rand.NewPCG(1, 2)), n, distinct, 0)
			var s Sorter
			for _, way := range []string{"radix", "search"} {
				rank := s.sortRows
				if way == "search" {
					rank = s.searchRows
				}
				b.Run(fmt.Sprintf("n=%d/distinct=%d/%s", n, distinct, way), func(b *testing.B) {
					for b.Loop() {
						rank(x)
					}
				})
			}
		}
	}
}
