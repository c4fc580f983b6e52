package stat

import "github.com/learnbench/learnbench/learntest/stat/internal/rank"

// TieTolerance is the fraction of scores by which they may differ and still tie:
// see [Tied].
const TieTolerance = rank.Tolerance

// Tied reports whether two scores tie: whether they differ by no more than
// [TieTolerance] of the larger one. All counts of wins and ties, and all rank
// statistics, of this package and those below it go by this rule, since scores
// are rounded, and their differences once more, which breaks ties that are
// there. NaN ties with nothing.
//
// Likewise two differences tie if they are no farther apart than that fraction
// of the largest of the scores that they were taken from, and in a ranking each
// value ties with the smallest of its group of ties, so that ties do not chain.
func Tied(a, b float64) bool { return rank.Tied(a, b) }
