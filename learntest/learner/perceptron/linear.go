package perceptron

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A linear is the current perceptron of a linear kernel as one weight vector.
// It tells the sign of the sum of kernel values at the cost of one of them,
// unless the sum is so small that rounding may decide.
type linear struct {
	weights    []float64 // of the numbers
	magnitudes []float64 // sums of the absolute values of the terms of weights
	codes      []float64 // weights of the values of the inputs with codes
	first      []int     // index in codes of the first value of each such input
	bias       float64
	terms      int // number of terms of each weight
}

// reset makes the perceptron empty.
func (l *linear) reset(inputs []input, numbers int) {
	l.weights, l.magnitudes = scratch.Resize(l.weights, numbers), scratch.Resize(l.magnitudes, numbers)
	l.first = l.first[:0]
	size := 0
	for k := range inputs {
		if inputs[k].multi {
			l.first = append(l.first, size)
			size += len(inputs[k].Meta.Values)
		}
	}
	l.codes = scratch.Resize(l.codes, size)
	clear(l.weights)
	clear(l.magnitudes)
	clear(l.codes)
	l.bias, l.terms = 0, 0
}

// add adds an example with a sign of 1 or -1.
func (l *linear) add(e example, sign float64) {
	for j, x := range e.numbers {
		l.weights[j] += float64(sign * x)
		l.magnitudes[j] += math.Abs(x)
	}
	for i, c := range e.codes {
		l.codes[l.first[i]+int(c)] += sign
	}
	l.bias += sign
	l.terms++
}

// negative reports whether the sum of kernel values at e, as computed term by
// term, is negative. It is not sure if the sum lies within the bound of the
// rounding errors of both computations.
//
// With n terms of d products each, and B the sum of the absolute values of all
// products, each computation is off by at most (n+d+3)uB, u = 2^-53, up to a
// factor near 1.
func (l *linear) negative(e example) (negative, sure bool) {
	sum, size := l.bias, float64(l.terms*(1+len(e.codes)))
	for j, x := range e.numbers {
		sum += float64(l.weights[j] * x)
		size += float64(l.magnitudes[j] * math.Abs(x))
	}
	for i, c := range e.codes {
		sum += l.codes[l.first[i]+int(c)]
	}
	n := float64(l.terms + len(e.numbers) + len(e.codes) + 4)
	return sum < 0, math.Abs(sum) > 4*n*0x1p-53*size
}
