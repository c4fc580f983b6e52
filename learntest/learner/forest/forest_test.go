package forest

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

var (
	nan = math.NaN()
	abc = []string{"a", "b", "c"}
)

func fit(t fixture.T, cfg Config, table *dataset.Table, seed uint64, rows ...int) *Model {
	if rows == nil {
		rows = fixture.Rows(table)
	}
	m, err := New(cfg).Fit(table, rows, seed)
	if err != nil {
		t.Errorf("%v", err)
		t.FailNow()
	}
	return m.(*Model)
}

// A tree of all rows and columns has each training row in a leaf of its class if no two equal
// rows differ in it.
func TestTreesGrowUntilNothingTellsRowsApart(t *testing.T) {
	t.Parallel()
	for _, table := range []*dataset.Table{uci.Vehicle(), uci.Soybean(), uci.Labor(), uci.Zoo()} {
		m := cart(t, table, fixture.Rows(table), Config{})
		wrong := 0
		dist := make([]float64, table.NumClasses())
		for i := range table.Len() {
			m.Distribution(table, i, dist)
			if learner.Best(dist) != table.Class(i) {
				wrong++
			}
		}
		assert.LessOrEqual(t, wrong, 1, table.Name())
	}
}

// table draws rows of numbers and values, some missing, with a class and weights.
func draw(t *rapid.T) *dataset.Table {
	n := rapid.IntRange(2, 14).Draw(t, "rows")
	numbers := rapid.SampledFrom([]float64{nan, -1, 0, 0.5, 1, 2, 1e300})
	codes := rapid.Int32Range(-1, 2)
	x, y, v, class := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	weights := make([]float64, n)
	for i := range n {
		x[i], y[i], v[i] = numbers.Draw(t, "x"), numbers.Draw(t, "y"), codes.Draw(t, "v")
		class[i] = rapid.Int32Range(0, 2).Draw(t, "class")
		weights[i] = rapid.SampledFrom([]float64{1, 2, 4}).Draw(t, "weight")
	}
	return fixture.Table(t, weights, fixture.Numeric("x", x...), fixture.Numeric("y", y...),
		fixture.Nominal("v", abc, v...), fixture.Nominal("class", abc, class...))
}

// score returns what a split of all rows maximises.
func score(table *dataset.Table, left func(row int) bool, minLeaf int) float64 {
	var weights [2][3]float64
	var n [2]int
	for i := range table.Len() {
		side := 1
		if left(i) {
			side = 0
		}
		n[side]++
		weight := 1.0
		if w := table.Weights(); w != nil { // nil if all are 1
			weight = w[i]
		}
		weights[side][table.Class(i)] += weight
	}
	if n[0] < minLeaf || n[1] < minLeaf {
		return math.Inf(-1)
	}
	sum := 0.0
	for _, w := range weights {
		sum += (w[0]*w[0] + w[1]*w[1] + w[2]*w[2]) / (w[0] + w[1] + w[2])
	}
	return sum
}

// An oracle tries all splits of the root.
func TestRootHasTheBestSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := draw(t)
		minLeaf := rapid.IntRange(1, 3).Draw(t, "least")
		best := math.Inf(-1)
		for j := range 2 {
			x := table.Numbers(j)
			for _, bound := range append(slices.Clone(x), math.Inf(1)) {
				for _, goneLeft := range []bool{false, true} {
					best = max(best, score(table, func(i int) bool {
						return x[i] <= bound || goneLeft &&
							math.IsNaN(x[i])
					}, minLeaf))
				}
			}
		}
		for v := range int32(3) {
			best = max(best, score(table, func(i int) bool { return table.Codes(2)[i] != v }, minLeaf))
		}
		m := cart(t, table, fixture.Rows(table), Config{MaxDepth: 1, MinLeaf: minLeaf})
		w := m.lent.Space
		root := w.nodes[0]
		if root.column < 0 {
			classes := map[int]bool{}
			for i := range table.Len() {
				classes[table.Class(i)] = true
			}
			if len(classes) > 1 && !math.IsInf(best, -1) {
				t.Fatalf("a split of score %v is there", best)
			}
			return
		}
		got := score(table, func(i int) bool { return w.leaf(0, i) == w.nodes[root.child] }, minLeaf)
		if w.nodes[root.child] != w.nodes[root.child+1] { // leaves of one class look alike
			assert.InDelta(t, best, got, 1e-9)
		}
	})
}

