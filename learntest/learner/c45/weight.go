package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/entropy"

// A number is the weight of instances, or a sum of x log₂ x over such weights: an integer, with
// exact sums, where all instances weigh 1, and otherwise a float.
type number interface{ int64 | float64 }

// integral reports whether W is an integer. The compiler knows, and drops the other branch.
func integral[W number]() bool { return W(1)/2 == 0 }

// xlog2 returns x log₂ x in units of the table, or of 1 for floats, and 0 for floats below eps. It
// is small enough to be inlined.
func xlog2[W number](t *entropy.Table, x W) W {
	if W(1)/2 == 0 { // integral, written out
		return W(t.Fixed[int(x)])
	}
	return W(xlog2Float(t, float64(x)))
}

func xlog2Float(t *entropy.Table, x float64) float64 {
	if x < eps {
		return 0
	}
	return t.XLog2(x)
}
