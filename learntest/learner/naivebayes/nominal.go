package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// trainNominal sets the class weights and the parameters of the nominal
// attributes.
func (w *workspace) trainNominal(t *dataset.Table, p *packed) {
	if t.Weights() != nil {
		w.weigh(t)
		return
	}
	w.count(p)
	for c, n := range w.size {
		w.weight[c] = float64(n)
	}
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Meta.Kind != dataset.Nominal {
			continue
		}
		if first := p.first[a.Index]; first >= 0 {
			w.smoothPacked(a, p, first)
			continue
		}
		values := len(a.Meta.Values)
		w.wide = scratch.Resize(w.wide, (values+1)*w.classes)
		clear(w.wide)
		x := t.Codes(a.Index)
		for i, r := range w.rows {
			w.wide[int(w.class[i])*(values+1)+int(x[r])+1]++
		}
		for c := range w.classes {
			smooth(a.prob[c:], w.wide[c*(values+1)+1:][:values], w.classes)
		}
	}
}

// smoothPacked sets P(v|c) from the packed counts of an attribute.
func (w *workspace) smoothPacked(a *attribute, p *packed, first int) {
	values := len(a.Meta.Values)
	if values == 0 {
		return
	}
	for c, size := range w.size {
		n := w.counts[c*p.fields+first:][:values]
		// The last field counts the missing values. Move it to the front as
		// what remains for the first value.
		rest := size
		for _, k := range n {
			rest -= k
		}
		w.places = append(append(w.places[:0], rest), n[:values-1]...)
		smooth(a.prob[c:], w.places, w.classes)
	}
}

// smooth sets every step-th of prob to the smoothed relative frequency.
func smooth(prob []float64, counts []int32, step int) {
	sum := len(counts)
	for _, n := range counts {
		sum += int(n)
	}
	for v, n := range counts {
		prob[v*step] = max(float64(n+1)/float64(sum), minLikelihood)
	}
}

// weigh does what trainNominal does, by the weights of the rows.
func (w *workspace) weigh(t *dataset.Table) {
	n, weights := w.classes, t.Weights()
	clear(w.weight)
	for i, r := range w.rows {
		w.weight[w.class[i]] += weights[r]
	}
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Meta.Kind != dataset.Nominal {
			continue
		}
		values := len(a.Meta.Values)
		w.totals = scratch.Resize(w.totals, (values+1)*n)
		clear(w.totals)
		x := t.Codes(a.Index)
		for i, r := range w.rows {
			w.totals[int(x[r]+1)*n+int(w.class[i])] += weights[r]
		}
		total := w.totals[n:] // without the missing value
		for c := range n {
			sum := float64(values)
			for v := range values {
				sum += total[v*n+c]
			}
			for v := range values {
				a.prob[v*n+c] = max((total[v*n+c]+1)/sum, minLikelihood)
			}
		}
	}
}
