// Package split partitions examples into training and test sets.
//
// Choose a [Protocol] by the data:
//
//   - independent examples: [TenByTen], ten runs of stratified 10-fold cross-validation, the
//     default; other counts with [CV] and [RByTwo]
//   - several examples of one patient, document or day: [Groups]
//   - examples in the order of time: [TimeSeries]
//   - one random training set in each run: [Subsample]
//   - very few examples: [LeaveOneOut]
//   - partitions that already exist: [Predefined]
//   - results to be paired with results of Weka: [Weka]
//   - a second opinion on cross-validation: [Protocol.Halves]
//
// [Parse] reads a protocol from text, such as "cv runs=5 folds=10". [Protocol.Plan] applies it
// to examples, and [Plan.Trial] returns the indices of one training and test set.
//
// The text form and the examples determine every partition. The partition of run j depends on
// the seed, the examples and j only: not on the number of runs, the order of trials or the
// machine.
//
// The rest of this page specifies the partitions, so that a program in another language can
// reproduce them. Stored results name the version of this specification; a change would be a
// new version.
//
// # Specification, version v1: random numbers
//
// Examples are numbered from 0 to n-1, runs and folds from 1. Each run of a
// random protocol has a generator of its own. It is SplitMix64 [Steele et al.
// 2014] on a 64-bit state:
//
//	next():  state = state + 0x9e3779b97f4a7c15 mod 2^64
//	         z = state
//	         z = (z xor (z >> 30)) * 0xbf58476d1ce4e5b9 mod 2^64
//	         z = (z xor (z >> 27)) * 0x94d049bb133111eb mod 2^64
//	         return z xor (z >> 31)
//
// The state starts as the first eight bytes, read as a big-endian number, of
// the SHA-256 of the ASCII text
//
//	learnbench split v1 KIND seed=SEED run=RUN
//
// where KIND is the first word of the protocol's text form (cv, subsample,
// groups, halves or grouphalves) and SEED and RUN are decimal. For cv, seed 1, run 1, the state starts
// as 0x3a66ef95f7c191fd, and next() first returns 0x2f4c7322073d7050.
//
// below(m) is a number in 0..m-1: draw x = next() until x >= 2^64 mod m, and
// return x mod m.
//
// shuffle(a) of a list a with elements 0 to m-1: for i = m-1, m-2, ..., 1
// exchange a[i] and a[below(i+1)].
//
// # Classes
//
// Where a protocol is stratified and the examples have classes, the classes are the codes that
// occur, in ascending order. Otherwise there is one class of all examples.
//
// # cv
//
// Each run of K folds:
//
//  1. Let order be the list 1..K; shuffle(order). It decides which folds are
//     larger by one.
//  2. Let t = 0. For each class: list its examples in ascending order and
//     shuffle the list; for each example in the list, its fold is
//     order[t mod K], and t increases by 1.
//
// An example is in the test set of its fold and in the training set of every
// other. Since the members of a class, and the examples as a whole, are dealt
// out one fold after another, numbers in two folds differ by at most one.
//
// # subsample
//
// The training set has T = floor(f*n + 0.5) examples, where f is the training fraction and the
// product is in IEEE doubles. Class c with n_c members has floor(T*n_c/n) places in it; the
// places that are left go, one each, to the classes with the greatest remainders T*n_c mod n.
// Each run:
//
//  1. Let order be the list of classes; shuffle(order), then sort it, stably,
//     by descending remainder. The first classes in it receive the places left.
//  2. For each class (in ascending order again): list its examples in
//     ascending order and shuffle the list; as many as it has places, from the
//     front, are in the training set, the others in the test set of fold 1.
//
// # groups
//
// The groups are the codes that occur, in ascending order. Each run of K folds:
//
//  1. Let order be the list 1..K; shuffle(order).
//  2. Let queue be the list of groups; shuffle(queue), then sort it, stably, by
//     descending bit length (floor(log2 s)+1) of the group's size s.
//  3. Put the groups of the queue, one after the other, into the fold of least
//     cost; if several have it, into the one with the fewest examples so far;
//     if several have that, into the first of them in order.
//
// The cost is 0 if there is one class only. Otherwise it is the following sum of
// IEEE doubles, from left to right, over the classes c that occur in the group,
// in ascending order:
//
//	F*s/n + F_1*s_1/n_1 + F_2*s_2/n_2 + ...
//
// where s_c of the group's s examples and F_c of the fold's F examples so far
// are of class c, which has n_c members in all. Numerators are exact integers.
// The cost is, up to a constant and a factor, what the group adds to the sum of
// F_c²/n_c over folds and classes, all examples counting as one more class; that
// sum is least when every fold has the same share of each.
//
// Note: sorting by bit length rather than by size itself makes the largest and
// the smallest fold differ somewhat more (for 20 groups of 10 to 100 examples in
// 10 folds by 29% of a fold on average rather than 17%, in a simulation), but
// lets runs differ. Sorted by size, groups of distinct sizes hardly have more
// than one partition, and ten runs of it would be one run counted ten times.
// [Plan.DistinctRuns] tells.
//
// # halves and grouphalves
//
// Each run of halves with K folds:
//
//  1. Let order be the list 0..n-1; shuffle(order). The first half has the
//     first floor((n+1)/2) examples of it, the second the others.
//  2. Partition the first half by the two steps of cv, with the classes that occur in it: this
//     gives folds 1..K. Then, with the same generator, the second half: this gives folds
//     K+1..2K.
//
// Each run of grouphalves with K folds:
//
//  1. Partition all groups by the three steps of groups with 2 folds and one
//     class: the halves are these folds.
//  2. Partition the first half by the three steps of groups with K folds, its
//     examples, groups and classes being all that there are: this gives folds 1..K.
//     Then, with the same generator, the second half: this gives folds K+1..2K.
//
// An example is in the test set of its fold, in the training set of every other
// fold of its half, and in no set of the folds of the other half.
//
// # loo and timeseries
//
// Fold i of loo tests example i-1 and trains on all others.
//
// In timeseries with K folds, test sets have t examples: the number asked
// for, otherwise floor(n/(K+1)). Fold i tests the t examples from
// b = n-(K-i+1)*t on; it trains on those from a to b-gap-1, where a is 0, or
// b-gap-maxtrain if maxtrain is given and that is positive.
//
// The training and test sets of all protocols above are in ascending order.
//
// # weka
//
// Run j draws from java.util.Random seeded with seed+j-1 mod 2^64. All shuffles
// run from the last position down, exchanging position i with nextInt(i+1).
//
//  1. Shuffle the list 0..n-1.
//  2. If the examples have classes: let i = 1; while i < n: let c be the class at position
//     i-1; for j = i, i+1, ..., n-1 (with the current i) exchange positions i and j and
//     increase i if the class at position j is c; after that increase i once more. Then take
//     the positions 0, K, 2K, ..., 1, K+1, ..., and so on up to K-1, 2K-1, ....
//  3. Cut the list into K stretches; the first n mod K of them have one example
//     more than the others. Fold i tests the i-th in the order it has and
//     trains on the rest of the list, which is shuffled (a copy of it) with the
//     same generator, fold after fold.
//
// # Test vectors
//
// For 12 examples of classes 0 0 0 0 0 1 1 1 1 2 2 2 and of groups
// 0 0 0 1 1 2 2 3 3 4 4 4, the test sets of folds 1, 2, ... are
//
//	cv runs=2 folds=3 stratified seed=1 v1
//	    run 1  0 2 8 11 | 3 5 7 10 | 1 4 6 9
//	    run 2  2 5 7 11 | 1 4 8 10 | 0 3 6 9
//	cv runs=2 folds=3 unstratified seed=1 v1
//	    run 1  0 5 6 8 | 3 4 10 11 | 1 2 7 9
//	    run 2  3 5 6 11 | 2 7 9 10 | 0 1 4 8
//	subsample runs=2 train=0.7 stratified seed=1 v1
//	    run 1  1 4 6 10
//	    run 2  1 2 5 9
//	groups runs=2 folds=2 unstratified seed=1 v1
//	    run 1  3 4 9 10 11 | 0 1 2 5 6 7 8
//	    run 2  0 1 2 3 4 7 8 | 5 6 9 10 11
//	groups runs=2 folds=2 stratified seed=1 v1
//	    run 1  3 4 5 6 9 10 11 | 0 1 2 7 8
//	    run 2  0 1 2 7 8 | 3 4 5 6 9 10 11
//	halves m=2 folds=2 seed=1 v1
//	    run 1  3 6 7 | 4 8 9 | 0 1 11 | 2 5 10
//	    run 2  2 4 6 | 1 3 11 | 7 8 9 | 0 5 10
//	grouphalves m=2 folds=2 unstratified seed=1 v1
//	    run 1  3 4 5 6 | 9 10 11 | 7 8 | 0 1 2
//	    run 2  5 6 7 8 | 3 4 | 9 10 11 | 0 1 2
//	weka runs=2 folds=3 seed=1 v1
//	    run 1  5 6 9 4 | 8 11 1 3 | 7 10 2 0
//	    run 2  10 7 8 0 | 11 6 3 2 | 9 5 1 4
//
// More are in testdata/golden.json, which testdata/reference.py wrote, an
// independent implementation of this page in Python.
//
// # Sources
//
//   - Kohavi 1995: A study of cross-validation and bootstrap for accuracy
//     estimation and model selection, IJCAI, on stratified cross-validation.
//   - Dietterich 1998: Approximate statistical tests for comparing supervised
//     classification learning algorithms, Neural Computation 10, on 5×2.
//   - Nadeau & Bengio 2003: Inference for the generalization error, Machine
//     Learning 52, on random subsampling.
//   - Bouckaert & Frank 2004: Evaluating the replicability of significance
//     tests for comparing learning algorithms, PAKDD, on r runs of k folds.
//   - Steele, Lea & Flood 2014: Fast splittable pseudorandom number generators,
//     OOPSLA.
package split
