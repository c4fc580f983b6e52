package lab

import "github.com/learnbench/learnbench/learntest/dataset"

// A Source is a distribution that data sets are drawn from.
type Source interface {
	// ID says what fixes the distribution, in words without a line break: sources of
	// the same ID draw the same data sets.
	ID() string

	// Table draws a data set of n examples.
	Table(name string, n int, seed uint64) (*dataset.Table, error)
}
