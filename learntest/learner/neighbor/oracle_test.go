package neighbor

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// An oracle finds neighbours by the definition.
type oracle struct {
	tb          *dataset.Table
	train       []int
	least, most []float64
}

func newOracle(tb *dataset.Table, train []int) *oracle {
	o := &oracle{tb: tb, train: train}
	for j := range tb.NumAttributes() {
		least, most := math.Inf(1), math.Inf(-1)
		if tb.Attribute(j).Kind == dataset.Numeric {
			for _, i := range train {
				if x := tb.Numbers(j)[i]; x == x {
					least, most = min(least, x), max(most, x)
				}
			}
		}
		o.least, o.most = append(o.least, least), append(o.most, most)
	}
	return o
}

// widen takes the numbers of a row into the ranges, as Weka does with each that is asked for.
func (o *oracle) widen(row int) {
	for j := range o.least {
		if o.tb.Attribute(j).Kind != dataset.Numeric {
			continue
		}
		if x := o.tb.Numbers(j)[row]; x == x {
			o.least[j], o.most[j] = min(o.least[j], x), max(o.most[j], x)
		}
	}
}

// difference returns the difference of two rows in a column.
func (o *oracle) difference(j, row, r int) float64 {
	if o.tb.Attribute(j).Kind == dataset.Nominal {
		if a, b := o.tb.Codes(j)[row], o.tb.Codes(j)[r]; a == b && a >= 0 {
			return 0
		}
		return 1
	}
	norm := func(x float64) float64 {
		if o.most[j] <= o.least[j] {
			return 0
		}
		if width := o.most[j] - o.least[j]; !math.IsInf(width, 1) {
			return (x - o.least[j]) / width
		}
		return (x/2 - o.least[j]/2) / (o.most[j]/2 - o.least[j]/2)
	}
	a, b := o.tb.Numbers(j)[row], o.tb.Numbers(j)[r]
	switch {
	case a != a && b != b:
		return 1
	case a != a:
		return max(norm(b), 1-norm(b))
	case b != b:
		return max(norm(a), 1-norm(a))
	}
	return norm(a) - norm(b)
}

func (o *oracle) neighbors(row, k int, ties Ties) []Neighbor {
	var all []Neighbor
	for _, r := range o.train {
		sum := 0.0
		for j := range o.tb.NumAttributes() {
			if j != o.tb.ClassIndex() {
				d := o.difference(j, row, r)
				sum += float64(d * d)
			}
		}
		all = append(all, Neighbor{r, o.tb.Class(r), sum})
	}
	squares := make([]float64, len(all))
	for i, nb := range all {
		squares[i] = nb.Distance
	}
	slices.Sort(squares)
	limit := squares[min(k, len(all))-1]
	all = slices.DeleteFunc(all, func(nb Neighbor) bool { return nb.Distance > limit })
	if ties == FirstTies {
		slices.SortStableFunc(all, func(a, b Neighbor) int { return cmp.Compare(a.Distance, b.Distance) })
		all = all[:min(k, len(all))]
	}
	for i := range all {
		all[i].Distance = math.Sqrt(all[i].Distance)
	}
	sortNeighbors(all)
	return all
}

func sortNeighbors(n []Neighbor) {
	slices.SortFunc(n, func(a, b Neighbor) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Row, b.Row))
	})
}

// random makes a table of one of several kinds; kind 0 is searched by a tree.
func random(t require.TestingT, rng *rand.Rand, n, attributes, kind int) *dataset.Table {
	var cols []dataset.Column
	for j := range attributes {
		c := dataset.Column{Attribute: dataset.Attribute{Name: string(rune('a'+j%26)) +
			string(rune('a'+j/26))}}
		missing := kind == 3 && rng.IntN(2) == 0
		if kind == 1 || kind >= 2 && rng.IntN(2) == 0 {
			c.Kind = dataset.Nominal
			values := []int{2, 3, 40, 300}[rng.IntN(4)]
			for v := range values {
				c.Values = append(c.Values, string(rune('A'+v)))
			}
			for range n {
				code := int32(rng.IntN(values))
				if missing && rng.IntN(4) == 0 {
					code = -1
				}
				c.Codes = append(c.Codes, code)
			}
		} else {
			grid := []float64{1, 3, 1000}[rng.IntN(3)] // few or many equal values
			for range n {
				x := math.Round(rng.NormFloat64()*grid) / 3
				if missing && rng.IntN(4) == 0 {
					x = math.NaN()
				}
				c.Numbers = append(c.Numbers, x)
			}
		}
		cols = append(cols, c)
	}
	class := fixture.Nominal("class", []string{"u", "v", "w"})
	for range n {
		class.Codes = append(class.Codes, int32(rng.IntN(3)))
	}
	return fixture.Table(t, nil, append(cols, class)...)
}

func TestNeighborsAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(2, 150).Draw(t, "rows")
		k := rapid.SampledFrom([]int{1, 1, 2, 5, 200}).Draw(t, "k")
		tb := random(t, rng, n, rapid.IntRange(0, 12).Draw(t, "attributes"),
			rapid.IntRange(0, 3).Draw(t, "kind"))
		train := fixture.Rows(tb)[n/4:]
		ties := rapid.SampledFrom([]Ties{AllTies, FirstTies}).Draw(t, "ties")
		rng.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
		m, o := fit(t, New(Config{K: k, Ties: ties}), tb, train), newOracle(tb, train)
		for row := 0; row < n; row += 3 {
			got, want := m.Neighbors(tb, row), o.neighbors(row, k, ties)
			sortNeighbors(got)
			if !slices.Equal(got, want) {
				t.Fatalf("row %d: %v, want %v", row, got, want)
			}
		}
	})
}

func TestNeighborsInALargeTree(t *testing.T) {
	t.Parallel()
	tb := uci.Vehicle()
	train := fixture.Rows(tb)[50:]
	m, o := fit(t, New(Config{K: 3}), tb, train), newOracle(tb, train)
	for row := range 60 {
		got, want := m.Neighbors(tb, row), o.neighbors(row, 3, AllTies)
		sortNeighbors(got)
		require.Equal(t, want, got, "row %d", row)
	}
}
