// Package examples has tests that guard learners of real libraries, to be copied from.
// README.md says which file shows what.
//
// It is a module of its own, so that nobody who uses learnbench gets these libraries, and
// so are packages golearn and sklearn below it.
package examples
