package neighbor

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A Model is a nearest-neighbour classifier with its training instances. One
// goroutine may use it at a time.
type Model struct {
	w    *workspace
	pool *scratch.Pool[workspace]
}

// Distribution writes the shares of the votes for every declared class into
// dist. It panics if dist has another length, if the table's attributes are
// not those trained on, or after Close.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	w := m.ready(t)
	if len(dist) != w.classes {
		panic(fmt.Sprintf("neighbor: %d probabilities for %d classes", len(dist), w.classes))
	}
	w.ask(row)
	w.search(row)
	w.vote(dist)
}

// ready returns the workspace, bound to t.
func (m *Model) ready(t *dataset.Table) *workspace {
	w := m.w
	if w == nil {
		panic("neighbor: use after Close")
	}
	if w.table != t {
		w.bind(t)
	}
	return w
}

// ask sets the query to a row of the table that w is bound to.
func (w *workspace) ask(row int) {
	q := &w.query
	q.lacks = false
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Codes != nil {
			c := a.Codes[row]
			if c < 0 {
				c = -2
			}
			q.codes[a.slot] = c
			continue
		}
		x := a.Numbers[row]
		if w.cfg.WekaOrder && a.widen(x) {
			w.leaveLists(a)
			if w.indexed {
				w.normalise(a, 0, len(w.rows))
				w.renewTree(a.slot)
			}
		}
		q.x[a.slot] = a.norm(x)
		q.lacks = q.lacks || x != x && a.slot < w.full
	}
	if w.dc > 0 {
		lanes.Pack(q.lanes, q.codes, lanes.MissingB)
	}
}

// vote sets dist from the neighbours found.
func (w *workspace) vote(dist []float64) {
	if w.cfg.WekaOrder {
		w.voteAsWeka(dist)
		return
	}
	if w.cfg.Weighting != Equal || len(w.weight) > 0 {
		w.found.sort(w.class, w.weight)
	}
	clear(dist)
	for _, f := range w.found.found {
		dist[w.class[f.point]] += w.ballot(f)
	}
	total := 0.0
	for c := range dist {
		dist[c] += 1 / float64(len(w.rows))
		total += dist[c]
	}
	for c := range dist {
		dist[c] /= total
	}
}

// voteAsWeka adds the votes to 1/n rather than the other way round. Rounding
// then decides between classes with equal votes if the votes are weighted.
func (w *workspace) voteAsWeka(dist []float64) {
	n := float64(len(w.rows))
	for c := range dist {
		dist[c] = 1 / n
	}
	total := float64(w.classes) / n
	for _, f := range w.found.found {
		v := w.ballot(f)
		dist[w.class[f.point]] += v
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
		d = math.Sqrt(d * d / float64(max(len(w.attrs), 1)))
		if w.cfg.Weighting == Inverse {
			v = 1 / (d + 0.001)
		} else {
			v = max(1-d, 0)
		}
	}
	if len(w.weight) > 0 {
		v *= w.weight[f.point]
	}
	return v
}

// bind takes the columns of a table that has the attributes trained on.
func (w *workspace) bind(t *dataset.Table) {
	w.table = nil // in case that one of the columns panics
	for k := range w.attrs {
		w.attrs[k].Bind(t, "neighbor")
	}
	w.table = t
}

// Close gives the model's memory back to the classifier. Closing twice does
// nothing.
func (m *Model) Close() error {
	if w := m.w; w != nil {
		m.w = nil
		w.release()
		m.pool.Put(w)
	}
	return nil
}
