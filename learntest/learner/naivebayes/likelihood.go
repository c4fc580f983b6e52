package naivebayes

type memo struct{ p []float64 }

func (m *memo) reset(precision float64, classes int) { m.p = resize(m.p, classes) }

func (a *attribute) likelihood(x float64) []float64 {
	x = round(x, a.precision)
	p := a.memo.p
	half := a.precision / 2
	for c := range p {
		lower := normalCDF((x - a.mean[c] - half) / a.sd[c])
		upper := normalCDF((x - a.mean[c] + half) / a.sd[c])
		q := upper - lower
		if !(q > minLikelihood) {
			q = minLikelihood
		}
		p[c] = q
	}
	return p
}
