package c45

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
)

// eps is the difference below which the algorithm takes two numbers to be
// equal.
const eps = 1e-6

func eq(a, b float64) bool   { return a-b < eps && b-a < eps }
func gr(a, b float64) bool   { return a-b > eps }
func sm(a, b float64) bool   { return b-a > eps }
func grEq(a, b float64) bool { return b-a < eps }
func smEq(a, b float64) bool { return a-b < eps }

// xlog2 returns x log₂ x, 0 for x below eps.
func xlog2(x float64) float64 {
	if x < eps {
		return 0
	}
	return x * detmath.Log(x) / math.Ln2
}
