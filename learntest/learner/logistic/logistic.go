// Package logistic is multinomial logistic regression with an L2 penalty.
//
// # Training
//
// Numeric attributes are scaled by their mean and standard deviation in the training rows; a
// nominal attribute becomes one column of zeros and ones for each value that occurs there, and a
// missing value a column of its own, in which case a number is the mean. With x_i the columns of
// row i, w_i its weight and C the inverse strength of the penalty, training minimises
//
//	C Σ w_i log(1 + exp(−m_i)) + ½ |β|²,  m_i = ±(b + β·x_i)
//
// where there are two classes, + being of the second, and for more
//
//	−C Σ w_i log p_i + ½ Σ_k |β_k|²,  p_i = exp(b_y + β_y·x_i) / Σ_k exp(b_k + β_k·x_i)
//
// where y is the class of row i. Intercepts have no penalty. This is what scikit-learn's
// LogisticRegression minimises behind a StandardScaler and a OneHotEncoder. The solution is unique
// but for a constant in all b_k, and finite even if a plane separates the classes.
//
// It is found by Newton's method from zero, each step by conjugate gradients, until no component
// of the gradient exceeds 1e-10 C Σ w_i. A training that does not get there is an error.
//
// # Prediction
//
// A class that no training row has is predicted with probability zero. A value that training has
// never seen has the coefficient 0.
//
// Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition, 2009,
// section 4.4; Nocedal and Wright, Numerical Optimization, 2nd edition, 2006, algorithm 7.1.
package logistic

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// ErrConfig is wrapped by the error of a Fit whose classifier has impossible
// parameters.
var ErrConfig = errors.New("impossible parameters")

// Config holds the parameters. The zero value has scikit-learn's defaults.
type Config struct {
	// C is the inverse of the strength of the penalty. If zero, 1.
	C float64
}

// A Classifier is logistic regression with its parameters. It must be made by
// [New]. It may be used by several goroutines at once.
type Classifier struct {
	c    float64
	pool scratch.Pool[workspace]
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns logistic regression. Impossible parameters are an error of Fit.
func New(cfg Config) *Classifier {
	if cfg.C == 0 {
		cfg.C = 1
	}
	return &Classifier{c: cfg.C}
}

// Name returns "logistic", or as in "logistic(c=0.1)".
func (c *Classifier) Name() string {
	if c.c == 1 {
		return "logistic"
	}
	return "logistic(c=" + strconv.FormatFloat(c.c, 'g', -1, 64) + ")"
}

// Fit trains on the given rows. It draws no random numbers. The model is a
// [*Model].
//
// The error wraps [ErrConfig] if C is not a positive number. It wraps
// [learner.ErrTraining] if the class of t is not nominal, if a row is out of
// range, if no row has a known class, if numbers are too large, or if the
// training does not converge.
func (c *Classifier) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	if !(c.c > 0 && c.c <= math.MaxFloat64) {
		return nil, fmt.Errorf("%w: C = %v, want a positive number", ErrConfig, c.c)
	}
	w := c.pool.Get()
	known, err := trainset.Known(w.rows[:0], t, rows)
	if err != nil {
		c.pool.Put(w)
		return nil, err
	}
	w.rows = known
	if err := w.train(t, c.c); err != nil {
		w.release()
		c.pool.Put(w)
		return nil, fmt.Errorf("%w on %q: %w", learner.ErrTraining, t.Name(), err)
	}
	return &Model{c.pool.Lend(w)}, nil
}

// A Model is a trained logistic regression. One goroutine may use it at a time.
type Model struct{ lent scratch.Loan[workspace] }

// Distribution writes the class probabilities of a row into dist. It panics if dist has another
// length than there are classes, if the table's attributes are not those trained on, or after
// Close.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	w := m.lent.Use("logistic: Distribution")
	if len(dist) != len(w.index) {
		panic(fmt.Sprintf("logistic: %d probabilities for %d classes", len(dist), len(w.index)))
	}
	x := w.design.Encode(t, row, "logistic")
	w.margins(x, w.best, w.p)
	softmax(w.p)
	clear(dist)
	for k, c := range w.classes {
		dist[c] = w.p[k]
	}
}

// Close gives the model's memory back to the classifier. Closing twice does
// nothing.
func (m *Model) Close() error { return m.lent.Close((*workspace).release) }
