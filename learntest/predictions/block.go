package predictions

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// ErrInvalid is wrapped by errors about predictions that no block can have.
var ErrInvalid = errors.New("invalid predictions")

// The kinds of probabilities that a block may have.
const (
	OfTruth = "truth" // of the true class
	OfAll   = "full"  // of each class
)

// A Header says what predictions are of, as the head of a result says it.
type Header struct {
	Pkg, Test     string   // import path of the code under test, and the name of the test
	Protocol      string   // text of the protocol
	DataDigest    string   // hex SHA-256 of the data set
	SplitDigest   string   // hex SHA-256 of the partitions of the protocol's own runs
	Data          string   // name of the data set
	Examples      int      // their number
	Classes       []string // none in regression
	Probabilities string   // OfTruth or OfAll; empty if there are none
}

// Identity returns the identity of the results that the predictions are of.
func (h *Header) Identity() record.Identity {
	return record.Identity{Pkg: h.Pkg, Test: h.Test, Data: h.Data, Protocol: h.Protocol}
}

// width returns the number of probabilities of an example.
func (h *Header) width() int {
	switch h.Probabilities {
	case OfTruth:
		return 1
	case OfAll:
		return len(h.Classes)
	}
	return 0
}

// check returns an error unless the header makes sense, and the shape of the protocol.
func (h *Header) check() (split.Shape, error) {
	shape, err := split.ParseShape(h.Protocol)
	if err != nil {
		return shape, err
	}
	for name, digest := range map[string]string{keyDataDigest: h.DataDigest, keySplitDigest: h.SplitDigest} {
		if !isDigest(digest) {
			return shape, fmt.Errorf("%s is %q, not the 64 hexadecimal digits of a SHA-256", name, digest)
		}
	}
	switch {
	case h.Data == "":
		return shape, errors.New("the data set has no name")
	case shape.Items() || shape.Halves():
		return shape, fmt.Errorf("the protocol %q has no predictions: they are kept of the protocols of trials, second opinions apart", h.Protocol)
	case h.Examples < 1 || int64(h.Examples) > math.MaxInt32:
		return shape, fmt.Errorf("%d examples are not a number from 1 to %d", h.Examples, math.MaxInt32)
	case len(h.Classes) == 1 || len(h.Classes) > maxClasses:
		return shape, fmt.Errorf("%d classes: there must be from 2 to %d, or none in regression", len(h.Classes), maxClasses)
	case h.Probabilities != "" && h.width() == 0:
		return shape, fmt.Errorf("probabilities %q: they are %s or %s, and of classes", h.Probabilities, OfTruth, OfAll)
	case h.width() > maxWidth:
		return shape, fmt.Errorf("probabilities of %d classes do not fit in a line: keep the probability of the true class (%s)", h.width(), OfTruth)
	}
	seen := make(map[string]bool)
	for _, name := range h.Classes {
		if seen[name] {
			return shape, fmt.Errorf("two classes have the name %q", name)
		}
		seen[name] = true
	}
	if shape.Folds == 0 {
		shape.Folds = h.Examples
	}
	if shape.Folds > math.MaxUint16 {
		return shape, fmt.Errorf("%d folds are more than %d", shape.Folds, math.MaxUint16)
	}
	return shape, nil
}

// Codes of predicted classes in a Run: class c is firstClass+c.
const (
	missing uint16 = iota
	none
	firstClass

	maxClasses = 65_000
)

// Predicted classes of a [Run] that are no class.
const (
	None    = -1 // the learner has predicted none of the classes, which counts as wrong
	Missing = -2 // nothing was predicted
)

// A Run is the predictions of a learner in one run, by example.
type Run struct {
	codes  []uint16 // of classification
	values []float64
	chance []float64 // probabilities, the width of the header for each example
	width  int
}

// Class returns the class predicted of an example, None or Missing.
func (r *Run) Class(example int) int {
	if c := r.codes[example]; c != missing {
		return int(c) - int(firstClass)
	}
	return Missing
}

