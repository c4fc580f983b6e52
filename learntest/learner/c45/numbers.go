package c45

// eps is the difference below which the algorithm takes two numbers to be
// equal.
const eps = 1e-6

func eq(a, b float64) bool   { return a-b < eps && b-a < eps }
func gr(a, b float64) bool   { return a-b > eps }
func sm(a, b float64) bool   { return b-a > eps }
func grEq(a, b float64) bool { return b-a < eps }
func smEq(a, b float64) bool { return a-b < eps }
