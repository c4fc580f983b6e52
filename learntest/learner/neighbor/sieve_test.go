package neighbor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// uniform makes a table of random numbers, in which a tree excludes few points.
func uniform(t require.TestingT, rng *rand.Rand, n, attributes int) *dataset.Table {
	var cols []dataset.Column
	for j := range attributes {
		c := fixture.Numeric(fmt.Sprint("x", j))
		for range n {
			c.Numbers = append(c.Numbers, rng.Float64())
		}
		cols = append(cols, c)
	}
	class := fixture.Nominal("class", []string{"u", "v"})
	for range n {
		class.Codes = append(class.Codes, rng.Int32N(2))
	}
	return fixture.Table(t, nil, append(cols, class)...)
}

// searchOf returns a search among random points, and a random query within or outside of their
// range.
func searchOf(t *rapid.T, most int) (*search, *rand.Rand) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
	n, d := rapid.IntRange(2, most).Draw(t, "points"), rapid.IntRange(1, 40).Draw(t, "attributes")
	p := &points{dx: d, full: d, rows: make([]int32, n)}
	grid := rapid.SampledFrom([]float64{1, 3, 255, 1000, 1e9}).Draw(t, "grid")
	spread := rapid.SampledFrom([]float64{1, 0.01, 1e-5}).Draw(t, "spread")
	for range n * d {
		x := math.Round(rng.Float64()*grid) / grid
		if rng.IntN(8) > 0 {
			x *= spread
		}
		p.x = append(p.x, x)
	}
	for j := range d {
		p.order = append(p.order, int32(j))
	}
	s := &search{}
	s.begin(p, rapid.SampledFrom([]int{1, 2, 5}).Draw(t, "k"))
	far := rapid.SampledFrom([]float64{0, 0, 0.1, 3, 1e9, 1e100}).Draw(t, "far")
	from := rng.IntN(n) * d
	for j := range d {
		s.query.x[j] = p.x[from+j]*rng.Float64() + far*rng.NormFloat64()
	}
	s.sieve.fill(p)
	s.sieve.ask(s.query.x)
	return s, rng
}

func TestSieveLeavesAllPointsThatAreNear(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, rng := searchOf(t, 60)
		n, v := len(s.points.rows), &s.sieve
		limit := s.distance(rng.IntN(n), math.Inf(1)) * slack // that point is near enough
		left := v.begin(0, n, limit)
		for k := range v.q {
			if k > 0 {
				left = v.proceed(k, 0, left, limit)
			}
			at := 0
			for i := range n {
				if at < left && v.left[at].point == int32(i) {
					at++
				} else if d := s.distance(i, math.Inf(1)); d <= limit {
					t.Fatalf("point %d at %v, limit %v, is left out by panel %d", i, d, limit, k)
				}
			}
			if at != left {
				t.Fatalf("panel %d leaves %v", k, v.left[:left])
			}
		}
	})
}

func TestSieveFindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, rng := searchOf(t, 3*sieved)
		n := len(s.points.rows)
		s.found.reset(s.k)
		s.scan(0, n)
		s.found.finish()
		want := slices.Clone(s.found.found)
		s.found.reset(s.k)
		first := rng.IntN(n + 1)
		s.scan(0, first)
		s.sift(first, n)
		s.found.finish()
		if !slices.Equal(s.found.found, want) {
			t.Fatalf("%v, want %v", s.found.found, want)
		}
	})
}

func TestSumsOfASieveFitTheirPlaces(t *testing.T) {
	t.Parallel()
	const n, d = 3, (mostPanels + 2) * panel
	p := &points{dx: d, full: d, rows: make([]int32, n), x: make([]float64, n*d)}
	for j := range d {
		p.x[j], p.x[d+j] = 1, 0.5 // and 0
	}
	v := &sieve{}
	v.fill(p)
	require.Len(t, v.q, mostPanels)
	v.ask(p.x[:d])
	left := v.begin(0, n, math.Inf(1))
	for k := 1; k < mostPanels; k++ {
		require.Equal(t, n, left)
		left = v.proceed(k, 0, left, math.Inf(1))
	}
	known := v.known[mostPanels-1]
	assert.Equal(t, int64(mostPanels*panel*steps*steps), known)
	assert.Equal(t, []residue{
		{0, int32(-known)},
		{1, int32(mostPanels*panel*127*127 - known)},
		{2, 0},
	}, v.left[:left])
}

