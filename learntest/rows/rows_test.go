package rows_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/rows"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A centroid model has Fit([][]float64, []int) and Predict([]float64), as models of many libraries
// have.
type centroid struct{ means map[int][]float64 }

func (c *centroid) Fit(x [][]float64, y []int) error {
	c.means = make(map[int][]float64)
	counts := make(map[int]float64)
	for i, row := range x {
		m := c.means[y[i]]
		if m == nil {
			m = make([]float64, len(row))
			c.means[y[i]] = m
		}
		for j, v := range row {
			m[j] += v
		}
		counts[y[i]]++
	}
	for class, m := range c.means {
		for j := range m {
			m[j] /= counts[class]
		}
	}
	return nil
}

func (c *centroid) Predict(row []float64) int {
	best, least := 0, math.Inf(1)
	for class := range 3 {
		d := 0.0
		for j, m := range c.means[class] {
			d += (row[j] - m) * (row[j] - m)
		}
		if d < least {
			best, least = class, d
		}
	}
	return best
}

func irisRows() *learntest.ExampleSet[[]float64, int] {
	t := uci.Iris()
	rows, classes := make([][]float64, t.Len()), make([]int, t.Len())
	for i := range rows {
		for j := range 4 {
			rows[i] = append(rows[i], t.Numbers(j)[i])
		}
		classes[i] = t.Class(i)
	}
	return learntest.Examples("iris", rows, classes)
}

// A model with Fit([][]float64, []int) and Predict([]float64).
func ExampleLearner() {
	nearestMean := rows.Learner("centroid", func(uint64) rows.Model[int] { return &centroid{} })
	longPetals := learntest.Pretrained("rule",
		func(row []float64) int { return min(int(row[2]/2.5), 2) })
	f, err := learntest.Run(context.Background(), []learntest.Data[[]float64, int]{irisRows()},
		[]learntest.Learner[[]float64, int]{nearestMean, longPetals}, learntest.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := verdict.Of(f.Of("iris", "centroid"), f.Of("iris", "rule"), verdict.Claim{})
	fmt.Printf("centroid %.2f%%, rule %.2f%%: %v\n", 100*v.CandidateMean, 100*v.BaselineMean,
		v.Outcome)
	// Output: centroid 92.87%, rule 94.67%: inconclusive
}

// A coin is a model that has some classes, and gives each row some probabilities.
type coin struct {
	classes       []int
	probabilities []float64
	err           error
}

func (c coin) Fit([][]float64, []int) error      { return c.err }
func (c coin) Predict([]float64) int             { return c.classes[0] }
func (c coin) Classes() []int                    { return c.classes }
func (c coin) Probabilities([]float64) []float64 { return c.probabilities }

func firstTrial(t *testing.T, l learntest.Learner[[]float64, int]) record.Trial {
	t.Helper()
	points := learntest.Examples("points", [][]float64{{1}, {2}, {3}, {4}}, []int{0, 2, 0, 2})
	f, err := learntest.Run(t.Context(), []learntest.Data[[]float64, int]{points},
		[]learntest.Learner[[]float64, int]{l}, learntest.Config{Protocol: split.CV(1, 2)})
	require.NoError(t, err)
	for trial := range f.Blocks()[0].Trials() {
		return trial
	}
	return record.Trial{}
}

func TestLearnersRefuseInvalidModels(t *testing.T) {
	t.Parallel()
	singular := errors.New("singular")
	for want, c := range map[string]coin{
		"":              {[]int{2, 0}, []float64{0.7, 0.3}, nil},
		"fit: singular": {[]int{2, 0}, []float64{0.7, 0.3}, singular},
		"fit: invalid prediction: class 0 of the model is 1, which is none of the data's: [0 2]": {[]int{1, 0}, nil, nil},
		"predict: invalid prediction: prediction 0: 3 probabilities of a model with 2 classes":   {[]int{2, 0}, []float64{0.5, 0.3, 0.2}, nil},
	} {
		l := rows.ProbLearner("coin", func(uint64) rows.ProbModel[int] { return c })
		assert.Equal(t, want, firstTrial(t, l).Err)
	}
	l := rows.Learner("coin", func(uint64) rows.Model[int] { return coin{err: singular} })
	assert.Equal(t, "fit: singular", firstTrial(t, l).Err)
}

// The probabilities are the model's, in the order of its classes, not of the data's.
func TestProbabilitiesKeepTheirClasses(t *testing.T) {
	t.Parallel()
	p := rows.ProbLearner("p", func(uint64) rows.ProbModel[int] {
		return coin{classes: []int{2, 0}, probabilities: []float64{0.7, 0.3}}
	})
	always := rows.Learner("always", func(uint64) rows.Model[int] { return coin{classes: []int{2}} })
	assert.Equal(t, firstTrial(t, always).Values, firstTrial(t, p).Values)
	assert.Equal(t, []float64{0.5}, firstTrial(t, p).Values)
}