func TestThresholdsAreHalfway(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 4, 8, 2.9, 3.1),
		fixture.Nominal("class", abc, 0, 0, 1, 1, 0, 0))
	m := cart(t, table, []int{0, 1, 2, 3}, Config{})
	assert.Equal(t, 3.0, m.lent.Space.nodes[0].threshold)
	assert.Equal(t, []float64{1, 0, 0, 0, 1, 0}, fixture.Distributions(m, table)[12:])
	assert.Equal(t, 1.5, between(1, 2))
	assert.Equal(t, 1.0, between(1, math.Nextafter(1, 2)))
	assert.Equal(t, 0.0, between(0, 5e-324))
	assert.Equal(t, 0.0, between(-math.MaxFloat64, math.MaxFloat64))
	assert.Equal(t, 1.5e308, between(1.4e308, 1.6e308))
}

func TestKeysAreSorted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		span := 1 << rapid.IntRange(0, 30).Draw(t, "bits")
		n := rapid.SampledFrom([]int{0, 1, fewKeys - 1, fewKeys, 5 * fewKeys}).Draw(t, "keys")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var s search
		for i := range n {
			s.keys = append(s.keys, uint64(rng.Int64N(int64(span)))<<32|uint64(i))
		}
		want := slices.Sorted(slices.Values(s.keys))
		s.sortKeys(span)
		assert.Equal(t, want, append([]uint64(nil), s.keys...))
	})
}

// Rows without a number go where such rows of training have gone; where training had none, to the
// side of more rows. A missing or new nominal value differs from all others.
func TestMissingValues(t *testing.T) {
	t.Parallel()
	class := []int32{0, 0, 0, 1, 1, 0, 0}
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 3, 8, nan, nan, 100),
		fixture.Nominal("class", abc, class...))
	d := fixture.Distributions(cart(t, table, []int{0, 1, 2, 3, 4}, Config{}), table)
	assert.Equal(t, []float64{0, 1, 0}, d[15:18], "right, with 8")
	d = fixture.Distributions(cart(t, table, []int{0, 1, 2, 3}, Config{}), table)
	assert.Equal(t, []float64{1, 0, 0}, d[15:18], "left, where most are")
	lacking := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 3, nan, nan, 7),
		fixture.Nominal("class", abc, 0, 0, 0, 1, 1, 0))
	d = fixture.Distributions(cart(t, lacking, []int{0, 1, 2, 3, 4}, Config{}), lacking)
	assert.Equal(t, []float64{1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0}, d[6:18], "the lack tells all")
	gone := fixture.Table(t, nil, fixture.Numeric("x", nan, nan, nan),
		fixture.Nominal("class", abc, 0, 1, 1))
	assert.InDeltaSlice(t, []float64{1. / 3, 2. / 3, 0},
		fixture.Distributions(cart(t, gone, []int{0, 1, 2}, Config{}), gone)[:3], 1e-15)
	values := fixture.Table(t, nil, fixture.Nominal("v", abc, 0, 0, 1, -1, 2),
		fixture.Nominal("class", abc, 0, 0, 1, 2, 2))
	d = fixture.Distributions(cart(t, values, []int{0, 1, 2, 3}, Config{}), values)
	assert.Equal(t, []float64{0, 0, 1, 0, 0, 1}, d[9:])
}

