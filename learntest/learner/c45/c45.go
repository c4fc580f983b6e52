// Package c45 is the decision tree learner C4.5, as Weka's J48 has it.
package c45

import (
	"sync"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/rank"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Classifier is C4.5 with its parameters. It must be made by [New]. It may
// be used by several goroutines at once.
type Classifier struct {
	cfg    Config
	err    error // of the parameters
	est    estimator
	ranks  rank.Cache
	tables entropy.Tables
	spaces sync.Pool // of *workspace
	models sync.Pool // of *Model
}

var _ learner.Classifier = (*Classifier)(nil)

// workspace is the memory of a training.
type workspace struct {
	problem
	unit     unit
	weighted weighted
}

// New returns a classifier with the given parameters. If they cannot be, Fit
// returns the error.
func New(cfg Config) *Classifier {
	c := &Classifier{cfg: cfg.withDefaults(), err: cfg.check()}
	c.est = newEstimator(c.cfg.Confidence)
	c.spaces.New = func() any { return new(workspace) }
	c.models.New = func() any { return new(Model) }
	return c
}

// Name returns "c45", followed by the parameters that differ from their
// defaults, as in "c45(minleaf=5)".
func (c *Classifier) Name() string { return c.cfg.name() }

// Fit trains on the given rows.
func (c *Classifier) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	if c.err != nil {
		return nil, c.err
	}
	w := c.spaces.Get().(*workspace)
	defer c.spaces.Put(w)
	known, err := trainset.Known(w.rows[:0], t, rows)
	if err != nil {
		return nil, err
	}
	w.rows = known
	m := c.models.Get().(*Model)
	m.classifier = c
	w.train(c, t, rows, false, &m.tree)
	m.source = nil
	if m.inexact() {
		m.source = t
		m.rows = append(m.rows[:0], rows...)
		m.hasExact = false
	}
	return m, nil
}

// train sets m to the tree for rows that have been checked.
func (w *workspace) train(c *Classifier, t *dataset.Table, rows []int, inOrder bool, m *tree) {
	w.cfg, w.est, w.inOrder = c.cfg, c.est, inOrder
	w.tab = c.tables.Get(len(rows))
	w.load(t, rows, &c.ranks)
	m.classes = t.Attribute(t.ClassIndex()).Values
	m.attrs = m.attrs[:0]
	if len(w.weight) == 0 && !inOrder && w.unit.build(&w.problem) {
		w.unit.finish(m)
	} else {
		w.weighted.build(&w.problem)
		w.weighted.finish(m)
	}
	w.table = nil
}
