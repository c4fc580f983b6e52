package naivebayes

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Model is a trained naive Bayes classifier. One goroutine may use it at a
// time.
type Model struct{ lent scratch.Loan[workspace] }

// Distribution writes P(c | row) for every declared class into dist. It panics
// if dist has another length, if the table's attributes are not those trained
// on, or after Close.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	w := m.lent.Use("naivebayes: Distribution")
	if len(dist) != w.classes {
		panic(fmt.Sprintf("naivebayes: %d probabilities for %d classes", len(dist), w.classes))
	}
	trainset.Bind(&w.table, t, "naivebayes", w.attrs)
	copy(dist, w.prior)
	leader := 0 // a class whose product is known to be at least minLikelihood
	for k := range w.attrs {
		a := &w.attrs[k]
		var p []float64
		if a.Codes != nil {
			v := int(a.Codes[row])
			if v < 0 {
				continue
			}
			p = a.prob[v*len(dist) : (v+1)*len(dist)]
		} else {
			x := a.Numbers[row]
			if x != x {
				continue
			}
			p = w.likelihood(a, x)
		}
		for c, q := range p {
			dist[c] *= q
		}
		if dist[leader] < minLikelihood {
			leader = rescale(dist)
		}
	}
	sum := 0.0
	for _, p := range dist {
		sum += p
	}
	for c := range dist {
		dist[c] /= sum
	}
}

// rescale multiplies all products by 1/minLikelihood if the greatest of them is
// below minLikelihood, and returns its class.
func rescale(products []float64) int {
	greatest := 0
	for c, p := range products {
		if p > products[greatest] {
			greatest = c
		}
	}
	if products[greatest] < minLikelihood {
		for c := range products {
			products[c] *= 1 / minLikelihood
		}
	}
	return greatest
}

// Close gives the model's memory back to the classifier. Closing twice does
// nothing.
func (m *Model) Close() error { return m.lent.Close((*workspace).release) }

// release forgets the table, so that the pool does not keep it alive.
func (w *workspace) release() {
	w.table, w.labels = nil, nil
	clear(w.attrs)
}
