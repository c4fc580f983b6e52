package neighbor

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// hostile has numbers that a search may stumble over, by name.
var hostile = map[string]func(rng *rand.Rand, i int) float64{
	"constant":   func(*rand.Rand, int) float64 { return 1e9 },
	"two values": func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(2)) },
	"few values": func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(7)) / 3 },
	"denormal": func(rng *rand.Rand,
		_ int,
	) float64 {
		return float64(rng.IntN(9)-4) * math.SmallestNonzeroFloat64
	},
	"whole range": func(rng *rand.Rand,
		_ int,
	) float64 {
		return (2*rng.Float64() - 1) * math.MaxFloat64
	},
	"large":         func(rng *rand.Rand, _ int) float64 { return 1e300 * rng.NormFloat64() },
	"close numbers": func(rng *rand.Rand, _ int) float64 { return 1 + float64(rng.IntN(5))*0x1p-52 },
	"outlier": func(rng *rand.Rand, i int) float64 {
		if i%1000 == 500 {
			return 1e200
		}
		return rng.Float64()
	},
	"test rows beyond": func(rng *rand.Rand, i int) float64 {
		if i%6 == 5 { // see the test
			return 1e12 * rng.NormFloat64()
		}
		return rng.Float64()
	},
	"test rows beyond all": func(rng *rand.Rand, i int) float64 {
		if i == 5 {
			return math.MaxFloat64
		}
		return 1e-300 * rng.Float64()
	},
}

// hostileTable returns a table of which so many columns are uniform, and the others hostile.
// Some rows are copies of others.
func hostileTable(t *rapid.T, rng *rand.Rand, n int) *dataset.Table {
	kinds := rapid.SliceOfN(rapid.SampledFrom(slices.Sorted(maps.Keys(hostile))), 0, 5).Draw(t,
		"kinds")
	lacking := rapid.SampledFrom([]string{"nothing", "test rows", "some", "a column"}).Draw(t,
		"lacking")
	var cols []dataset.Column
	add := func(kind string, draw func(rng *rand.Rand, i int) float64) {
		x := make([]float64, n)
		for i := range x {
			x[i] = draw(rng, i)
			if i%10 == 9 {
				x[i] = x[i-7]
			}
		}
		cols = append(cols, fixture.Numeric(fmt.Sprint(kind, " ", len(cols)), x...))
	}
	for range rapid.IntRange(10, 24).Draw(t, "uniform") {
		add("uniform", func(rng *rand.Rand, _ int) float64 { return rng.Float64() })
	}
	for _, kind := range kinds {
		add(kind, hostile[kind])
	}
	for i := range n {
		if lacking == "a column" || lacking == "some" && i%3 == 0 || lacking == "test rows" &&
			i < 60 && i%2 == 0 {
			cols[0].Numbers[i] = math.NaN()
		}
	}
	class := fixture.Nominal("class", []string{"u", "v"})
	for range n {
		class.Codes = append(class.Codes, rng.Int32N(2))
	}
	rng.Shuffle(len(cols), func(i, j int) { cols[i], cols[j] = cols[j], cols[i] })
	return fixture.Table(t, nil, append(cols, class)...)
}

// Rows 60 and later are trained on; those before are asked for, some of which are like no other: a
// third of them unless LEARNBENCH_CI names slow.
func TestNeighborsOfHostileNumbersAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	sieves, asked := 0, 20
	if citest.Has(citest.Slow) {
		asked = 60
	}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
		tb := hostileTable(t, rng, sieved+60+rapid.IntRange(0, 300).Draw(t, "rows"))
		cfg := Config{
			K:         rapid.SampledFrom([]int{1, 1, 2, 5, 5000}).Draw(t, "k"),
			Ties:      rapid.SampledFrom([]Ties{AllTies, FirstTies}).Draw(t, "ties"),
			WekaOrder: rapid.Bool().Draw(t, "weka"),
		}
		train := fixture.Rows(tb)[60:]
		m, o := fit(t, New(cfg), tb, train), newOracle(tb, train)
		for row := range asked {
			got := m.Neighbors(tb, row)
			if cfg.WekaOrder {
				o.widen(row)
			}
			if row%6 != 5 { // the oracle is slow
				continue
			}
			want := o.neighbors(row, cfg.K, cfg.Ties)
			sortNeighbors(got)
			if !slices.Equal(got, want) {
				t.Fatalf("row %d: %v, want %v", row, got, want)
			}
		}
		if m.lent.Space.search.sieving {
			sieves++
		}
		require.NoError(t, m.Close())
	})
	assert.Greater(t, sieves, 10, "a test of trees only")
}
