// Package naivebayes is the naive Bayes classifier of Weka: normal or kernel
// densities for numeric attributes, smoothed frequencies for nominal ones.
//
// # Training
//
// A class c with n_c of n instances has the prior (n_c+1)/(n+C), C being the
// number of declared classes. A nominal attribute with V declared values has
// P(v|c) = (n_vc+1)/(n_.c+V), where n_.c counts the instances of class c in
// which it is known.
//
// A numeric attribute has a precision, the mean distance of neighbouring
// distinct values in the training set, or 0.01 if it has fewer than two. Its
// values are rounded to multiples of the precision. P(x|c) is the probability
// that a normal variable lies within half a precision of the rounded x, with
// mean and (population) standard deviation of the class, the latter at least
// a sixth of the precision.
//
// Missing values are skipped in training and in prediction, and so are
// training rows whose class is missing. A row of weight w counts as w rows.
//
// # Prediction
//
// The prior is multiplied by the probabilities of the attributes in their
// order, each raised to at least 1e-75. When the greatest product drops below
// 1e-75, all are multiplied by 1e75. The results are scaled to sum to 1.
//
// # Agreement with Weka
//
// Weka sorts its instances by each numeric attribute in turn, with a sort that
// is not stable, and sums in the order that results. Here sums are taken in
// ascending order of the values, so that the order of the training rows has
// no influence on any bit of the model. The difference is in the last digits.
//
// Weka gets the variance from plain sums of values and squares, which loses it
// where the mean is great beside it, as with times in seconds since 1970. Here
// the values of a class whose deviation would be less than a thousandth of its
// mean are summed around the mean.
//
// [Config.WekaOrder] sums as Weka does, with its errors.
package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// Config holds the parameters. The zero value has Weka's defaults.
type Config struct {
	// Kernel estimates the density of a numeric attribute by normal kernels
	// around the values instead of by one normal density, Weka's option -K. The
	// deviation of a kernel is the range of the values in the class over the
	// root of their number, or a sixth of the precision if that is greater.
	Kernel bool

	// WekaOrder takes the sums over a numeric attribute in the order in which
	// Weka takes them, which depends on the order of the training rows, rather
	// than in ascending order of the values, and never around the mean.
	WekaOrder bool
}

// A Classifier is naive Bayes with its parameters. It must be made by [New].
// It may be used by several goroutines at once.
type Classifier struct {
	cfg   Config
	cache trainset.Cache[*prepared]
	pool  scratch.Pool[workspace]
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns a naive Bayes classifier.
func New(cfg Config) *Classifier {
	return &Classifier{cfg: cfg}
}

// Name returns "naivebayes", or as in "naivebayes(kernel,order=weka)".
func (c *Classifier) Name() string {
	switch {
	case c.cfg.Kernel && c.cfg.WekaOrder:
		return "naivebayes(kernel,order=weka)"
	case c.cfg.Kernel:
		return "naivebayes(kernel)"
	case c.cfg.WekaOrder:
		return "naivebayes(order=weka)"
	}
	return "naivebayes"
}

// Fit trains on the given rows; it draws no random numbers. The model is a
// [*Model].
//
// The error wraps [learner.ErrTraining] if t has no nominal class with at
// least one declared value, if a row is out of range, or if no row has a
// known class.
func (c *Classifier) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	w := c.pool.Get()
	known, err := trainset.Known(w.rows[:0], t, rows)
	if err != nil {
		c.pool.Put(w)
		return nil, err
	}
	w.rows = known
	w.train(t, c.cache.Get(t, prepare), c.cfg)
	return &Model{c.pool.Lend(w)}, nil
}
