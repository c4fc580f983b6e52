// Package reliability measures whether the probabilities that a classifier gives its predictions
// come true: of the predictions with a probability of about 0.8, 80% should be right.
package reliability

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// A Bin has the predictions whose probabilities are in an interval.
type Bin struct {
	Lo, Hi      float64 // limits of the interval
	N           int     // number of predictions
	Probability float64 // mean of the predictions' probabilities; 0 if N is 0
	Right       float64 // share of them that are right; 0 if N is 0
}

// Bins sorts predictions into bins of equal width from 0 to 1. A prediction is of a class, with the
// probability of that class, and right or not; an upper limit belongs to its bin, as does 0 to the
// first one.
//
// It returns an error that wraps [stat.ErrSampleSize] if there are no predictions or bins, or if
// the lengths differ, and [stat.ErrDomain] for a probability that is not from 0 to 1; the error
// names the index.
//
// Source: M. P. Naeini, G. F. Cooper and M. Hauskrecht (2015), "Obtaining well calibrated
// probabilities using Bayesian binning".
func Bins(probabilities []float64, right []bool, bins int) ([]Bin, error) {
	if len(probabilities) != len(right) || len(right) == 0 || bins < 1 {
		return nil, fmt.Errorf("%w: %d probabilities of %d predictions in %d bins", stat.ErrSampleSize,
			len(probabilities), len(right), bins)
	}
	inside, hits := make([][]float64, bins), make([]int, bins)
	for i, p := range probabilities {
		if !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("%w: probability %v of prediction %d is not from 0 to 1", stat.ErrDomain,
				p, i)
		}
		at := min(int(p*float64(bins)), bins-1)
		if at > 0 && p <= limit(at, bins) {
			at--
		}
		inside[at] = append(inside[at], p)
		if right[i] {
			hits[at]++
		}
	}
	all := make([]Bin, bins)
	for i, p := range inside {
		all[i] = Bin{Lo: limit(i, bins), Hi: limit(i+1, bins), N: len(p)}
		if len(p) > 0 {
			all[i].Probability, all[i].Right = sample.Mean(p), float64(hits[i])/float64(len(p))
		}
	}
	return all, nil
}

func limit(i, bins int) float64 { return float64(i) / float64(bins) }

// Error returns the expected calibration error: the mean, over predictions, of the distance between
// the probability and the share of right predictions in its bin. It is 0 if there are none.
func Error(bins []Bin) float64 {
	sum, n := 0.0, 0.0
	for _, b := range bins {
		distance := b.Probability - b.Right
		sum += float64(float64(b.N) * max(distance, -distance))
		n += float64(b.N)
	}
	return sum / max(n, 1)
}
