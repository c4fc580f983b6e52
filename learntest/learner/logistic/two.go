package logistic

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/linear"
)

// What follows is the loss of two classes, and its derivatives, as fit.go has them for any number:
// with one margin a row, of the second class.

func (w *workspace) evaluateTwo(class []int32, v, gradient []float64) float64 {
	w.penalize(gradient, v)
	last := len(v) - 1
	loss := float64(linear.Dot(gradient, gradient) / 2)
	w.design.Blocks(func(first int, z []float64) {
		w.design.Dots(z, first, v)
		probs, weights, rows := w.probs[first:], w.weights[first:], w.rows[first:]
		// The sum of logarithms of numbers up to 2 is one of their product.
		product, weight := 1.0, weights[0]
		for i, margin := range z {
			margin += v[last]
			// The smaller of both probabilities is share / (1 + share).
			share := detmath.Exp(-math.Abs(margin))
			p := 1 / (1 + share)
			if margin < 0 {
				p = share / (1 + share)
			}
			probs[i] = p
			lost := max(margin, 0)
			if w.index[class[rows[i]]] == 1 {
				p--
				lost -= margin
			}
			if weights[i] != weight {
				loss += float64(weight * detmath.Log(product))
				product, weight = 1, weights[i]
			}
			product *= 1 + share
			loss += float64(weight * lost)
			z[i] = float64(weights[i] * p)
			gradient[last] += z[i]
		}
		loss += float64(weight * detmath.Log(product))
		w.design.AddRows(gradient, first, z)
	})
	return loss
}

func (w *workspace) curvatureTwo(dst, v []float64) {
	w.penalize(dst, v)
	last := len(v) - 1
	w.design.Blocks(func(first int, z []float64) {
		w.design.Dots(z, first, v)
		probs, weights := w.probs[first:], w.weights[first:]
		for i, margin := range z {
			p := probs[i]
			z[i] = float64(float64(weights[i]*float64(p*(1-p))) * (margin + v[last]))
			dst[last] += z[i]
		}
		w.design.AddRows(dst, first, z)
	})
}

func (w *workspace) addDiagonalsTwo() {
	intercept := &w.intercepts(w.diagonals)[0]
	w.design.Blocks(func(first int, z []float64) {
		w.seconds(z, first, 0, intercept)
		w.design.AddSquares(w.diagonals, first, z)
	})
}
