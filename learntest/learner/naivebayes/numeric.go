package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// trainNumeric sets the parameters of all numeric attributes.
func (w *workspace) trainNumeric(t *dataset.Table, index *trainset.Index, cfg Config) {
	s := &w.sampler
	s.begin(w.rows, w.class)
	first, inOrder := true, cfg.WekaOrder && !cfg.Kernel
	w.slots, w.known = w.slots[:0], w.known[:0]
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Meta.Kind != dataset.Numeric {
			continue
		}
		if first {
			first = false
			w.sums = scratch.Resize(w.sums, w.classes)
			if !inOrder {
				s.mark(t)
			}
			if inOrder || len(s.tags) == 0 && !s.isFew(t) {
				index.Rank(t)
			}
			if inOrder {
				s.sortAsWeka(t, index)
			}
		}
		switch {
		case inOrder:
			s.distinct(index.Column(a.Index))
		case len(s.tags) > 0:
			s.pick(index.Order(a.Index), t.Numbers(a.Index))
		case s.isFew(t):
			s.sortFew(t.Numbers(a.Index))
			s.take(t, a.Index, s.sorted)
		default:
			s.sort(index.Column(a.Index))
			s.take(t, a.Index, s.sorted)
		}
		values := s.values
		a.precision = precision(values)
		if cfg.Kernel {
			w.fitKernels(a)
			continue
		}
		if len(values) > 0 {
			w.remember(a, values[0], values[len(values)-1])
		}
		if inOrder {
			s.take(t, a.Index, s.order)
		}
		w.fitNormal(a, !inOrder)
	}
}
