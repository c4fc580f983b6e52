// Package c45 is the decision tree learner C4.5 [1], as Weka's J48 has it.
//
// # Growing
//
// A node with fewer than 2·MinLeaf instances, or with instances of one class
// only, is a leaf. Otherwise each attribute proposes a split:
//
//   - a nominal attribute one branch for each of its values, if at least two of
//     them have MinLeaf instances;
//   - a numeric attribute two branches, for values up to a threshold and above
//     it. Of the thresholds with at least n/10C instances on either side (of n
//     with a known value, and C classes), but no fewer than MinLeaf and no more
//     than 25, it has the greatest information gain; log₂ of their
//     number, divided by the number of instances, is subtracted from that. The
//     threshold is moved to the greatest value in the training set that is not
//     above it.
//
// The split with the greatest gain ratio is chosen among the splits whose gain is not below
// the average; attributes with very many values do not count for the average. The gain is
// computed from the instances whose value is known, times their part. The others are divided
// among the branches, in proportion to the known ones.
//
// A subtree that makes no fewer errors on the training set than a leaf would
// is replaced by one, from the top.
//
// # Pruning
//
// [Pessimistic] pruning estimates the errors of a leaf by an upper confidence
// limit. From the bottom, each node is replaced by a leaf, or by its largest
// branch with all instances of the node, if the estimate of the subtree does
// not rise by more than 0.1.
//
// [CostComplexity] pruning is the pruning of CART [2]: it takes the subtree with the least
// error rate on the training set plus factor times the number of leaves, where the factor is
// chosen by cross-validation on the training set, with the rule of one standard error.
// Bradford & Brodley [3], whose first inducer it stands for, chose the factor in this way, but
// used a cost that Mansour proposed.
//
// # Prediction
//
// The probabilities of the classes are their weights at the leaf that the row
// reaches. If the row lacks a value that is tested, all branches contribute, in
// proportion to the training instances on them. On a branch that no training
// instance took, the node above decides.
//
// Training rows whose class is missing are left out. A row of weight w counts as
// w instances, so that weights that sum to 1, say, leave no node enough to be
// split: Fit refuses weights that alone make the tree a leaf.
//
// # Agreement with Weka
//
// The number of declared class values enters the arithmetic, and so do Weka's
// tolerances: numbers that differ by less than 1e-6 are mostly taken to be
// equal, and thresholds do not divide values that differ by less than 1e-5.
//
// Trees do not depend on the order of the training rows, except where values of one attribute
// differ by less than 1e-6. The last digits of their weights do, where instances are divided
// or weights are fractions: Weka sorts the instances of each node by each numeric attribute in
// turn, with a sort that is not stable, and sums in the order that results. This package sorts
// each attribute once and sums in another order. When last digits decide a prediction, and
// when a tree is printed, it computes Weka's sums as well, so that classes and printed trees
// are equal; probabilities differ by less than 1e-12.
//
// Weka itself counts rows whose class is missing when it looks for the value to
// which a threshold is moved, and when it decides whether an attribute has very
// many values. This package does not.
//
// [1] J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann, 1993.
//
// [2] L. Breiman, J. H. Friedman, R. A. Olshen & C. J. Stone, Classification
// and Regression Trees, Wadsworth, 1984.
//
// [3] J. P. Bradford & C. E. Brodley, The effect of instance-space partition on
// significance, Machine Learning 42, 2001, 269-286.
package c45

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Classifier is C4.5 with its parameters. It must be made by [New]. It may
// be used by several goroutines at once.
type Classifier struct {
	cfg    Config
	err    error // of the parameters
	est    estimator
	frames trainset.Cache[*frame]
	tables entropy.Tables
	spaces scratch.Pool[workspace]
	models scratch.Pool[Model]
}

var _ learner.Classifier = (*Classifier)(nil)

// workspace is the memory of a training.
type workspace struct {
	problem
	known  []int32
	local  []int32
	grower grower
	sums   wekaSums
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

// Fit trains on the given rows. It draws random numbers for the folds of
// cost-complexity pruning only. The model is a [*Model]. Until it is closed, it
// keeps t and a copy of the rows if the order of summation may matter.
//
// The error wraps [ErrConfig] if the parameters cannot be, and
// [learner.ErrTraining] if t has no nominal class with at least one declared
// value, if a row is out of range, if no row has a known class, if there are
// more than 4096 classes or 67 million rows, if the product of both numbers, each
// rounded up to a power of two, exceeds 2^32, or if the weights of the rows are so
// small that the tree would be a leaf whatever the attributes are.
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
	if !fits(len(known), t.NumClasses()) {
		return nil, fmt.Errorf("%w on %q: c45: %d rows and %d classes, the most are %d and %d; "+
			"with each rounded up to a power of two, their product may be 2^32",
			learner.ErrTraining, t.Name(), len(known), t.NumClasses(), maxRows, maxClasses)
	}
	if err := c.cfg.checkWeights(t, known); err != nil {
		return nil, err
	}
	m := c.models.Get()
	m.classifier, m.factor = c, 0
	w.train(c, t, known, &m.tree)
	if c.cfg.Pruning == CostComplexity {
		var factor []float64
		m.factor, factor = c.chooseFactor(t, known, seed, &m.tree)
		m.cut(factor, m.factor, &m.spare)
	}
	m.source = nil
	if m.inexact() {
		m.source = t
		m.rows = append(m.rows[:0], known...)
	}
	return m, nil
}

// localFactor is the number of times that a table must exceed the training set
// to make a frame of the training set cheaper than one of the table.
const localFactor = 8

// train sets m to the tree for rows of known class.
func (w *workspace) train(c *Classifier, t *dataset.Table, rows []int32, m *tree) {
	w.prepare(c, t, rows)
	w.tab = c.tables.Get(len(rows))
	m.classes = t.Attribute(t.ClassIndex()).Values
	m.attrs, m.bound = m.attrs[:0], nil
	w.grower.build(&w.problem)
	w.grower.finish(m)
	w.release()
}

// prepare sets the problem to rows of known class.
func (w *workspace) prepare(c *Classifier, t *dataset.Table, rows []int32) {
	w.cfg, w.est, w.table = c.cfg, c.est, t
	if t.Len() > localFactor*len(rows) || !fits(t.Len(), t.NumClasses()) {
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
}

// release lets go of what belongs to the table.
func (w *workspace) release() {
	w.frame, w.table, w.weight, w.set = nil, nil, nil, nil
	w.grower.release()
	w.sums.release()
}
