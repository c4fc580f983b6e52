package across

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// ZeroRule says what a signed-rank test does with data sets on which the
// learners tie. The zero value is DropZeros.
type ZeroRule uint8

// The rules.
const (
	DropZeros  ZeroRule = iota // leave them out before ranking (Wilcoxon 1945)
	PrattZeros                 // rank them, then leave them and their ranks out (Pratt 1959)
	SplitZeros                 // rank them, and give half of their ranks to each side (Demšar 2006)
)

// String returns "wilcox", "pratt" or "zsplit", as other software calls the
// rules.
func (z ZeroRule) String() string {
	switch z {
	case DropZeros:
		return "wilcox"
	case PrattZeros:
		return "pratt"
	case SplitZeros:
		return "zsplit"
	}
	return fmt.Sprintf("ZeroRule(%d)", uint8(z))
}

// SignedRankOptions modify a signed-rank test. The zero value is the exact
// test without zeros.
type SignedRankOptions struct {
	Zeros ZeroRule
	Null  Null
}

// A SignedRankResult is the outcome of a signed-rank test.
type SignedRankResult struct {
	Alternative stat.Alternative
	DataSets    int  // number of data sets
	Zeros       int  // data sets on which the learners tie
	Ranked      int  // differences that were ranked: without the zeros under DropZeros
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

// SignedRank is Wilcoxon's signed-rank test of candidate a against baseline
// b.
//
// H0 is that the differences a − b are distributed symmetrically about 0; alt
// is about their location. a[i] and b[i] are the scores on data set i. The
// differences of different data sets must be comparable: ranks of percent
// against ranks of seconds mean nothing. Where symmetry or that is in doubt,
// use [SignTest].
//
// Differences, and 0, tie if they are no more than 1e-9 of the largest
// absolute score apart, since subtracting two decimal numbers breaks ties.
// The exact distribution is that over all 2^n assignments of signs to the
// midranks at hand, so that it holds with ties; zeros have no sign, so that
// [PrattZeros] and [SplitZeros] have the same exact p-value. The variance of
// the normal approximation is Σ rank²/4, which accounts for ties. The
// two-sided p-value is twice the smaller tail, at most 1.
//
// It returns [stat.ErrNotFinite] for a NaN or infinite score or a difference
// that overflows, [stat.ErrSampleSize] if there are no data sets or the
// lengths differ, and [stat.ErrDomain] for options that do not exist. It
// warns with [ErrNoDifference] if all tie (p is 1), with [ErrFewDataSets] if
// no outcome could reach p ≤ 0.05, and with [ErrApproximate] if there are
// over 1000 differences, when the normal approximation stands in for the
// exact one. The exact test takes O(n³) time for n differences, 0.1 ms for n
// = 100, and O(n²) space.
//
// Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics
// Bulletin 1; Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed
// rank procedures, JASA 54; Demšar (2006), JMLR 7, section 3.1.3. Recommended
// over mean ranks by Benavoli, Corani and Mangili (2016), section 5.
func SignedRank(a, b []float64, alt stat.Alternative, opt SignedRankOptions) (SignedRankResult, error) {
	d, err := differences(a, b)
	if err != nil {
		return SignedRankResult{}, err
	}
	if err := checkAlternative(alt); err != nil {
		return SignedRankResult{}, err
	}
	if err := opt.Null.check(); err != nil {
		return SignedRankResult{}, err
	}
	if opt.Zeros > SplitZeros {
		return SignedRankResult{}, fmt.Errorf("%w: %v is not a rule for zeros", stat.ErrDomain, opt.Zeros)
	}
	r := SignedRankResult{Alternative: alt, DataSets: len(d), Exact: opt.Null == Exact}
	s := rankDifferences(d, tieTolerance*largest(a, b), opt.Zeros)
	r.Zeros, r.Ranked, r.Tied = len(d)-len(s.twice), s.ranked, s.tied
	r.WPlus, r.WMinus = 0.5*float64(s.plus)+0.25*float64(s.split), 0.5*float64(s.minus)+0.25*float64(s.split)
	r.Mean, r.SD = 0.5*(r.WPlus+r.WMinus), math.Sqrt(s.squares)/4
	if len(s.twice) == 0 {
		r.P, r.Exact, r.SD = 1, true, 0
		r.Warnings = append(r.Warnings, ErrNoDifference)
		return r, nil
	}
	step := 0.0
	if opt.Null == NormalContinuity {
		step = 0.5
	}
	r.Statistic, r.P = deviate(r.WPlus-r.Mean, r.SD, step, alt)
	if r.Exact && len(s.twice) > exactLimit {
		r.Exact = false
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: normal, for %d differences; the limit is %d",
			ErrApproximate, len(s.twice), exactLimit))
	}
	if r.Exact {
		greater, less := signedRankTails(s.twice, int(s.plus))
		r.P = tail(greater, less, alt)
	}
	r.Warnings = appendFew(r.Warnings, len(s.twice), alt)
	return r, nil
}

// signedRanks are ranks of absolute differences, all of them doubled.
type signedRanks struct {
	ranked      int
	tied        bool
	twice       []int // of the differences that are not zero
	plus, minus int64 // sums of twice over the positive and negative differences
	split       int64 // sum of twice over the zeros that both sides share
	squares     float64
}

func rankDifferences(d []float64, tol float64, zeros ZeroRule) signedRanks {
	abs := make([]float64, 0, len(d))
	sign := make([]int8, 0, len(d))
	for _, v := range d {
		a, s := math.Abs(v), int8(1)
		switch {
		case a <= tol && zeros == DropZeros:
			continue
		case a <= tol:
			a, s = 0, 0
		case v < 0:
			s = -1
		}
		abs, sign = append(abs, a), append(sign, s)
	}
	// A zero is exactly 0 by now, and so ties with no difference beyond tol.
	r := signedRanks{ranked: len(abs)}
	twice := make([]int, len(abs))
	ties := new(ranker).rank(abs, tol, twice)
	for i, s := range sign {
		t := twice[i]
		switch {
		case s > 0:
			r.plus += int64(t)
		case s < 0:
			r.minus += int64(t)
		case zeros == SplitZeros:
			r.split += int64(t)
		}
		if s != 0 {
			r.twice = append(r.twice, t)
		}
		if s != 0 || zeros == SplitZeros {
			r.squares += float64(t) * float64(t)
		}
	}
	if zeros == PrattZeros {
		z := float64(len(abs) - len(r.twice))
		ties -= z*z*z - z
	}
	r.tied = ties > 0
	return r
}
