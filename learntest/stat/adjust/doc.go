// Package adjust corrects the p-values of many tests for multiplicity.
//
// A [Method] takes the p-values of a family of tests in any order and returns the adjusted
// p-values in the same order: test i is rejected at level α exactly if its adjusted p-value
// is at most α. Inputs are never modified. [Methods] lists the methods and [Lookup] finds one
// by its name.
//
// The methods differ in the error rate that they control and in their assumptions. With the n
// p-values in order, p_1 the smallest:
//
//	family-wise, any dependence
//	  bonferroni           n·p_i
//	  holm                 max over j ≤ i of (n−j+1)·p_j
//	family-wise, any dependence, all pairs of learners
//	  shaffer              holm, with the number of pairs that can be alike at once for n−j+1
//	  bergmann-hommel      max over the exhaustive sets I with pair i of |I|·min over j in I of p_j
//	family-wise, independence or positive orthant dependence
//	  sidak                1 − (1−p_i)^n
//	  holm-sidak           max over j ≤ i of 1 − (1−p_j)^(n−j+1)
//	family-wise, Simes' inequality: independence or positive dependence of a kind
//	  hochberg             min over j ≥ i of (n−j+1)·p_j
//	  hommel               max over the sets I with test i of Simes' p-value of I
//	family-wise, independence
//	  finner               max over j ≤ i of 1 − (1−p_j)^(n/j)
//	  rom                  hochberg with exact critical values
//	false discovery rate, independence or positive dependence
//	  benjamini-hochberg   min over j ≥ i of n·p_j/j
//	false discovery rate, any dependence
//	  benjamini-yekutieli  as before, times 1 + 1/2 + ... + 1/n
//
// Use holm by default: it needs no assumption and is never worse than bonferroni. If the
// family is every pair out of m learners, shaffer rejects all that holm rejects, and
// bergmann-hommel all that shaffer rejects, with the same guarantee: if a and b are alike and
// b and c are alike, then so are a and c, and fewer hypotheses can be true at once than there
// are pairs. These two need all pairs in the order of [Pairs].
package adjust
