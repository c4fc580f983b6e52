// Package results knows which cells there are.
//
// The cells of a protocol on a data set are a [Set]. Some of them are there when a run begins: in
// the result file of an earlier run, in the journal of an interrupted one, or in the files of all
// shards. [Set.Missing] yields the others, which are to be trained. A [Recording] keeps what was
// trained, until all of it is stored at once. Further runs are more runs of the same Set; a second
// opinion is a Set of another protocol on the same data.
//
// [Results] are the sets of one run. An [Instance] is what the runs of one test have in common. A
// [Registry] is what a process knows of files and of running tests: there is no other state.
package results
