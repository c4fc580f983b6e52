package learntest

import (
	"fmt"
	"os"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/dataset"
)

// Data is a labelled data set of examples of type X with labels of type Y.
//
// Labels of a floating-point type are the targets of regression, labels of any
// other type are classes. A [*dataset.Table] with a nominal class is a
// Data[dataset.Row, int], the [dataset.Regression] of one with a numeric target is a
// Data[dataset.Row, float64], and [Examples] makes a data set of two slices. Data with a method
// Groups() []string, as all of these have, tell which examples belong together.
//
// Data of rows may be of any type, such as one that yields a part of a table. Data with the
// table's own labels has the classes that the table declares.
//
// All methods must be safe for concurrent use and always return the same values.
type Data[X any, Y comparable] interface {
	Name() string
	Len() int
	Example(i int) X
	Label(i int) Y

	// Digest identifies names, values and order of the examples: the hex
	// SHA-256 of a canonical encoding.
	Digest() (string, error)
}

// An ExampleSet is a data set made of slices.
type ExampleSet[X any, Y comparable] struct {
	name   string
	xs     []X
	ys     []Y
	groups []string
	digest string
	file   string // that it was read from, or ""
	column string // of the file that has the labels, or ""
	slices []dataset.Slice
}

// Examples returns the data set of the examples xs with the labels ys. The data set keeps both
// slices, and they must not change afterwards. No example may contain its label, where a learner
// would find it: [CSV] sees to that, and package learnercheck finds a learner whose predictions
// use a field that tells the label of every example. [Run] reports slices of different lengths.
func Examples[X any, Y comparable](name string, xs []X, ys []Y) *ExampleSet[X, Y] {
	return &ExampleSet[X, Y]{name: name, xs: xs, ys: ys}
}

// WithGroups returns a copy of the data set whose examples belong to the given
// groups, one for each example. Protocols such as split.Groups keep a group
// together.
func (e ExampleSet[X, Y]) WithGroups(groups []string) *ExampleSet[X, Y] {
	e.groups = groups
	return &e
}

// WithDigest returns a copy of the data set with the given digest, for
// examples that cannot be digested by their values, such as functions. It is a
// SHA-256 in hexadecimal, such as dataset.DigestOf makes of the name and version of the
// data.
func (e ExampleSet[X, Y]) WithDigest(digest string) *ExampleSet[X, Y] {
	e.digest = digest
	return &e
}

// Name returns the name of the data set.
func (e *ExampleSet[X, Y]) Name() string { return e.name }

// Len returns the number of examples.
func (e *ExampleSet[X, Y]) Len() int { return len(e.xs) }

// Example returns example i.
func (e *ExampleSet[X, Y]) Example(i int) X { return e.xs[i] }

// Label returns the label of example i.
func (e *ExampleSet[X, Y]) Label(i int) Y { return e.ys[i] }

// Groups returns the group of each example, or nil if there are none.
func (e *ExampleSet[X, Y]) Groups() []string { return e.groups }

// Digest returns the SHA-256 of the examples, labels and groups as [dataset.DigestOf]
// encodes them, or the digest that WithDigest has set. Of rows, the digest of their table and
// their index count.
func (e *ExampleSet[X, Y]) Digest() (string, error) {
	if e.digest != "" {
		return e.digest, nil
	}
	var xs any = e.xs
	if rows, ok := xs.([]dataset.Row); ok {
		xs = digestOfRows(rows)
	}
	d, err := dataset.DigestOf(xs, e.ys, e.groups)
	if err != nil {
		return "", fmt.Errorf("data set %s: %w (set one with WithDigest)", e.name, err)
	}
	return d, nil
}

func (e *ExampleSet[X, Y]) check() error {
	if len(e.xs) != len(e.ys) {
		return fmt.Errorf("%d examples with %d labels", len(e.xs), len(e.ys))
	}
	if e.groups != nil && len(e.groups) != len(e.xs) {
		return fmt.Errorf("%d examples with %d groups", len(e.xs), len(e.groups))
	}
	return showFile(e.file)
}

// showFile opens a file that examples were read from, so that go test learns that the outcome
// depends on it: go test does not see files that are read before the tests begin, nor files
// outside of the module.
func showFile(path string) error {
	if path == "" || !gotest.MayBeCached() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !gotest.InModule(path) && !gotest.Wrote(info) {
		return fmt.Errorf("%s lies outside of the module: add -count=1: the cache does not look at it",
			path)
	}
	return nil
}
