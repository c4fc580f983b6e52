package neighbor

import (
	"cmp"
	"slices"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// turns are the places of the training rows in their order, which ties are about.
type turns struct {
	places []int32 // the places of each row of the table, in ascending order
	ends   []int32 // of each row where its places end
	some   []turn
}

// A turn is a neighbour with its place.
type turn struct {
	place int32
	candidate
}

// take sets the places of the given rows of a table of n.
func (t *turns) take(rows []int32, n int) {
	t.places, t.ends = scratch.Resize(t.places, len(rows)), scratch.Resize(t.ends, n)
	clear(t.ends)
	for _, r := range rows {
		t.ends[r]++
	}
	at := int32(0)
	for r, k := range t.ends {
		t.ends[r] = at
		at += k
	}
	for i, r := range rows {
		t.places[t.ends[r]] = int32(i)
		t.ends[r]++
	}
}

// first sorts points by their places. rows has the row of each point; points of one row may
// swap their places.
func (t *turns) first(points []candidate, rows []int32) {
	t.some = t.some[:0]
	slices.SortFunc(points, func(a, b candidate) int {
		return cmp.Compare(rows[a.point],
			rows[b.point])
	})
	left := int32(0) // points of the same row, with this one
	for i := len(points) - 1; i >= 0; i-- {
		r := rows[points[i].point]
		left++
		if i == len(points)-1 || rows[points[i+1].point] != r {
			left = 1
		}
		t.some = append(t.some, turn{t.places[t.ends[r]-left], points[i]})
	}
	slices.SortFunc(t.some, func(a, b turn) int { return cmp.Compare(a.place, b.place) })
	for i := range t.some {
		points[i] = t.some[i].candidate
	}
}
