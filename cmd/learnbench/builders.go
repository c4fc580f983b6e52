package main

import (
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
	"github.com/learnbench/learnbench/learntest/learner/tan"
)

// A builder makes a learner, of classes or of numbers, from its parameters. It takes the parameters
// it knows out of the list.
type builder struct {
	name     string
	classify func(p *parameters) learner.Classifier
	regress  func(p *parameters) learner.Regressor
}

func builders() []builder {
	return []builder{
		{name: "c45", classify: buildC45},
		{name: "forest", classify: buildForest},
		{name: "logistic", classify: buildLogistic},
		{name: "majority", classify: func(*parameters) learner.Classifier { return baseline.Majority() }},
		{name: "naivebayes", classify: buildNaiveBayes},
		{name: "nn", classify: buildNeighbor},
		{name: "perceptron", classify: buildPerceptron},
		{name: "tan", classify: func(*parameters) learner.Classifier { return tan.New(tan.Config{}) }},
		{name: "mean", regress: func(*parameters) learner.Regressor { return baseline.Mean() }},
		{name: "median", regress: func(*parameters) learner.Regressor { return baseline.Median() }},
		{name: "ols", regress: buildOLS},
		{name: "ridge", regress: buildRidge},
	}
}

func buildC45(p *parameters) learner.Classifier {
	return c45.New(c45.Config{
		MinLeaf:    p.count("minleaf", 1),
		Confidence: p.fraction("confidence"),
		Pruning: choice(p, "pruning", map[string]c45.Pruning{
			"pessimistic": c45.Pessimistic, "cost-complexity": c45.CostComplexity, "none": c45.Unpruned,
		}),
		NoRaising: p.yes("noraising"),
		Laplace:   p.yes("laplace"),
	})
}

func buildNaiveBayes(p *parameters) learner.Classifier {
	return naivebayes.New(naivebayes.Config{WekaOrder: p.wekaOrder()})
}

func buildNeighbor(p *parameters) learner.Classifier {
	return neighbor.New(neighbor.Config{
		K: p.count("k", 1),
		Weighting: choice(p, "weighting", map[string]neighbor.Weighting{
			"equal": neighbor.Equal, "inverse": neighbor.Inverse, "similarity": neighbor.Similarity,
		}),
		Ties: choice(p, "ties", map[string]neighbor.Ties{
			"all":   neighbor.AllTies,
			"first": neighbor.FirstTies,
		}),
		WekaOrder: p.wekaOrder(),
	})
}

func buildPerceptron(p *parameters) learner.Classifier {
	return perceptron.New(perceptron.Config{
		Epochs:   p.count("epochs", 1),
		Exponent: p.count("exponent", 1),
	})
}

func buildOLS(p *parameters) learner.Regressor {
	return ols.New(ols.Config{Missing: choice(p, "missing", map[string]dataset.Missing{
		"error": dataset.MissingError, "indicator": dataset.MissingIndicator,
	})})
}

func buildForest(p *parameters) learner.Classifier {
	return forest.New(forest.Config{
		Trees: p.count("trees", 1), MinLeaf: p.count("minleaf", 1), MaxDepth: p.count("depth", 1),
		Features: p.count("features", 1),
	})
}

func buildLogistic(p *parameters) learner.Classifier {
	return logistic.New(logistic.Config{C: p.positive("c")})
}

func buildRidge(p *parameters) learner.Regressor {
	return ridge.New(ridge.Config{Alpha: p.positive("alpha")})
}

func learnerNames() string {
	var classes, numbers []string
	for _, b := range builders() {
		if b.classify != nil {
			classes = append(classes, b.name)
		} else {
			numbers = append(numbers, b.name)
		}
	}
	return strings.Join(classes, ", ") + " for classes, " + strings.Join(numbers, ", ") +
		" for numbers, and exec(COMMAND)"
}

// builderNames returns the names of all builders.
func builderNames() []string {
	var names []string
	for _, b := range builders() {
		names = append(names, b.name)
	}
	return names
}
