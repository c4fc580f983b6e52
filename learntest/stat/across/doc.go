// Package across tests whether learners differ over several data sets, from
// one score of each learner on each data set.
//
// A score is what a learner reaches on a data set as a whole, for instance
// its mean accuracy over ten runs of ten-fold cross-validation. Data sets are
// the sample: they are taken to be independent, and the conclusion is about
// data sets like them. Whether learners differ on one data set is the
// business of package stat.
//
// # Two learners
//
// [SignedRank] compares a candidate with a baseline if differences on different data sets can be
// compared, and are symmetric under the null hypothesis; [SignTest] if not. Both are exact by
// default, and the difference under the null hypothesis is 0. [SignPower] tells what a sign test
// can see. [BayesSign] and [BayesSignedRank] are their Bayesian counterparts, with a region of
// practical equivalence.
//
// # Many learners
//
//  1. [Pairwise] compares all pairs and [VersusControl] all with one, by one
//     of [PairTests], with p-values adjusted by a method of package adjust.
//     This is what Benavoli, Corani and Mangili (2016) recommend, and the
//     default.
//  2. [Friedman], [Quade], [AlignedRanks] and, for binary outcomes, [CochranQ]
//     ask whether any learners differ at all.
//  3. [MeanRanks] and [CriticalDifference] are the most popular post-hoc test, and one that
//     its own authors discourage: [PoolDependence] shows how its result for a pair changes
//     when other learners come and go.
//
// # What every function promises
//
// Scores of many learners are a table scores[dataset][learner], all numbered from 0. NaN or an
// infinity is an error that wraps [stat.ErrNotFinite] and names the cell; a table that is too
// small or ragged, an error that wraps [stat.ErrSampleSize]; an option that does not exist,
// one that wraps [stat.ErrDomain]. No function changes its arguments. Ties are judged with a
// tolerance, by the rule of [stat.Tied], which depends on the two scores only. Tests are
// two-sided by default; a one-sided p-value is the tail of the stated alternative. Doubts that
// do not invalidate a result are its Warnings.
package across
