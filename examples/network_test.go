package examples

import (
	"context"
	"testing"

	deep "github.com/patrikeh/go-deep"
	"github.com/patrikeh/go-deep/training"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/split"
)

// network is a neural network with a hidden layer, on rows of numbers. Its first weights come from
// the global source of math/rand, which nothing can seed.
func network(hidden, epochs int) learntest.Learner[[]float64, int] {
	return learntest.ProbFunc("network", func(_ context.Context, train learntest.Sample[[]float64, int], _ uint64) (func(x, p []float64), error) {
		var examples training.Examples
		for x := range train.All() {
			examples = append(examples, training.Example{Input: x, Response: make([]float64, len(train.Classes()))})
			examples[len(examples)-1].Response[train.Class(len(examples)-1)] = 1
		}
		n := deep.NewNeural(&deep.Config{
			Inputs: len(examples[0].Input), Layout: []int{hidden, len(train.Classes())}, Bias: true,
			Activation: deep.ActivationTanh, Mode: deep.ModeMultiClass, Weight: deep.NewNormal(0.5, 0),
		})
		training.NewTrainer(training.NewSGD(0.02, 0.5, 0, false), 0).Train(n, examples, nil, epochs)
		return func(x, p []float64) { copy(p, n.Predict(x)) }, nil
	})
}

// TestNetwork scales the numbers of a table by the training examples of each fold. A seed does not
// fix the learner, as in TestForest.
func TestNetwork(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.CV(5, 5), AllowNondeterminism: true},
		uci.PimaDiabetes(), scaled(network(4, 10)), learntest.FromClassifier(naivebayes.New(naivebayes.Config{})))
	assert.NoRegression(t, c, assert.Margin(0.05))
}

func TestNetworkKeepsItsPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(uci.PimaDiabetes(), scaled(network(2, 2))), learnercheck.Determinism)
}
