package neighbor

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// made returns the lists that a classifier has made for a table.
func made(c *Classifier, tb *dataset.Table) []*list {
	var all []*list
	l := c.lists.Get(tb, newLists)
	for i := range l.rows {
		if have := l.rows[i].Load(); have != nil && have != asked {
			all = append(all, have)
		}
	}
	return all
}

// A row that is asked for again and again, with one training set after the other, has the
// neighbours of the definition each time.
func TestNeighborsFromListsAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	lists := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		n := rapid.IntRange(2, 150).Draw(t, "rows")
		k := rapid.SampledFrom([]int{1, 1, 2, 5, 12, 13}).Draw(t, "k")
		tb := random(t, rng, n, rapid.IntRange(0, 12).Draw(t, "attributes"),
			rapid.IntRange(0, 3).Draw(t, "kind"))
		ties := rapid.SampledFrom([]Ties{AllTies, FirstTies}).Draw(t, "ties")
		c := New(Config{K: k, Ties: ties})
		for range 4 {
			order := rng.Perm(n)
			train := order[rng.IntN(n):]
			if rng.IntN(2) == 0 {
				train = order[n/10:]
			}
			if rng.IntN(8) == 0 { // twice in the training set
				train = append(slices.Clone(train), train[0])
			}
			m, o := fit(t, c, tb, train), newOracle(tb, train)
			for row := 0; row < n; row += 3 { // some of which are in the training set
				got, want := m.Neighbors(tb, row), o.neighbors(row, k, ties)
				sortNeighbors(got)
				if !slices.Equal(got, want) {
					t.Fatalf("row %d: %v, want %v", row, got, want)
				}
			}
			require.NoError(t, m.Close())
		}
		lists += len(made(c, tb))
	})
	assert.Positive(t, lists)
}

// Lists change nothing where the order of test rows matters, nor the votes in any bit. Each
// configuration has two of four data sets, and all where LEARNBENCH_CI names slow.
func TestListsChangeNoBitOfAVote(t *testing.T) {
	t.Parallel()
	weighted, err := fixture.Weighted(uci.Vote())
	require.NoError(t, err)
	for i, cfg := range []Config{
		{},
		{WekaOrder: true},
		{Ties: FirstTies},
		{K: 3, Ties: FirstTies, Weighting: Inverse, WekaOrder: true},
		{K: 4, WekaOrder: true},
		{K: 4, Weighting: Inverse},
		{K: 3, Weighting: Similarity, WekaOrder: true},
		{K: 11, Weighting: Inverse, WekaOrder: true},
	} {
		for j, tb := range []*dataset.Table{uci.Vehicle(), uci.Soybean(), uci.GermanCredit(), weighted} {
			if (i/2+j)%2 == 1 && !citest.Has(citest.Slow) {
				continue
			}
			c := New(cfg)
			for fold := range 4 {
				train, test := split(tb, fold)
				m, fresh := fit(t, c, tb, train), fit(t, New(cfg), tb, train)
				got, want := make([]float64, tb.NumClasses()), make([]float64, tb.NumClasses())
				for _, row := range test {
					m.Distribution(tb, row, got)
					fresh.Distribution(tb, row, want)
					if !slices.Equal(got, want) {
						t.Fatalf("%s on %s, fold %d, row %d: %v, want %v", c.Name(), tb.Name(), fold, row, got, want)
					}
				}
				require.NoError(t, m.Close())
			}
			assert.Equal(t, cfg.WekaOrder && tb == weighted, len(made(c, tb)) == 0)
		}
	}
}

// split returns a tenth of the rows, the same one for every second fold, and the others.
func split(tb *dataset.Table, fold int) (train, test []int) {
	for _, row := range fixture.Rows(tb) {
		if row%10 == fold%2 {
			test = append(test, row)
		} else {
			train = append(train, row)
		}
	}
	return train, test
}

