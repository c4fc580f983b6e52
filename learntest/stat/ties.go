package stat

import "github.com/learnbench/learnbench/learntest/stat/internal/rank"

// TieTolerance is the largest relative difference between two scores that tie: see [Tied].
const TieTolerance = rank.Tolerance

// Tied reports whether two scores tie: whether they differ by no more than [TieTolerance]
// of the larger one. Scores are rounded, and so are their differences, which would break
// true ties. Therefore all counts of wins and ties, and all rank statistics, of this
// package and the packages below it use this rule. NaN ties with nothing.
//
// Likewise two differences tie if they are no farther apart than this fraction of the
// largest score behind them. In a ranking each value ties with the smallest of its group of
// ties, so that ties do not chain.
func Tied(a, b float64) bool { return rank.Tied(a, b) }