// Value returns the number predicted of an example; NaN if nothing was predicted.
func (r *Run) Value(example int) float64 { return r.values[example] }

// Has reports whether something was predicted of an example.
func (r *Run) Has(example int) bool {
	if r.codes != nil {
		return r.codes[example] != missing
	}
	return !math.IsNaN(r.values[example])
}

// Probabilities returns the probabilities predicted of an example: of its true class or of each
// class, as the header says; nil if there are none.
func (r *Run) Probabilities(example int) []float64 {
	if r.chance == nil {
		return nil
	}
	return r.chance[example*r.width : (example+1)*r.width]
}

// A place is a learner's run.
type place struct{ learner, run int }

// A Block has the predictions of learners on one data set under one protocol.
type Block struct {
	Header
	Pos record.Pos // of its first line, if it was read

	sum      string   // checksum of the text that it was read from
	parts    []string // checksums of the blocks of which it is the union
	shape    split.Shape
	truth    []uint16 // of classification
	targets  []float64
	folds    map[int][]uint16 // by run: the fold that tests each example, from 1; 0 for none
	learners []string
	runs     map[place]*Run
}

// newBlock returns a block without truth and predictions.
func newBlock(h Header) (*Block, error) {
	shape, err := h.check()
	if err != nil {
		return nil, err
	}
	return &Block{Header: h, shape: shape, folds: make(map[int][]uint16), runs: make(map[place]*Run)}, nil
}

// NewBlock returns a block without predictions. The truth are the classes of all examples or, in
// regression, the targets. The error wraps ErrInvalid.
func NewBlock(h Header, truth []int, targets []float64) (*Block, error) {
	b, err := newBlock(h)
	if err == nil {
		err = setTruth(b, truth, targets)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: data set %s: %w", ErrInvalid, h.Data, err)
	}
	return b, nil
}

func setTruth(b *Block, truth []int, targets []float64) error {
	if b.Classification() != (targets == nil) || len(truth)+len(targets) != b.Examples {
		return fmt.Errorf("%d classes and %d targets are known of %d examples", len(truth), len(targets), b.Examples)
	}
	b.targets = slices.Clone(targets)
	for i, y := range targets {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return fmt.Errorf("the target of example %d is %v", i, y)
		}
	}
	for i, c := range truth {
		if c < 0 || c >= len(b.Classes) {
			return fmt.Errorf("the class of example %d is number %d of %d", i, c, len(b.Classes))
		}
		b.truth = append(b.truth, uint16(c))
	}
	return nil
}

// Classification reports whether the predictions are classes.
func (b *Block) Classification() bool { return len(b.Classes) > 0 }

// Learners returns the names of the learners.
func (b *Block) Learners() []string { return b.learners }

// Runs returns the numbers of the runs whose folds are known, in ascending order.
func (b *Block) Runs() []int {
	return slices.Sorted(maps.Keys(b.folds))
}

// places returns the runs that have predictions, by learner and run.
func (b *Block) places() []place {
	return slices.SortedFunc(maps.Keys(b.runs), func(x, y place) int {
		return cmp.Or(cmp.Compare(x.learner, y.learner), cmp.Compare(x.run, y.run))
	})
}

// Truth returns the true class of an example.
func (b *Block) Truth(example int) int { return int(b.truth[example]) }

// Target returns the true number of an example.
func (b *Block) Target(example int) float64 { return b.targets[example] }

// HasFolds reports whether the folds of a run are known.
func (b *Block) HasFolds(run int) bool { return b.folds[run] != nil }

// Fold returns the fold that tests an example in a run, from 1; 0 if there is none.
func (b *Block) Fold(run, example int) int { return int(b.folds[run][example]) }

// Run returns the predictions of a learner in a run; nil if there are none.
func (b *Block) Run(learner string, run int) *Run {
	return b.runs[place{slices.Index(b.learners, learner), run}]
}

