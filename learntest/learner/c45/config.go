package c45

import (
	"errors"
	"fmt"
	"strings"
)

// A Pruning says how a grown tree is cut back.
type Pruning uint8

// The ways of pruning.
const (
	// Pessimistic replaces a node by a leaf, or by its largest branch, where
	// that does not raise the upper confidence limit of the training errors.
	Pessimistic Pruning = iota
	// CostComplexity cuts the weakest links, as many as cross-validation on
	// the training set advises.
	CostComplexity
	// Unpruned keeps the tree as grown and collapsed.
	Unpruned
)

// String returns "pessimistic", "cost-complexity" or "none".
func (p Pruning) String() string {
	switch p {
	case Pessimistic:
		return "pessimistic"
	case CostComplexity:
		return "cost-complexity"
	case Unpruned:
		return "none"
	}
	return fmt.Sprintf("Pruning(%d)", uint8(p))
}

// ErrConfig is wrapped by the errors of Fit that are due to the parameters.
var ErrConfig = errors.New("c45: invalid parameters")

// Config holds the parameters. The zero value has the defaults of Weka's J48.
type Config struct {
	// MinLeaf is the least number, or weight, of the training instances in two
	// of the branches of a split. If zero, it is 2.
	MinLeaf int

	// Pruning is [Pessimistic] if zero.
	Pruning Pruning

	// Confidence is the confidence level of pessimistic pruning, in [1e-6, 0.5]: smaller
	// values prune more. If zero, it is 0.25. It is rounded to single precision, as Weka does.
	Confidence float64

	// NoRaising forbids pessimistic pruning to replace a node by its largest
	// branch, which takes about half of the time that pruning takes.
	NoRaising bool

	// NoCollapse keeps subtrees that make as many errors on the training set
	// as a leaf would. Weka 3.6 cannot.
	NoCollapse bool

	// NoMDL leaves out the correction of the gain of a numeric split for the
	// number of its possible thresholds. Weka 3.6 cannot.
	NoMDL bool

	// Laplace adds one to the class weights of a leaf before they are scaled
	// to probabilities.
	Laplace bool

	// Folds is the number of folds by which cost-complexity pruning chooses
	// its factor. If zero, it is 10.
	Folds int

	// LeastError makes cost-complexity pruning choose the tree with the least
	// cross-validated error, rather than the smallest tree whose error is
	// within one standard error of that.
	LeastError bool
}

// withDefaults fills in the defaults.
func (c Config) withDefaults() Config {
	if c.MinLeaf == 0 {
		c.MinLeaf = 2
	}
	if c.Confidence == 0 {
		c.Confidence = 0.25
	}
	if c.Folds == 0 {
		c.Folds = 10
	}
	return c
}

// check reports the first parameter that cannot be, or that has no effect
// beside the others.
func (c Config) check() error {
	d := c.withDefaults()
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
	}
	switch {
	case d.Pruning > Unpruned:
		return fail("unknown pruning %v", d.Pruning)
	case d.MinLeaf < 1 || d.MinLeaf > 1<<30:
		return fail("the least number of instances in a leaf is %d", d.MinLeaf)
	case !(d.Confidence >= 1e-6 && d.Confidence <= 0.5):
		return fail("confidence %v is not in [1e-6, 0.5]", d.Confidence)
	case d.Folds < 2:
		return fail("%d folds", d.Folds)
	case c.Pruning != Pessimistic && (c.Confidence != 0 || c.NoRaising):
		return fail("confidence and raising of subtrees do not apply to pruning %v", c.Pruning)
	case c.Pruning != CostComplexity && (c.Folds != 0 || c.LeastError):
		return fail("folds and the least error do not apply to pruning %v", c.Pruning)
	}
	return nil
}

// name is the canonical text of the parameters that differ from the defaults.
func (c Config) name() string {
	d := c.withDefaults()
	var s []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			s = append(s, fmt.Sprintf(format, args...))
		}
	}
	add(d.Pruning != Pessimistic, "pruning=%v", d.Pruning)
	add(d.Confidence != 0.25, "confidence=%v", d.Confidence)
	add(d.MinLeaf != 2, "minleaf=%d", d.MinLeaf)
	add(d.NoRaising, "noraising=true")
	add(d.NoCollapse, "nocollapse=true")
	add(d.NoMDL, "nomdl=true")
	add(d.Laplace, "laplace=true")
	add(d.Folds != 10, "folds=%d", d.Folds)
	add(d.LeastError, "leasterror=true")
	if s == nil {
		return "c45"
	}
	return "c45(" + strings.Join(s, ",") + ")"
}
