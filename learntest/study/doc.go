// Package study measures how well the promises of this module's methods hold, on
// real and on simulated data.
//
// A [Study] is a value: a name and a function that returns a [Report], which is a
// series of tables. [All] lists them; "learnbench study NAME" runs one.
//
//  1. Data sets are the user's own, with classes that no learner can predict, or drawn from
//     simulated sources; the study of replicability has real ones of package uci, too.
//  2. Learners are run on each data set as often as it takes to know the outcome of a test
//     on other partitions: a pool of runs. Each learner is trained once and
//     shared by all comparisons on the data set.
//  3. A pool stands for all partitions there are. The runs that a method sees, and the runs that
//     give the truth, are independent random draws of runs from it, with replacement, so that no
//     method is judged by the luck that it has seen.
//  4. Tables have a Monte Carlo error beside each figure. It is the error of a mean over data
//     sets: comparisons on the same one are not taken for independent.
//
// A study is a function of its seed and size. How many goroutines take part in it changes
// nothing.
package study
