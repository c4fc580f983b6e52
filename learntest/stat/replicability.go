package stat

import "fmt"

// Replicability returns R(k, n), the estimate of the probability that a test on
// one more random partition of the same data set comes to the same conclusion,
// after it rejected k times in n repeats:
//
//	R(k, n) = [k(k−1) + (n−k)(n−k−1)] / [n(n−1)],
//
// the fraction of pairs of repeats that agree. The probability is never below
// one half but the estimate can be: R(5, 10) is 4/9.
//
// It returns an error that wraps [ErrSampleSize] if n < 2 and [ErrDomain] if k
// is not between 0 and n.
//
// Source: Bouckaert and Frank (2004), section 2.
func Replicability(k, n int) (float64, error) {
	if n < 2 {
		return 0, fmt.Errorf("%w: %d repeats of a test, need at least 2", ErrSampleSize, n)
	}
	if k < 0 || k > n {
		return 0, fmt.Errorf("%w: %d rejections in %d repeats", ErrDomain, k, n)
	}
	a, b, all := float64(k), float64(n-k), float64(n)
	return (a*(a-1) + b*(b-1)) / (all * (all - 1)), nil
}

// Consistent reports whether a test that rejected k times in n repeats on
// random partitions of one data set came to one conclusion: k is 0 or n. It is
// false for counts that are impossible.
//
// Source: Bouckaert and Frank (2004), section 2. Bouckaert (2003) calls it
// replicability.
func Consistent(k, n int) bool {
	return n > 0 && (k == 0 || k == n)
}

// AlmostConsistent reports whether at most one of n repeats of a test came to
// another conclusion than the rest: k is 0, 1, n−1 or n. It is false for counts
// that are impossible.
//
// Source: Bouckaert and Frank (2004), section 2.
func AlmostConsistent(k, n int) bool {
	return n > 0 && (k == 0 || k == 1 || k == n-1 || k == n)
}

// A Consistency sums up how well the repeats of a test agree over several data
// sets.
type Consistency struct {
	Sets    int // number of data sets
	Repeats int // repeats of the test on each

	Consistent       int     // data sets on which all repeats agree
	AlmostConsistent int     // data sets on which all repeats but at most one agree
	R                float64 // mean of R(k, n) over the data sets
}

// ReplicabilityOver returns the consistency of a test that rejected counts[i]
// times in n repeats on data set i: a column of Bouckaert and Frank's table 1.
//
// It returns an error that wraps [ErrSampleSize] if there are no data sets or n
// < 2, and [ErrDomain], naming the data set's index, for a count that is not
// between 0 and n.
//
// Source: Bouckaert and Frank (2004), section 2.
func ReplicabilityOver(counts []int, n int) (Consistency, error) {
	if len(counts) == 0 {
		return Consistency{}, fmt.Errorf("%w: no data sets", ErrSampleSize)
	}
	c := Consistency{Sets: len(counts), Repeats: n}
	for i, k := range counts {
		r, err := Replicability(k, n)
		if err != nil {
			return Consistency{}, fmt.Errorf("data set %d: %w", i, err)
		}
		c.R += r
		if Consistent(k, n) {
			c.Consistent++
		}
		if AlmostConsistent(k, n) {
			c.AlmostConsistent++
		}
	}
	c.R /= float64(len(counts))
	return c, nil
}
