package perceptron

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// exactSum bounds sums of integers that are exact in any order.
const exactSum = 1 << 52

// An example holds the inputs of an instance, without missing values.
type example struct {
	numbers []float64
	codes   []int32
}

// example returns the memory of training example i.
func (w *workspace) example(i int) example {
	return example{w.numbers[i*w.dx : (i+1)*w.dx], w.codes[i*w.dc : (i+1)*w.dc]}
}

// product returns the inner product of two examples plus 1, summed in the
// order of the attributes. The indicators of a nominal attribute have a
// product of 1 if the values are equal, else of 0, which changes no sum.
func (w *workspace) product(a, b example) float64 {
	sum := 0.0
	for _, run := range w.runs {
		if run.multi {
			y := b.codes[run.from:run.to]
			for j, c := range a.codes[run.from:run.to] {
				if c == y[j] {
					sum++
				}
			}
		} else {
			y := b.numbers[run.from:run.to]
			for j, v := range a.numbers[run.from:run.to] {
				sum += float64(v * y[j])
			}
		}
	}
	return sum + 1
}

// power raises a product to the exponent of the kernel.
func (w *workspace) power(p float64) float64 {
	k := p
	for range w.cfg.Exponent - 1 {
		k *= p
	}
	return k
}

// A supports holds the examples of the alterations one after the other, for
// computing their products with one example in less time than in the order of
// the attributes.
type supports struct {
	numbers []float64
	lanes   []uint64
	norms   []float64 // Euclidean norm of the numbers of each
	most    []float64 // greatest absolute value of each number
	whole   bool      // whether all numbers are integers
	usable  bool      // whether lanes tell all codes apart
}

// takeSupports sets w.supports from the alterations.
func (w *workspace) takeSupports() {
	s := &w.supports
	words := lanes.Words(w.dc)
	s.numbers = scratch.Resize(s.numbers, len(w.alterations)*w.dx)
	s.lanes = scratch.Resize(s.lanes, len(w.alterations)*words)
	s.norms = scratch.Resize(s.norms, len(w.alterations))
	s.most = scratch.Resize(s.most, w.dx)
	clear(s.most)
	s.whole, s.usable = true, true
	for i, a := range w.alterations {
		e := w.example(int(a.example))
		copy(s.numbers[i*w.dx:], e.numbers)
		lanes.Pack(s.lanes[i*words:(i+1)*words], e.codes, lanes.MissingA)
		s.norms[i] = norm(e.numbers)
		for j, x := range e.numbers {
			s.most[j] = max(s.most[j], math.Abs(x))
			s.whole = s.whole && x == math.Trunc(x)
		}
	}
	for k := range w.inputs {
		s.usable = s.usable && (!w.inputs[k].multi || len(w.inputs[k].Meta.Values) <= lanes.Codes)
	}
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// exact reports whether the products of an example with all supports are
// integers so small that the order of summation has no influence.
func (s *supports) exact(e example) bool {
	if !s.whole {
		return false
	}
	size := float64(len(e.codes) + 1)
	for j, x := range e.numbers {
		if x != math.Trunc(x) {
			return false
		}
		size += float64(s.most[j] * math.Abs(x))
	}
	return size < exactSum // false if it is not a number
}

// product returns the inner product of support i and an example plus 1, up to
// rounding.
func (s *supports) product(i int, e example, packed []uint64) float64 {
	matches := len(e.codes) + 1
	for k, v := range s.lanes[i*len(packed):][:len(packed)] {
		matches -= lanes.Differences(v, packed[k])
	}
	y := e.numbers
	x := s.numbers[i*len(y):][:len(y)]
	var a, b float64
	j := 0
	for ; j+2 <= len(x) && j+2 <= len(y); j += 2 {
		a += float64(x[j] * y[j])
		b += float64(x[j+1] * y[j+1])
	}
	if j < len(x) && j < len(y) {
		a += float64(x[j] * y[j])
	}
	return a + b + float64(matches)
}
