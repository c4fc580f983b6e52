package c45

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// drawTable draws a table of nominal and numeric columns, with missing values
// and weights if asked for.
func drawTable(t *rapid.T, incomplete bool) *dataset.Table {
	n := rapid.IntRange(4, 120).Draw(t, "rows")
	classes := rapid.IntRange(2, 4).Draw(t, "classes")
	least := int32(0)
	missing := 0
	if incomplete {
		missing = rapid.IntRange(0, 30).Draw(t, "missing percent")
	}
	lacks := func() bool { return missing > 0 && rapid.IntRange(0, 99).Draw(t, "lacks") < missing }
	names := []string{"k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"}
	var cols []dataset.Column
	for j := range rapid.IntRange(1, 5).Draw(t, "attributes") {
		if rapid.Bool().Draw(t, "nominal") {
			values := rapid.IntRange(1, len(names)).Draw(t, "values")
			codes := make([]int32, n)
			for i := range codes {
				codes[i] = rapid.Int32Range(least, int32(values)-1).Draw(t, "code")
				if lacks() {
					codes[i] = -1
				}
			}
			cols = append(cols, fixture.Nominal(names[j], names[:values], codes...))
			continue
		}
		scale := rapid.SampledFrom([]float64{1, 1, 1, 1e-5, 3e-7}).Draw(t, "scale")
		distinct := rapid.SampledFrom([]int{2, 5, 40, 1000}).Draw(t, "distinct")
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rapid.IntRange(0, distinct).Draw(t, "x")) * scale
			if lacks() {
				x[i] = math.NaN()
			}
		}
		cols = append(cols, fixture.Numeric(names[j], x...))
	}
	y := rapid.SliceOfN(rapid.Int32Range(0, int32(classes)-1), n, n).Draw(t, "y")
	cols = append(cols, fixture.Nominal("class", names[:classes], y...))
	var weights []float64
	if incomplete && rapid.Bool().Draw(t, "weighted") {
		weights = rapid.SliceOfN(rapid.SampledFrom([]float64{0.3, 0.7, 1, 2}), n, n).Draw(t, "w")
		weights[0] += 4 // enough for a split
	}
	return fixture.Table(t, weights, cols...)
}

// grown returns the tree for all rows of t, with or without the faster way of
// whole nodes.
func grown(c *Classifier, t *dataset.Table, general bool) *tree {
	w := new(workspace)
	var rows []int32
	for i := range t.Len() {
		rows = append(rows, int32(i))
	}
	w.cfg, w.est, w.table = c.cfg, c.est, t
	w.tab = c.tables.Get(len(rows))
	w.load(newFrame(t, nil), rows, t.Weights())
	x := &tree{classes: t.Attribute(t.ClassIndex()).Values}
	w.general = general
	w.grower.build(&w.problem)
	w.grower.finish(x)
	return x
}

func TestWholeNodesGiveTheSameTree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, rapid.Bool().Draw(t, "incomplete"))
		c := New(Config{
			MinLeaf:    rapid.IntRange(1, 4).Draw(t, "min leaf"),
			NoRaising:  rapid.Bool().Draw(t, "no raising"),
			NoCollapse: rapid.Bool().Draw(t, "no collapse"),
			NoMDL:      rapid.Bool().Draw(t, "no mdl"),
		})
		want, got := grown(c, table, true), grown(c, table, false)
		if got.String() != want.String() || !slices.Equal(got.nodes, want.nodes) ||
			!slices.Equal(got.dist, want.dist) {
			t.Fatalf("%s\n%+v\n%v\nwithout whole nodes:%s\n%+v\n%v", got, got.nodes, got.dist, want,
				want.nodes, want.dist)
		}
	})
}

func TestOrderOfSummationChangesDigitsOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, true)
		c := New(Config{Pruning: rapid.SampledFrom([]Pruning{Pessimistic, Unpruned}).Draw(t, "pruning")})
		m := fit(t, c, table, fixture.Rows(table))
		want := m.inWekaOrder()
		p := predictor{}
		exact, dist := make([]float64, table.NumClasses()), make([]float64, table.NumClasses())
		for i := range table.Len() {
			m.Distribution(table, i, dist)
			p.predict(want, table, i, exact)
			sum := 0.0
			for y := range dist {
				sum += dist[y]
				if math.Abs(dist[y]-exact[y]) > 1e-12 {
					t.Fatalf("row %d: %v, in Weka's order %v", i, dist, exact)
				}
			}
			if math.Abs(sum-1) > 1e-9 || learner.Best(dist) != learner.Best(exact) {
				t.Fatalf("row %d: %v, in Weka's order %v", i, dist, exact)
			}
		}
	})
}
