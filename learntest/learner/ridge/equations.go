package ridge

import "github.com/learnbench/learnbench/learntest/learner/internal/linear"

// equations are the normal equations of β, with columns and targets less their means. They have a
// matrix where the columns are few; otherwise the rows give each product with it.
type equations struct {
	design   *linear.Design
	weights  []float64 // of the rows
	total    float64   // of the weights
	alpha    float64
	center   []float64 // mean of each column
	diagonal []float64
	b        []float64 // the right-hand side
	gram     []float64 // the matrix; nil if it has many columns, or if rounding has spoiled it
}

// newEquations sums the rows, whose targets are ys.
func newEquations(d *linear.Design, weights []float64, total, alpha float64, ys []float64) *equations {
	n := d.Columns
	e := &equations{
		design: d, weights: weights, total: total, alpha: alpha,
		center: make([]float64, n), diagonal: make([]float64, n), b: make([]float64, n),
	}
	if d.HasFewNumbers() {
		e.gram = make([]float64, n*n)
	}
	d.Blocks(func(first int, z []float64) {
		own, y := weights[first:][:len(z)], ys[first:]
		d.AddSquares(e.diagonal, first, own)
		for i, w := range own {
			z[i] = w / total
		}
		d.AddRows(e.center, first, z)
		for i, w := range own {
			z[i] = float64(w * y[i])
		}
		d.AddRows(e.b, first, z)
		if e.gram != nil {
			d.AddGram(e.gram, n, first, own)
		}
	})
	e.centre()
	return e
}

// centre subtracts the means of the columns from the diagonal and the matrix, and adds the penalty.
// The targets are centred, so that the right-hand side needs no means.
func (e *equations) centre() {
	n := len(e.center)
	for j, c := range e.center {
		spread := max(0, e.diagonal[j]-float64(e.total*float64(c*c)))
		if spread < float64(0.01*e.diagonal[j]) {
			e.gram = nil // the difference is little but rounding
		}
		e.diagonal[j] = spread + e.alpha
		if e.gram == nil {
			continue
		}
		for k := range j {
			e.gram[j*n+k] -= float64(e.total * float64(c*e.center[k]))
			e.gram[k*n+j] = e.gram[j*n+k]
		}
		e.gram[j*n+j] = e.diagonal[j]
	}
}

// solve sets β, and reports whether it was found: by the matrix, or by the rows where there is none
// or rounding has spoiled it.
func (e *equations) solve(beta []float64) bool {
	var s linear.Solver
	most, scaled := 20*len(beta)+1000, linear.ByDiagonal(e.diagonal)
	return e.gram != nil && s.Solve(beta, e.byMatrix, scaled, e.b, exact, most) ||
		s.Solve(beta, e.byRows, scaled, e.b, exact, most)
}

// byMatrix sets dst to the product of the matrix with v.
func (e *equations) byMatrix(dst, v []float64) {
	for j := range dst {
		dst[j] = linear.Dot(e.gram[j*len(v):][:len(v)], v)
	}
}

// byRows sets dst to the same product, without the matrix.
func (e *equations) byRows(dst, v []float64) {
	for j, x := range v {
		dst[j] = float64(e.alpha * x)
	}
	mean, sum := linear.Dot(e.center, v), 0.0
	e.design.Blocks(func(first int, z []float64) {
		e.design.Dots(z, first, v)
		for i, product := range z {
			z[i] = float64(e.weights[first+i] * (product - mean))
			sum += z[i]
		}
		e.design.AddRows(dst, first, z)
	})
	for j, c := range e.center {
		dst[j] -= float64(sum * c)
	}
}
