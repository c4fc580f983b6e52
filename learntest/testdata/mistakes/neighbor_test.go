package mistakes

import (
	"math"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
)

// votes of a classifier for the rows of a table, of which it is trained on the given ones.
func votes(t *testing.T, c learner.Classifier, table *dataset.Table, train, rows []int) [][]float64 {
	m, err := c.Fit(table, train, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	for _, row := range rows {
		dist := make([]float64, table.NumClasses())
		m.Distribution(table, row, dist)
		all = append(all, dist)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// table has a column of numbers and a class of two values.
func table(t *testing.T, numbers []float64, class []int32) *dataset.Table {
	table, err := dataset.New("rows", []dataset.Column{
		{Attribute: dataset.Attribute{Name: "x", Kind: dataset.Numeric}, Numbers: numbers},
		{Attribute: dataset.Attribute{Name: "class", Kind: dataset.Nominal, Values: []string{"a", "b"}}, Codes: class},
	}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// A table has more rows than 16 bits count, where the nearest neighbour panicked. Nothing is said.
//
//	PASS
func TestNeighborOf65537Rows(t *testing.T) {
	const n = 1<<16 + 1
	x, class, all := make([]float64, n), make([]int32, n), make([]int, n)
	for i := range x {
		x[i], class[i], all[i] = float64(i), int32(2*i/n), i
	}
	c, rows := neighbor.New(neighbor.Config{}), table(t, x, class)
	for fit := range 2 {
		for i, v := range votes(t, c, rows, all, []int{0, n / 3, n - 1}) {
			if want := i / 2; learner.Best(v) != want {
				t.Errorf("fit %d: row %d is of class %d", fit+1, i, learner.Best(v))
			}
		}
	}
}

// In Weka's order, the later fits of a classifier voted otherwise than the first one where values are missing
// and others are huge. Nothing is said.
//
//	PASS
func TestNeighborInWekaOrder(t *testing.T) {
	const n = 60
	x, class, train := make([]float64, n), make([]int32, n), make([]int, 0, n)
	for i := range x {
		x[i], class[i] = float64(i*37%n), int32(i*7%11%2)
		if i%9 == 4 {
			x[i] = math.NaN()
		}
		if i%10 == 7 {
			x[i], class[i] = 1e15*float64(i), -1 // a row of no known class
		}
		if i%4 > 0 {
			train = append(train, i)
		}
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i * 23 % n
	}
	cfg, data := neighbor.Config{K: 3, WekaOrder: true}, table(t, x, class)
	c := neighbor.New(cfg)
	want := votes(t, neighbor.New(cfg), data, train, rows)
	for fit := range 6 {
		for i, v := range votes(t, c, data, train, rows) {
			if !slices.Equal(v, want[i]) {
				t.Errorf("fit %d: row %d: %v, and %v of a new classifier", fit+1, rows[i], v, want[i])
			}
		}
	}
}
