package neighbor

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Model is a nearest-neighbour classifier with its training instances. One
// goroutine may use it at a time.
type Model struct{ lent scratch.Loan[workspace] }

// Distribution writes the shares of the votes for every declared class into
// dist. It panics if dist has another length, if the table's attributes are
// not those trained on, or after Close.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	w := m.ready(t)
	if len(dist) != w.classes {
		panic(fmt.Sprintf("neighbor: %d probabilities for %d classes", len(dist), w.classes))
	}
	w.ask(row)
	w.find(row)
	w.vote(dist)
}

// ready returns the workspace, bound to t.
func (m *Model) ready(t *dataset.Table) *workspace {
	w := m.lent.Use("neighbor: use")
	trainset.Bind(&w.table, t, "neighbor", w.points.attrs)
	return w
}

// vote sets dist from the neighbours found.
func (w *workspace) vote(dist []float64) {
	if w.cfg.WekaOrder {
		w.voteAsWeka(dist)
		return
	}
	if w.cfg.Weighting != Equal || len(w.points.weight) > 0 {
		w.search.found.sort(w.points.class, w.points.weight)
	}
	clear(dist)
	for _, f := range w.search.found.found {
		dist[w.points.class[f.point]] += w.ballot(f)
	}
	total := 0.0
	for c := range dist {
		dist[c] += 1 / float64(len(w.points.rows))
		total += dist[c]
	}
	for c := range dist {
		dist[c] /= total
	}
}

// voteAsWeka adds the votes to 1/n rather than the other way round. Rounding
// then decides between classes with equal votes if the votes are weighted.
func (w *workspace) voteAsWeka(dist []float64) {
	n := float64(len(w.points.rows))
	for c := range dist {
		dist[c] = 1 / n
	}
	total := float64(w.classes) / n
	for _, f := range w.search.found.found {
		v := w.ballot(f)
		dist[w.points.class[f.point]] += v
		total += v
	}
	for c := range dist {
		dist[c] /= total
	}
}

// ballot returns the weight of a neighbour's vote.
func (w *workspace) ballot(f candidate) float64 {
	v := 1.0
	if w.cfg.Weighting != Equal {
		d := math.Sqrt(f.distance)
		d = math.Sqrt(d * d / float64(max(len(w.points.attrs), 1)))
		if w.cfg.Weighting == Inverse {
			v = 1 / (d + 0.001)
		} else {
			v = max(1-d, 0)
		}
	}
	if len(w.points.weight) > 0 {
		v *= w.points.weight[f.point]
	}
	return v
}

// Close gives the model's memory back to the classifier. Closing twice does
// nothing.
func (m *Model) Close() error { return m.lent.Close((*workspace).release) }
