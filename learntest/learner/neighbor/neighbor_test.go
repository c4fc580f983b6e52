package neighbor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// TestConformance has each parameter at each of its values; more of their combinations follow where
// LEARNBENCH_CI names slow.
func TestConformance(t *testing.T) {
	t.Parallel()
	configs := []Config{
		{},
		{K: 4, Weighting: Similarity},
		{K: 3, Weighting: Inverse, WekaOrder: true},
		{K: 4, Ties: FirstTies, Weighting: Inverse},
	}
	if citest.Has(citest.Slow) {
		configs = append(configs, Config{K: 3}, Config{K: 100, Weighting: Inverse},
			Config{WekaOrder: true}, Config{Ties: FirstTies})
	}
	for _, cfg := range configs {
		opts := learnercheck.Options{OrderFree: cfg.Ties == AllTies, Stateful: cfg.WekaOrder}
		if cfg.WekaOrder {
			opts.Tolerance = 1e-9
		}
		assert.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(New(cfg), opts)),
			New(cfg).Name())
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "nn", New(Config{}).Name())
	assert.Equal(t, "nn", New(Config{K: 1}).Name())
	assert.Equal(t, "nn(k=5)", New(Config{K: 5}).Name())
	assert.Equal(t, "nn(k=3,weighting=similarity,order=weka)",
		New(Config{K: 3, Weighting: Similarity, WekaOrder: true}).Name())
	assert.Equal(t, "nn(k=3,ties=first,order=weka)",
		New(Config{K: 3, Ties: FirstTies, WekaOrder: true}).Name())
	assert.Equal(t, "nn(weighting=inverse)", New(Config{Weighting: Inverse}).Name())
}

func TestImpossibleParametersAreErrorsOfFit(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{{K: -1}, {Weighting: 3}, {Ties: 2}} {
		_, err := New(cfg).Fit(uci.Iris(), []int{0}, 1)
		assert.ErrorIs(t, err, ErrConfig)
	}
	_, err := New(Config{}).Fit(uci.Iris(), nil, 1)
	assert.ErrorIs(t, err, learner.ErrTraining)
	assert.Equal(t, "Weighting(3)", Weighting(3).String())
	assert.Equal(t, "Ties(2)", Ties(2).String())
	assert.Equal(t, "all", AllTies.String())
}

func fit(t require.TestingT, c *Classifier, tb *dataset.Table, rows []int) *Model {
	m, err := c.Fit(tb, rows, 1)
	require.NoError(t, err)
	return m.(*Model)
}

func TestDistancesOfNominalNumericAndMissingValues(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	// The range of x in training is 0..10.
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 0, 10, 2, nan, 8, nan, 30),
		fixture.Nominal("y", []string{"p", "q"}, 0, 1, 0, 0, -1, -1, 0),
		fixture.Nominal("class", []string{"a", "b"}, 0, 1, 0, 1, -1, -1, -1),
	)
	m := fit(t, New(Config{K: 4}), tb, []int{0, 1, 2, 3})
	distances := func(row int) []float64 {
		d := make([]float64, 4)
		for _, n := range m.Neighbors(tb, row) {
			d[n.Row] = n.Distance * n.Distance
		}
		return d
	}
	tests := []struct {
		name string
		row  int
		want []float64
	}{
		{"of known values", 0, []float64{0, 2, 0.04, 1}},
		{"a missing number is as far as possible", 3, []float64{1, 2, 0.64, 1}},
		{"a missing nominal value differs from everything", 4, []float64{1.64, 1.04, 1.36, 1.64}},
		{"both missing", 5, []float64{2, 2, 1.64, 2}},
		{"outside the range", 6, []float64{9, 5, 7.84, 9}},
	}
	for _, test := range tests {
		assert.NoError(t, floatcmp.Slices(distances(test.row), test.want, 1e-12, 0), test.name)
	}
}

func TestAllAtTheKthDistanceVote(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 0, 1, 1, 1, 4),
		fixture.Nominal("class", []string{"a", "b", "c"}, 0, 1, 1, 0, 2),
	)
	m := fit(t, New(Config{K: 2}), tb, fixture.Rows(tb))
	dist := make([]float64, 3)
	m.Distribution(tb, 0, dist)
	// Row 0 and all of rows 1 to 3 vote, on top of 1/5 for each class.
	require.NoError(t, floatcmp.Slices(dist, []float64{2.2 / 4.6, 2.2 / 4.6, 0.2 / 4.6}, 0, 1e-15))
	assert.Equal(t, 0, learner.Best(dist), "the first of ties")
	assert.Len(t, m.Neighbors(tb, 0), 4)
}

