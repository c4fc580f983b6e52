// Package unit describes the numbers of a metric, and formats and parses them.
//
// A [Unit] has the name of a metric, the [Direction] of better scores, and the range. Scores
// of a unit with the range 0 to 1 are fractions: they are shown in percent, and their
// differences in percentage points.
//
// Users write an [Amount], such as 0.02, 2pp or 5%, and [Margins], such as
// accuracy=2pp,logloss=0.1: one grammar for all flags and files. Use [Printable] for names in
// texts for people, and [Number] for numbers in JSON.
//
// The package imports no other of the module.
package unit
