package c45

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// cheapest returns the least cost of the subtrees below a node for a factor,
// and the least number of leaves with which it is reached.
func (t *tree) cheapest(at int32, factor float64) (cost float64, leaves int) {
	n := &t.nodes[at]
	asLeaf := (t.total(n)-slices.Max(t.perClass(n)))/t.total(&t.nodes[0]) + factor
	if n.split == leaf {
		if n.empty {
			return 0, 0
		}
		return asLeaf, 1
	}
	for b := range n.num {
		c, l := t.cheapest(n.first+b, factor)
		cost += c
		leaves += l
	}
	if asLeaf <= cost+1e-9 {
		return asLeaf, 1
	}
	return cost, leaves
}

func TestCutGivesTheSmallestOfTheCheapestSubtrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, true)
		x := grown(New(Config{Pruning: Unpruned, MinLeaf: 1, NoCollapse: true}), table, false)
		factor := x.factors()
		limits := sequence(factor)
		for i, l := range limits[1:] { // between two factors
			limits = append(limits, (l+limits[i])/2)
		}
		for _, limit := range append(limits, 1) {
			y, spare := &tree{classes: x.classes, nodes: slices.Clone(x.nodes), dist: slices.Clone(x.dist)},
				&tree{}
			y.cut(factor, limit, spare)
			cost, leaves := 0.0, 0
			for i := range y.nodes {
				if n := &y.nodes[i]; n.split == leaf && !n.empty {
					cost += (y.total(n)-slices.Max(y.perClass(n)))/y.total(&y.nodes[0]) + limit
					leaves++
				}
			}
			want, least := x.cheapest(0, limit)
			if !floatcmp.Equal(cost, want, 1e-9, 0) || leaves != least {
				t.Fatalf("factor %v: cost %v of %d leaves, want %v of %d", limit, cost, leaves, want, least)
			}
		}
	})
}

func TestFactorsFallOnTheWayDown(t *testing.T) {
	t.Parallel()
	x := grown(New(Config{Pruning: Unpruned}), uci.Vehicle(), true)
	factor := x.factors()
	for i := range x.nodes {
		n := &x.nodes[i]
		assert.Equal(t, n.split == leaf, math.IsInf(factor[i], -1))
		for b := range n.num {
			assert.LessOrEqual(t, factor[n.first+b], factor[i])
		}
	}
}

func TestCostComplexityPruningIsSeeded(t *testing.T) {
	t.Parallel()
	c := New(Config{Pruning: CostComplexity, LeastError: true})
	table := uci.Vehicle()
	var sizes []int
	for _, seed := range []uint64{1, 2, 3, 4, 5, 1} {
		m, err := c.Fit(table, fixture.Rows(table), seed)
		require.NoError(t, err)
		sizes = append(sizes, m.(*Model).Size())
		require.NoError(t, m.Close())
	}
	assert.Equal(t, sizes[0], sizes[5])
	assert.NotEqual(t, slices.Max(sizes), slices.Min(sizes), "%v: all seeds gave the same tree", sizes)
}

func TestOneStandardErrorGivesSmallerTrees(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"vehicle", "german-credit", "labor", "vote"} {
		x, err := uci.Load(table)
		require.NoError(t, err)
		rows := fixture.Rows(x)
		full := fit(t, New(Config{Pruning: Unpruned}), x, rows)
		least := fit(t, New(Config{Pruning: CostComplexity, LeastError: true}), x, rows)
		small := fit(t, New(Config{Pruning: CostComplexity}), x, rows)
		assert.Positive(t, small.Factor(), table)
		assert.LessOrEqual(t, small.Size(), least.Size(), table)
		assert.Less(t, least.Size(), full.Size(), table)
		assert.Contains(t, small.String(), "J48 pruned tree\n")
	}
}

func TestDealKeepsClassesInProportion(t *testing.T) {
	t.Parallel()
	table := uci.Glass()
	var rows []int32
	for i := range table.Len() {
		rows = append(rows, int32(i))
	}
	fold := deal(table, rows, 7, 3)
	assert.Equal(t, fold, deal(table, rows, 7, 3))
	assert.NotEqual(t, fold, deal(table, rows, 7, 4))
	for y := range table.NumClasses() {
		count := make([]int, 7)
		for i, f := range fold {
			if table.Class(i) == y {
				count[f]++
			}
		}
		assert.LessOrEqual(t, slices.Max(count)-slices.Min(count), 1, "class %d: %v", y, count)
	}
}

// The subtrees' predictions along one path must equal the predictions of cut trees.
func TestSubtreesPredictAsTreesThatAreCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, true)
		x := grown(New(Config{Pruning: Unpruned}), table, false)
		s := newSubtrees(x, false)
		limits := sequence(s.factor)
		for row := range table.Len() {
			wrong := make([]float64, len(limits))
			s.addErrors(wrong, limits, table, row, 1)
			for k, l := range limits {
				y, spare := &tree{
					classes: x.classes, attrs: slices.Clone(x.attrs),
					nodes: slices.Clone(x.nodes), dist: slices.Clone(x.dist),
				}, &tree{}
				y.cut(s.factor, l, spare)
				dist := make([]float64, len(x.classes))
				var p predictor
				p.predict(y, table, row, dist)
				if want := tied(dist); !want &&
					(wrong[k] == 0) != (dist[table.Class(row)] == slices.Max(dist)) {
					t.Fatalf("row %d, factor %v: wrong %v, distribution %v", row, l, wrong[k], dist)
				}
			}
		}
	})
}
