// Package golearn guards a decision tree of golearn, which is trained on grids. It is a module of
// its own, since the library brings readers of spreadsheets and databases along.
package golearn
