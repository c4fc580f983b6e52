package plot

import (
	"fmt"
	"math"
	"slices"
)

// A Row is one comparison among others, in percentage points and percent for metrics with the range
// 0 to 1. Numbers that are not known are NaN.
type Row struct {
	Label   string
	Outcome string
	Note    string // a remark beside the row, such as that a gate fails on it

	Difference, Lo, Hi  float64
	Margin              float64 // 0 for none
	Baseline, Candidate float64 // means
	Posterior           *Regions
}

// Regions are posterior probabilities.
type Regions struct{ Worse, Rope, Better float64 }

// title says everything about a row.
func (r *Row) title() string {
	text := fmt.Sprintf("%s: %s", r.Label, r.Outcome)
	if !math.IsNaN(r.Difference) {
		text += fmt.Sprintf(", %s, interval %s to %s; baseline %s, candidate %s", signed(r.Difference),
			signed(r.Lo), signed(r.Hi), short(r.Baseline), short(r.Candidate))
	}
	if r.Note != "" {
		text += "; " + r.Note
	}
	return text
}

// signed returns the text of a difference beside others.
func signed(x float64) string {
	switch {
	case math.IsNaN(x):
		return "?"
	case math.IsInf(x, 0):
		return minus(fmt.Sprintf("%+.0f", x))
	case math.Abs(x) >= 1e5 || x != 0 && math.Abs(x) < 0.005:
		return minus(fmt.Sprintf("%+.3g", x))
	}
	return minus(fmt.Sprintf("%+.2f", math.Round(100*x)/100+0))
}

// A Forest is the differences of several comparisons with their intervals.
type Forest struct {
	Title       string
	Lines       []string
	Axis        string // metric and unit
	LowerBetter bool
	Rows        []Row
}

// MaxRows is how many rows a picture has room for.
const MaxRows = 200

// Picture draws the rows in their order.
func (f *Forest) Picture() *Picture {
	p := &Picture{Title: f.Title, Lines: f.Lines, Text: f.text()}
	p.body = f.body
	return p
}

// text says in words what the picture shows.
func (f *Forest) text() string {
	text := f.Title + ":"
	for _, o := range outcomes {
		n := 0
		for i := range f.Rows {
			if f.Rows[i].Outcome == o {
				n++
			}
		}
		if n > 0 {
			text += fmt.Sprintf(" %d %s", n, o)
		}
	}
	return text + "."
}

// margin returns the margin that all rows share; 0 if they do not.
func (f *Forest) margin() float64 {
	m := 0.0
	for i := range f.Rows {
		if i > 0 && f.Rows[i].Margin != m {
			return 0
		}
		m = f.Rows[i].Margin
	}
	return m
}

// scale has room for all estimates, and for the intervals but for the widest.
func (f *Forest) scale() (s scale, within bool) {
	var halves []float64
	values := []float64{0}
	for i := range f.Rows {
		r := &f.Rows[i]
		values = append(values, r.Difference)
		if half := (r.Hi - r.Lo) / 2; half >= 0 && !math.IsInf(half, 0) {
			halves = append(halves, half)
		}
	}
	if len(halves) > 0 {
		slices.Sort(halves)
		lo, hi := extent(values)
		// Most intervals are as wide as others: only intervals that would squeeze all else are cut.
		wide := math.Max(halves[len(halves)*9/10], halves[len(halves)/2]*4)
		wide = math.Max(wide, hi-lo)
		for i := range f.Rows {
			r := &f.Rows[i]
			values = append(values, math.Max(r.Lo, r.Difference-wide), math.Min(r.Hi, r.Difference+wide))
		}
	}
	if m := f.margin(); showsMargin(m, values...) {
		return linear(append(values, m, -m)...), true
	}
	return linear(values...), false
}

