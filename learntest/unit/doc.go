// Package unit says what the numbers of a metric mean, and writes and reads them.
//
// A [Unit] has the name of a metric, the [Direction] in which it is better, and its range.
// Scores of a unit with the range 0 to 1 are fractions: they are shown in percent, and their
// differences in percentage points.
//
// What users write is an [Amount], such as 0.02, 2pp or 5%, and [Margins], such as
// accuracy=2pp,logloss=0.1: one grammar for all flags and files. What they read went through
// [Printable], and what other programs read is a [Number].
//
// The package imports no other of the module.
package unit
