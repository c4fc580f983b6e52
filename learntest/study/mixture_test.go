package study

import (
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// The attributes are alike: normal, with variance 1, and the shift apart in the classes.
func TestMixture(t *testing.T) {
	t.Parallel()
	m := mixture{attributes: 4, shift: 0.8, positive: 0.3}
	const n = 40000
	table, err := m.Table("x", n, 5)
	require.NoError(t, err)
	require.Equal(t, 4, table.ClassIndex())
	class := table.Codes(4)
	positive := 0
	for _, c := range class {
		positive += int(c)
	}
	require.InDelta(t, 0.3, float64(positive)/n, 0.01)
	for j := range 4 {
		var of [2]lab.Mean
		for i, x := range table.Numbers(j) {
			of[class[i]].Add(x)
		}
		require.InDelta(t, 0, of[0].Mean(), 0.03)
		require.InDelta(t, 0.8, of[1].Mean(), 0.04)
		for _, c := range of { // the variance is n times the mean's
			require.InDelta(t, 1, c.SE()*c.SE()*float64(c.N), 0.04)
		}
		for k := range j { // uncorrelated within class 0
			var product lab.Mean
			for i, x := range table.Numbers(j) {
				if class[i] == 0 {
					product.Add(x * table.Numbers(k)[i])
				}
			}
			require.InDelta(t, 0, product.Mean(), 0.03)
		}
	}
	again, err := m.Table("x", n, 5)
	require.NoError(t, err)
	require.Equal(t, table.Numbers(3), again.Numbers(3))
	other, err := m.Table("x", n, 6)
	require.NoError(t, err)
	require.NotEqual(t, table.Numbers(3), other.Numbers(3))
	ids := map[string]bool{m.ID(): true}
	for _, o := range []mixture{
		{6, 0.8, 0.3, 0, false},
		{4, 0.7, 0.3, 0, false},
		{4, 0.8, 0.2, 0, false},
		{4, 0.8, 0.3, 0.5, false},
		{4, 0.8, 0.3, 0, true},
	} {
		ids[o.ID()] = true
	}
	require.Len(t, ids, 6)
}

// With a twist, neighbouring attributes have its correlation in class 1, its opposite in class 0,
// and the variance and means of a mixture without one; pairs do not depend on each other.
func TestMixtureWithATwist(t *testing.T) {
	t.Parallel()
	const n = 20000
	table, err := mixture{attributes: 4, shift: 0.7, positive: 0.5, twist: 0.6}.Table("x", n, 3)
	require.NoError(t, err)
	class := table.Codes(4)
	for j := range 4 {
		for k := range j + 1 {
			var products [2]lab.Mean
			for i, c := range class {
				shift := 0.7 * float64(c)
				products[c].Add((table.Numbers(j)[i] - shift) * (table.Numbers(k)[i] - shift))
			}
			for c, p := range products {
				want := 0.0
				switch {
				case j == k:
					want = 1
				case j/2 == k/2:
					want = 0.6 * float64(2*c-1)
				}
				require.InDelta(t, want, p.Mean(), 4*p.SE(), "attributes %d and %d, class %d", k+1, j+1, c)
			}
		}
	}
}

// Balanced classes are as frequent in each data set, to one example; coins are not.
func TestBalancedMixture(t *testing.T) {
	t.Parallel()
	ones := func(m mixture, n int, seed uint64) (k int) {
		table, err := m.Table("x", n, seed)
		require.NoError(t, err)
		for i, c := range table.Codes(2) {
			k += int(c)
			require.Equal(t, c == 1, table.Numbers(0)[i] > 50)
		}
		return k
	}
	m := mixture{attributes: 2, shift: 100, positive: 0.5, balanced: true}
	odd, coins := make(map[int]int), make(map[int]int)
	for seed := range uint64(40) {
		require.Equal(t, 50, ones(m, 100, seed))
		odd[ones(m, 11, seed)]++
		coins[ones(mixture{attributes: 2, shift: 100, positive: 0.5}, 100, seed)]++
	}
	require.Len(t, odd, 2)
	require.Positive(t, odd[5])
	require.Positive(t, odd[6])
	require.Greater(t, len(coins), 5)
}

// Groups have unequal sizes, and something in common that other groups have not.
func TestClusteredMixture(t *testing.T) {
	t.Parallel()
	const n = 20000
	c := clustered{mixture{attributes: 2, shift: 0.8, positive: 0.5}, 0.7}
	table, err := c.Table("x", n, 4)
	require.NoError(t, err)
	require.NotEqual(t, c.ID(), c.mixture.ID())
	require.NotEqual(t, c.ID(), clustered{c.mixture, 0.6}.ID())
	sizes, last := make(map[string]int), ""
	var within, between, columns lab.Mean // products of neighbours, without the classes' means
	x := func(j, i int) float64 { return table.Numbers(j)[i] - 0.8*float64(table.Codes(2)[i]) }
	for i, g := range table.Groups() {
		if g == last {
			within.Add(x(0, i) * x(0, i-1))
		} else if i > 0 {
			require.Zero(t, sizes[g], "a group is in one piece")
			between.Add(x(0, i) * x(0, i-1))
		}
		columns.Add(x(0, i) * x(1, i))
		sizes[g]++
		last = g
	}
	require.InDelta(t, 0.49, within.Mean(), 0.03)
	require.InDelta(t, 0, between.Mean(), 4*between.SE())
	require.InDelta(t, 0, columns.Mean(), 0.03)
	counts := make(map[int]int)
	for _, k := range sizes {
		counts[k]++
	}
	for _, k := range []int{1, 2, 4, 8, 16} {
		require.InDelta(t, n/31, counts[k], 2)
	}
}

// The number to be predicted is the sum of the attributes and noise.
func TestLine(t *testing.T) {
	t.Parallel()
	const n = 20000
	l := line{attributes: 4, noise: 2}
	table, err := l.Table("x", n, 3)
	require.NoError(t, err)
	var noise, square lab.Mean
	for i := range n {
		rest := table.Target(i)
		for j := range 4 {
			rest -= table.Numbers(j)[i]
		}
		noise.Add(rest)
		square.Add(rest * rest)
		require.False(t, rest == 0)
	}
	require.InDelta(t, 0, noise.Mean(), 4*noise.SE())
	require.InDelta(t, 4, square.Mean(), 4*square.SE())
	require.NotEqual(t, l.ID(), line{4, 1}.ID())
	require.NotEqual(t, l.ID(), line{2, 2}.ID())
}

// A subject that tosses a coin has in each trial the score of one half, half of the time of each,
// and the other subject's coin is another one.
func TestCoins(t *testing.T) {
	t.Parallel()
	table, err := usual.Table("x", 100, 1)
	require.NoError(t, err)
	scores := func(s lab.Subject) []float64 {
		l := testLab(t, lab.Config{}, 1)
		_, got, err := l.Desk().Draw(fixed{table}, 100, 0).Scores(t.Context(), split.CV(10, 10), s)
		require.NoError(t, err)
		return got
	}
	first, second := onHalves(neighbors(1))
	heads, tails := onCoins(neighbors(1))
	a, b, h, o := scores(first), scores(second), scores(heads), scores(tails)
	fromFirst, differ := 0, 0
	for i := range a {
		if a[i] == b[i] {
			require.Equal(t, a[i], h[i])
			continue
		}
		require.Contains(t, []float64{a[i], b[i]}, h[i])
		require.Contains(t, []float64{a[i], b[i]}, o[i])
		fromFirst += lab.Indicator(h[i] == a[i])
		differ += lab.Indicator(h[i] != o[i])
	}
	require.InDelta(t, 35, fromFirst, 15)
	require.InDelta(t, 35, differ, 15)
	require.NotEqual(t, heads.Name, tails.Name)
}

// fixed is a source with one data set.
type fixed struct{ table *dataset.Table }

func (f fixed) ID() string                                        { return "fixed" }
func (f fixed) Table(string, int, uint64) (*dataset.Table, error) { return f.table, nil }

// A subject that sees half of the attributes has the scores of the learner on a data set
// that has no others: the other half makes no difference.
func TestHalvesOfAttributes(t *testing.T) {
	t.Parallel()
	m := mixture{attributes: 6, shift: 1, positive: 0.5}
	one, err := m.Table("x", 60, 1)
	require.NoError(t, err)
	two, err := m.Table("x", 60, 2)
	require.NoError(t, err)
	// tables of the classes of the first and the attributes that are named
	of := func(columns ...[]float64) *dataset.Table {
		var cols []dataset.Column
		for j, c := range columns {
			cols = append(cols, dataset.Column{Attribute: one.Attribute(j), Numbers: c})
		}
		cols = append(cols, dataset.Column{Attribute: one.Attribute(6), Codes: one.Codes(6)})
		table, err := dataset.New("x", cols, len(columns), nil)
		require.NoError(t, err)
		return table
	}
	x, y := one.Numbers, two.Numbers
	nn := func() learner.Classifier { return neighbor.New(neighbor.Config{}) }
	first, second := onHalves(lab.Classified(nn, false))
	require.NotEqual(t, first.Name, second.Name)
	scores := func(table *dataset.Table, s lab.Subject) []float64 {
		l := testLab(t, lab.Config{}, 1)
		_, got, err := l.Desk().Draw(fixed{table}, 60, 0).Scores(t.Context(), split.CV(3, 5), s)
		require.NoError(t, err)
		return got
	}
	whole := lab.Classified(nn, false)
	a, b := scores(of(x(0), x(1), x(2)), whole), scores(of(x(3), x(4), x(5)), whole)
	require.NotEqual(t, a, b)
	require.Equal(t, a, scores(one, first))
	require.Equal(t, b, scores(one, second))
	require.Equal(t, a, scores(of(x(0), x(1), x(2), y(3), y(4), y(5)), first))
	require.Equal(t, b, scores(of(y(0), y(1), y(2), x(3), x(4), x(5)), second))
}
