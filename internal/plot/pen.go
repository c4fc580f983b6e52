package plot

import (
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of texts, in pixels. Nothing is smaller than small.
const (
	small  = 11.5
	normal = 12.5
	large  = 16
)

const bold = 3 // of x/image/font

var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

// A pen draws in pixels from the upper left corner.
type pen struct {
	c    draw.Canvas
	w, h float64
}

func (p *pen) at(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: vg.Length(p.h - y)} }

// A stroke is how a line is drawn.
type stroke struct {
	color Color
	width float64
	dash  []vg.Length
}

var (
	dashed = []vg.Length{5, 3}
	dotted = []vg.Length{1.5, 2.5}
)

func (p *pen) line(s stroke, x0, y0, x1, y1 float64) { p.lines(s, x0, y0, x1, y1) }

// lines draws through points given as x, y, x, y, ... What is no number is left out, here and below: that
// it is not known is for texts to say.
func (p *pen) lines(s stroke, xy ...float64) {
	points := p.points(xy)
	if len(points) < 2 {
		return
	}
	p.c.StrokeLines(draw.LineStyle{Color: s.color, Width: vg.Length(s.width), Dashes: s.dash}, points)
}

// polygon fills through points.
func (p *pen) polygon(c Color, xy ...float64) {
	if points := p.points(xy); len(points) == len(xy)/2 {
		p.c.FillPolygon(c, points)
	}
}

func (p *pen) points(xy []float64) []vg.Point {
	points := make([]vg.Point, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		if !math.IsNaN(xy[i]) && !math.IsNaN(xy[i+1]) {
			points = append(points, p.at(xy[i], xy[i+1]))
		}
	}
	return points
}

func (p *pen) rect(c Color, x0, y0, x1, y1 float64) { p.polygon(c, x0, y0, x1, y0, x1, y1, x0, y1) }

func (p *pen) circle(x, y, r float64) vg.Path {
	var path vg.Path
	centre := p.at(x, y)
	path.Move(vg.Point{X: centre.X + vg.Length(r), Y: centre.Y})
	path.Arc(centre, vg.Length(r), 0, 2*math.Pi)
	path.Close()
	return path
}

// disc fills a circle.
func (p *pen) disc(c Color, x, y, r float64) {
	if math.IsNaN(x + y) {
		return
	}
	if s, ok := p.c.Canvas.(*svg); ok {
		s.circle(c.light.String(), "none", 0, p.at(x, y), r)
		return
	}
	p.c.SetColor(c)
	p.c.Fill(p.circle(x, y, r))
}

// ring draws a circle that is empty.
func (p *pen) ring(c Color, x, y, r, width float64) {
	if math.IsNaN(x + y) {
		return
	}
	if s, ok := p.c.Canvas.(*svg); ok {
		s.circle(paper.light.String(), c.light.String(), width, p.at(x, y), r)
		return
	}
	p.disc(paper, x, y, r)
	p.c.SetLineStyle(draw.LineStyle{Color: c, Width: vg.Length(width)})
	p.c.Stroke(p.circle(x, y, r))
}

// A write is how a text is drawn.
type write struct {
	color Color
	size  float64
	bold  bool
	align float64 // 0 begins at x, 0.5 is centred, 1 ends there
	up    bool    // reads upwards
}

func (w write) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if w.bold {
		f.Weight = bold
	}
	return fonts().Lookup(f, vg.Length(w.size))
}

// width returns the width of a text in the font that is measured.
func (w write) width(text string) float64 {
	f := w.face()
	return f.Width(text).Points()
}

// room returns the room that a text takes in another sans-serif font, too: the widest that browsers have,
// DejaVu Sans, is wider by up to a seventh, and by a quarter where it is bold.
func (w write) room(text string) float64 {
	if w.bold {
		return 1.26 * w.width(text)
	}
	return 1.15 * w.width(text)
}

// text draws a line of text whose baseline is at y.
func (p *pen) text(w write, x, y float64, text string) {
	if text == "" || math.IsNaN(x+y) {
		return
	}
	f := w.face()
	p.c.SetColor(w.color)
	shift := w.align * f.Width(text).Points()
	if s, ok := p.c.Canvas.(*svg); ok { // which aligns by the width of the font that it has
		s.align, shift = w.align, 0
	}
	if w.up {
		p.c.Push()
		at := p.at(x, y)
		p.c.Translate(at)
		p.c.Rotate(math.Pi / 2)
		p.c.FillString(f, vg.Point{X: vg.Length(-shift)}, text)
		p.c.Pop()
		return
	}
	p.c.FillString(f, p.at(x-shift, y), text)
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

// fit returns the text, or as much of its beginning and end as there is room for.
func (w write) fit(text string, room float64) string {
	if w.room(text) <= room {
		return text
	}
	runes := []rune(text)
	lo, hi := 0, len(runes)
	for lo < hi {
		keep := (lo + hi + 1) / 2
		if w.room(ellipsis(runes, keep)) <= room {
			lo = keep
		} else {
			hi = keep - 1
		}
	}
	return ellipsis(runes, lo)
}

// ellipsis keeps so many runes, more of the end, where names differ more often.
func ellipsis(runes []rune, keep int) string {
	head := keep * 2 / 5
	return string(runes[:head]) + "…" + string(runes[len(runes)-(keep-head):])
}

// wrap breaks a text into lines.
func (w write) wrap(text string, room float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		next := strings.TrimSpace(line + " " + word)
		if line != "" && w.room(next) > room {
			lines = append(lines, line)
			next = word
		}
		line = w.fit(next, room)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// titled gives what is drawn a title, where the format has any.
func (p *pen) titled(title string, draw func()) {
	if s, ok := p.c.Canvas.(*svg); ok && title != "" && utf8.ValidString(title) {
		s.titled(title, draw)
		return
	}
	draw()
}
