package discretize

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A Classifier trains another classifier on attributes divided into intervals
// that are learned from the same training rows. It must be made by [New].
type Classifier struct {
	inner learner.Classifier
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns a classifier that divides the numeric attributes before it
// trains c, as Weka's FilteredClassifier with the supervised filter Discretize.
func New(c learner.Classifier) *Classifier { return &Classifier{c} }

// Name returns the name of the inner classifier in "discretized(...)".
func (c *Classifier) Name() string { return "discretized(" + c.inner.Name() + ")" }

// Fit learns cut points from the rows, divides the attributes of the table, and trains the
// inner classifier on it. The model is a [*Model]. The error comes from the function [Fit] or
// from the inner classifier.
func (c *Classifier) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	d, err := Fit(t, rows)
	if err != nil {
		return nil, err
	}
	divided, err := d.Apply(t)
	if err != nil {
		return nil, err
	}
	inner, err := c.inner.Fit(divided, rows, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	return &Model{d: d, inner: inner, from: t, to: divided}, nil
}

// A Model is a model of the inner classifier with the cut points that it needs.
type Model struct {
	d        *Discretizer
	inner    learner.Model
	from, to *dataset.Table // the table seen last, and its version with intervals
}

var _ learner.Model = (*Model)(nil)

// Distribution writes the class probabilities of a row into dist. A table other than the
// training table is divided as a whole when its first row is asked for. It panics if t has other
// attributes than the training table.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	if t != m.from {
		divided, err := m.d.Apply(t)
		if err != nil {
			panic(fmt.Sprintf("discretize: %v", err))
		}
		m.from, m.to = t, divided
	}
	m.inner.Distribution(m.to, row, dist)
}

// Discretizer returns the cut points.
func (m *Model) Discretizer() *Discretizer { return m.d }

// Inner returns the model of the inner classifier. It expects tables that the
// cut points have been applied to.
func (m *Model) Inner() learner.Model { return m.inner }

// Close closes the inner model.
func (m *Model) Close() error { return m.inner.Close() }