func TestWeightingByDistance(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 0, 0.5, 1, 3),
		fixture.Numeric("y", 0, 0, 0, 0),
		fixture.Nominal("class", []string{"a", "b"}, 0, 1, 1, -1),
	)
	// Of the mean square of two attributes, one of which is constant.
	d1, d2 := 0.5/math.Sqrt2, 1/math.Sqrt2
	tests := []struct {
		weighting  Weighting
		v0, v1, v2 float64
	}{
		{Equal, 1, 1, 1},
		{Inverse, 1 / 0.001, 1 / (d1 + 0.001), 1 / (d2 + 0.001)},
		{Similarity, 1, 1 - d1, 1 - d2},
	}
	for _, test := range tests {
		m := fit(t, New(Config{K: 3, Weighting: test.weighting}), tb, []int{0, 1, 2})
		dist := make([]float64, 2)
		m.Distribution(tb, 0, dist)
		a, b := test.v0+1.0/3, test.v1+test.v2+1.0/3
		assert.NoError(t, floatcmp.Slices(dist, []float64{a / (a + b), b / (a + b)}, 0, 1e-14),
			test.weighting.String())
		// Beyond a distance of 1 nothing is left of the similarity.
		m.Distribution(tb, 3, dist)
		assert.GreaterOrEqual(t, slices.Min(dist), 0.0)
	}
}

func TestWekaOrderWidensRanges(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 0, 1, 0.4, 9),
		fixture.Numeric("y", 0, 1, 0.7, 0),
		fixture.Nominal("class", []string{"a", "b"}, 0, 1, -1, -1),
	)
	dist := make([]float64, 2)
	for _, weka := range []bool{false, true} {
		m := fit(t, New(Config{WekaOrder: weka}), tb, []int{0, 1})
		m.Distribution(tb, 2, dist)
		assert.Equal(t, 1, learner.Best(dist), "squares 0.16+0.49 and 0.36+0.09")
		m.Distribution(tb, 3, dist) // x = 9 widens the range of x
		_, most, ok := m.Range(0)
		assert.True(t, ok)
		if weka {
			assert.Equal(t, 9.0, most)
		} else {
			assert.Equal(t, 1.0, most)
		}
	}
	_, _, ok := fit(t, New(Config{}), tb, []int{0, 1}).Range(2)
	assert.False(t, ok, "the class has no range")
}

func TestStringListsRanges(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 1.5, 4), fixture.Nominal("y", []string{"p"}, 0, 0),
		fixture.Numeric("z", math.NaN(), math.NaN()),
		fixture.Nominal("class", []string{"a"}, 0, 0),
	)
	m := fit(t, New(Config{K: 3}), tb, []int{0, 1})
	assert.Equal(t, 2, m.Len())
	assert.Equal(t, "nearest neighbour: k = 3, weighting equal, 2 instances, 3 attributes\n  x: 1.5 to 4\n  z: never known\n", m.String())
}

func TestMisusePanics(t *testing.T) {
	t.Parallel()
	tb := uci.Iris()
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	assert.PanicsWithValue(t, "neighbor: 2 probabilities for 3 classes",
		func() { m.Distribution(tb, 0, make([]float64, 2)) })
	assert.Panics(t, func() { m.Distribution(uci.Vote(), 0, make([]float64, 3)) })
	assert.Panics(t, func() {
		small := fixture.Table(t, nil, fixture.Nominal("class", []string{"a", "b", "c"}, 0))
		m.Distribution(small, 0, make([]float64, 3))
	})

	want := fixture.Distributions(m, tb)
	assert.Panics(t, func() {
		half := fixture.Table(t, nil, fixture.Numeric("x", 9),
			fixture.Nominal("class", []string{"a", "b", "c"}, 0))
		m.Distribution(half, 0, make([]float64, 3))
	})
	assert.Equal(t, want, fixture.Distributions(m, tb), "the columns of the other table are forgotten")

	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	assert.PanicsWithValue(t, "neighbor: use after Close",
		func() { m.Distribution(tb, 0, make([]float64, 3)) })
}

func TestWekaOrderWithATreeEqualsLinearSearch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		tb := random(t, rng, 120, rapid.IntRange(1, 5).Draw(t, "attributes"), 0)
		train := fixture.Rows(tb)[:60]
		m := fit(t, New(Config{WekaOrder: true}), tb, train)
		linear := fit(t, New(Config{WekaOrder: true}), tb, train)
		linear.lent.Space.points.tree.nodes = nil
		got, want := make([]float64, 3), make([]float64, 3)
		for row := 60; row < 120; row++ {
			m.Distribution(tb, row, got)
			linear.Distribution(tb, row, want)
			if !slices.Equal(got, want) {
				t.Fatalf("row %d: %v, linear search %v", row, got, want)
			}
		}
	})
}

