// Package stat tests whether two learners differ on one data set, from the
// scores that they got on the same random partitions of it.
//
// Scores on overlapping training sets are not independent, which is what
// ordinary tests assume. The package therefore keeps the whole catalogue of
// tests that the literature proposes, says of each whether it is fit for use,
// and makes the corrected test on repeated cross-validation its default.
// Everything is a pure function on numbers: nothing is read, stored, or left
// to chance that is not seeded.
//
// # What there is
//
//  1. [NewDifferences] from two tables of scores, and tests on the differences
//     of one data set: [CorrectedCVTTest] is the default; [Tests] lists all
//     that apply to paired cross-validation results, as values that can be
//     named, Bouckaert's ten among them; and [DieboldMariano] for time series.
//  2. Margins, with any of these tests: non-inferiority and least gains by
//     [Test.Against], equivalence by [Test.Equivalence]; and the posterior
//     distribution of the difference, [BayesianCorrelatedT]; and a second opinion for
//     learners that the corrected test is wrong about, [HalvesTest].
//  3. What a test did not say: an interval ([Result.Interval]), the smallest
//     difference that it could have detected ([DetectableDifference]).
//  4. For one's own statistics: the distributions [StudentT], [ChiSquared],
//     [SnedecorF] and [StudentizedRange], and the rule for ties, [Tied].
//
// Below this package, replicate says whether another partition would have said the same,
// across has the tests over many data sets, adjust the corrections of many p-values, effect
// how large a difference is in units of its variation, and contingency the tests on single
// examples of a test set.
//
// # What every function promises
//
// NaN or an infinity in the input is an error that wraps [ErrNotFinite] and
// names the index. Too few values, and lengths that do not match, are errors
// that wrap [ErrSampleSize]. No function changes its arguments.
//
// Differences that vary by no more than 8 units in the last place of the
// scores count as equal: if they are zero, the statistic is 0 and p is 1; if
// not, the statistic is infinite, p is 0 and the result carries the warning
// [ErrZeroVariance]. Where a t is averaged over groups, one group like that
// among others is an error that wraps [ErrZeroVariance].
//
// Tests are two-sided unless told otherwise. A one-sided p is the tail of the
// alternative that was stated, never of the direction that the data show.
package stat
