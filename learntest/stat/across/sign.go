package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// tieRule says what a sign test does with data sets on which the learners
// tie. The zero value is dropTies.
type tieRule uint8

// The rules.
const (
	// dropTies leaves ties out: the test is conditional on their number.
	dropTies tieRule = iota

	// splitTies counts half of the ties for each learner, and leaves one out if
	// their number is odd (Demšar 2006, section 3.1.4). It errs towards no
	// difference.
	splitTies
)

// String returns "drop" or "split".
func (r tieRule) String() string {
	switch r {
	case dropTies:
		return "drop"
	case splitTies:
		return "split"
	}
	return fmt.Sprintf("tieRule(%d)", uint8(r))
}

// SignOptions modify a sign test. The zero value is the exact test without
// ties.
type SignOptions struct {
	ties tieRule // what becomes of ties
	Null Null
}

// A SignResult is the outcome of a sign test.
type SignResult struct {
	Alternative stat.Alternative
	DataSets    int // number of data sets

	// Wins, Losses and Ties count the data sets on which the candidate's score is greater,
	// smaller, or tied.
	Wins, Losses, Ties int

	// UsedWins and UsedLosses are the counts that entered the test after Ties
	// were dropped or split.
	UsedWins, UsedLosses int

	// Statistic is the normal deviate (wins − losses)/√(wins + losses) of the
	// used counts, corrected for continuity if asked for; 0 if none were used.
	Statistic float64

	P        float64
	Exact    bool // P is exact
	Warnings []error
}

func signTests() []PairTest {
	return []PairTest{
		pairTest("sign", "exact sign test without ties; assumes no more than independent data sets",
			SignTest, SignOptions{}),
		pairTest("sign-split", "exact sign test, ties split evenly; assumes no more than independent data sets",
			SignTest, SignOptions{ties: splitTies}),
		pairTest("sign-normal", "sign test by the normal approximation; assumes no more than independent data sets",
			SignTest, SignOptions{Null: Normal}),
	}
}

// SignTest tests whether candidate a and baseline b score higher equally
// often.
//
// H0 is that on a data set on which they differ each is the better with
// probability 1/2; alt is about a − b. a[i] and b[i] are the scores on data
// set i, in the same unit; scores of different data sets need not be
// commensurable. Two scores tie as [stat.Tied] says.
//
// The two-sided p-value is twice the smaller tail, at most 1. Under
// splitTies the exact test is the binomial one on the counts after the
// split.
//
// It returns [stat.ErrNotFinite] for a NaN or infinite score or a difference
// that overflows, [stat.ErrSampleSize] if there are no data sets or the
// lengths differ, and [stat.ErrDomain] for options that do not exist. It
// warns with [ErrNoDifference] if all tie (p is 1), and with errFewDataSets
// if no outcome could reach p ≤ 0.05. It takes O(n) time for n data sets.
//
// Demšar (2006), Statistical comparisons of classifiers over multiple data
// sets, JMLR 7, section 3.1.4; recommended over mean ranks by Benavoli,
// Corani and Mangili (2016), section 5.
func SignTest(a, b []float64, alt stat.Alternative, opt SignOptions) (SignResult, error) {
	d, err := differences(a, b)
	if err != nil {
		return SignResult{}, err
	}
	var wins, losses, ties int
	for i, v := range d {
		switch {
		case stat.Tied(a[i], b[i]):
			ties++
		case v > 0:
			wins++
		default:
			losses++
		}
	}
	return signTestCounts(wins, losses, ties, alt, opt)
}

// signTestCounts is [SignTest] for the numbers of data sets on which the
// candidate won, lost and tied. They may all be 0, which gives p = 1.
//
// It returns [stat.ErrSampleSize] if a count is negative.
func signTestCounts(wins, losses, ties int, alt stat.Alternative, opt SignOptions) (SignResult,
	error,
) {
	if wins < 0 || losses < 0 || ties < 0 {
		return SignResult{}, fmt.Errorf("%w: %d wins, %d losses, %d ties", stat.ErrSampleSize,
			wins, losses, ties)
	}
	if err := alt.Check(); err != nil {
		return SignResult{}, err
	}
	if err := opt.Null.check(); err != nil {
		return SignResult{}, err
	}
	r := SignResult{
		Alternative: alt, DataSets: wins + losses + ties, Wins: wins, Losses: losses, Ties: ties,
		UsedWins: wins, UsedLosses: losses, Exact: opt.Null == Exact,
	}
	switch opt.ties {
	case dropTies:
	case splitTies:
		r.UsedWins += ties / 2
		r.UsedLosses += ties / 2
	default:
		return SignResult{}, fmt.Errorf("%w: %v is not a rule for ties", stat.ErrDomain, opt.ties)
	}
	n := r.UsedWins + r.UsedLosses
	if wins+losses == 0 {
		r.P, r.Exact = 1, true
		r.Warnings = append(r.Warnings, ErrNoDifference)
		return r, nil
	}
	step := 0.0
	if opt.Null == NormalContinuity {
		step = 1
	}
	r.Statistic, r.P = deviate(float64(r.UsedWins-r.UsedLosses), math.Sqrt(float64(n)), step, alt)
	if opt.Null == Exact {
		r.P = tail(fairTail(n, r.UsedWins), fairTail(n, r.UsedLosses), alt)
	}
	r.Warnings = appendFew(r.Warnings, n, alt)
	return r, nil
}

// appendFew warns if n signs, all alike, would not be significant.
func appendFew(warnings []error, n int, alt stat.Alternative) []error {
	p, need := math.Ldexp(1, -n), 5
	if alt == stat.TwoSided {
		p, need = min(1, 2*p), 6
	}
	if n >= need {
		return warnings
	}
	return append(warnings, fmt.Errorf(
		"%w: p cannot be below %.3g with %d untied data sets, need at least %d to reach 0.05",
		errFewDataSets, p, n, need))
}
