package split

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Shape describes the trials of a protocol without the examples: the numbers of runs and
// folds, and the possible sizes of training and test sets. Readers of stored results need
// nothing else of a protocol.
type Shape struct {
	Runs  int
	Folds int // of a run; 0 if there is one for each example

	halves bool
	items  bool
	sizes
}

// maxShape bounds the runs and the folds of a shape. It is more than Validate allows.
const maxShape = 1 << 24

// ParseShape returns the shape of a protocol from its canonical text form. It ignores the
// values of settings that it does not need, and it accepts other versions, because another
// version of this module may have stored the text.
//
// The error wraps [ErrSyntax] and names the problem.
func ParseShape(text string) (Shape, error) {
	s, err := parseShape(text)
	if err != nil {
		return s, fmt.Errorf("%w %q: %w", ErrSyntax, text, err)
	}
	return s, nil
}

func parseShape(text string) (Shape, error) {
	words := strings.Split(text, " ")
	k := items
	if words[0] != items.name {
		var err error
		if k, err = lookupKind(words[0]); err != nil {
			return Shape{}, err
		}
	}
	if digits, ok := strings.CutPrefix(words[len(words)-1], "v"); !ok ||
		!parseShapeCount(digits, new(int)) {
		return Shape{}, fmt.Errorf("it does not end with a version, such as %s", version)
	}
	s := Shape{Runs: 1, Folds: k.folds, items: k.repeats, sizes: k.sizes}
	seen := make(map[string]bool)
	for _, word := range words[1 : len(words)-1] {
		name, value, _ := strings.Cut(word, "=")
		if seen[name] {
			return Shape{}, fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
		ok := word != ""
		switch name {
		case k.runsName():
			ok = parseShapeCount(value, &s.Runs)
		case "folds":
			ok = parseShapeCount(value, &s.Folds)
		case "seed":
			ok = value != "" && strings.Trim(value, "0123456789") == ""
		}
		if !ok {
			return Shape{}, fmt.Errorf("invalid word %q", word)
		}
	}
	for _, name := range []string{k.runsName(), "folds"} {
		if k.needs(name) != seen[name] {
			return Shape{}, fmt.Errorf("%s= is missing, or does not belong there", name)
		}
	}
	if s.halves = k.halves; s.halves {
		s.Folds *= 2
	}
	return s, nil
}

// parseShapeCount sets n to a number from 1 to maxShape in its canonical form, and
// reports whether the text is one.
func parseShapeCount(text string, n *int) (ok bool) {
	var err error
	*n, err = strconv.Atoi(text)
	return err == nil && *n >= 1 && *n <= maxShape && text == strconv.Itoa(*n)
}

// UsesAll reports whether every example is in the training set or in the test set of each
// fold, so that the sizes of the two sets add up to the number of examples.
func (s *Shape) UsesAll() bool { return s.all }

// Halves reports whether the protocol is a second opinion: see [Halves].
func (s *Shape) Halves() bool { return s.halves }

// Covers reports whether every example is in exactly one test set of each run.
func (s *Shape) Covers() bool { return s.cover }

// CheckSizes returns an error if no fold on n examples can have training and test sets of
// these sizes. If n is 0, the number of examples is unknown.
func (s *Shape) CheckSizes(trainN, testN, n int) error {
	switch {
	case s.items && (trainN != 0 || testN != 1):
		return fmt.Errorf("%d training and %d test examples for an item, which is one", trainN, testN)
	case trainN < 0 || trainN > math.MaxInt32:
		return fmt.Errorf("%d training examples", trainN)
	case testN < 1 || testN > math.MaxInt32:
		return fmt.Errorf("%d test examples", testN)
	case !s.all:
		return nil
	}
	all := trainN + testN
	if n > 0 && all != n {
		return fmt.Errorf("%d training and %d test examples are %d, not the %d of the data set", trainN,
			testN, all, n)
	}
	if folds := s.Folds; s.even {
		if folds == 0 {
			folds = all
		}
		if testN != all/folds && testN != (all+folds-1)/folds {
			return fmt.Errorf("%d of %d examples are no test set of %d even folds", testN, all, folds)
		}
	}
	return nil
}
