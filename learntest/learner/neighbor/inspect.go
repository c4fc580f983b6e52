package neighbor

import (
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Neighbor is a training instance that votes for the class of another.
type Neighbor struct {
	Row      int     // in the table trained on
	Class    int     // of that row
	Distance float64 // root of the sum of the squared differences of the attributes
}

// Neighbors returns the neighbours of a row by ascending distance; those at
// equal distances are in no particular order. It panics as
// [Model.Distribution] does, and widens ranges as that does.
func (m *Model) Neighbors(t *dataset.Table, row int) []Neighbor {
	w := m.ready(t)
	w.ask(row)
	w.find(row)
	found := make([]Neighbor, len(w.search.found.found))
	for i, f := range w.search.found.found {
		found[i] = Neighbor{
			int(w.points.rows[f.point]), int(w.points.class[f.point]),
			math.Sqrt(f.distance),
		}
	}
	return found
}

// Len returns the number of training instances.
func (m *Model) Len() int { return len(m.lent.Space.points.rows) }

// Range returns the range of a numeric column that values are normalised by,
// and false if it is not a numeric attribute or has no known value.
func (m *Model) Range(column int) (least, most float64, ok bool) {
	for _, a := range m.lent.Space.points.numeric {
		if a.Index == column {
			return a.min, a.max, a.min <= a.max
		}
	}
	return 0, 0, false
}

// String says how many instances are stored and lists the ranges of the
// numeric attributes.
func (m *Model) String() string {
	w := m.lent.Space
	var b strings.Builder
	fmt.Fprintf(&b, "nearest neighbour: k = %d, weighting %v, %d instances, %d attributes\n", w.cfg.K,
		w.cfg.Weighting, len(w.points.rows), len(w.points.attrs))
	for k := range w.points.attrs {
		if a := &w.points.attrs[k]; a.Meta.Kind == dataset.Numeric {
			if a.min <= a.max {
				fmt.Fprintf(&b, "  %s: %v to %v\n", a.Meta.Name, a.min, a.max)
			} else {
				fmt.Fprintf(&b, "  %s: never known\n", a.Meta.Name)
			}
		}
	}
	return b.String()
}
