// Package tan is the tree-augmented naive Bayes classifier: a Bayesian network in which the
// class is a parent of every attribute, and each attribute but one has one other attribute as
// a second parent [1]. It agrees with Weka's BayesNet with the local search algorithm TAN and
// the Bayesian score.
//
// # Training
//
// Numeric attributes are divided into intervals by Fayyad & Irani's method,
// on the training set; see package discretize. Missing values are then
// replaced by the most frequent value of the attribute, in training and in
// prediction. Training rows whose class is missing are left out.
//
// The gain of an attribute h from a second parent t is the difference of the
// logarithms of the marginal likelihoods of h given the class and t, and of h
// given the class, where every distribution has a Dirichlet prior with
// parameters ½ [2]. It is not symmetric. The tree starts with the pair of the
// greatest gain, to which the best pair with one new attribute is added until
// all are in. Among equal gains the first one counts, by h and then by t, in
// the order of the columns. Each pair becomes an arrow from h to t, in the
// order in which they were found, or from t to h where t has a parent already.
//
// The probability of value v of an attribute with V values is (n_v+½)/(n+½V)
// for each value of its parents, and so for the class. Row weights count here,
// but not in the gains.
//
// # Agreement with Weka
//
// The order of the training rows does not matter unless row weights are
// fractions, whose sums are inexact. Weka sorts the instances by each numeric
// attribute in turn, with a sort that is not stable, and sums in the order that
// results; so does this package.
//
// [1] N. Friedman, D. Geiger & M. Goldszmidt, Bayesian network classifiers,
// Machine Learning 29, 1997, 131-163.
//
// [2] G. F. Cooper & E. Herskovits, A Bayesian method for the induction of
// probabilistic networks from data, Machine Learning 9, 1992, 309-347, with
// another prior.
package tan

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// ErrConfig is wrapped by the errors of Fit that are due to the parameters.
var ErrConfig = errors.New("tan: invalid parameters")

// Config holds the parameters.
type Config struct {
	// Alpha is added to each count before the counts become probabilities. If
	// zero, it is 0.5. The gains that determine the tree do not depend on it.
	Alpha float64
}

// A Classifier is the learning algorithm with its parameters. It must be made
// by [New]. It may be used by several goroutines at once.
type Classifier struct {
	alpha  float64
	ranks  trainset.Cache[*trainset.Index]
	tables entropy.Tables
	gammas gammas
	spaces scratch.Pool[workspace]
	models scratch.Pool[network]
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns a classifier with the given parameters. If they cannot be, Fit
// returns an error.
func New(cfg Config) *Classifier {
	c := &Classifier{alpha: cfg.Alpha}
	if c.alpha == 0 {
		c.alpha = 0.5
	}
	return c
}

// Name returns "tan", or the like of "tan(alpha=1)".
func (c *Classifier) Name() string {
	if c.alpha == 0.5 {
		return "tan"
	}
	return fmt.Sprintf("tan(alpha=%v)", c.alpha)
}

// Fit trains on the given rows; it draws no random numbers. The model is a
// [*Model].
//
// The error wraps [ErrConfig] if Alpha is not positive and finite, and
// [learner.ErrTraining] if t has no nominal class with at least one declared value, if a row is out
// of range, if no row has a known class, or if two attributes declare so many
// values that their pairs cannot be counted.
func (c *Classifier) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	if !(c.alpha > 0) || math.IsInf(c.alpha, 0) {
		return nil, fmt.Errorf("%w: alpha is %v", ErrConfig, c.alpha)
	}
	w := c.spaces.Get()
	defer c.spaces.Put(w)
	known, err := trainset.Known(w.rows[:0], t, rows)
	if err != nil {
		return nil, err
	}
	w.rows = known
	w.inexact = fractional(t.Weights())
	if t.Len() > localFactor*len(known) && !w.inexact {
		w.index = nil
	} else {
		w.index = c.ranks.Get(t, trainset.IndexOf)
	}
	w.load(t, c.tables.Get(len(known)))
	defer w.release()
	if err := w.checkSize(); err != nil {
		return nil, err
	}
	w.gamma = c.gammas.get(2*len(known) + int(w.maxCard))
	w.gains()
	w.link()
	m := c.models.Get()
	m.fill(w, c.alpha)
	return &Model{c.models.Lend(m)}, nil
}

// fractional reports whether one of the weights is not an integer.
func fractional(weights []float64) bool {
	for _, x := range weights {
		if x != math.Trunc(x) {
			return true
		}
	}
	return false
}