func (f *Forest) body(w float64) (float64, func(*pen, float64)) {
	room := w - 2*margin
	pitch := 20.0
	if len(f.Rows) > 40 {
		pitch = 16
	}
	label := write{color: ink, size: small + 0.5}
	value := write{color: ink, size: small, align: 1}
	labels, values := 40.0, 0.0
	for i := range f.Rows {
		r := &f.Rows[i]
		labels = math.Max(labels, label.room(r.Label)+10)
		values = math.Max(values, value.room(numbers(r))+14)
	}
	if w < compact {
		values = 0
	}
	labels = math.Min(labels, math.Max(0.36*room, room-values-420))
	s, within := f.scale()
	keys := outcomeKeys(func(o string) bool {
		return slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Outcome == o })
	})
	if m := f.margin(); within {
		keys = append(keys, areaKey("within the margin of "+short(m), band))
	} else if m > 0 {
		keys = append(keys, key{"the margin is " + short(m), func(*pen, float64, float64) {}})
	}
	legendHeight, drawLegend := legend(keys, room)
	const head = 34
	height := head + pitch*float64(len(f.Rows)) + 24 + legendHeight
	return height, func(p *pen, y0 float64) {
		fr := &frame{
			x: s, left: margin + labels, right: margin + room - values, top: y0 + head,
			bottom: y0 + head + pitch*float64(len(f.Rows)),
		}
		f.headings(p, fr, y0, within)
		for i := range f.Rows {
			y := fr.top + pitch*(float64(i)+0.5)
			if i%2 == 1 {
				f.stripe(p, fr, y, pitch, room, within)
			}
		}
		fr.gridX(p, true)
		p.line(zeroLine, fr.px(0), fr.top, fr.px(0), fr.bottom)
		if m := f.margin(); within {
			p.line(marginLine, fr.px(m), fr.top, fr.px(m), fr.bottom)
			p.line(marginLine, fr.px(-m), fr.top, fr.px(-m), fr.bottom)
		}
		for i := range f.Rows {
			f.row(p, fr, &f.Rows[i], fr.top+pitch*(float64(i)+0.5), labels, values, room)
		}
		drawLegend(p, margin, fr.bottom+24)
	}
}

// numbers returns what stands beside a row.
func numbers(r *Row) string {
	if math.IsNaN(r.Difference) {
		return ""
	}
	if math.IsNaN(r.Lo) {
		return signed(r.Difference)
	}
	d := r.Difference
	if math.Abs(d) < 1e-9*(r.Hi-r.Lo) {
		d = 0 // all but the rounding
	}
	return fmt.Sprintf("%s  [%s, %s]", signed(d), signed(r.Lo), signed(r.Hi))
}

// headings writes what the frame shows, and the labels of the axis above it, too, where its lower
// end is far.
func (f *Forest) headings(p *pen, fr *frame, y0 float64, within bool) {
	direction := "right is better"
	if f.LowerBetter {
		direction = "left is better"
	}
	w := write{color: dim, size: small}
	text := f.Axis + ", candidate − baseline: " + direction
	x := fr.left
	if w.room(text) > p.w-margin-x {
		x = margin
	}
	p.text(w, x, y0+10, w.fit(text, p.w-margin-x))
	if within {
		m := f.margin()
		p.rect(band, fr.px(-m), fr.top, fr.px(m), fr.bottom)
	}
	end := math.Inf(-1)
	for _, t := range fr.x.ticks {
		x, half := fr.px(t.value), caption.room(t.label)/2
		if x-half > end+6 && x+half <= p.w-2 {
			p.text(caption, x, fr.top-6, t.label)
			end = x + half
		}
	}
}

// stripe shades a row, beside the margin.
func (f *Forest) stripe(p *pen, fr *frame, y, pitch, room float64, within bool) {
	from, to := float64(margin), margin+room
	if !within {
		p.rect(shade, from, y-pitch/2, to, y+pitch/2)
		return
	}
	m := f.margin()
	p.rect(shade, from, y-pitch/2, fr.px(-m), y+pitch/2)
	p.rect(shade, fr.px(m), y-pitch/2, to, y+pitch/2)
}

func (f *Forest) row(p *pen, fr *frame, r *Row, y, labels, values, room float64) {
	label := write{color: ink, size: small + 0.5, bold: r.Note != ""}
	p.label(label, margin+2, y+4, labels-8, r.Label)
	p.titled(r.title(), func() {
		s := stroke{color: outcomeColor(r.Outcome), width: 1.8}
		p.interval(fr, s, r.Lo, r.Hi, y)
		x := fr.px(0)
		if !math.IsNaN(r.Difference) {
			x = math.Min(math.Max(fr.px(r.Difference), fr.left), fr.right)
		}
		p.mark(r.Outcome, x, y, 5)
	})
	if values > 0 {
		p.text(write{color: ink, size: small, align: 1}, margin+room-2, y+4, numbers(r))
	}
}
