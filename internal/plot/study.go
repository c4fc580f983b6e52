package plot

import (
	"fmt"
	"math"
	"slices"
)

// Curves are rates of several tests by number of runs, as Bouckaert's (2003) Figures 2 and 4 show
// them.
type Curves struct {
	Title string
	Lines []string
	X, Y  string // axes, with their units

	Level     float64 // a line across, such as the nominal level; NaN or 0 for none
	LevelName string
	Series    []Series
}

// A Series is one curve.
type Series struct {
	Name string
	X, Y []float64
	// Error is the standard error of each Y; nil if there is none. Bars are two of them to either
	// side.
	Error []float64
}

// Picture draws the curves, each with a marker of its own.
func (c *Curves) Picture() *Picture {
	p := &Picture{Title: c.Title, Lines: c.Lines, Text: fmt.Sprintf("%s: %d curves of %s by %s.",
		c.Title, len(c.Series), c.Y, c.X)}
	if slices.ContainsFunc(c.Series, func(s Series) bool { return len(s.Error) > 0 }) {
		p.Notes = append(p.Notes, "Bars are two standard errors to either side.")
	}
	p.body = c.body
	return p
}

func (c *Curves) body(w float64) (float64, func(*pen, float64)) {
	var xs []float64
	ys := []float64{0}
	var keys []key
	for i, s := range c.Series {
		xs = append(xs, s.X...)
		for j, y := range s.Y {
			ys = append(ys, y)
			if j < len(s.Error) {
				ys = append(ys, y+2*s.Error[j])
			}
		}
		keys = append(keys, key{s.Name, func(p *pen, x, y float64) {
			p.line(c.stroke(i), x-7, y, x+8, y)
			p.shape(i, x, y, 4)
		}})
	}
	if c.Level > 0 {
		ys = append(ys, c.Level)
		keys = append(keys, lineKey(c.LevelName, zeroLine))
	}
	x, y := linear(xs...), linear(ys...)
	if lo, hi := extent(xs); lo > 0 && hi/lo >= 10 {
		x = logarithmic(xs...)
		x.ticks = nil
		for _, v := range slices.Compact(slices.Sorted(slices.Values(xs))) {
			x.ticks = append(x.ticks, tick{v, short(v)})
		}
	}
	legendHeight, drawLegend := legend(keys, w-2*margin)
	const plotHeight = 290
	return plotHeight + 44 + legendHeight, func(p *pen, y0 float64) {
		f := &frame{
			x: x, y: y, left: margin + 16 + roomY(y), right: w - margin, top: y0 + 4,
			bottom: y0 + 4 + plotHeight,
		}
		f.gridX(p, true)
		f.gridY(p)
		f.titleY(p, margin+8, c.Y)
		p.text(caption, (f.left+f.right)/2, f.bottom+30, c.X)
		if c.Level > 0 {
			p.line(zeroLine, f.left, f.py(c.Level), f.right, f.py(c.Level))
		}
		for i, s := range c.Series {
			c.curve(p, f, i, s)
		}
		drawLegend(p, margin, f.bottom+40)
	}
}

// stroke is the stroke of the n-th curve: its pattern tells it apart where its colour does not.
func (c *Curves) stroke(n int) stroke {
	s := stroke{color: sequence[n%len(sequence)], width: 1.6}
	switch n % 3 {
	case 1:
		s.dash = dashed
	case 2:
		s.dash = dotted
	}
	return s
}

func (c *Curves) curve(p *pen, f *frame, n int, s Series) {
	var points []float64
	for i := range s.X {
		points = append(points, f.px(s.X[i]), f.py(s.Y[i]))
	}
	p.lines(c.stroke(n), points...)
	for i := range s.X {
		x, y := f.px(s.X[i]), f.py(s.Y[i])
		p.titled(fmt.Sprintf("%s: %s at %s", s.Name, short(s.Y[i]), short(s.X[i])), func() {
			if i < len(s.Error) {
				solid := c.stroke(n)
				solid.dash, solid.width = nil, 1.2
				p.upright(f, solid, s.Y[i]-2*s.Error[i], s.Y[i]+2*s.Error[i], x, 3)
			}
			p.shape(n, x, y, 4)
		})
	}
}

// Panels are rates of tests, a row for each test and a panel for each rate, as Bouckaert and
// Frank's (2004) Table 5 has them.
type Panels struct {
	Title  string
	Lines  []string
	Rows   []string
	Panels []Rates
}

// Rates are the rates of all rows. Errors are standard errors; nil if there are none.
type Rates struct {
	Name   string
	Values []float64
	Errors []float64
	Beside []float64 // printed elsewhere, to compare with; nil for none
	Level  float64   // where they ought to be; 0 if nowhere
}

// Picture draws the panels beside one another, or below where there is no room for that.
func (t *Panels) Picture() *Picture {
	p := &Picture{Title: t.Title, Lines: t.Lines, Text: fmt.Sprintf("%s: %d rows.",
		t.Title, len(t.Rows))}
	if slices.ContainsFunc(t.Panels, func(r Rates) bool { return r.Errors != nil }) {
		p.Notes = []string{"Bars are two standard errors to either side."}
	}
	if slices.ContainsFunc(t.Panels, func(r Rates) bool { return r.Level > 0 }) {
		p.Notes = append(p.Notes, "Dashes are where a rate ought to be.")
	}
	if slices.ContainsFunc(t.Panels, func(r Rates) bool { return r.Beside != nil }) {
		p.Notes = append(p.Notes, "Upright lines are the printed figures.")
	}
	p.body = t.body
	return p
}

