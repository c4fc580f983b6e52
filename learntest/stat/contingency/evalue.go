package contingency

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// EValue returns the logarithm of the evidence against equal accuracy of the two learners of
// [McNemarTest], and a p-value that may be looked at after each example: it ever falls to α or
// below with probability at most α. The price is power: with as many examples as planned, McNemar's
// test has more.
//
// The evidence is the likelihood ratio of the disagreements, b = OnlyFirst and c = OnlySecond,
// mixed over the probability of b with the weights Beta(½, ½), against a probability of ½:
//
//	E = 2^(b+c) B(b+½, c+½)/B(½, ½)
//
// and the p-value is 1/E, at most 1. Without disagreements there is no evidence: 0 and 1.
//
// It returns an error that wraps [stat.ErrDomain] if a count is negative.
//
// Source: J. Ville (1939), "Étude critique de la notion de collectif".
func EValue(c PairCounts) (logE, p float64, err error) {
	if min(c.Both, c.OnlyFirst, c.OnlySecond, c.Neither) < 0 {
		return 0, 0, fmt.Errorf("%w: counts %+v", stat.ErrDomain, c)
	}
	first, second := float64(c.OnlyFirst), float64(c.OnlySecond)
	n := first + second
	logE = float64(n*math.Ln2) + lgamma(first+0.5) +
		lgamma(second+0.5) - lgamma(n+1) - math.Log(math.Pi)
	if n == 0 {
		logE = 0 // but for rounding
	}
	return logE, math.Exp(-max(logE, 0)), nil
}

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x) // positive numbers only
	return y
}
