package lab

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/tan"
	"github.com/learnbench/learnbench/learntest/split"
)

// A Subject is a learner of a study, with the metric that it is judged by.
type Subject struct {
	Name string // says what fixes the scores

	// Bind returns what one goroutine trains with, which has memory of its own.
	Bind func() Scorer
}

// A Scorer trains and tests a learner.
type Scorer interface {
	// Scores returns the score of each trial of the plan, run after run, as
	// learntest.Run has it.
	Scores(ctx context.Context, t *dataset.Table, plan *split.Plan) ([]float64, error)
}

// Classified returns the subject for the accuracy of a classifier. seeded says that it
// draws random numbers.
func Classified(classifier func() learner.Classifier, seeded bool) Subject {
	return Subject{"accuracy of " + classifier().Name(), func() Scorer {
		return &classifierScorer{classifier: classifier(), seeded: seeded}
	}}
}

func NewBayes() learner.Classifier { return naivebayes.New(naivebayes.Config{}) }
func NewTree() learner.Classifier  { return c45.New(c45.Config{}) }

// The subjects of the papers.
func Bayes() Subject {
	return Classified(NewBayes, false)
}

func Tree() Subject {
	return Classified(NewTree, false)
}

// IB1Note says in reports what neighborSubject is.
const IB1Note = "Nearest neighbour is Weka's IB1, which takes the first of the examples that are equally near, here in a random order of each run."

// IB1 is Weka's IB1: of several rows that are equally near it takes the first, in an order
// that is drawn for each run. Weka has IBk, too, which takes all of them. The papers do not
// say which of the two they used; their numbers match IB1.
func IB1() Subject {
	const name = "accuracy of nn(ties=first), rows in random order"
	return Subject{name, func() Scorer {
		return &classifierScorer{
			classifier: neighbor.New(neighbor.Config{Ties: neighbor.FirstTies}),
			shuffled:   true,
		}
	}}
}

func TAN() Subject {
	return Classified(func() learner.Classifier { return tan.New(tan.Config{}) }, false)
}

func Perceptron() Subject {
	return Classified(func() learner.Classifier { return perceptron.New(perceptron.Config{}) }, false)
}

// A classifierScorer has what one trial leaves to the next one.
type classifierScorer struct {
	classifier  learner.Classifier
	seeded      bool // it draws random numbers
	shuffled    bool // the training rows of each run are in random order
	train, test []int
	dist        []float64
	turn        []int // of each row in that order
}

func (c *classifierScorer) Scores(ctx context.Context, t *dataset.Table,
	plan *split.Plan,
) ([]float64, error) {
	digest := ""
	if c.seeded || c.shuffled {
		var err error
		if digest, err = t.Digest(); err != nil {
			return nil, err
		}
	}
	scores := make([]float64, 0, plan.Runs()*plan.Folds())
	for run := 1; run <= plan.Runs(); run++ {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if c.shuffled {
			seed := split.TrialSeed(plan.Protocol().Seed(), digest, run, 1)
			c.turn = rand.New(rand.NewPCG(seed, 0x5bd1e9955bd1e995)).Perm(t.Len())
		}
		for fold := 1; fold <= plan.Folds(); fold++ {
			c.train, c.test = plan.Trial(run, fold, c.train[:0], c.test[:0])
			if c.shuffled {
				slices.SortFunc(c.train, func(a, b int) int { return cmp.Compare(c.turn[a], c.turn[b]) })
			}
			seed := uint64(0)
			if c.seeded {
				seed = split.TrialSeed(plan.Protocol().Seed(), digest, run, fold)
			}
			m, err := c.classifier.Fit(t, c.train, seed)
			if err != nil {
				return nil, fmt.Errorf("%s, run %d, fold %d: %w", c.classifier.Name(), run, fold, err)
			}
			right := c.correct(m, t)
			if err := m.Close(); err != nil {
				return nil, err
			}
			scores = append(scores, float64(right)/float64(len(c.test)))
		}
	}
	return scores, nil
}

// correct returns how many of the test rows the model predicts right.
func (c *classifierScorer) correct(m learner.Model, t *dataset.Table) int {
	c.dist = append(c.dist[:0], make([]float64, t.NumClasses())...)
	class := t.Codes(t.ClassIndex())
	right := 0
	for _, row := range c.test {
		m.Distribution(t, row, c.dist)
		right += Indicator(learner.Best(c.dist) == int(class[row]))
	}
	return right
}