// A list has the nearest rows, whose bounds are no longer than their distances with any
// training set, by ascending bounds, and says how near those are that it leaves out.
func TestListsBoundDistances(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		n := rapid.IntRange(30, 300).Draw(t, "rows")
		tb := random(t, rng, n, rapid.IntRange(1, 9).Draw(t, "attributes"),
			rapid.IntRange(0, 3).Draw(t, "kind"))
		l := newLists(tb)
		l.prepare(tb)
		train := rng.Perm(n)[n/5:]
		o := newOracle(tb, train)
		for j := range tb.NumAttributes() {
			if j != tb.ClassIndex() && tb.Attribute(j).Kind == dataset.Numeric && !(o.most[j] > o.least[j]) {
				t.Skip("such a training set has no use for lists")
			}
		}
		for row := 0; row < n; row += 7 {
			own := new(lister).list(l, int(l.at[row]))
			require.True(t, slices.IsSorted(own.bound))
			require.LessOrEqual(t, len(own.rows), mostListed)
			require.GreaterOrEqual(t, len(own.rows), min(n, listed))
			for _, nb := range o.neighbors(row, n, AllTies) {
				bound := own.rest
				if i := slices.Index(own.rows, int32(nb.Row)); i >= 0 {
					bound = own.bound[i]
				}
				if square := float64(nb.Distance*nb.Distance) * slack; !(bound <= square) {
					t.Fatalf("row %d, neighbour %d: bound %v, square %v", row, nb.Row, bound, square)
				}
			}
		}
	})
}

func TestListsAreForRowsThatComeBack(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{150, fewRows + 1} {
		tb := random(t, rng, n, 3, 1)
		c := New(Config{})
		ask := func(train, test []int) {
			m := fit(t, c, tb, train)
			for _, row := range test {
				m.Neighbors(tb, row)
			}
			require.NoError(t, m.Close())
		}
		rows := fixture.Rows(tb)
		train, test := split(tb, 0)
		ask(train, test)
		assert.Empty(t, made(c, tb), "a single run needs none")
		ask(train[:len(train)/3], test)
		assert.Empty(t, made(c, tb), "few training rows")
		ask(train, test)
		if n <= fewRows {
			assert.Len(t, made(c, tb), len(test))
			continue
		}
		assert.Empty(t, made(c, tb), "a repeated trial needs none")
		ask(rows, rows[:n*18/20])
		ask(rows, rows[:n*18/20])
		assert.Empty(t, made(c, tb), "a repeated run needs none before it is complete")
		ask(rows, rows)
		assert.Empty(t, made(c, tb), "a training set after it has them")
		ask(train, test)
		assert.Len(t, made(c, tb), len(test))
	}
}

func TestListsAreSharedByGoroutines(t *testing.T) {
	t.Parallel()
	tb := uci.Vehicle()
	c := New(Config{K: 2})
	train, test := split(tb, 0)
	want := fit(t, New(Config{K: 2}), tb, train)
	var dists [][]float64
	for _, row := range test {
		dists = append(dists, make([]float64, tb.NumClasses()))
		want.Distribution(tb, row, dists[len(dists)-1])
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				m, err := c.Fit(tb, train, 1)
				if !assert.NoError(t, err) {
					return
				}
				dist := make([]float64, tb.NumClasses())
				for i, row := range test {
					m.Distribution(tb, row, dist)
					assert.Equal(t, dists[i], dist)
				}
				assert.NoError(t, m.Close())
			}
		})
	}
	wg.Wait()
}

// Without the only rows that differ in an attribute, all are as near in it as any other.
func TestListsAreOfNoUseWhereARangeShrinksToNothing(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(t, nil,
		fixture.Numeric("a", 5, 0, 0, 0, 0, 0, 0, 0, 0, 0),
		fixture.Numeric("b", 1, 2, 2, 3, 4, 5, 6, 7, 8, 9),
		fixture.Nominal("class", []string{"u", "v"}, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0))
	c := New(Config{})
	for range 3 {
		m := fit(t, c, tb, fixture.Rows(tb))
		m.Neighbors(tb, 0)
		require.NoError(t, m.Close())
	}
	require.NotEmpty(t, made(c, tb))
	require.Len(t, fit(t, c, tb, fixture.Rows(tb)[1:]).Neighbors(tb, 0), 2)
}

// Lists are about the rows of the table trained on.
func TestListsAreNotForAnotherTable(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(t, nil,
		fixture.Numeric("a", 0, 1, 2, 3, 4, 5, 6, 7),
		fixture.Nominal("b", []string{"x", "y"}, 0, 0, 0, 0, 1, 1, 1, 1),
		fixture.Nominal("class", []string{"u", "v"}, 0, 1, 0, 1, 0, 1, 0, 1))
	other := fixture.Table(t, nil,
		fixture.Numeric("a", 7, 6),
		fixture.Nominal("b", []string{"x", "y"}, 1, 1),
		fixture.Nominal("class", []string{"u", "v"}, 0, 0))
	c := New(Config{})
	for range 3 {
		m := fit(t, c, tb, fixture.Rows(tb)[1:])
		require.Equal(t, 1, m.Neighbors(tb, 0)[0].Row)
		require.Equal(t, 7, m.Neighbors(other, 0)[0].Row)
		require.NoError(t, m.Close())
	}
}