// TestNeighborsInASieve covers ranges that a row widens, and a second training in the same memory.
func TestNeighborsInASieve(t *testing.T) {
	t.Parallel()
	tb := uniform(t, rand.New(rand.NewPCG(3, 4)), 2500, 20)
	for j := range 20 {
		tb.Numbers(j)[30] *= 3
	}
	for _, cfg := range []Config{{}, {K: 5}, {WekaOrder: true}, {K: 5, WekaOrder: true}} {
		c := New(cfg)
		for first := 100; first < 600; first += 400 {
			train := fixture.Rows(tb)[first:]
			m, o := fit(t, c, tb, train), newOracle(tb, train)
			for row := range 80 {
				got := m.Neighbors(tb, row)
				if cfg.WekaOrder {
					o.widen(row)
				}
				if row%7 == 3 { // the oracle is slow
					want := o.neighbors(row, max(1, cfg.K), AllTies)
					sortNeighbors(got)
					require.Equal(t, want, got, "row %d", row)
				}
			}
			s := &m.lent.Space.search
			require.True(t, s.sieving)
			left := s.sieve.begin(0, sieved, s.found.bound)
			require.Less(t, left, sieved*3/4, "a sieve that leaves all points is of no use")
			require.Less(t, s.sieve.proceed(1, 0, left, s.found.bound), sieved/10)
			require.NoError(t, m.Close())
		}
	}
}

func TestListsOfASieve(t *testing.T) {
	t.Parallel()
	tb := uniform(t, rand.New(rand.NewPCG(5, 6)), 2*sieved, 16)
	rows := fixture.Rows(tb)
	c := New(Config{K: 2})
	ask := func(from int) (all [][]Neighbor) {
		m := fit(t, c, tb, slices.Concat(rows[:from], rows[from+200:]))
		for row := range rows {
			got := m.Neighbors(tb, row)
			sortNeighbors(got)
			all = append(all, got)
		}
		if l := m.lent.Space.memory; from > 0 {
			require.NotNil(t, l.lists)
			require.True(t, l.lister.search.sieving)
		}
		require.NoError(t, m.Close())
		return all
	}
	ask(0)
	got := ask(200)
	c = New(Config{K: 2})
	m := fit(t, c, tb, slices.Concat(rows[:200], rows[400:]))
	for row := range rows {
		want := m.Neighbors(tb, row)
		sortNeighbors(want)
		require.Equal(t, want, got[row], "row %d", row)
	}
}

func TestTreesThatExcludeMostPointsAreNotSieved(t *testing.T) {
	t.Parallel()
	tb := uniform(t, rand.New(rand.NewPCG(7, 8)), 4*sieved, 2)
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	for row := range 50 {
		m.Neighbors(tb, row)
	}
	assert.False(t, m.lent.Space.search.sieving)
	assert.Zero(t, m.lent.Space.search.sieve.points)
}

// BenchmarkNoise measures a prediction where a tree excludes hardly any of 18,000 points.
func BenchmarkNoise(b *testing.B) {
	tb := uniform(b, rand.New(rand.NewPCG(9, 10)), 20000, 20)
	for _, k := range []int{1, 5} {
		b.Run(fmt.Sprint("k=", k), func(b *testing.B) {
			m := fit(b, New(Config{K: k}), tb, fixture.Rows(tb)[2000:])
			dist := make([]float64, 2)
			for row := range trials {
				m.Distribution(tb, row, dist)
			}
			b.ReportAllocs()
			for row := 0; b.Loop(); row = (row + 1) % 2000 {
				m.Distribution(tb, row, dist)
			}
		})
	}
}