func (t *Panels) body(w float64) (float64, func(*pen, float64)) {
	room := w - 2*margin
	label := write{color: ink, size: small + 0.5}
	labels := 40.0
	for _, r := range t.Rows {
		labels = math.Max(labels, label.room(r)+10)
	}
	labels = math.Min(labels, 0.34*room)
	pitch := 20.0
	if len(t.Rows) > 40 {
		pitch = 16
	}
	across := len(t.Panels)
	if w < compact {
		across = 1
	}
	const head, gap = 24, 14
	each := head + pitch*float64(len(t.Rows)) + 30
	down := (len(t.Panels) + across - 1) / max(across, 1)
	width := (room - labels - gap*float64(across-1)) / float64(max(across, 1))
	return each * float64(down), func(p *pen, y0 float64) {
		for i, rates := range t.Panels {
			top := y0 + each*float64(i/across) + head
			left := margin + labels + (width+gap)*float64(i%across)
			values := slices.Concat([]float64{0}, rates.Values, rates.Beside)
			for j, e := range rates.Errors {
				values = append(values, rates.Values[j]+2*e)
			}
			if rates.Level > 0 {
				values = append(values, rates.Level)
			}
			f := &frame{
				x: linear(values...), left: left, right: left + width, top: top,
				bottom: top + pitch*float64(len(t.Rows)),
			}
			for j := range t.Rows {
				y := f.top + pitch*float64(j)
				if j%2 == 1 {
					p.rect(shade, left, y, left+width, y+pitch)
				}
				if i%across == 0 {
					p.label(label, margin, y+pitch/2+4, labels-8, t.Rows[j])
				}
			}
			p.text(strong, left, top-9, strong.fit(rates.Name, width))
			f.gridX(p, true)
			if rates.Level > 0 {
				p.line(marginLine, f.px(rates.Level), f.top, f.px(rates.Level), f.bottom)
			}
			for j, x := range rates.Values {
				t.rate(p, f, rates, j, x, f.top+pitch*(float64(j)+0.5), i)
			}
		}
	}
}

func (t *Panels) rate(p *pen, f *frame, rates Rates, row int, x, y float64, panel int) {
	if math.IsNaN(x) {
		return
	}
	title := fmt.Sprintf("%s, %s: %s", t.Rows[row], rates.Name, short(x))
	if row < len(rates.Beside) {
		title += ", printed " + short(rates.Beside[row])
		at := f.px(rates.Beside[row])
		p.line(stroke{color: ink, width: 1.6}, at, y-7, at, y+7)
	}
	p.titled(title, func() {
		if row < len(rates.Errors) {
			e := 2 * rates.Errors[row]
			p.interval(f, stroke{color: sequence[panel%len(sequence)], width: 1.6}, math.Max(x-e, 0), x+e, y) // rates are not negative
		}
		p.shape(panel, f.px(x), y, 4.4)
	})
}

// A Calibration is predicted probabilities against the observed frequencies of the predicted
// events.
type Calibration struct {
	Title  string
	Lines  []string
	X, Y   string
	Groups []Bins
}

// Bins are the bins of one kind of data.
type Bins struct {
	Name string
	Bins []Bin
}

// A Bin is predictions of about the same probability. Error is the standard error of Observed −
// Predicted.
type Bin struct {
	Predicted, Observed, Error float64
	N                          int
}

// Picture draws a point for each bin, with the diagonal on which predictions hold.
func (c *Calibration) Picture() *Picture {
	p := &Picture{Title: c.Title, Lines: c.Lines, Text: fmt.Sprintf("%s: %s against %s.", c.Title, c.Y,
		c.X), Notes: []string{"Bars are two standard errors to either side. On the diagonal predictions come true as often as they say."}}
	p.body = c.body
	return p
}

func (c *Calibration) body(w float64) (float64, func(*pen, float64)) {
	var values []float64
	var keys []key
	for i, g := range c.Groups {
		for _, b := range g.Bins {
			values = append(values, b.Predicted, math.Max(0, b.Observed-2*b.Error),
				math.Min(1, b.Observed+2*b.Error))
		}
		keys = append(keys, key{g.Name, func(p *pen, x, y float64) { p.shape(i, x, y, 4.5) }})
	}
	keys = append(keys, lineKey("as predicted", zeroLine))
	sc := linear(values...)
	legendHeight, drawLegend := legend(keys, w-2*margin)
	left := margin + 16 + roomY(sc)
	side := math.Min(w-margin-left-6, 430)
	return side + 46 + legendHeight, func(p *pen, y0 float64) {
		f := square(p, sc, left, y0+4, side, c.X, c.Y)
		for i, g := range c.Groups {
			for _, b := range g.Bins {
				x, y := f.px(b.Predicted), f.py(b.Observed)
				p.titled(fmt.Sprintf("%s: predicted %.3f, observed %.3f ± %.3f, n = %d", g.Name, b.Predicted,
					b.Observed, b.Error, b.N), func() {
					s := stroke{color: sequence[i%len(sequence)], width: 1.4}
					p.upright(f, s, b.Observed-2*b.Error, b.Observed+2*b.Error, x, 3)
					p.shape(i, x, y, 4.5)
				})
			}
		}
		drawLegend(p, margin, f.bottom+40)
	}
}
