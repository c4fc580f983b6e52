package across

import (
	"errors"
	"fmt"
)

// Doubts that the results of this package carry as warnings.
var (
	// errPoolDependent warns that the verdict on a pair of learners depends on
	// which other learners were compared.
	errPoolDependent = errors.New("the outcome for a pair depends on the other learners")

	// errFewDataSets warns that there are too few data sets for the test to be
	// significant whatever the scores, or for its approximation to be good.
	errFewDataSets = errors.New("few data sets")

	// ErrNoDifference warns that the learners tie on all data sets, so that
	// there was nothing to test and p is 1.
	ErrNoDifference = errors.New("no difference between the learners on any data set")

	// errApproximate warns that an exact p-value was asked for and an
	// approximation is given, since there are too many data sets.
	errApproximate = errors.New("approximation in place of the exact p-value")

	// errNotFamilyWise warns that an adjustment does not control the
	// probability of any false rejection.
	errNotFamilyWise = errors.New("the family-wise error rate is not controlled")

	// errUnanimous warns that all data sets order the learners alike, so that F is infinite.
	// Its p is then the exact probability of that order on all data sets by chance, which is
	// not comparable with an approximate p: the approximate p of data that agree less may be
	// smaller.
	errUnanimous = errors.New("all data sets agree")
)

// errAgree is the warning where it happens.
var errAgree = fmt.Errorf("%w on the order of the learners: F is infinite, its p is exact and not comparable with approximate ones", errUnanimous)

// errTooMany means that there are more learners than a function can handle in
// reasonable time. It is an error, not a warning.
var errTooMany = errors.New("too many learners")

// ErrUnknown is wrapped by the error about a name that no test of [PairTests] has.
var ErrUnknown = errors.New("unknown test of pairs")
