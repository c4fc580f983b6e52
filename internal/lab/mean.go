package lab

import "math"

// A Mean is the mean of independent values, with its standard error.
type Mean struct {
	N           int
	sum, square float64
}

func (m *Mean) Add(x float64) {
	m.N++
	m.sum += x
	m.square += float64(x * x)
}

func (m *Mean) Mean() float64 { return m.sum / float64(m.N) }

// SE returns the standard error; NaN of fewer than two values.
func (m *Mean) SE() float64 {
	n := float64(m.N)
	if m.N < 2 {
		return math.NaN()
	}
	return math.Sqrt(max(0, m.square/n-float64(m.Mean()*m.Mean())) / (n - 1))
}