func TestWeightsAreRepetitions(t *testing.T) {
	t.Parallel()
	x, class := fixture.Numeric("x", 1, 1, 2, 2), fixture.Nominal("class", abc, 0, 1, 1, 2)
	weighted := fixture.Table(t, []float64{1, 2, 3, 1}, x, class)
	plain := fixture.Table(t, nil, x, class)
	want := fixture.Distributions(cart(t, weighted, fixture.Rows(weighted), Config{}), weighted)
	assert.Equal(t, want, fixture.Distributions(cart(t, plain, []int{0, 1, 1, 2, 2, 2, 3}, Config{}),
		plain))
	assert.Equal(t, []float64{1. / 3, 2. / 3, 0}, want[:3])
}

// A node draws as many columns as the parameter says, and further ones only while all are
// constant.
func TestColumnsThatNodesLookAt(t *testing.T) {
	t.Parallel()
	const n, wide = 60, 30
	cols := []dataset.Column{fixture.Numeric("signal", make([]float64, n)...)}
	rng := rand.New(rand.NewPCG(1, 2))
	class := make([]int32, n)
	for i := range n {
		class[i] = int32(i % 2)
		cols[0].Numbers[i] = float64(class[i])
	}
	noise := slices.Clone(cols)
	for range wide - 1 {
		c, same := fixture.Numeric("noise", make([]float64, n)...),
			fixture.Numeric("same", make([]float64, n)...)
		for i := range n {
			c.Numbers[i] = rng.Float64()
		}
		cols, noise = append(cols, same), append(noise, c)
	}
	for i := range cols {
		cols[i].Name += string(rune('A' + i))
		noise[i].Name += string(rune('A' + i))
	}
	roots := func(features int, cols []dataset.Column) int {
		table := fixture.Table(t, nil, append(slices.Clone(cols), fixture.Nominal("class", abc,
			class...))...)
		w := fit(t, Config{Trees: 300, Features: features}, table, 1).lent.Space
		found := 0
		for _, r := range w.roots {
			if w.nodes[r].column == 0 {
				found++
			}
		}
		return found
	}
	assert.Equal(t, 300, roots(1, cols), "constant columns do not count")
	for features, share := range map[int]float64{
		1: 1. / wide, 0: 5. / wide, 15: 0.5,
		wide: 1, 1000: 1,
	} {
		assert.InDelta(t, 300*share, roots(features, noise), 4*math.Sqrt(300*share*(1-share)),
			"%d columns", features)
	}
}

// Each tree has the distinct rows that a bootstrap sample has, a share of 1 − 1/e.
func TestTreesAreGrownOnBootstrapSamples(t *testing.T) {
	t.Parallel()
	const n = 1000
	x, class := make([]float64, n), make([]int32, n)
	for i := range n {
		x[i], class[i] = float64(i), int32(i%2)
	}
	table := fixture.Table(t, nil, fixture.Numeric("x", x...), fixture.Nominal("class", abc, class...))
	c := New(Config{Trees: 1})
	samples := 0
	for seed := range uint64(20) {
		m, err := c.Fit(table, fixture.Rows(table), seed)
		require.NoError(t, err)
		w := m.(*Model).lent.Space
		samples += len(w.samples)
		sum := 0.0
		for _, s := range w.samples {
			sum += s.weight
		}
		require.Equal(t, float64(n), sum)
		require.NoError(t, m.Close())
	}
	assert.InDelta(t, 1-1/math.E, float64(samples)/20/n, 0.01)
}

