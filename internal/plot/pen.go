package plot

import (
	"math"
	"unicode/utf8"
)

// A pen draws in pixels from the upper left corner. The pen leaves out NaN: texts say that a number
// is not known.
type pen struct {
	c    canvas
	w, h float64
}

func (p *pen) line(s stroke, x0, y0, x1, y1 float64) { p.lines(s, x0, y0, x1, y1) }

// lines draws through points given as x, y, x, y, ...
func (p *pen) lines(s stroke, xy ...float64) {
	if points := known(xy); len(points) > 1 {
		p.c.lines(s, points)
	}
}

// polygon fills through points.
func (p *pen) polygon(c Color, xy ...float64) {
	if points := known(xy); len(points) == len(xy)/2 {
		p.c.polygon(c, points)
	}
}

func known(xy []float64) []point {
	points := make([]point, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		if !math.IsNaN(xy[i]) && !math.IsNaN(xy[i+1]) {
			points = append(points, point{xy[i], xy[i+1]})
		}
	}
	return points
}

func (p *pen) rect(c Color, x0, y0, x1, y1 float64) { p.polygon(c, x0, y0, x1, y0, x1, y1, x0, y1) }

// disc fills a circle.
func (p *pen) disc(c Color, x, y, r float64) {
	if !math.IsNaN(x + y) {
		p.c.disc(c, point{x, y}, r)
	}
}

// ring draws a circle that is empty.
func (p *pen) ring(c Color, x, y, r, width float64) {
	if !math.IsNaN(x + y) {
		p.c.ring(c, point{x, y}, r, width)
	}
}

// text draws a line of text whose baseline is at y.
func (p *pen) text(w write, x, y float64, text string) {
	if text != "" && !math.IsNaN(x+y) {
		p.c.text(w, point{x, y}, text)
	}
}

// label draws a text in the room that there is. One that is longer is cut in its middle, and is
// its own title.
func (p *pen) label(w write, x, y, room float64, text string) {
	cut := w.fit(text, room)
	if cut == text {
		p.text(w, x, y, text)
		return
	}
	p.titled(text, func() { p.text(w, x, y, cut) })
}

// titled gives the drawing a title, where the format has any.
func (p *pen) titled(title string, draw func()) {
	if title == "" || !utf8.ValidString(title) {
		draw()
		return
	}
	p.c.titled(title, draw)
}
