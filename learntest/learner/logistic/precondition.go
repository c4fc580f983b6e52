package logistic

import (
	"github.com/learnbench/learnbench/learntest/learner/internal/linear"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// preconditioner returns the inverse of a matrix near the Hessian: of the blocks that have the
// parameters of one class where classes are many and columns few, or else of the diagonal.
//
// Parameters of more than two classes have the mean 0 over the classes, and so do gradients. What
// would lead away from there is left out, since only the penalty would hold it back, and many steps
// would be needed to return.
func (w *workspace) preconditioner(total float64) func(dst, v []float64) {
	near := w.blockwise
	if w.free == 1 || !w.design.HasFewNumbers() || !w.factor(total) {
		w.takeDiagonals(total)
		near = linear.ByDiagonal(w.diagonals)
	}
	if w.free == 1 {
		return near
	}
	return func(dst, v []float64) {
		near(dst, v)
		for ; len(dst) > 0; dst = dst[w.free:] {
			mean := 0.0
			for _, x := range dst[:w.free] {
				mean += x
			}
			mean /= float64(w.free)
			for k := range w.free {
				dst[k] -= mean
			}
		}
	}
}

// blockwise is the preconditioner of the factors.
func (w *workspace) blockwise(dst, v []float64) {
	n := w.design.Columns + 1
	w.column = scratch.Resize(w.column, n)
	for k := range w.free {
		for j := range w.column {
			w.column[j] = v[j*w.free+k]
		}
		linear.SolveFactored(w.factors[k*n*n:], w.column)
		for j, x := range w.column {
			dst[j*w.free+k] = x
		}
	}
}

// seconds sets z to the second derivatives of the losses of rows, from the first one on, with respect
// to their margins of free class k, and adds them to sum.
func (w *workspace) seconds(z []float64, first, k int, sum *float64) {
	for i := range z {
		p := w.probs[(first+i)*w.free+k]
		z[i] = float64(w.weights[first+i] * float64(p*(1-p)))
		*sum += z[i]
	}
}

// factor sets the factors of the blocks of the classes, and reports whether all have one.
func (w *workspace) factor(total float64) bool {
	n := w.design.Columns + 1
	w.factors = scratch.Resize(w.factors, w.free*n*n)
	clear(w.factors)
	for k := range w.free {
		a := w.factors[k*n*n:][:n*n]
		for j := range n - 1 {
			a[j*n+j] = 1
		}
		last := a[(n-1)*n:]
		last[n-1] = float64(1e-12 * total)
		w.design.Blocks(func(first int, z []float64) {
			w.seconds(z, first, k, &last[n-1])
			w.design.AddGram(a, n, first, z)
			w.design.AddRows(last, first, z)
		})
		if !linear.Factor(a, n) {
			return false
		}
	}
	return true
}
