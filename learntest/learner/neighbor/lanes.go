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
func (l *packed) fill(p *points) {
	l.words = lanes.Words(p.dc)
	l.exact = true
	for k := range p.attrs {
		l.exact = l.exact && len(p.attrs[k].Meta.Values) <= lanes.Codes
	}
	l.w = scratch.Resize(l.w, len(p.rows)*l.words)
	for i := range p.rows {
		lanes.Pack(l.w[i*l.words:(i+1)*l.words], p.codes[i*p.dc:(i+1)*p.dc], lanes.MissingA)
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
