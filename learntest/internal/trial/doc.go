// Package trial runs trials: given cells, it trains and tests a learner in each.
//
// A [Data] is a data set with the learners that are bound to it, as functions that know nothing
// of the types of its examples and labels. A [Batch] is the cells on one data set that are to be
// run, and then what came of them. An [Engine] runs batches on a bounded number of goroutines; no
// outcome depends on how many there are, or on which of them runs what.
//
// The package keeps nothing. Which cells are wanted, and where their records go, is the
// matter of those that call it.
package trial
