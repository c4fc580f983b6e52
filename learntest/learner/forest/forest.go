// Package forest is Breiman's random forest of classification trees (CART).
//
// # Training
//
// Each tree is grown on as many rows as there are training rows, drawn from them with replacement.
// A node is split into the rows whose value of one column is at most a threshold, and the others,
// until its rows are of one class, or nothing tells them apart. Numeric attributes are columns, and
// so is each value of a nominal attribute that occurs in training: 1 where a row has it, 0
// elsewhere. A node looks at some columns, drawn at random, and at further ones while all of them
// are constant there. Of all splits of these columns it takes the one that maximises
//
//	Σ_c L_c² / Σ_c L_c + Σ_c R_c² / Σ_c R_c
//
// where L_c and R_c are the weights of class c on either side, which minimises Gini's index; of
// equal ones the first found. A threshold is halfway between two neighbouring values in the node.
//
// Rows whose number is missing go to one side together: the better one, where the node has seen
// such rows, else the side of more rows. A nominal value that is missing or new is 0 in all
// columns.
//
// # Prediction
//
// The class probabilities are the means over the trees of the shares of weight in the leaf that a
// row falls into.
//
// All this is what scikit-learn's RandomForestClassifier does behind a OneHotEncoder, on other
// random numbers. The forest depends on the seed and the order of the training rows, and on nothing
// else.
//
// Breiman, Random Forests, Machine Learning 45, 2001; Breiman, Friedman, Olshen and Stone,
// Classification and Regression Trees, 1984.
package forest

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// ErrConfig is wrapped by the error of a Fit whose classifier has impossible
// parameters.
var ErrConfig = errors.New("impossible parameters")

// The defaults, which are scikit-learn's.
const (
	defaultTrees = 100
	defaultLeaf  = 1
)

// Config holds the parameters. The zero value has scikit-learn's defaults.
type Config struct {
	// Trees is the number of trees. If zero, 100.
	Trees int

	// MinLeaf is the number of training rows that a leaf has at least; one that
	// was drawn twice counts once. If zero, 1.
	MinLeaf int

	// MaxDepth is the number of splits between the root of a tree and a leaf at
	// most. If zero, there is no limit.
	MaxDepth int

	// Features is the number of columns that a node looks at, all if there are
	// not as many. If zero, it is the square root of their number, rounded down.
	Features int
}

// A Classifier is a random forest with its parameters. It must be made by
// [New]. It may be used by several goroutines at once.
type Classifier struct {
	cfg   Config
	pool  scratch.Pool[workspace]
	ranks trainset.Cache[*trainset.Index]
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns a random forest. Impossible parameters are an error of Fit.
func New(cfg Config) *Classifier {
	if cfg.Trees == 0 {
		cfg.Trees = defaultTrees
	}
	if cfg.MinLeaf == 0 {
		cfg.MinLeaf = defaultLeaf
	}
	return &Classifier{cfg: cfg}
}

// Name returns "forest", or as in "forest(trees=30,minleaf=5,depth=4,features=2)".
func (c *Classifier) Name() string {
	var args []string
	for _, p := range c.cfg.parameters() {
		if p.value != p.usual {
			args = append(args, fmt.Sprintf("%s=%d", p.name, p.value))
		}
	}
	if args == nil {
		return "forest"
	}
	return "forest(" + strings.Join(args, ",") + ")"
}

// A parameter is a number with its default.
type parameter struct {
	name         string
	value, usual int
}

func (cfg Config) parameters() []parameter {
	return []parameter{
		{"trees", cfg.Trees, defaultTrees},
		{"minleaf", cfg.MinLeaf, defaultLeaf},
		{"depth", cfg.MaxDepth, 0},
		{"features", cfg.Features, 0},
	}
}

// Fit trains on the given rows. The model is a [*Model].
//
// The error wraps [ErrConfig] if a parameter is negative. It wraps [learner.ErrTraining] if the
// class of t is not nominal, if a row is out of range, if no row has a known class, or if trees
// times rows are more than a third of 2³¹.
func (c *Classifier) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	for _, p := range c.cfg.parameters() {
		if p.value < 0 {
			return nil, fmt.Errorf("%w: %s = %d", ErrConfig, p.name, p.value)
		}
	}
	w := c.pool.Get()
	known, err := trainset.Known(w.rows[:0], t, rows)
	if err != nil {
		c.pool.Put(w)
		return nil, err
	}
	w.rows = known
	if c.cfg.Trees > math.MaxInt32/3/len(known) {
		c.pool.Put(w)
		return nil, fmt.Errorf("%w on %q: %d trees of %d rows are too many: take fewer",
			learner.ErrTraining, t.Name(), c.cfg.Trees, len(known))
	}
	w.train(t, c.ranks.Get(t, trainset.IndexOf), c.cfg, seed)
	return &Model{c.pool.Lend(w)}, nil
}

// A Model is a trained forest. One goroutine may use it at a time.
type Model struct{ lent scratch.Loan[workspace] }

// Distribution writes the class probabilities of a row into dist. It panics if dist has another
// length than there are classes, if the table's attributes are not those trained on, or after
// Close.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	w := m.lent.Use("forest: Distribution")
	if len(dist) != w.declared {
		panic(fmt.Sprintf("forest: %d probabilities for %d classes", len(dist), w.declared))
	}
	trainset.Bind(&w.table, t, "forest", w.inputs)
	clear(dist)
	for _, root := range w.roots {
		w.add(dist, w.leaf(root, row))
	}
	for c := range dist {
		dist[c] /= float64(len(w.roots))
	}
}

// Close gives the model's memory back to the classifier. Closing twice does
// nothing.
func (m *Model) Close() error { return m.lent.Close((*workspace).release) }
