// The ints of 32-bit systems are too small for the library.

//go:build !386 && !arm && !mips && !mipsle

package sklearn

import (
	"slices"
	"testing"

	linearmodel "github.com/pa-m/sklearn/linear_model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/matrix"
	"github.com/learnbench/learnbench/learntest/split"
)

// A regression is one of the library, which knows matrices only.
type regression struct{ *linearmodel.LinearRegression }

func (r regression) Fit(x mat.Matrix, y []float64) error {
	r.LinearRegression.Fit(mat.DenseCopyOf(x), mat.NewDense(len(y), 1, slices.Clone(y)))
	return nil
}

func (r regression) Predict(x mat.Matrix) ([]float64, error) {
	return r.LinearRegression.Predict(x, nil).RawMatrix().Data, nil
}

// linear is least squares on rows of numbers, in which nominal attributes have a column each value.
func linear() learntest.Learner[dataset.Row, float64] {
	return learntest.Encode(dataset.Encoding{OneHot: true}, matrix.Learner("linear", func(uint64) matrix.Model[float64] {
		return regression{linearmodel.NewLinearRegression()}
	}))
}

// petals is iris with the width of the petals as target.
func petals(t *testing.T) dataset.Regression {
	iris := uci.Iris()
	var cols []dataset.Column
	for j := range iris.NumAttributes() {
		cols = append(cols, dataset.Column{Attribute: iris.Attribute(j), Numbers: iris.Numbers(j), Codes: iris.Codes(j)})
	}
	table, err := dataset.New("petals", cols, 3, nil)
	require.NoError(t, err)
	numbers, err := table.Regression()
	require.NoError(t, err)
	return numbers
}

func TestLinear(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.CV(10, 10).Stratified(false)}, petals(t), linear(), learntest.FromRegressor(baseline.Mean()))
	assert.Improves(t, c, assert.Replicability(0.9))
}

func TestLinearKeepsItsPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(petals(t), linear()))
}
