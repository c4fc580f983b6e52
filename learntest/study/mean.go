package study

import "math"

// A mean is that of independent values, and its standard error.
type mean struct {
	n           int
	sum, square float64
}

func (m *mean) add(x float64) {
	m.n++
	m.sum += x
	m.square += float64(x * x)
}

func (m *mean) mean() float64 { return m.sum / float64(m.n) }

// se returns the standard error; NaN of fewer than two values.
func (m *mean) se() float64 {
	n := float64(m.n)
	if m.n < 2 {
		return math.NaN()
	}
	return math.Sqrt(max(0, m.square/n-float64(m.mean()*m.mean())) / (n - 1))
}
