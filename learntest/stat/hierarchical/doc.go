// Package hierarchical compares two learners over several data sets by all differences of all
// folds: the hierarchical Bayesian correlated t test.
//
// The tests of package across take one mean from each data set. This one takes the folds, and so it
// knows how well each mean is determined: a data set whose folds vary much counts for less, and its
// estimate shrinks towards the others. [Test] returns the probabilities that on a further data set
// of the same kind a loss, a practically equal score or a gain is the most probable outcome.
//
// It needs no matrix and no program beside Go: [Model] is sampled by Gibbs and slice steps, whose
// cost is linear in the number of data sets, whatever the number of folds. The same seed gives the
// same bits for any GOMAXPROCS on one architecture, and on others the same probabilities within
// their Monte Carlo error.
//
// Corani, Benavoli, Demšar, Mangili and Zaffalon (2017), Statistical comparison of classifiers
// through Bayesian hierarchical modelling, Machine Learning 106.
package hierarchical
