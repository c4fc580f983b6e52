// Package imports reads results that other tools have stored, as blocks of records.
// Trials of other tools can then be paired, judged and compared like trials that were run
// here.
//
// [Formats] lists the formats, [Read] and [Open] read them. All sources of one call
// belong together: results of several learners, or parts of one experiment.
//
// [ItemFormats] lists the formats of scores of fixed systems on items, such as evaluations of
// language models and rankings; [ReadItems] and [OpenItems] read them. Every system must have
// answered every item, with as many repeats; an answer with an error or without a score is a failed
// trial, and never 0. Questions and responses are not kept: a digest tells whether an item is still
// the one that it was.
//
// # What must be known
//
// A comparison needs pairs, and the corrected tests need the sizes of training and test
// sets. Nothing of that is assumed. What a file does not say must be in the [Options],
// else the error, which wraps [ErrOptions], names the missing fact and the option that
// gives it. Every cell, that is every fold of every run of every learner on a data set,
// must be there once.
//
// Where files have no sizes they come from the number of examples, by the rule that
// scikit-learn's KFold and StratifiedKFold and mlr3's cv have: folds are even, and where
// the examples cannot be divided by the folds the first ones have one more. Partitions
// of other sizes need the columns n_train and n_test in the file.
//
// # Identity
//
// Results pair only if they are of the same data and the same partitions, and a
// [record.Block] has digests of both. A block that is imported has one of these:
//
//   - Where the data are given ([Options.Tables]), data-sha256 is their digest. Else it is
//     the SHA-256 of the line "learnbench imported data v1", the name of the data set
//     and the number of examples, both as Go string literals and each followed by a
//     newline: it stands for the name of the data in the file, not for their content.
//   - Cross-validation of Weka's Experimenter on given data has the protocol "weka", whose
//     partitions are Weka's, so that it pairs with results of that
//     protocol that were run here. Without the data split-sha256 is the SHA-256 of
//     the line "learnbench imported partitions v1" and, in the same way, the protocol, the
//     name of the data set and the number of examples.
//   - All others have the protocol "predefined". Its sha256 and split-sha256 are
//     the SHA-256 of the line "learnbench imported partitions v1", the name of the
//     format, the name of the data set, the numbers of examples, of the first run, of runs
//     and of folds, and what identifies the partitions: the test examples themselves where the file
//     has them, as OpenML's do; their numbers in each fold for predictions of the AutoML Benchmark; the task where it defines them; else the name that
//     [Options.Partitions] gives them.
//
// The test of a block is the name of the format, so that imported results never take the
// place of results that were run here. Toolchain says in words which kind of digests a
// block has.
//
// # Failures
//
// Tools write no score, or NaN, where a learner failed. That is a failed trial with its
// cause, as it would be if it had run here, and no verdict is drawn from it. A number
// that is not finite, out of the range of its metric or no number at all is a
// [*record.SyntaxError], which names file and line, and in its text the column.
package imports
