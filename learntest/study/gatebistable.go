package study

import (
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/split"
)

// evenLater is one in which C4.5 and naive Bayes are equally good if they learn from 270 examples,
// and naive Bayes is better by two points with half of them. Bisection found the twist, as in even.
var evenLater = mixture{attributes: 4, shift: 0.5, positive: 0.5, twist: 0.497}

// grouped are examples in groups, such as several of each patient.
var grouped = clustered{mixture{attributes: 10, shift: 0.8, positive: 0.5}, 0.7}

// furtherNulls are those in which more than chance is against a test: trees that split or stay a
// root, which all folds of a data set have in common; learners that are not equally good with half
// of the examples; groups; many examples; forests.
func furtherNulls() []null {
	tree, bayes := lab.Tree(), lab.Bayes()
	byGroups := func(name string, whole lab.Subject) null {
		u := halved(name, grouped, 300, whole, expectedGates{})
		u.protocol = split.Groups(10, 10)
		return u
	}
	return []null{
		bistable(tree, 50, mixture{attributes: 4, shift: 0.5, balanced: true},
			expectedGates{alone: 44, both: 1.3, ratio: 0.42}),
		bistable(tree, 100, mixture{attributes: 4, shift: 0.5, balanced: true},
			expectedGates{alone: 32, both: 2.8}),
		bistable(tree, 300, mixture{attributes: 4, shift: 0.3, balanced: true}, expectedGates{
			alone: 36.2,
			both:  1.4, ratio: 0.48,
		}),
		bistable(tree, 300, mixture{attributes: 10, shift: 0.3, balanced: true},
			expectedGates{alone: 23.2, both: 2.1}),
		bistable(tree, 1000, mixture{attributes: 4, shift: 0.2, balanced: true},
			expectedGates{alone: 43}),
		bistable(tree, 300, mixture{attributes: 4, shift: 0.3}, expectedGates{}),
		{name: "C4.5, naive Bayes, twisted", source: evenLater, n: 300, candidate: tree, baseline: bayes},
		byGroups("1-NN, groups", neighbors(1)),
		byGroups("naive Bayes, groups", bayes),
		byGroups("C4.5, groups", tree),
		bistable(tree, 2000, mixture{attributes: 4, shift: 0.2, balanced: true}, expectedGates{}),
		halved("naive Bayes", usual, 2000, bayes, expectedGates{}),
		halved("forest of 10 trees", usual, 100, woods(), expectedGates{}),
		halved("forest of 10 trees", usual, 300, woods(), expectedGates{}),
	}
}

// woods is a small random forest, which draws random numbers in each trial.
func woods() lab.Subject {
	return lab.Classified(func() learner.Classifier { return forest.New(forest.Config{Trees: 10}) },
		true)
}

// bistable is the null of a tree on two halves of weak attributes, of which m says what differs
// from coins for classes.
func bistable(tree lab.Subject, n int, m mixture, e expectedGates) null {
	m.positive = 0.5
	return halved("C4.5, "+m.words(), m, n, tree, e)
}

// words says what differs between mixtures of one kind.
func (m mixture) words() string {
	classes := "coins"
	switch {
	case m.balanced:
		classes = "balanced"
	case m.positive != 0.5:
		classes = lab.Figure(100*m.positive, 0) + "% positives"
	}
	return fmt.Sprintf("%d attributes, shift %v, %s", m.attributes, m.shift, classes)
}
