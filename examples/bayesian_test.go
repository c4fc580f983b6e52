package examples

import (
	"context"
	"strings"
	"testing"

	"github.com/jbrukh/bayesian"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// bayes is naive Bayes on words, which has no limit of classes, and no smoothing.
func bayes() learntest.Learner[[]string, string] {
	return learntest.Func("bayes", func(_ context.Context, train learntest.Sample[[]string, string], _ uint64) (func([]string) string, error) {
		var classes []bayesian.Class
		for _, c := range train.Classes() {
			classes = append(classes, bayesian.Class(c))
		}
		m := bayesian.NewClassifier(classes...)
		for words, c := range train.All() {
			m.Learn(words, bayesian.Class(c))
		}
		return func(words []string) string {
			_, best, _ := m.LogScores(words)
			return train.Classes()[best]
		}, nil
	})
}

// TestBayes compares two libraries that take the same messages in different shapes: one splits them
// into words, for the other somebody has to.
func TestBayes(t *testing.T) {
	c := learntest.Compare(t, messages(t), learntest.Map(bayes(), strings.Fields), words())
	assert.Equivalent(t, c, assert.Margin(0.05))
}

func TestBayesKeepsItsPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(messages(t), learntest.Map(bayes(), strings.Fields)))
}
