package learntest

import "iter"

// A Sample is the part of a data set that a learner is trained on: a view,
// not a copy. It is valid until the trial ends.
type Sample[X any, Y comparable] struct {
	src  *source[X, Y]
	rows []int
}

// Len returns the number of examples in the sample.
func (s Sample[X, Y]) Len() int { return len(s.rows) }

// Example returns example i of the sample.
func (s Sample[X, Y]) Example(i int) X { return s.src.data.Example(s.rows[i]) }

// Label returns the label of example i of the sample.
func (s Sample[X, Y]) Label(i int) Y { return s.src.data.Label(s.rows[i]) }

// Class returns the label of example i as an index into Classes. It is -1 in
// regression.
func (s Sample[X, Y]) Class(i int) int {
	if s.src.classes == nil {
		return -1
	}
	return s.src.truth[s.rows[i]]
}

// Classes returns the classes of the whole data set, whether or not they occur
// in the sample: a table's classes in the order of their declaration, others
// sorted if they are numbers, strings or booleans and else in the order of their first
// occurrence. In regression the slice is nil. It must not be modified.
func (s Sample[X, Y]) Classes() []Y { return s.src.classes }

// All yields the examples of the sample with their labels.
func (s Sample[X, Y]) All() iter.Seq2[X, Y] {
	return func(yield func(X, Y) bool) {
		for _, i := range s.rows {
			if !yield(s.src.data.Example(i), s.src.data.Label(i)) {
				return
			}
		}
	}
}

// Examples returns the examples of the sample in a slice of its own.
func (s Sample[X, Y]) Examples() []X {
	xs := make([]X, len(s.rows))
	for i := range xs {
		xs[i] = s.Example(i)
	}
	return xs
}

// Labels returns the labels of the sample in a slice of its own.
func (s Sample[X, Y]) Labels() []Y {
	ys := make([]Y, len(s.rows))
	for i := range ys {
		ys[i] = s.Label(i)
	}
	return ys
}

// Data returns the whole data set, for learners that work on it and row
// numbers. A learner that looks at rows outside the sample cheats.
func (s Sample[X, Y]) Data() Data[X, Y] { return s.src.data }

// Rows returns the indices of the sample's examples in the data set. They are
// not to be modified and are valid until the trial ends.
func (s Sample[X, Y]) Rows() []int { return s.rows }

// NewSample returns the sample of all examples of a data set, on which tests of a Fit of one's own
// train a model outside of any comparison. The error wraps [dataset.ErrUnusable].
func NewSample[X any, Y comparable](data Data[X, Y]) (Sample[X, Y], error) {
	src, err := newSource(data)
	if err != nil {
		return Sample[X, Y]{}, err
	}
	return Sample[X, Y]{src, indices(data.Len())}, nil
}

// Select returns the sample of the given rows of the same data set. It keeps the slice.
func (s Sample[X, Y]) Select(rows []int) Sample[X, Y] { return Sample[X, Y]{s.src, rows} }

// CurrentDigest returns the present digest of the data set. A learner that changes
// examples changes it.
func (s Sample[X, Y]) CurrentDigest() (string, error) { return s.src.current() }
