// Package perceptron is the voted perceptron of Freund and Schapire, as Weka
// has it, for data sets that declare exactly two classes.
//
// # Training
//
// Missing values become the mean or the mode (the first of ties) of the
// training set. A nominal attribute with more than two declared values becomes
// one 0/1 indicator a value; one with two values stays its index, 0 or 1.
// Without any known value in the training set, an attribute has the mode of its
// first value if it has more than two, and is left out if not: the others are
// then 0 in all training rows. The rows are then shuffled.
//
// One after the other, each is classified by the perceptron so far, a weighted
// sum of kernel values K(a, b) = (a·b + 1)^e over earlier mistakes. If the
// class is right, the perceptron's vote grows by one. If it is wrong, the row
// is added to the perceptron with the sign of its class, and the new
// perceptron starts with a vote of one.
//
// # Prediction
//
// Every perceptron that occurred in training votes for class 1 if its sum is
// at least 0, otherwise for class 0. With v the difference of the votes, the
// probability of class 1 is 1/(1+exp(-v)).
//
// Weights of rows count for means and modes only, as in Weka. The result
// depends on the order of the training rows, which is in the nature of the
// algorithm.
package perceptron

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

// The defaults, which are Weka's.
const (
	defaultEpochs      = 1
	defaultExponent    = 1
	defaultAlterations = 10000
	defaultShuffle     = 1
)

// Config holds the parameters. The zero value has Weka's defaults.
type Config struct {
	// Epochs is the number of passes over the training set. If zero, 1.
	Epochs int

	// Exponent is the exponent of the polynomial kernel. If zero, 1.
	Exponent int

	// MaxAlterations is the number of mistakes at which training ends. If zero,
	// 10000.
	MaxAlterations int

	// Shuffle is the seed of Java's random generator by which the training
	// rows are shuffled. If zero, 1. As in Weka, it is a parameter of the
	// algorithm; the seed given to Fit is not used.
	Shuffle int64
}

// withDefaults returns the parameters with all defaults filled in.
func (cfg Config) withDefaults() Config {
	if cfg.Epochs == 0 {
		cfg.Epochs = defaultEpochs
	}
	if cfg.Exponent == 0 {
		cfg.Exponent = defaultExponent
	}
	if cfg.MaxAlterations == 0 {
		cfg.MaxAlterations = defaultAlterations
	}
	if cfg.Shuffle == 0 {
		cfg.Shuffle = defaultShuffle
	}
	return cfg
}

func (cfg Config) check() error {
	for _, p := range []struct {
		name  string
		value int
	}{
		{"epochs", cfg.Epochs},
		{"exponent", cfg.Exponent},
		{"maximum of alterations", cfg.MaxAlterations},
	} {
		if p.value < 0 {
			return fmt.Errorf("%w: %s = %d", ErrConfig, p.name, p.value)
		}
	}
	return nil
}

// A Classifier is a voted perceptron with its parameters. It must be made by
// [New]. It may be used by several goroutines at once.
type Classifier struct {
	cfg  Config
	pool scratch.Pool[workspace]
}

var _ learner.Classifier = (*Classifier)(nil)

// New returns a voted perceptron. Impossible parameters are an error of Fit.
func New(cfg Config) *Classifier {
	return &Classifier{cfg: cfg.withDefaults()}
}

// Name returns "perceptron", or as in "perceptron(epochs=5,exponent=2)".
func (c *Classifier) Name() string {
	var args []string
	if c.cfg.Epochs != defaultEpochs {
		args = append(args, fmt.Sprintf("epochs=%d", c.cfg.Epochs))
	}
	if c.cfg.Exponent != defaultExponent {
		args = append(args, fmt.Sprintf("exponent=%d", c.cfg.Exponent))
	}
	if c.cfg.MaxAlterations != defaultAlterations {
		args = append(args, fmt.Sprintf("alterations=%d", c.cfg.MaxAlterations))
	}
	if c.cfg.Shuffle != defaultShuffle {
		args = append(args, fmt.Sprintf("shuffle=%d", c.cfg.Shuffle))
	}
	if args == nil {
		return "perceptron"
	}
	return "perceptron(" + strings.Join(args, ",") + ")"
}

// Fit trains on the given rows. It does not use the seed; see
// [Config.Shuffle]. The model is a [*Model].
//
// The error wraps [ErrConfig] if a parameter is negative. It wraps
// [learner.ErrTraining] if the class of t is not nominal with exactly two
// declared values, if a row is out of range, or if no row has a known class.
func (c *Classifier) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	if err := c.cfg.check(); err != nil {
		return nil, err
	}
	w := c.pool.Get()
	known, err := trainset.Known(w.rows[:0], t, rows)
	if err == nil && t.NumClasses() != 2 {
		err = fmt.Errorf("%w on %q: the class %q declares %d values, a perceptron needs 2",
			learner.ErrTraining, t.Name(), t.Attribute(t.ClassIndex()).Name, t.NumClasses())
	}
	if err != nil {
		c.pool.Put(w)
		return nil, err
	}
	w.rows = known
	w.train(t, c.cfg)
	return &Model{c.pool.Lend(w)}, nil
}
