package across

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A SignPowerResult tells how often an exact sign test rejects.
type SignPowerResult struct {
	Alternative stat.Alternative
	DataSets    int     // number of untied data sets
	WinProb     float64 // probability that the candidate wins on a data set
	Alpha       float64 // level of the test

	// The test rejects with at most Low or at least High wins. Low is -1, and
	// High is DataSets+1, where no number of wins on that side is enough.
	Low, High int

	Size  float64 // probability to reject if WinProb were 1/2; at most Alpha
	Power float64 // probability to reject
}

// SignPower returns the power of the exact sign test at level alpha on n
// untied data sets, on each of which the candidate wins with probability win,
// independently.
//
// It returns [stat.ErrSampleSize] if n is not positive and [stat.ErrDomain]
// if win or alpha is not a probability or the alternative does not exist. It
// takes O(log n) tail probabilities.
//
// Benavoli, Corani and Mangili (2016), example 2, has the power 0.94 for n =
// 20, win = Φ(1.5/√2) and alpha = 0.05.
func SignPower(n int, win, alpha float64, alt stat.Alternative) (SignPowerResult, error) {
	if n < 1 {
		return SignPowerResult{}, fmt.Errorf("%w: %d data sets", stat.ErrSampleSize, n)
	}
	if !(win >= 0 && win <= 1) {
		return SignPowerResult{}, fmt.Errorf("%w: probability %v to win", stat.ErrDomain, win)
	}
	if !(alpha >= 0 && alpha <= 1) {
		return SignPowerResult{}, fmt.Errorf("%w: level %v", stat.ErrDomain, alpha)
	}
	if err := alt.Check(); err != nil {
		return SignPowerResult{}, err
	}
	// critical is the fewest wins whose p-value is at most alpha.
	critical := func(tails float64) int {
		lo, hi := 0, n+1
		for lo < hi {
			if k := (lo + hi) / 2; min(1, tails*fairTail(n, k)) <= alpha {
				hi = k
			} else {
				lo = k + 1
			}
		}
		return lo
	}
	r := SignPowerResult{
		Alternative: alt, DataSets: n, WinProb: win, Alpha: alpha,
		Low: -1, High: n + 1,
	}
	switch alt {
	case stat.Greater:
		r.High = critical(1)
	case stat.Less:
		r.Low = n - critical(1)
	default:
		r.High = critical(2)
		r.Low = n - r.High
	}
	reject := func(p float64) float64 {
		if r.High <= r.Low+1 {
			return 1 // every number of wins is critical
		}
		return dist.BinomialSF(r.High, n, p) + dist.BinomialCDF(r.Low, n, p)
	}
	r.Size, r.Power = reject(0.5), reject(win)
	return r, nil
}
