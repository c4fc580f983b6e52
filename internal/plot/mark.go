package plot

import "math"

// Outcomes of comparisons, as package verdict names them.
const (
	improved     = "improved"
	regressed    = "regressed"
	equivalent   = "equivalent"
	inconclusive = "inconclusive"
	invalid      = "invalid"
)

var outcomes = []string{improved, regressed, equivalent, inconclusive, invalid}

func outcomeColor(outcome string) Color {
	switch outcome {
	case improved:
		return blue
	case regressed:
		return orange
	case equivalent:
		return green
	}
	return grey
}

// mark draws the shape of an outcome: a triangle that points to where the metric is better or worse
// if up is given, a square for equivalence, a ring for an unknown outcome.
func (p *pen) mark(outcome string, x, y, r float64) {
	c := outcomeColor(outcome)
	switch outcome {
	case improved:
		p.triangle(c, x, y, r, -1)
	case regressed:
		p.triangle(c, x, y, r, 1)
	case equivalent:
		p.rect(c, x-0.82*r, y-0.82*r, x+0.82*r, y+0.82*r)
	case invalid:
		s := stroke{color: c, width: 1.8}
		p.line(s, x-r, y-r, x+r, y+r)
		p.line(s, x-r, y+r, x+r, y-r)
	default:
		p.ring(c, x, y, 0.85*r, 1.5)
	}
}

// triangle points up if towards is -1 and down if it is 1.
func (p *pen) triangle(c Color, x, y, r, towards float64) {
	p.polygon(c, x-1.05*r, y-0.8*r*towards, x+1.05*r, y-0.8*r*towards, x, y+1.1*r*towards)
}

// shape draws the marker of the n-th series.
func (p *pen) shape(n int, x, y, r float64) {
	c := sequence[n%len(sequence)]
	switch n % 6 {
	case 0:
		p.disc(c, x, y, r)
	case 1:
		p.rect(c, x-0.9*r, y-0.9*r, x+0.9*r, y+0.9*r)
	case 2:
		p.triangle(c, x, y, 1.1*r, -1)
	case 3:
		p.ring(c, x, y, r, 1.6)
	case 4:
		p.polygon(c, x, y-1.3*r, x+1.3*r, y, x, y+1.3*r, x-1.3*r, y)
	default:
		p.triangle(c, x, y, 1.1*r, 1)
	}
}

// A key is an entry of a legend.
type key struct {
	text string
	draw func(p *pen, x, y float64)
}

// legend lays out keys in lines of the given width, and returns the height and what draws them.
func legend(keys []key, room float64) (h float64, draw func(p *pen, x, y float64)) {
	const box, gap = 18, 16
	type placed struct {
		key
		x, y float64
	}
	w := write{color: dim, size: small}
	var all []placed
	x, y := 0.0, 0.0
	for _, k := range keys {
		width := box + w.room(k.text)
		if x > 0 && x+width > room {
			x, y = 0, y+lineHeight
		}
		all = append(all, placed{k, x, y})
		x += width + gap
	}
	if len(all) == 0 {
		return 0, func(*pen, float64, float64) {}
	}
	return y + lineHeight + 4, func(p *pen, left, top float64) {
		for _, k := range all {
			k.draw(p, left+k.x+6, top+k.y+8)
			p.text(w, left+k.x+box, top+k.y+12, w.fit(k.text, room-box))
		}
	}
}

// outcomeKeys returns a key for each outcome that occurs.
func outcomeKeys(have func(outcome string) bool) []key {
	var keys []key
	for _, o := range outcomes {
		if have(o) {
			keys = append(keys, key{o, func(p *pen, x, y float64) { p.mark(o, x, y, 5) }})
		}
	}
	return keys
}

// lineKey is an entry for a line.
func lineKey(text string, s stroke) key {
	return key{text, func(p *pen, x, y float64) { p.line(s, x-7, y, x+8, y) }}
}

// areaKey is an entry for an area.
func areaKey(text string, c Color) key {
	return key{text, func(p *pen, x, y float64) {
		p.rect(c, x-7, y-5, x+8, y+5)
		p.lines(grid, x-7, y-5, x+8, y-5, x+8, y+5, x-7, y+5, x-7, y-5)
	}}
}

// interval draws a horizontal interval. An end that is outside of the frame has an arrow.
func (p *pen) interval(f *frame, s stroke, lo, hi, y float64) {
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return
	}
	x0, x1 := math.Max(f.px(lo), f.left), math.Min(f.px(hi), f.right)
	if x0 > x1 {
		return
	}
	p.line(s, x0, y, x1, y)
	end := func(x, towards float64, out bool) {
		if out {
			p.polygon(s.color, x, y, x-6*towards, y-3.5, x-6*towards, y+3.5)
			return
		}
		p.line(s, x, y-3.5, x, y+3.5)
	}
	end(x0, -1, !f.x.inside(lo))
	end(x1, 1, !f.x.inside(hi))
}

// upright draws a vertical interval.
func (p *pen) upright(f *frame, s stroke, lo, hi, x, cap float64) {
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return
	}
	y0, y1 := f.within(f.py(lo)), f.within(f.py(hi))
	p.line(s, x, y0, x, y1)
	end := func(y, towards float64, out bool) {
		if out {
			p.polygon(s.color, x, y, x-3.5, y-6*towards, x+3.5, y-6*towards)
			return
		}
		p.line(s, x-cap, y, x+cap, y)
	}
	end(y0, 1, !f.y.inside(lo))
	end(y1, -1, !f.y.inside(hi))
}
