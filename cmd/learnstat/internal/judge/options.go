// Package judge judges matched results, writes its findings into a report, and holds the report
// against the rules of a gate.
package judge

import (
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Options say how to judge.
type Options struct {
	Claim    verdict.Claim // of every comparison, but for metric and margin
	Margins  unit.Margins
	Rope     unit.Margins // of the hierarchical test; without one, the margins
	Adjust   adjust.Method
	Across   Across
	Tail     Tail
	Full     bool // fill in what few formats show
	Verbose  bool // with the texts of all verdicts
	Items    bool // with the items that have changed
	Learners bool // of one file are compared

	// Gate has the rules that the report must meet. If nil, there are none.
	Gate *Rules
}

// Across says how learners are compared over data sets.
type Across struct {
	Test      across.PairTest // if it has no Run, signed ranks: exact up to manyDataSets
	Off       bool            // they are not
	MeanRanks bool            // compare mean ranks, too
	Bayes     bool            // and by the Bayesian sign and signed-rank tests
	Method    Method          // if it has a name, columns are compared by it, too
}
