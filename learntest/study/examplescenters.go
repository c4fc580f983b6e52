package study

import (
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// centroids is a classifier that predicts the class of the nearer center of two.
type centroids struct{}

func (centroids) Name() string { return "linear" }

func (centroids) Fit(t *dataset.Table, rows []int, _ uint64) (learner.Model, error) {
	m := &centers{}
	class, n := t.Codes(t.ClassIndex()), [2]float64{}
	for _, i := range rows {
		n[class[i]]++
		for k := range m[0] {
			m[class[i]][k] += t.Numbers(k)[i]
		}
	}
	for c := range m {
		for k := range m[c] {
			m[c][k] /= max(n[c], 1)
		}
	}
	return m, nil
}

// centers are the centers of the classes.
type centers [2][2]float64

func (m *centers) Distribution(t *dataset.Table, row int, dist []float64) {
	var d [2]float64
	for c := range m {
		for k, x := range m[c] {
			x -= t.Numbers(k)[row]
			d[c] += float64(x * x)
		}
	}
	dist[lab.Indicator(d[1] < d[0])] = 1
}

func (*centers) Close() error { return nil }
