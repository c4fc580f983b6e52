package tan

import (
	"math/bits"
	"sync"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// gammas makes a table of ln Γ(k/2) of each size that is asked for.
type gammas struct {
	mu     sync.Mutex
	tables [bits.UintSize][]float64
}

// get returns a table for k up to n at least.
func (s *gammas) get(n int) []float64 {
	size := bits.Len(uint(n))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables[size] == nil {
		t := make([]float64, 1<<size)
		for k := 1; k < len(t); k++ {
			t[k] = detmath.LogGamma(float64(k) / 2)
		}
		s.tables[size] = t
	}
	return s.tables[size]
}

// gains sets delta.
func (w *workspace) gains() {
	n := len(w.attrs)
	w.delta = scratch.Resize(w.delta, n*n)
	clear(w.delta)
	for k := range w.attrs {
		w.baseScore(&w.attrs[k])
	}
	w.sets.build(w)
	for i := range w.attrs {
		for j := range i {
			// A constant attribute neither gains nor lets others gain.
			if a, b := &w.attrs[i], &w.attrs[j]; a.card > 1 && b.card > 1 {
				w.delta[i*n+j], w.delta[j*n+i] = w.pair(a, b)
			}
		}
	}
}

// baseScore sets the score of an attribute with the class as only parent.
func (w *workspace) baseScore(a *attribute) {
	card := int(a.card)
	a.counts = scratch.Resize(a.counts, w.classes*card)
	clear(a.counts)
	for q, v := range a.code {
		a.counts[int(w.class[q])*card+int(v)]++
	}
	s := w.scorer(card)
	for c := range w.classes {
		s.add(a.counts[c*card:][:card], 1)
	}
	a.base = s.sum
}

// pair returns the gains of a from b, and of b from a.
func (w *workspace) pair(a, b *attribute) (ab, ba float64) {
	na, nb := int(a.card), int(b.card)
	w.cells = scratch.Resize(w.cells, w.classes*na*nb)
	if a.set >= 0 && b.set >= 0 && (na-1)*(nb-1)*w.sets.words < len(w.class) {
		w.sets.count(w.cells, a, b)
	} else {
		clear(w.cells)
		for q, y := range w.class {
			w.cells[(int(y)*na+int(a.code[q]))*nb+int(b.code[q])]++
		}
	}
	sa, sb := w.scorer(na), w.scorer(nb)
	for c := range w.classes {
		table := w.cells[c*na*nb:][:na*nb]
		for v := range nb {
			sa.add(table[v:], nb)
		}
		for v := range na {
			sb.add(table[v*nb:][:nb], 1)
		}
	}
	return sa.sum - a.base, sb.sum - b.base
}

// A scorer sums the logarithms of the marginal likelihoods of an attribute, one
// for each value of its parents, with the rounding that Weka has.
type scorer struct {
	gamma []float64
	card  int
	low   float64 // V ln Γ(½)
	high  float64 // ln Γ(V/2)
	sum   float64
}

func (w *workspace) scorer(card int) scorer {
	return scorer{gamma: w.gamma, card: card, low: float64(card) * w.gamma[1], high: w.gamma[card]}
}

// add adds the term of the counts at 0, stride, 2*stride, ...
func (s *scorer) add(counts []int32, stride int) {
	total := int32(0)
	sum := s.sum
	for i := range s.card {
		n := counts[i*stride]
		total += n
		sum += s.gamma[1+2*n]
	}
	sum -= s.gamma[2*int(total)+s.card]
	sum -= s.low
	sum += s.high
	s.sum = sum
}
