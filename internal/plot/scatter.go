package plot

import (
	"fmt"
	"math"
	"slices"
)

// A Scatter is the mean scores of candidates against the mean scores of their baselines, a point
// for each comparison.
type Scatter struct {
	Title       string
	Lines       []string
	Axis        string // metric and unit
	LowerBetter bool
	Rows        []Row
}

// Picture draws the points, and the names of significant points as far as there is room.
func (s *Scatter) Picture() *Picture {
	above, below := 0, 0
	for i := range s.Rows {
		switch d := s.Rows[i].Candidate - s.Rows[i].Baseline; {
		case d > 0:
			above++
		case d < 0:
			below++
		}
	}
	if s.LowerBetter {
		above, below = below, above
	}
	p := &Picture{
		Title: s.Title, Lines: s.Lines,
		Text: fmt.Sprintf("%s: of %d comparisons the candidate's mean is better in %d and worse in %d.",
			s.Title, len(s.Rows), above, below),
	}
	p.body = s.body
	return p
}

// scale is the scale of both axes: logarithmic if the scores are positive and of very different
// sizes.
func (s *Scatter) scale() scale {
	var values []float64
	for i := range s.Rows {
		values = append(values, s.Rows[i].Baseline, s.Rows[i].Candidate)
	}
	lo, hi := extent(values)
	if lo > 0 && hi/lo > 50 {
		return logarithmic(values...)
	}
	return linear(values...)
}

func (s *Scatter) body(w float64) (float64, func(*pen, float64)) {
	sc := s.scale()
	keys := outcomeKeys(func(o string) bool {
		return slices.ContainsFunc(s.Rows, func(r Row) bool {
			return r.Outcome == o &&
				!math.IsNaN(r.Candidate)
		})
	})
	keys = append(keys, lineKey("equal", zeroLine))
	legendHeight, drawLegend := legend(keys, w-2*margin)
	left := margin + 16 + roomY(sc)
	side := math.Min(w-margin-left-6, 460)
	return side + 46 + legendHeight, func(p *pen, y0 float64) {
		f := square(p, sc, left, y0+4, side, "baseline: "+s.Axis, "candidate: "+s.Axis)
		better, worse := "candidate better", "candidate worse"
		if s.LowerBetter {
			better, worse = worse, better
		}
		p.text(write{color: dim, size: small}, f.left+6, f.top+13, better)
		p.text(write{color: dim, size: small, align: 1}, f.right-6, f.bottom-7, worse)
		s.points(p, f)
		drawLegend(p, margin, f.bottom+40)
	}
}

// points draws the points, the least telling ones first.
func (s *Scatter) points(p *pen, f *frame) {
	n := len(s.Rows)
	r := 5.0
	if n > 60 {
		r = 4
	}
	var taken []box
	corner := write{color: dim, size: small}
	taken = append(taken, box{
		f.left, f.top, f.left + corner.room("candidate better") + 10,
		f.top + 18,
	},
		box{f.right - corner.room("candidate better") - 10, f.bottom - 20, f.right, f.bottom})
	for i := range s.Rows {
		x, y := f.px(s.Rows[i].Baseline), f.py(s.Rows[i].Candidate)
		taken = append(taken, box{x - r, y - r, x + r, y + r})
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	weight := func(o string) int {
		return slices.Index([]string{
			inconclusive, equivalent, improved,
			regressed,
		}, o)
	}
	slices.SortStableFunc(order, func(a,
		b int,
	) int {
		return weight(s.Rows[a].Outcome) - weight(s.Rows[b].Outcome)
	})
	for _, i := range order {
		row := &s.Rows[i]
		if math.IsNaN(row.Baseline) || math.IsNaN(row.Candidate) {
			continue
		}
		p.titled(row.title(), func() { p.mark(row.Outcome, f.px(row.Baseline), f.py(row.Candidate), r) })
	}
	for _, i := range slices.Backward(order) {
		row := &s.Rows[i]
		if weight(row.Outcome) >= 2 && !math.IsNaN(row.Baseline+row.Candidate) {
			taken = f.name(p, taken, f.px(row.Baseline), f.py(row.Candidate), r, row.Label)
		}
	}
}

// A box is a room that is taken.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 &&
		o.y0 < b.y1
}

// name writes a name beside a point if there is room for it anywhere, and returns the boxes taken.
func (f *frame) name(p *pen, taken []box, x, y, r float64, text string) []box {
	w := write{color: ink, size: small}
	text = w.fit(text, 150)
	width := w.room(text)
	rooms := []box{
		{x + r + 3, y - 7, x + r + 3 + width, y + 7},
		{x - r - 3 - width, y - 7, x - r - 3, y + 7},
		{x - width/2, y - r - 16, x + width/2, y - r - 2},
		{x - width/2, y + r + 2, x + width/2, y + r + 16},
	}
	if f.bottom-y > x-f.left { // above the diagonal, away from it
		rooms[0], rooms[1] = rooms[1], rooms[0]
	}
	for _, b := range rooms {
		if b.x0 < f.left || b.x1 > f.right || b.y0 < f.top || b.y1 > f.bottom ||
			slices.ContainsFunc(taken, b.overlaps) {
			continue
		}
		p.text(w, b.x0, b.y1-3.5, text)
		return append(taken, b)
	}
	return taken
}
