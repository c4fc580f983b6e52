// Package stat tests whether two learners differ on one data set, from the scores that they
// got on the same random partitions.
//
// Start with [NewDifferences] and [CorrectedCVTTest]:
//
//	d, err := stat.NewDifferences(candidate, baseline, stat.TableOptions{}) // scores[run][fold]
//	r, err := stat.CorrectedCVTTest(d, stat.TwoSided)                      // r.P, r.Interval(0.95)
//
// The training sets of cross-validation overlap, so the scores are not independent, although
// ordinary tests assume independence. The corrected test is therefore the default. The package
// also has the other tests of the literature and says of each whether it is fit for use. All
// functions are pure: they read no files, keep no state, and draw random numbers only from
// given seeds.
//
// # Contents
//
//  1. Tests on the differences of one data set: [CorrectedCVTTest]; [Tests] lists all that apply
//     to paired cross-validation results, Bouckaert's ten among them, and [Lookup] finds one
//     by name. [DieboldMarianoTest] is for time series.
//  2. Margins, with any of these tests: non-inferiority and least gains by [Test.Against],
//     equivalence by [Test.Equivalence]. [BayesianCorrelatedT] returns the posterior
//     distribution of the difference.
//  3. A second opinion, [HalvesTest], for learners with which the corrected test errs.
//  4. Limits of a result: the confidence interval ([Result.Interval]), the smallest difference
//     that the test could have detected ([DetectableDifference]), and the loss that n examples
//     may all have missed ([Unseen]).
//  5. Building blocks for your own statistics: the distributions [StudentT], [ChiSquared],
//     [SnedecorF] and [StudentizedRange], and the rule for ties, [Tied].
//
// Packages below this one: replicate tells whether another partition would give another
// result, itemwise compares fixed systems on items, across tests over many data sets, adjust
// corrects many p-values, effect measures a difference in units of its variation, and
// contingency tests on single examples of a test set.
//
// # Rules for all functions
//
// NaN or an infinity in the input is an error that wraps [ErrNotFinite] and names the index. Too
// few values, and lengths that do not match, are errors that wrap [ErrSampleSize]. No function
// changes its arguments.
//
// Differences that vary by no more than 8 units in the last place of the scores count as equal:
// if they are zero, the statistic is 0 and p is 1; if not, the statistic is infinite, p is 0 and
// the result carries the warning [ErrZeroVariance]. Where a t is averaged over groups, one group
// without variance among others is an error that wraps [ErrZeroVariance].
//
// Tests are two-sided by default. A one-sided p is the tail of the stated alternative, whatever
// direction the data show.
package stat
