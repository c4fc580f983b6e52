// Package neighbor is the k-nearest-neighbour classifier of Weka's IBk.
//
// # Distance
//
// The squared distance of two instances is the sum of the squared differences
// of their attributes, in the order of the attributes, the class left out. All
// other attributes count, even names and numbers of instances.
//
// Two nominal values differ by 0 if they are equal, else by 1, a missing value
// by 1 from everything. Numeric values are normalised to (x-min)/(max-min), or
// 0 if max is min, and differ by their difference. If one of two is missing,
// the difference is the greatest possible to the other in [0, 1], x or 1-x; if
// both are, it is 1.
//
// The k nearest are all training instances whose distance is at most the k-th
// smallest: those at exactly that distance are all taken, unless [Config.Ties] says
// otherwise. Each adds its weight
// to the vote of its class, on top of 1/n for each of the declared classes, n
// being the number of training instances. The votes are divided by their sum.
// Training rows whose class is missing are left out.
//
// # Agreement with Weka
//
// The normalisation of IBk depends on the order of the test instances: each widens the ranges
// of the attributes before it is classified, and later ones find them widened. By default, the
// ranges come from the training set only. A test value outside them is normalised by the same
// formula and thus lies outside [0, 1]. [Config.WekaOrder] widens the ranges as IBk does.
//
// # Cost
//
// Where all attributes are numeric and no training instance lacks the values
// of half of them or more, a k-d tree over the latter is searched; where it excludes few of many
// points, their rounded coordinates are compared first, nine attributes at a time. Otherwise,
// the numbers of differing nominal values, which bound the distances from
// below, are compared eight attributes at a time. A row that is asked for again, as
// in the next run of cross-validation, is remembered with the rows nearest to it in the
// whole table, some 400 bytes a row, and is most often done with the first of
// these. None of that changes the result in any bit.
package neighbor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// ErrConfig is wrapped by the error of a Fit whose classifier has impossible
// parameters.
var ErrConfig = errors.New("impossible parameters")

// A Weighting says how the vote of a neighbour depends on its distance d,
// which is the root of the mean squared difference of the attributes.
type Weighting uint8

// The weightings.
const (
	Equal      Weighting = iota // 1
	Inverse                     // 1/(d+0.001), Weka's option -I
	Similarity                  // 1-d, or 0 if that is negative, Weka's option -F
)

// String returns "equal", "inverse" or "similarity".
func (w Weighting) String() string {
	switch w {
	case Equal:
		return "equal"
	case Inverse:
		return "inverse"
	case Similarity:
		return "similarity"
	}
	return fmt.Sprintf("Weighting(%d)", uint8(w))
}

// Ties say which of the training rows that are equally far are neighbours, where only some
// of them are needed to make k.
type Ties uint8

// The ties.
const (
	AllTies   Ties = iota // all of them, as in Weka's IBk
	FirstTies             // the first in the order of the training rows, as in Weka's IB1, for which k is 1
)

// String returns "all" or "first".
func (t Ties) String() string {
	switch t {
	case AllTies:
		return "all"
	case FirstTies:
		return "first"
	}
	return fmt.Sprintf("Ties(%d)", uint8(t))
}

// Config holds the parameters. The zero value has Weka's defaults.
type Config struct {
	// K is the number of neighbours. If zero, 1.
	K int

	// Weighting weights the neighbours' votes. If zero, all votes are equal.
	Weighting Weighting

	// Ties says which of several rows that are equally far are neighbours. If zero, all.
	Ties Ties

	// WekaOrder widens the range of each numeric attribute by every test instance before it is
	// classified, and leaves it widened for later instances.
	WekaOrder bool
}

// A Classifier is a nearest-neighbour classifier with its parameters. It must
// be made by [New]. It may be used by several goroutines at once.
type Classifier struct {
	cfg   Config
	pool  scratch.Pool[workspace]
	lists trainset.Cache[*lists]
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns a nearest-neighbour classifier. Impossible parameters are an
// error of Fit.
func New(cfg Config) *Classifier {
	if cfg.K == 0 {
		cfg.K = 1
	}
	return &Classifier{cfg: cfg}
}

// Name returns "nn", or as in "nn(k=5,weighting=inverse,order=weka)".
func (c *Classifier) Name() string {
	var args []string
	if c.cfg.K != 1 {
		args = append(args, fmt.Sprintf("k=%d", c.cfg.K))
	}
	if c.cfg.Weighting != Equal {
		args = append(args, "weighting="+c.cfg.Weighting.String())
	}
	if c.cfg.Ties != AllTies {
		args = append(args, "ties="+c.cfg.Ties.String())
	}
	if c.cfg.WekaOrder {
		args = append(args, "order=weka")
	}
	if args == nil {
		return "nn"
	}
	return "nn(" + strings.Join(args, ",") + ")"
}

// Fit stores the given rows; it draws no random numbers. The model is a
// [*Model].
//
// The error wraps [ErrConfig] if K is negative or the weighting or the ties are unknown.
// It wraps [learner.ErrTraining] if t has no nominal class with at least one
// declared value, if a row is out of range, or if no row has a known class.
func (c *Classifier) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	if c.cfg.K < 0 {
		return nil, fmt.Errorf("%w: k = %d", ErrConfig, c.cfg.K)
	}
	if c.cfg.Weighting > Similarity {
		return nil, fmt.Errorf("%w: %v", ErrConfig, c.cfg.Weighting)
	}
	if c.cfg.Ties > FirstTies {
		return nil, fmt.Errorf("%w: %v", ErrConfig, c.cfg.Ties)
	}
	w := c.pool.Get()
	known, err := trainset.Known(w.points.rows[:0], t, rows)
	if err != nil {
		c.pool.Put(w)
		return nil, err
	}
	w.points.rows = known
	w.train(t, c.cfg, c.lists.Get(t, newLists))
	return &Model{c.pool.Lend(w)}, nil
}