// A seed fixes a forest, although other forests were trained before and at once. Another seed makes
// another forest. A smaller forest has the first trees of a larger one.
func TestSeedsFixForests(t *testing.T) {
	t.Parallel()
	table := uci.Glass()
	want := fixture.Distributions(fit(t, Config{}, table, 7), table)
	c := New(Config{})
	var g errgroup.Group
	for k := range 8 {
		g.Go(func() error {
			other, err := c.Fit(uci.Vehicle(), []int{1, 2, 3 * k}, uint64(k))
			if err != nil {
				return err
			}
			m, err := c.Fit(table, fixture.Rows(table), 7)
			if err != nil {
				return err
			}
			assert.Equal(t, want, fixture.Distributions(m, table))
			return errors.Join(other.Close(), m.Close())
		})
	}
	require.NoError(t, g.Wait())
	assert.NotEqual(t, want, fixture.Distributions(fit(t, Config{}, table, 8), table))
	small, large := fit(t, Config{Trees: 5}, table, 7).lent.Space,
		fit(t, Config{}, table, 7).lent.Space
	assert.Equal(t, small.nodes, large.nodes[:len(small.nodes)])
	assert.Equal(t, small.roots, large.roots[:5])
}

func TestOneClassIsCertain(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2), fixture.Nominal("class", abc, 1, 1))
	assert.Equal(t, []float64{0, 1, 0, 0, 1, 0}, fixture.Distributions(fit(t, Config{}, table, 1),
		table))
	table = fixture.Table(t, nil, fixture.Nominal("class", abc, 1, 1, 0))
	d := fixture.Distributions(fit(t, Config{Trees: 2000}, table, 1), table)
	assert.InDeltaSlice(t, []float64{1. / 3, 2. / 3, 0}, d[:3], 0.03, "no attributes")
}

func TestLimits(t *testing.T) {
	t.Parallel()
	table := uci.PimaDiabetes()
	w := fit(t, Config{MaxDepth: 2, Trees: 20}, table, 1).lent.Space
	assert.LessOrEqual(t, len(w.nodes), 20*7)
	w = fit(t, Config{MinLeaf: 50, Trees: 20}, table, 1).lent.Space
	assert.LessOrEqual(t, len(w.nodes), 20*2*768/50)
	assert.Greater(t, len(w.nodes), 20*5)
}

func TestWhatCannotBeTrained(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 3), fixture.Nominal("class", abc, 0, 1,
		-1))
	for text, c := range map[string]struct {
		cfg  Config
		rows []int
		err  error
	}{
		"trees = -1":                         {Config{Trees: -1}, []int{0}, ErrConfig},
		"minleaf = -1":                       {Config{MinLeaf: -1}, []int{0}, ErrConfig},
		"depth = -2":                         {Config{MaxDepth: -2}, []int{0}, ErrConfig},
		"features = -1":                      {Config{Features: -1}, []int{0}, ErrConfig},
		"rows[1] is 3, the table has 3 rows": {Config{}, []int{0, 3}, learner.ErrTraining},
		"no row with a known class among 1":  {Config{}, []int{2}, learner.ErrTraining},
		"1000000000 trees of 2 rows are too many": {
			Config{Trees: 1e9},
			[]int{0, 1, 2},
			learner.ErrTraining,
		},
	} {
		_, err := New(c.cfg).Fit(table, c.rows, 1)
		require.ErrorIs(t, err, c.err, text)
		require.ErrorContains(t, err, text)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "forest", New(Config{Trees: 100, MinLeaf: 1}).Name())
	assert.Equal(t, "forest(trees=30,minleaf=5,depth=4,features=2)",
		New(Config{Trees: 30, MinLeaf: 5, MaxDepth: 4, Features: 2}).Name())
}

func TestMisuseOfModels(t *testing.T) {
	t.Parallel()
	m := fit(t, Config{Trees: 3}, uci.Iris(), 1)
	assert.PanicsWithValue(t, "forest: 2 probabilities for 3 classes",
		func() { m.Distribution(uci.Iris(), 0, make([]float64, 2)) })
	require.NoError(t, m.Close())
	assert.PanicsWithValue(t, "forest: Distribution after Close",
		func() { m.Distribution(uci.Iris(), 0, make([]float64, 3)) })
}
