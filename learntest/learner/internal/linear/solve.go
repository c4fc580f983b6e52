package linear

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A Solver solves systems of linear equations by the method of conjugate gradients. The zero value
// is ready for use.
type Solver struct {
	residual, direction, image, scaled []float64
}

// Solve sets x to the solution of A·x = b, for a symmetric matrix A that has no negative eigenvalue
// and b in its range. apply sets dst to A·v, and precondition to M⁻¹·v, where M is positive definite
// and near A. Solve reports whether the residual is at most tolerance times b, by the norm that M⁻¹
// defines, after most steps or fewer.
//
// Golub and Van Loan, Matrix Computations, 4th edition, 2013, algorithm 11.5.1.
func (s *Solver) Solve(x []float64, apply, precondition func(dst, v []float64), b []float64,
	tolerance float64, most int,
) bool {
	for _, v := range []*[]float64{&s.residual, &s.direction, &s.image, &s.scaled} {
		*v = scratch.Resize(*v, len(b))
	}
	clear(x)
	copy(s.residual, b)
	precondition(s.scaled, s.residual)
	copy(s.direction, s.scaled)
	square := Dot(s.residual, s.scaled)
	least := float64(tolerance*tolerance) * square
	for range most {
		if square <= least {
			return true
		}
		apply(s.image, s.direction)
		curvature := Dot(s.direction, s.image)
		if !(curvature > 0) {
			return false
		}
		step, before := square/curvature, square
		for j, v := range s.direction {
			x[j] += float64(step * v)
			s.residual[j] -= float64(step * s.image[j])
		}
		precondition(s.scaled, s.residual)
		square = Dot(s.residual, s.scaled)
		for j, v := range s.scaled {
			s.direction[j] = v + float64(square/before*s.direction[j])
		}
	}
	return square <= least
}

// ByDiagonal returns the preconditioner of the diagonal of a matrix, which must be positive.
func ByDiagonal(diagonal []float64) func(dst, v []float64) {
	return func(dst, v []float64) {
		for j, x := range v {
			dst[j] = x / diagonal[j]
		}
	}
}

// Factor replaces the lower triangle of a symmetric matrix of n rows by its Cholesky factor L, so
// that the matrix is L·Lᵀ, and reports whether it is positive definite.
func Factor(a []float64, n int) bool {
	for i := range n {
		row := a[i*n:][:i+1]
		for j := range row {
			other := a[j*n:][:j+1]
			v := row[j] - Dot(row[:j], other[:j])
			if j < i {
				row[j] = v / other[j]
				continue
			}
			if !(v > 0) {
				return false
			}
			row[j] = math.Sqrt(v)
		}
	}
	return true
}

// SolveFactored replaces b by the solution of L·Lᵀ·x = b, for a factor of [Factor].
func SolveFactored(factor, b []float64) {
	n := len(b)
	for i := range b {
		row := factor[i*n:][:i+1]
		b[i] = (b[i] - Dot(row[:i], b[:i])) / row[i]
	}
	for i := n - 1; i >= 0; i-- {
		row := factor[i*n:][:i+1]
		b[i] /= row[i]
		for j, v := range row[:i] {
			b[j] -= float64(v * b[i])
		}
	}
}

// Dot returns the inner product of x and y, which have one length.
func Dot(x, y []float64) float64 { return Row{numbers: x}.Dot(y) }

// Largest returns the greatest absolute value in x, +Inf if any is not a number.
func Largest(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		if v != v {
			return math.Inf(1)
		}
		largest = max(largest, math.Abs(v))
	}
	return largest
}
