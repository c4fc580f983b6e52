package perceptron

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
)

// margin returns by how much the votes for class 1 exceed those for class 0.
func (w *workspace) margin(e example) int {
	if w.supports.usable {
		lanes.Pack(w.packed, e.codes, lanes.MissingB)
		if w.supports.exact(e) {
			return w.exactMargin(e)
		}
		if margin, sure := w.likelyMargin(e); sure {
			return margin
		}
	}
	margin, sum := 0, 0.0
	for i, a := range w.alterations {
		margin += vote(w.votes[i], sum)
		sum += float64(a.sign * w.power(w.product(w.example(int(a.example)), e)))
	}
	return margin + vote(w.votes[len(w.alterations)], sum)
}

// vote returns the votes of a perceptron whose value is sum, negative for class
// 0.
func vote(votes int, sum float64) int {
	if sum < 0 {
		return -votes
	}
	return votes
}

// exactMargin does what margin does where products are exact.
func (w *workspace) exactMargin(e example) int {
	margin, sum := 0, 0.0
	for i, a := range w.alterations {
		margin += vote(w.votes[i], sum)
		sum += float64(a.sign * w.power(w.supports.product(i, e, w.packed)))
	}
	return margin + vote(w.votes[len(w.alterations)], sum)
}

// likelyMargin does what margin does where products are not exact. It is not
// sure if the value of a perceptron lies within the bound of its rounding
// error, or if the kernel is not linear. For the bound see [linear.negative];
// the sum of the absolute values of the products of two examples is at most
// the product of their norms.
func (w *workspace) likelyMargin(e example) (margin int, sure bool) {
	if w.cfg.Exponent != 1 {
		return 0, false
	}
	sum, size := 0.0, 0.0
	norm := norm(e.numbers)
	terms := float64(len(e.numbers) + len(e.codes) + 4)
	for i, a := range w.alterations {
		margin += vote(w.votes[i], sum)
		sum += float64(a.sign * w.supports.product(i, e, w.packed))
		size += float64(w.supports.norms[i]*norm) + float64(len(e.codes)+1)
		terms++
		if !(math.Abs(sum) > float64(float64(4*0x1p-53*terms)*size)) {
			return 0, false
		}
	}
	return margin + vote(w.votes[len(w.alterations)], sum), true
}