// SetFolds sets the fold that tests each example in a run: from 1, and 0 for none.
func (b *Block) SetFolds(run int, of []uint16) error {
	if len(of) != b.Examples {
		return fmt.Errorf("%w: folds of %d examples, there are %d", ErrInvalid, len(of), b.Examples)
	}
	for i, fold := range of {
		if int(fold) > b.shape.Folds {
			return fmt.Errorf("%w: example %d is in fold %d of %d", ErrInvalid, i, fold, b.shape.Folds)
		}
		if fold == 0 && b.shape.Covers() {
			return fmt.Errorf("%w: example %d is tested in no fold of run %d", ErrInvalid, i, run)
		}
	}
	b.folds[run], b.sum = slices.Clone(of), ""
	return nil
}

// Add adds the predictions of a trial for its test examples. The folds of the run must be known.
func (b *Block) Add(c record.Cell, test []int, p *metric.Predictions) error {
	if err := b.add(c, test, p); err != nil {
		return fmt.Errorf("%w: %v: %w", ErrInvalid, c, err)
	}
	return nil
}

func (b *Block) add(c record.Cell, test []int, p *metric.Predictions) error {
	of, ok := b.folds[c.Run]
	switch {
	case c.Data != b.Data:
		return fmt.Errorf("the block is of data set %s", b.Data)
	case !ok:
		return errors.New("the folds of the run are not known")
	case b.Classification() && len(p.Predicted) != len(test), !b.Classification() && len(p.PredictedValues) != len(test):
		return fmt.Errorf("%d classes and %d numbers are predicted of %d examples", len(p.Predicted), len(p.PredictedValues), len(test))
	}
	if err := checkName(c.Learner); err != nil {
		return err
	}
	r, k := b.room(c), len(b.Classes)
	for i, example := range test {
		switch {
		case example < 0 || example >= b.Examples || int(of[example]) != c.Fold:
			return fmt.Errorf("example %d is not tested there", example)
		case r.Has(example):
			return fmt.Errorf("example %d is predicted twice", example)
		case !b.Classification():
			if r.values[example] = p.PredictedValues[i]; math.IsNaN(r.values[example]) || math.IsInf(r.values[example], 0) {
				return fmt.Errorf("%v is predicted of example %d", r.values[example], example)
			}
			continue
		case p.Predicted[i] < None || p.Predicted[i] >= k:
			return fmt.Errorf("class %d of %d is predicted of example %d", p.Predicted[i], k, example)
		}
		r.codes[example] = uint16(p.Predicted[i] + int(firstClass))
		if b.width() > 0 && p.Probabilities != nil {
			row := p.Probabilities[i*k : (i+1)*k]
			if b.Probabilities == OfTruth {
				row = row[b.truth[example] : b.truth[example]+1]
			}
			r.keep(example, row)
		}
	}
	b.sum = ""
	return nil
}

// room returns the run of a cell, with room for all examples.
func (b *Block) room(c record.Cell) *Run {
	at := place{b.indexOf(c.Learner), c.Run}
	r := b.runs[at]
	if r != nil {
		return r
	}
	r = &Run{width: b.width()}
	if b.Classification() {
		r.codes = make([]uint16, b.Examples)
	} else {
		r.values = nans(b.Examples)
	}
	b.runs[at] = r
	return r
}

// indexOf returns the number of a learner, which may be new.
func (b *Block) indexOf(learner string) int {
	if at := slices.Index(b.learners, learner); at >= 0 {
		return at
	}
	b.learners = append(b.learners, learner)
	return len(b.learners) - 1
}

// keep keeps the probabilities of an example.
func (r *Run) keep(example int, row []float64) {
	if r.chance == nil {
		r.chance = nans(len(r.codes) * r.width)
	}
	copy(r.Probabilities(example), row)
}

func nans(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = math.NaN()
	}
	return s
}
