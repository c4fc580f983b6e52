package examples

import (
	"math"
	"testing"

	"github.com/dmitryikh/leaves"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

// boosted is a model of LightGBM, which is trained elsewhere and only predicts here.
func boosted(t *testing.T, path string) learntest.Learner[visit, bool] {
	m, err := leaves.LGEnsembleFromFile(path, true)
	require.NoError(t, err)
	illness := learntest.Pretrained("boosted", func(x []float64) bool { return m.PredictSingle(x, 0) > 0.5 })
	illness.Depends = []string{path}
	return learntest.Map(illness, visit.numbers)
}

// numbers are what models on rows of numbers see of a visit. NaN is missing, to LightGBM too.
func (v visit) numbers() []float64 {
	if v.Pressure == nil {
		return []float64{float64(v.Age), math.NaN()}
	}
	return []float64{float64(v.Age), *v.Pressure}
}

// TestBoosted compares a model that is a file, which has never seen these visits.
func TestBoosted(t *testing.T) {
	visits, err := learntest.CSV[visit, bool]("testdata/visits.csv")
	require.NoError(t, err)
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.Groups(10, 5)}, visits, boosted(t, "testdata/boosted.txt"), nearest())
	assert.Improves(t, c, assert.Replicability(0.9))
}
