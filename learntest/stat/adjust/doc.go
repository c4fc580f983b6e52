// Package adjust corrects p-values for having been computed many at a time.
//
// A function of this package takes the p-values of a family of tests in any
// order and returns the adjusted p-values in the same order: test i is
// rejected at level α exactly if its adjusted p-value is at most α. Inputs
// are never modified.
//
// The methods differ in what they control and in what they assume:
//
//	family-wise, any dependence       Bonferroni, Holm
//	family-wise, any dependence,
//	  all pairs of learners           Shaffer, Bergmann-Hommel
//	family-wise, independence or
//	  positive dependence of a kind   Šidák, Holm-Šidák, Hochberg, Hommel
//	family-wise, independence         Finner, Rom, Li
//	false discovery rate              Benjamini-Hochberg, Benjamini-Yekutieli
//
// Under no assumption at all, [Holm] is never worse than [Bonferroni]; it is
// what callers should default to. Where the family is every pair out of m
// learners, [BergmannHommel] rejects whatever [Shaffer] rejects, and that
// whatever Holm rejects, with the same guarantee: if a and b are alike and b
// and c are alike, then so are a and c, and fewer hypotheses can be true at
// once than there are pairs. These two need all pairs in the order of
// [Pairs].
//
// [Methods] lists the methods by name and [Lookup] finds one.
package adjust
