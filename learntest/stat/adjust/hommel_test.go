package adjust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// quadraticHommel goes through the sizes of sets: of the sets of k that contain hypothesis i,
// the set with the k−1 largest other p-values is the last to be rejected (Wright 1992,
// appendix).
func quadraticHommel(p []float64) []float64 {
	n := len(p)
	order := ascending(p)
	out := slices.Clone(p)
	for k := 2; k <= n; k++ {
		size := float64(k)
		others := 1.0
		for j := 2; j <= k; j++ {
			others = min(others, size*p[order[n-k+j-1]]/float64(j))
		}
		largest := min(others, size*p[order[n-k]])
		for i, at := range order {
			v := largest
			if i < n-k {
				v = min(others, size*p[at])
			}
			out[at] = max(out[at], v)
		}
	}
	return out
}

// Many p-values, of which groups tie, lie on lines from the origin, or are many powers of ten
// apart.
func TestHommelIsTheQuadraticDefinition(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(rng *rand.Rand, i, n int) float64{
		"uniform": func(rng *rand.Rand, _, _ int) float64 { return rng.Float64() },
		"ties": func(rng *rand.Rand, _,
			n int,
		) float64 {
			return float64(rng.IntN(1+n/4)) / float64(1+n/4)
		},
		"lines": func(rng *rand.Rand, i, n int) float64 { return float64(i+1) / float64(n) },
		"lines and ties": func(rng *rand.Rand, i, n int) float64 {
			return float64(1+i/3) / float64(n) * []float64{1, 0.5}[rng.IntN(2)]
		},
		"powers": func(rng *rand.Rand, _, _ int) float64 { return 1 / float64(uint64(1)<<rng.IntN(60)) },
		"mixture": func(rng *rand.Rand, _, _ int) float64 {
			if rng.IntN(3) == 0 {
				return rng.Float64() * 1e-4
			}
			return rng.Float64()
		},
		"zeros and ones": func(rng *rand.Rand, _, _ int) float64 { return float64(rng.IntN(2)) },
		"tiny":           func(rng *rand.Rand, _, _ int) float64 { return rng.Float64() * 5e-320 },
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				n := rapid.IntRange(1, 120).Draw(t, "n")
				p := make([]float64, n)
				for i := range p {
					p[i] = kind(rng, i, n)
				}
				got, err := hommel(p)
				require.NoError(t, err)
				// Of denormal numbers, products have few digits.
				require.NoError(t, floatcmp.Slices(got, quadraticHommel(p), 1e-320, 2e-14))
			})
		})
	}
}

// A gate over all rows of many data sets takes no longer for its adjustment than for reading them:
// time that grew with the square of the number would take minutes here.
func TestHommelOfManyPValuesTakesNoMinutes(t *testing.T) {
	t.Parallel()
	const n = 200_000
	onLine := make([]float64, n)
	for i := range onLine {
		onLine[i] = float64(i+1) / n
	}
	for _, p := range [][]float64{uniform(n), onLine} {
		start := time.Now()
		got, err := hommel(p)
		require.NoError(t, err)
		require.Len(t, got, n)
		require.Less(t, time.Since(start), 20*time.Second)
	}
}

func BenchmarkHommel(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			p := uniform(n)
			for b.Loop() {
				if _, err := hommel(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