func TestDuplicatedRowsAreWeights(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		tb := random(t, rng, 60, 2, rapid.IntRange(0, 3).Draw(t, "kind"))
		var weights []float64
		var rows []int
		for i := range tb.Len() {
			w := 1 + rng.IntN(3)
			weights = append(weights, float64(w))
			rows = append(rows, slices.Repeat([]int{i}, w)...)
		}
		var cols []dataset.Column
		for j := range tb.NumAttributes() {
			cols = append(cols, dataset.Column{
				Attribute: tb.Attribute(j), Numbers: tb.Numbers(j),
				Codes: tb.Codes(j),
			})
		}
		weighted := fit(t, New(Config{}), fixture.Table(t, weights, cols...), fixture.Rows(tb))
		repeated := fit(t, New(Config{}), tb, rows)
		a, b := make([]float64, 3), make([]float64, 3)
		for row := range tb.Len() {
			weighted.Distribution(tb, row, a)
			repeated.Distribution(tb, row, b)
			if learner.Best(a) != learner.Best(b) {
				t.Fatalf("row %d: %v weighted, %v repeated", row, a, b)
			}
		}
	})
}

func TestOrderOfAttributesAndNamesOfClassesDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		perm := rapid.Permutation([]int32{0, 1, 2}).Draw(t, "permutation")
		// Values on a binary grid, so that sums are exact in any order.
		var cols []dataset.Column
		for j := range 5 {
			c := dataset.Column{Attribute: dataset.Attribute{Name: string(rune('a' + j))}}
			if j%2 == 0 {
				c.Numbers = []float64{0, 4}
				for range 60 {
					c.Numbers = append(c.Numbers, float64(rng.IntN(17))/4)
				}
			} else {
				c.Kind, c.Values, c.Codes = dataset.Nominal, []string{"p", "q"}, []int32{0, 1}
				for range 60 {
					c.Codes = append(c.Codes, int32(rng.IntN(3))-1)
				}
			}
			cols = append(cols, c)
		}
		class, renamed := fixture.Nominal("class", []string{"u", "v", "w"}),
			fixture.Nominal("class", []string{"u", "v", "w"})
		for range 62 {
			c := int32(rng.IntN(3))
			class.Codes, renamed.Codes = append(class.Codes, c), append(renamed.Codes, perm[c])
		}
		tb := fixture.Table(t, nil, append(slices.Clone(cols), class)...)
		slices.Reverse(cols)
		other := fixture.Table(t, nil, append(cols, renamed)...)
		train := fixture.Rows(tb)[:40]
		a, b := make([]float64, 3), make([]float64, 3)
		ma, mb := fit(t, New(Config{K: 3}), tb, train), fit(t, New(Config{K: 3}), other, train)
		for row := range tb.Len() {
			ma.Distribution(tb, row, a)
			mb.Distribution(other, row, b)
			for c, p := range a {
				if !floatcmp.Equal(b[perm[c]], p, 1e-14, 0) {
					t.Fatalf("row %d: %v, then %v with classes %v", row, a, b, perm)
				}
			}
		}
	})
}

func FuzzDistributionIsValid(f *testing.F) {
	f.Add(uint64(1), 1.0, 0.0, uint8(1))
	f.Add(uint64(2), math.MaxFloat64, 1e300, uint8(2))
	f.Add(uint64(3), 5e-324, 0.0, uint8(40))
	f.Add(uint64(4), 1e-300, 1e308, uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, scale, shift float64, k uint8) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 2 + rng.IntN(90)
		x := make([]float64, n)
		var codes, class []int32
		for i := range x {
			x[i] = float64(rng.IntN(9)-4)/4*scale + shift
			if math.IsInf(x[i], 0) || rng.IntN(9) == 0 {
				x[i] = math.NaN()
			}
			codes = append(codes, int32(rng.IntN(5))-1)
			class = append(class, int32(rng.IntN(4))-1)
		}
		class[0] = 0
		cols := []dataset.Column{
			fixture.Numeric("x", x...),
			fixture.Nominal("class", []string{"u", "v", "w"}, class...),
		}
		if rng.IntN(2) == 0 {
			cols = slices.Insert(cols, 1, fixture.Nominal("y", []string{"a", "b", "c", "d"}, codes...))
		}
		tb := fixture.Table(t, nil, cols...)
		dist := make([]float64, 3)
		for _, cfg := range []Config{
			{},
			{WekaOrder: true},
			{Weighting: Inverse},
			{Weighting: Similarity},
		} {
			cfg.K = int(k)
			m := fit(t, New(cfg), tb, fixture.Rows(tb)[:1+rng.IntN(n-1)])
			for i := range n {
				m.Distribution(tb, i, dist)
				if sum := dist[0] + dist[1] + dist[2]; slices.Min(dist) < 0 ||
					!floatcmp.Equal(sum, 1, 1e-12, 0) {
					t.Fatalf("%s: row %d: %v", New(cfg).Name(), i, dist)
				}
			}
		}
	})
}
