package plot

// A canvas takes the lines of a pen, in pixels from the upper left corner.
type canvas interface {
	lines(s stroke, points []point)
	polygon(c Color, points []point)
	disc(c Color, centre point, r float64)
	ring(c Color, centre point, r, width float64) // with paper within
	text(w write, at point, text string)
	titled(title string, draw func())
}

type point struct{ x, y float64 }

// A stroke is how a line is drawn.
type stroke struct {
	color Color
	width float64
	dash  []float64 // lengths of lines and gaps
}

var (
	dashed = []float64{5, 3}
	dotted = []float64{1.5, 2.5}
)
