package golearn

import (
	"context"
	"slices"
	"testing"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"
	"gonum.org/v1/gonum/mat"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/split"
)

// cart is a decision tree of the library, which predicts a batch at a time.
func cart(depth int64) learntest.Learner[[]float64, int] {
	return learntest.Learner[[]float64, int]{Name: "cart", Fit: func(_ context.Context, train learntest.Sample[[]float64, int], _ uint64) (learntest.Model[[]float64, int], error) {
		tree := trees.NewDecisionTreeClassifier("gini", depth, []int64{0, 1, 2})
		err := tree.Fit(grid(train.Examples(), train.Labels()))
		return learntest.LabelModel(func(_ context.Context, xs [][]float64) (ys []int, err error) {
			for _, y := range tree.Predict(grid(xs, make([]int, len(xs)))) {
				ys = append(ys, int(y))
			}
			return ys, nil
		}), err
	}}
}

// grid returns rows of numbers as the library takes them, with the class in the last column.
func grid(xs [][]float64, ys []int) base.FixedDataGrid {
	m := mat.NewDense(len(xs), len(xs[0])+1, nil)
	for i, x := range xs {
		m.SetRow(i, append(slices.Clone(x), float64(ys[i])))
	}
	g := base.InstancesFromMat64(m.RawMatrix().Rows, m.RawMatrix().Cols, m)
	_ = g.AddClassAttribute(g.AllAttributes()[len(xs[0])]) // it is there
	return g
}

func TestCart(t *testing.T) {
	tree := learntest.Encode(dataset.Encoding{}, cart(5))
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.CV(5, 5)}, uci.Iris(), tree, learntest.FromClassifier(baseline.Majority()))
	assert.Improves(t, c, assert.Replicability(0.9))
}

func TestCartKeepsItsPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(uci.Iris(), learntest.Encode(dataset.Encoding{}, cart(5))))
}
