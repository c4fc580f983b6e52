// Package lab draws data sets, trains learners on them, and keeps the scores, for studies of the
// user's own learners (learntest/study) and for the reproductions of papers (papers).
//
//  1. A [Source] is a distribution that data sets are drawn from; a [Network] is a source with
//     a text form, and [Networks] are the networks of two of the papers.
//  2. A [Lab] goes through data sets on many goroutines; the results depend on the seed alone.
//     A [Drawn] data set has the scores of each [Subject] by each protocol, which are kept in
//     a store.
//  3. [Proportion], [Mean] and [Calibratable] sum up results over data sets, with Monte Carlo
//     errors.
package lab
