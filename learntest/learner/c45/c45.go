// Package c45 is the decision tree learner C4.5, as Weka's J48 has it.
package c45

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/tablecache"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Classifier is C4.5 with its parameters. It must be made by [New]. It may
// be used by several goroutines at once.
type Classifier struct {
	cfg    Config
	err    error // of the parameters
	est    estimator
	frames tablecache.Cache[*frame]
	tables entropy.Tables
	spaces scratch.Pool[workspace]
	models scratch.Pool[Model]
}

var _ learner.Classifier = (*Classifier)(nil)

// workspace is the memory of a training.
type workspace struct {
	problem
	known    []int32
	local    []int32
	unit     unit
	weighted weighted
}

// New returns a classifier with the given parameters. If they cannot be, Fit
// returns the error.
func New(cfg Config) *Classifier {
	c := &Classifier{cfg: cfg.withDefaults(), err: cfg.check()}
	c.est = newEstimator(c.cfg.Confidence)
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
	w := c.spaces.Get()
	defer c.spaces.Put(w)
	known, err := trainset.Known(w.known[:0], t, rows)
	if err != nil {
		return nil, err
	}
	w.known = known
	if len(known) > maxRows || t.NumClasses() > maxClasses {
		return nil, fmt.Errorf("%w on %q: c45: %d rows and %d classes, the most are %d and %d",
			learner.ErrTraining, t.Name(), len(known), t.NumClasses(), maxRows, maxClasses)
	}
	m := c.models.Get()
	m.classifier, m.factor = c, 0
	w.train(c, t, known, false, &m.tree)
	if c.cfg.Pruning == CostComplexity {
		var factor []float64
		m.factor, factor = c.chooseFactor(t, known, seed, &m.tree)
		m.cut(factor, m.factor, &m.spare)
	}
	m.source = nil
	if m.inexact() {
		m.source = t
		m.rows = append(m.rows[:0], known...)
		m.hasExact = false
	}
	return m, nil
}

// localFactor is the number of times that a table must exceed the training set
// to make a frame of the training set cheaper than one of the table.
const localFactor = 8

// train sets m to the tree for rows of known class.
func (w *workspace) train(c *Classifier, t *dataset.Table, rows []int32, inOrder bool, m *tree) {
	w.cfg, w.est, w.inOrder, w.table = c.cfg, c.est, inOrder, t
	w.tab = c.tables.Get(len(rows))
	if t.Len() > localFactor*len(rows) || t.Len() > maxRows {
		w.local = w.local[:0]
		for i := range rows {
			w.local = append(w.local, int32(i))
		}
		var weight []float64
		if t.Weights() != nil {
			weight = pick(t.Weights(), rows)
		}
		w.load(newFrame(t, rows), w.local, weight)
	} else {
		f := c.frames.Get(t, func(t *dataset.Table) *frame { return newFrame(t, nil) })
		w.load(f, rows, t.Weights())
	}
	m.classes = t.Attribute(t.ClassIndex()).Values
	m.attrs, m.bound = m.attrs[:0], nil
	if w.weight == nil && !w.missing {
		w.unit.build(&w.problem)
		w.unit.finish(m)
	} else {
		w.weighted.build(&w.problem)
		w.weighted.finish(m)
	}
	w.frame, w.table, w.weight, w.set = nil, nil, nil, nil
}
