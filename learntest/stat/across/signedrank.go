package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
)

// zeroRule says what a signed-rank test does with data sets on which the
// learners tie. The zero value is dropZeros.
type zeroRule uint8

// The rules.
const (
	dropZeros  = zeroRule(rank.Drop)  // leave them out before ranking (Wilcoxon 1945)
	prattZeros = zeroRule(rank.Pratt) // rank them, then leave them and their ranks out (Pratt 1959)
	splitZeros = zeroRule(rank.Split) // rank them, and give half of their ranks to each side (Demšar 2006)
)

// String returns "wilcox", "pratt" or "zsplit", as other software calls the
// rules.
func (z zeroRule) String() string {
	switch z {
	case dropZeros:
		return "wilcox"
	case prattZeros:
		return "pratt"
	case splitZeros:
		return "zsplit"
	}
	return fmt.Sprintf("zeroRule(%d)", uint8(z))
}

// SignedRankOptions modify a signed-rank test. The zero value is the exact
// test without zeros.
type SignedRankOptions struct {
	zeros zeroRule // what becomes of differences of zero
	Null  Null
}

// A SignedRankResult is the outcome of a signed-rank test.
type SignedRankResult struct {
	Alternative stat.Alternative
	DataSets    int  // number of data sets
	Zeros       int  // data sets on which the learners tie
	Ranked      int  // differences that were ranked: without the zeros under dropZeros
	Tied        bool // some ranked absolute differences tie

	// WPlus and WMinus are the sums of the ranks of the positive and of the
	// negative differences candidate − baseline.
	WPlus, WMinus float64

	Mean, SD float64 // of WPlus under H0, given the ties

	// Statistic is the normal deviate (WPlus − Mean)/SD, corrected for
	// continuity if asked for; 0 if SD is.
	Statistic float64

	P        float64
	Exact    bool // P is exact, given the ties and zeros
	Warnings []error
}

// exactLimit is the number of differences up to which the exact distribution
// is computed: p-values would underflow not far beyond, and time grows with
// the third power.
const exactLimit = 1000

func signedRankTests() []PairTest {
	return []PairTest{
		pairTest("signed-rank", "exact Wilcoxon signed-rank test without zeros; assumes symmetric, comparable differences",
			SignedRank, SignedRankOptions{}),
		pairTest("signed-rank-pratt", "exact signed-rank test, zeros ranked and left out; same assumptions",
			SignedRank, SignedRankOptions{zeros: prattZeros}),
		pairTest("signed-rank-normal",
			"signed-rank test by the normal approximation, as most papers have it; same assumptions",
			SignedRank, SignedRankOptions{Null: Normal}),
	}
}

// SignedRank is Wilcoxon's signed-rank test of candidate a against baseline
// b.
//
// H0 is that the differences a − b are distributed symmetrically about 0; alt
// is about their location. a[i] and b[i] are the scores on data set i. The
// differences of different data sets must be comparable: ranks of percent
// against ranks of seconds mean nothing. Where symmetry or that is in doubt,
// use [SignTest].
//
// A difference is zero if its two scores tie, and two differences tie if they
// are no more than [stat.TieTolerance] of the largest of their four scores
// apart (see [stat.Tied]), since subtracting two decimal numbers breaks ties.
// The exact distribution is that over all 2^n assignments of signs to the
// midranks at hand, so that it holds with ties; zeros have no sign, so that
// prattZeros and splitZeros have the same exact p-value. The variance of
// the normal approximation is Σ rank²/4, which accounts for ties. The
// two-sided p-value is twice the smaller tail, at most 1.
//
// It returns [stat.ErrNotFinite] for a NaN or infinite score or a difference
// that overflows, [stat.ErrSampleSize] if there are no data sets or the
// lengths differ, and [stat.ErrDomain] for options that do not exist. It
// warns with [ErrNoDifference] if all tie (p is 1), with errFewDataSets if
// no outcome could reach p ≤ 0.05, and with errApproximate if there are
// over 1000 differences, when the normal approximation stands in for the
// exact one. The exact test takes O(n³) time for n differences, 0.1 ms for n
// = 100, and O(n²) space.
//
// Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics
// Bulletin 1; Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed
// rank procedures, JASA 54; Demšar (2006), JMLR 7, section 3.1.3. Recommended
// over mean ranks by Benavoli, Corani and Mangili (2016), section 5.
func SignedRank(a, b []float64, alt stat.Alternative, opt SignedRankOptions) (SignedRankResult,
	error,
) {
	d, err := differences(a, b)
	if err != nil {
		return SignedRankResult{}, err
	}
	if err := alt.Check(); err != nil {
		return SignedRankResult{}, err
	}
	if err := opt.Null.check(); err != nil {
		return SignedRankResult{}, err
	}
	if opt.zeros > splitZeros {
		return SignedRankResult{}, fmt.Errorf("%w: %v is not a rule for zeros", stat.ErrDomain, opt.zeros)
	}
	r := SignedRankResult{Alternative: alt, DataSets: len(d), Exact: opt.Null == Exact}
	s := rank.SignedRanks(a, b, rank.Zero(opt.zeros))
	r.Zeros, r.Ranked, r.Tied = len(d)-len(s.Twice), s.Ranked, s.Tied
	r.WPlus, r.WMinus = 0.5*float64(s.Plus)+0.25*float64(s.Split),
		0.5*float64(s.Minus)+0.25*float64(s.Split)
	r.Mean, r.SD = 0.5*(r.WPlus+r.WMinus), math.Sqrt(s.Squares)/4
	if len(s.Twice) == 0 {
		r.P, r.Exact, r.SD = 1, true, 0
		r.Warnings = append(r.Warnings, ErrNoDifference)
		return r, nil
	}
	step := 0.0
	if opt.Null == NormalContinuity {
		step = 0.5
	}
	r.Statistic, r.P = deviate(r.WPlus-r.Mean, r.SD, step, alt)
	if r.Exact && len(s.Twice) > exactLimit {
		r.Exact = false
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: normal, for %d differences; the limit is %d",
			errApproximate, len(s.Twice), exactLimit))
	}
	if r.Exact {
		greater, less := signedRankTails(s.Twice, int(s.Plus))
		r.P = tail(greater, less, alt)
	}
	r.Warnings = appendFew(r.Warnings, len(s.Twice), alt)
	return r, nil
}
