// Package trial runs trials: given cells, it trains and tests a learner in each.
//
// A [Data] is a data set with the learners that are bound to it, as functions that know nothing
// of the types of its examples and labels. A [Batch] is the cells on one data set that are to be
// run, and then their outcomes. An [Engine] runs batches on a bounded number of goroutines; no
// outcome depends on their number, or on the goroutine that runs a cell.
//
// The package keeps nothing. Its callers choose the cells, and the place of the records.
package trial
