// Package model has a learner whose changes are to be guarded.
package model

// Threshold is from where on a number is large.
const Threshold = 50
