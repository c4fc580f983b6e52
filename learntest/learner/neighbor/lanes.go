package neighbor

import (
	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// packed holds the nominal codes of the points in lanes.
type packed struct {
	words int      // words of a point
	exact bool     // whether equal lanes are equal codes
	w     []uint64 // words of all points
}

// fill packs the codes of all points.
func (l *packed) fill(w *workspace) {
	l.words = lanes.Words(w.dc)
	l.exact = true
	for k := range w.attrs {
		l.exact = l.exact && len(w.attrs[k].Meta.Values) <= lanes.Codes
	}
	l.w = scratch.Resize(l.w, len(w.rows)*l.words)
	for p := range w.rows {
		lanes.Pack(l.w[p*l.words:(p+1)*l.words], w.codes[p*w.dc:(p+1)*w.dc], lanes.MissingA)
	}
}

// differences returns the number of lanes in which point p differs from the
// lanes of a query.
func (l *packed) differences(p int, q []uint64) int {
	n := 0
	for i, x := range l.w[p*l.words:][:len(q)] {
		n += lanes.Differences(x, q[i])
	}
	return n
}
