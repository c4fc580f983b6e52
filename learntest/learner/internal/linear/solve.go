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
// and b in its range. apply sets dst to A·v. Both sides are scaled by the diagonal of A, which must
// be positive. Solve reports whether the residual is at most tolerance times b, by the Euclidean
// norm of the scaled system, after most steps or fewer.
//
// Golub and Van Loan, Matrix Computations, 4th edition, 2013, algorithm 11.5.1.
func (s *Solver) Solve(x []float64, apply func(dst, v []float64), diagonal, b []float64,
	tolerance float64, most int,
) bool {
	for _, v := range []*[]float64{&s.residual, &s.direction, &s.image, &s.scaled} {
		*v = scratch.Resize(*v, len(b))
	}
	clear(x)
	for j, v := range b {
		s.residual[j] = v
		s.scaled[j] = v / diagonal[j]
	}
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
			s.scaled[j] = s.residual[j] / diagonal[j]
		}
		square = Dot(s.residual, s.scaled)
		for j, v := range s.scaled {
			s.direction[j] = v + float64(square/before*s.direction[j])
		}
	}
	return square <= least
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
