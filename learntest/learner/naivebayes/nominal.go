package naivebayes

import "github.com/learnbench/learnbench/learntest/dataset"

// countNominal sets the parameters of all nominal attributes where every row
// weighs 1. Counts have a place for the missing value, code -1, in front.
func (w *workspace) countNominal(t *dataset.Table) {
	size := 0
	for k := range w.attrs {
		if w.attrs[k].prob != nil {
			size = max(size, len(w.attrs[k].prob)+w.classes)
		}
	}
	w.counts = resize(w.counts, 4*size)
	// Four attributes at a time, as the increments of one often hit the same
	// place in a row and must wait for each other.
	var block [4]*attribute
	n := 0
	for k := range w.attrs {
		if w.attrs[k].meta.Kind != dataset.Nominal {
			continue
		}
		block[n] = &w.attrs[k]
		if n++; n == len(block) {
			w.countBlock(t, block[:n], size)
			n = 0
		}
	}
	if n > 0 {
		w.countBlock(t, block[:n], size)
	}
}

// countBlock sets the parameters of up to four attributes; size is a bound of
// the number of counts of each.
func (w *workspace) countBlock(t *dataset.Table, block []*attribute, size int) {
	clear(w.counts)
	n := w.classes
	var counts [4][]int32
	for i := range counts {
		counts[i] = w.counts[i*size : (i+1)*size]
	}
	if len(block) == 4 {
		n0, n1, n2, n3 := counts[0], counts[1], counts[2], counts[3]
		x0, x1 := t.Codes(block[0].column), t.Codes(block[1].column)
		x2, x3 := t.Codes(block[2].column), t.Codes(block[3].column)
		for i, r := range w.rows {
			c := int(w.class[i])
			n0[int(x0[r]+1)*n+c]++
			n1[int(x1[r]+1)*n+c]++
			n2[int(x2[r]+1)*n+c]++
			n3[int(x3[r]+1)*n+c]++
		}
	} else {
		for b, a := range block {
			nb, x := counts[b], t.Codes(a.column)
			for i, r := range w.rows {
				nb[int(x[r]+1)*n+int(w.class[i])]++
			}
		}
	}
	for b, a := range block {
		counts := counts[b][n:]
		values := len(a.meta.Values)
		for c := range n {
			sum := 0
			for v := range values {
				sum += int(counts[v*n+c])
			}
			total := float64(sum + values)
			for v := range values {
				a.prob[v*n+c] = max(float64(counts[v*n+c]+1)/total, minLikelihood)
			}
		}
	}
}

// weighNominal sets the parameters of all nominal attributes by the weights of
// the rows.
func (w *workspace) weighNominal(t *dataset.Table, weights []float64) {
	n := w.classes
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.meta.Kind != dataset.Nominal {
			continue
		}
		values := len(a.meta.Values)
		w.total = resize(w.total, (values+1)*n)
		clear(w.total)
		x := t.Codes(a.column)
		for i, r := range w.rows {
			w.total[int(x[r]+1)*n+int(w.class[i])] += weights[r]
		}
		total := w.total[n:]
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
