package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/unit"
)

func probabilityMetrics() []Metric { return []Metric{LogLoss(), Brier(), AUC()} }

// minProbability is the least probability in LogLoss: the spacing of floats at 1.
const minProbability = 0x1p-52

// LogLoss is the mean of -ln p in nats, where p is the learner's probability of the
// true class. Probabilities below 2^-52 count as 2^-52, because a single zero would
// otherwise outweigh all other examples of a data set.
func LogLoss() Metric {
	return probabilityMetric("logloss", "mean negative log-probability of the true class, in nats",
		unit.Lower, 0, math.Inf(1), logLoss)
}

// Brier is the mean over the test examples of the sum over the classes of the squared
// difference between the probability of the class and 1 for the true class or 0 for the
// others. It is 0 at best and 2 at worst.
//
// Source: Brier, Verification of forecasts expressed in terms of probability, 1950, eq. 2.
func Brier() Metric {
	return probabilityMetric("brier",
		"mean squared error of the class probabilities, summed over classes",
		unit.Lower, 0, 2, brier)
}

// AUC is the area under the ROC curve. With two classes it is the probability that an
// example of the second class has a higher probability of that class than an example of the
// first class; ties count half. With more classes it is the mean of Hand and Till's A(i,j)
// over all pairs of classes that occur. It is undefined if fewer than two classes occur
// among the test examples.
//
// Source: Hand & Till, A simple generalisation of the area under the ROC curve for multiple
// class classification problems, 2001, eq. 3 and 7.
func AUC() Metric {
	return probabilityMetric("auc", "area under the ROC curve, averaged over pairs of classes",
		unit.Higher, 0, 1, auc)
}

func probabilityMetric(name, doc string, better unit.Direction, lo, hi float64,
	f func(*Predictions) (float64, error),
) Metric {
	return Metric{
		Unit: unit.Unit{Name: name, Better: better, Min: lo, Max: hi},
		Doc:  doc,
		Eval: func(p *Predictions) (float64, error) {
			if err := p.needProbabilities(name); err != nil {
				return math.NaN(), err
			}
			return f(p)
		},
	}
}

func logLoss(p *Predictions) (float64, error) {
	k := len(p.Classes)
	sum := 0.0
	for i, t := range p.Truth {
		sum -= math.Log(max(p.Probabilities[i*k+t], minProbability))
	}
	// A probability that rounding put above 1 must not make a loss negative.
	return max(sum/float64(p.Len()), 0), nil
}

func brier(p *Predictions) (float64, error) {
	k := len(p.Classes)
	sum := 0.0
	for i, t := range p.Truth {
		for c, q := range p.Probabilities[i*k : (i+1)*k] {
			if c == t {
				q = 1 - q
			}
			sum += float64(q * q)
		}
	}
	return min(sum/float64(p.Len()), 2), nil
}

func auc(p *Predictions) (float64, error) {
	k := len(p.Classes)
	byClass := make([][]int, k)
	for i, t := range p.Truth {
		byClass[t] = append(byClass[t], i)
	}
	order := make([]int, 0, p.Len())
	sum, pairs := 0.0, 0
	for a := range k {
		for b := a + 1; b < k; b++ {
			if len(byClass[a]) == 0 || len(byClass[b]) == 0 {
				continue
			}
			order = append(append(order[:0], byClass[a]...), byClass[b]...)
			area := separation(p, order, b)
			if k > 2 {
				area = (area + separation(p, order, a)) / 2
			}
			sum += area
			pairs++
		}
	}
	if pairs == 0 {
		return math.NaN(), fmt.Errorf("auc: %w: only one class occurs among %d test examples",
			ErrUndefined, p.Len())
	}
	return sum / float64(pairs), nil
}

// separation returns the probability that, of the given examples, an example of class c has
// a higher probability of c than an example of another class. It reorders the examples.
func separation(p *Predictions, examples []int, c int) float64 {
	k := len(p.Classes)
	score := func(i int) float64 { return p.Probabilities[i*k+c] }
	slices.SortFunc(examples, func(i, j int) int {
		return cmp.Or(cmp.Compare(score(i), score(j)), cmp.Compare(i, j))
	})
	// Twice the rank sum of class c is an integer: the sum is exact.
	twice, positives := 0, 0
	for lo := 0; lo < len(examples); {
		hi, tied := lo, 0
		for ; hi < len(examples) && score(examples[hi]) == score(examples[lo]); hi++ {
			if p.Truth[examples[hi]] == c {
				tied++
			}
		}
		twice += tied * (lo + hi + 1)
		positives += tied
		lo = hi
	}
	negatives := len(examples) - positives
	u := float64(twice-positives*(positives+1)) / 2
	return u / (float64(positives) * float64(negatives))
}
