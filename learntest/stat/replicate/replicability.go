package replicate

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// Replicability returns R(k, n), the estimate of the probability that a test on
// one more random partition of the same data set comes to the same conclusion,
// after it rejected k times in n repeats:
//
//	R(k, n) = [k(k−1) + (n−k)(n−k−1)] / [n(n−1)],
//
// the fraction of pairs of repeats that agree. The probability is never below
// one half but the estimate can be: R(5, 10) is 4/9.
//
// It returns an error that wraps [stat.ErrSampleSize] if n < 2 and [stat.ErrDomain] if k
// is not between 0 and n.
//
// Source: Bouckaert and Frank (2004), section 2.
func Replicability(k, n int) (float64, error) {
	if n < 2 {
		return 0, fmt.Errorf("%w: %d repeats of a test, need at least 2", stat.ErrSampleSize, n)
	}
	if k < 0 || k > n {
		return 0, fmt.Errorf("%w: %d rejections in %d repeats", stat.ErrDomain, k, n)
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

// almostConsistent reports whether at most one of n repeats of a test came to
// another conclusion than the rest: k is 0, 1, n−1 or n. It is false for counts
// that are impossible.
//
// Source: Bouckaert and Frank (2004), section 2.
func almostConsistent(k, n int) bool {
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
// It returns an error that wraps [stat.ErrSampleSize] if there are no data sets or n
// < 2, and [stat.ErrDomain], naming the data set's index, for a count that is not
// between 0 and n.
//
// Source: Bouckaert and Frank (2004), section 2.
func ReplicabilityOver(counts []int, n int) (Consistency, error) {
	if len(counts) == 0 {
		return Consistency{}, fmt.Errorf("%w: no data sets", stat.ErrSampleSize)
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
		if almostConsistent(k, n) {
			c.AlmostConsistent++
		}
	}
	c.R /= float64(len(counts))
	return c, nil
}

// A Count sums up the repeats of a test.
type Count struct {
	Repeats    int
	Rejections int     // repeats that reject in the direction of the verdict
	Rejected   bool    // whether the first repeat, which is the verdict, does
	R          float64 // R(Rejections, Repeats)
}

// Count applies the test to the given number of repeats, in the order of the runs of d, and
// counts the rejections in the direction of the verdict. This is Bouckaert and Frank's
// procedure, except that they count rejections in either direction. The procedure suits every
// test and needs repeats·q.Runs runs; it ignores further runs.
//
// Counting wastes the most runs of all estimates: see [Retest.Pooled] and [Retest.Predict].
//
// It returns an error that wraps [stat.ErrDomain] if repeats or a field of q is out
// of range, [stat.ErrDesign] if the test does not apply to q.Runs runs,
// [stat.ErrSampleSize] if d has fewer runs than are needed or repeats < 2,
// [stat.ErrNotFinite], naming the index, if a difference is NaN or infinite, and
// any error of the test, naming the repeat. Special cases: repeats whose
// differences are all equal come to the conclusion that the test has for them,
// without a warning.
//
// Source: Bouckaert and Frank (2004), section 2.
func (q Retest) Count(d stat.Differences, repeats int) (Count, error) {
	if repeats < 2 {
		return Count{}, fmt.Errorf("%w: %d repeats of a test, need at least 2", stat.ErrSampleSize,
			repeats)
	}
	if q.Runs > math.MaxInt/repeats {
		return Count{}, fmt.Errorf("%w: %d repeats of %d runs", stat.ErrDomain, repeats, q.Runs)
	}
	p, err := q.on(d, repeats*q.Runs)
	if err != nil {
		return Count{}, err
	}
	c := Count{Repeats: repeats, Rejected: p.rejected}
	for i := range repeats {
		r, err := p.Test.Run(p.block(i), p.Alternative)
		if err != nil {
			return Count{}, fmt.Errorf("repeat %d: %w", i, err)
		}
		if p.rejects(r) {
			c.Rejections++
		}
	}
	c.R, err = Replicability(c.Rejections, c.Repeats)
	return c, err
}

// agreeing returns the number of repeats that come to the conclusion of the
// verdict, the verdict itself among them.
func (c Count) agreeing() int {
	if c.Rejected {
		return c.Rejections
	}
	return c.Repeats - c.Rejections
}

// Shows reports whether the count supports the verdict: R is at least the required
// replicability and more than half of the repeats agree with the verdict. If only the first
// of ten repeats rejects, R is 0.8, but the repeats contradict the verdict.
func (c Count) Shows(required float64) bool {
	return c.R >= required && 2*c.agreeing() > c.Repeats
}
