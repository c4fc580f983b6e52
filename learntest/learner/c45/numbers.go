package c45

// eps is the difference below which the algorithm takes two numbers to be
// equal.
const eps = 1e-6

func eq(a, b float64) bool   { return minus(a, b) < eps && minus(b, a) < eps }
func gr(a, b float64) bool   { return minus(a, b) > eps }
func sm(a, b float64) bool   { return minus(b, a) > eps }
func grEq(a, b float64) bool { return minus(b, a) < eps }
func smEq(a, b float64) bool { return minus(a, b) < eps }

// minus returns a-b. The conversions keep it from being fused with a product
// that a caller passes.
func minus(a, b float64) float64 { return float64(a) - float64(b) }
