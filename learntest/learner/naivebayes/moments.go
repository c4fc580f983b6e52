package naivebayes

import "math"

const (
	// minDeviation is the greatest standard deviation that is taken for none.
	minDeviation = 1e-10

	// minSpread is the least part of the sum of squares that may be left of it
	// when the square of the sum is subtracted. Of the 53 bits, 33 are then
	// left for the rounding errors of the sum.
	minSpread = 0x1p-20
)

// moments are sums over the rounded values of one class.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x, weight float64) {
	m.n += weight
	m.sum += float64(x * weight)
	m.squares += float64(float64(x*x) * weight)
}

func (m *moments) mean() float64 { return m.sum / m.n }

// spread returns the sum of the squared deviations from the mean.
func (m *moments) spread() float64 { return m.squares - float64(m.mean()*m.sum) }

// cancels reports whether rounding errors of the sums may matter beside the
// deviation that will be used, which is at least the given one.
func (m *moments) cancels(least float64) bool {
	return max(m.spread(), float64(m.n*float64(least*least))) < float64(minSpread*m.squares)
}

// deviation returns the population standard deviation.
func (m *moments) deviation() float64 { return math.Sqrt(math.Abs(m.spread()) / m.n) }

// fitNormal sets the parameters of a from the sample. If shifted, it sums around
// the mean of a class where plain sums would lose the deviation.
func (w *workspace) fitNormal(a *attribute, shifted bool) {
	s := &w.sampler.sample
	clear(w.sums)
	if len(s.weights) == 0 {
		for i, x := range s.values {
			x = round(x, a.precision)
			m := &w.sums[s.class[i]]
			m.n++
			m.sum += x
			m.squares += float64(x * x)
		}
	} else {
		for i, x := range s.values {
			w.sums[s.class[i]].add(round(x, a.precision), s.weights[i])
		}
	}
	for c, m := range w.sums {
		a.mean[c], a.sd[c] = 0, a.precision/6
		if m.n == 0 {
			continue
		}
		shift := 0.0
		if shifted && m.cancels(a.precision/6) {
			shift = m.mean()
			m, _ = s.moments(int32(c), a.precision, shift)
		}
		a.mean[c] = shift + m.mean()
		if sd := m.deviation(); sd > minDeviation {
			a.sd[c] = max(a.precision/6, sd)
		} else if m.squares > 0 {
			_, a.sd[c] = s.moments(int32(c), a.precision, shift)
		}
	}
}

// moments returns the sums of a class, with shift subtracted from each rounded
// value, and the last of the standard deviations of the growing sample that was
// not taken for none, as an estimator has it that is updated value by value and
// keeps the previous one when the new one is too small.
func (s *sample) moments(class int32, precision, shift float64) (m moments, last float64) {
	last = precision / 6
	for i, x := range s.values {
		if s.class[i] != class {
			continue
		}
		weight := 1.0
		if len(s.weights) > 0 {
			weight = s.weights[i]
		}
		m.add(round(x, precision)-shift, weight)
		if sd := m.deviation(); sd > minDeviation {
			last = max(precision/6, sd)
		}
	}
	return m, last
}
