// Package results knows which cells there are.
//
// The cells of a protocol on a data set are a [Set]. Some of them are there when a run begins: in
// the result file of an earlier run, in the journal of an interrupted one, or in the files of all
// shards. [Set.Missing] yields the others, which are to be trained. A [Recording] keeps the
// finished trials, until all of them are stored at once. Further runs are more runs of the same
// Set; a second opinion is a Set of another protocol on the same data.
//
// [Results] are the sets of one run. An [Instance] holds the findings that the runs of one test
// share. A [Registry] holds all that a process knows of files and of running tests: there is no
// other state.
package results
