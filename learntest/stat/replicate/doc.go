// Package replicate estimates whether a significance test on other random partitions of the
// same data set would come to the same conclusion.
//
// # Contents
//
//  1. [Replicability] and [ReplicabilityOver] sum up repeats that were counted, as Bouckaert
//     and Frank do.
//  2. A [Retest] is a test and the runs of one repeat. From a pool of runs it counts repeats
//     ([Retest.Count]), draws them ([Retest.Pooled]) or predicts them without a run beyond the
//     test's own ([Retest.Predict]).
//  3. A [Rule] says when a required replicability is shown or refuted; [Retest.Adaptive]
//     applies it, with as few runs as will do.
//  4. [PartitionSufficiency] asks whether the t of single partitions are enough for a conclusion.
//
// Errors wrap the errors of package stat. No function changes its arguments.
//
// # Prediction
//
// The score of a test on q.Runs runs comes from the N = d.Runs ≥ max(2, q.Runs) runs at hand.
// It exists for tests that are smooth functions of means over runs. With s = +1 or −1 the
// direction, n = runs·folds, c the critical value of the test on q.Runs runs at its level and in
// its alternative, A_j the mean of the differences of run j (from the null hypothesis) and a the
// mean of all, the test rejects in direction s just if G > 0. To first order G is, about its
// value on all runs, the mean of the runs' influences u_j, the derivatives of
// G with respect to the share of run j; their standard deviation over the N
// runs is τ, and Z = G√Runs/τ.
//
// The tests that divide by a standard deviation have
//
//	G = s·a − κ√w,  κ = c√(ρf),  w the mean over runs of some W_j,
//	u_j = s·A_j − κ(W_j − w)/(2√w),
//
// since W_j is a mean square about means over runs or folds, and a mean square is
// stationary at these, so that to first order w varies only by the shares. They are
//
//	test                          W_j, a mean over the folds of     ρ               f
//	corrected-cv-t                (x_ij − a)²                       1/n + n2/n1     n/(n−1)
//	corrected-resampled-t         (x_ij − a)²                       1/n + n2/n1     n/(n−1)
//	paired-t                      (x_ij − a)²                       1/n             n/(n−1)
//	b03-use-all-data              (x_ij − a)²                       1/(df+1)        n/(n−1)
//	b03-folds                     (A_j − a)²                        1/(df+1)        runs/(runs−1)
//	b03-folds-averaged-var        (x_ij − A_j)²                     1/(df+1)        folds/(folds−1)
//	b03-runs-averaged-var         (x_ij − x_i.)²                    1/(df+1)        runs/(runs−1)
//	b03-sorted-runs-averaged-var  (x_ij − x_i.)² after sorting      1/(df+1)        runs/(runs−1)
//
// where f makes the variance on q.Runs runs unbiased, as the tests have it, and
// x_i. is the mean of fold i over runs. For the first three w is b − a² with b
// the mean square of the differences, and u_j the same as s·A_j − (B_j −
// 2aA_j)κ/(2√w) but for a constant. The mean of the runs' t is linear in them:
//
//	averaged-t, b03-folds-averaged-t   G = s·t̄·√((df+1)/folds) − c,  u_j = s·t_j·√((df+1)/folds)
//
// with df = folds−1 for the former. Bouckaert's tests may have degrees of
// freedom of their own ([stat.Bouckaert.Calibrated]).
//
// Of the others of the catalogue, 5x2cv-t and the averaged one hang on
// single differences, the F and the permutation test are not a function of this
// kind in one direction, and what b03-runs and the tests on sorted or averaged
// fold numbers divide by is mostly due to how few runs there are. For these
// the error wraps [stat.ErrDomain]; [Retest.Pooled] will do.
//
// The first order is close for variances over all differences: in the tests of
// this package on runs of 10 folds drawn from a pool, Φ(Z) is within 0.035 of the
// share of tests on 10 runs that reject. Where the variance is over as many values
// as there are runs, it is not: within 0.1 for b03-runs-averaged-var and the sorted one,
// 0.15 for b03-folds. Prefer [Retest.Pooled] for these where there are runs
// enough.
//
// For a two-sided test, rejections in the other direction are left out: they
// matter only if the test has next to no power in either.
//
// The cost is O(Nk), or O(Nk log k) for sorted runs.
//
// Source: own derivation, by the delta method.
package replicate
