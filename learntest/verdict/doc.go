// Package verdict judges a claim about two learners from their paired records.
//
// A [Claim] states the question: whether the candidate improves on the baseline, does not
// regress, or is equivalent, in which metric, by which test, at which level. [Judge]
// applies it to a record.Pairs, and [Of] to two learners of result files. Both
// return a [Verdict], which says what the data show (its Outcome), whether the claim
// holds, and all that a reader needs to check it: estimate and interval, test, degrees
// of freedom and p, replicability, and the smallest difference that the test could have
// detected. A claim that requires a probability is judged by the posterior distribution
// of the difference instead, whose regions then make the outcome.
//
// Everything fails closed. Records that are incomplete, failed or do not
// belong together, a test that does not fit the protocol, and a claim that makes no
// sense give the outcome Invalid with the reason, and no claim holds.
//
// The verdict is a function of the records and the claim alone: records that
// were written and read back give the same verdict, bit for bit.
package verdict
