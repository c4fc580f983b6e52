// Package dist holds the probability distributions that the tests of package
// stat need, as plain functions on float64.
//
// Tail probabilities are computed as such, never as one minus the other tail,
// and are accurate to about 1e-13 relative to themselves however small they
// are; quantiles take an upper tail probability for the same reason. Arguments
// outside of a function's domain give NaN; nothing panics.
package dist
