package neighbor

import (
	"github.com/learnbench/learnbench/learntest/dataset"
)

// A workspace is the memory of a model. Later trainings use it again.
type workspace struct {
	cfg     Config
	classes int
	points  points
	search  search
	memory  memory
	turns   turns

	table    *dataset.Table // the table that the attributes are bound to
	training *dataset.Table
	indexed  bool // whether the points are indexed, which lists often make needless
}

// train sets the model from w.points.rows.
func (w *workspace) train(t *dataset.Table, cfg Config, l *lists) {
	p := &w.points
	w.cfg, w.classes, w.table, w.training = cfg, t.NumClasses(), nil, t
	p.takeAttributes(t)
	p.takeClasses(t)
	if cfg.Ties == FirstTies {
		w.turns.take(p.rows, t.Len())
	}
	w.search.begin(p, cfg.K)
	w.indexed = false
	if w.ordersVotes() {
		l = nil
	}
	if !w.memory.bind(t, l, p, cfg.K) {
		w.index()
	}
}

// ordersVotes reports whether Weka's sums of votes depend on the order of the points, as they do
// where the rows have weights.
func (w *workspace) ordersVotes() bool {
	return w.cfg.WekaOrder && w.training.Weights() != nil
}

// index makes what a search through all points takes.
func (w *workspace) index() {
	if w.points.index(w.training, !w.ordersVotes()) {
		w.points.takeClasses(w.training)
		w.memory.moved(w.points.rows)
	}
	w.indexed = true
}

// ask sets the query to a row of the table that w is bound to.
func (w *workspace) ask(row int) {
	p, q := &w.points, &w.search.query
	q.lacks = false
	for k := range p.attrs {
		a := &p.attrs[k]
		if a.Codes != nil {
			q.setCode(a.slot, a.Codes[row])
			continue
		}
		x := a.Numbers[row]
		if w.cfg.WekaOrder && a.widen(x) {
			w.memory.leave(a)
			if w.indexed {
				p.renew(a)
				w.search.sieve.points = 0
			}
		}
		q.x[a.slot] = a.norm(x)
		q.lacks = q.lacks || x != x && a.slot < p.full
	}
	q.pack()
}

// find finds the neighbours of the query, which is the given row.
func (w *workspace) find(row int) {
	if w.training != w.table || !w.memory.find(row, &w.search) {
		if !w.indexed {
			w.index()
		}
		w.search.all()
	}
	if w.cfg.Ties == FirstTies {
		w.takeFirst()
	}
}

// takeFirst keeps k of the neighbours found: among the farthest ones, the first in the order
// of the training rows.
func (w *workspace) takeFirst() {
	found := w.search.found.found
	if len(found) <= w.cfg.K {
		return
	}
	nearer := 0
	for found[nearer].distance < found[len(found)-1].distance {
		nearer++
	}
	w.turns.first(found[nearer:], w.points.rows)
	w.search.found.found = found[:w.cfg.K]
}

// release forgets the tables, so that the pool does not keep them alive.
func (w *workspace) release() {
	w.table, w.training = nil, nil
	w.memory.release()
	w.points.release()
}
