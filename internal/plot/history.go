package plot

import (
	"fmt"
	"math"
	"slices"
)

// A History is a metric over commits: the differences from a pinned reference, which is none of the
// points.
type History struct {
	Title       string
	Lines       []string
	Axis        string // metric and unit
	LowerBetter bool
	Reference   string  // its name
	Budget      float64 // the loss that is allowed; 0 for none
	Points      []Point // the oldest first
	Segments    []Segment
}

// A Point is a commit. Numbers that are not known are NaN.
type Point struct {
	Label, Detail      string
	Outcome            string
	Difference, Lo, Hi float64
}

// A Segment is points, both ends included, between which nothing has changed, with their mean.
type Segment struct {
	From, To int
	Mean     float64
}

// Picture draws the points with their intervals from left to right.
func (h *History) Picture() *Picture {
	p := &Picture{Title: h.Title, Lines: h.Lines}
	if n := len(h.Points); n > 0 {
		last := h.Points[n-1]
		p.Text = fmt.Sprintf("%s: %d commits, the last %s from the reference %s.", h.Title, n,
			short(last.Difference), h.Reference)
	}
	p.body = h.body
	return p
}

// loss is where the budget is spent.
func (h *History) loss() float64 {
	if h.LowerBetter {
		return h.Budget
	}
	return -h.Budget
}

func (h *History) body(w float64) (float64, func(*pen, float64)) {
	values := []float64{0}
	for _, pt := range h.Points {
		values = append(values, pt.Difference, pt.Lo, pt.Hi)
	}
	keys := outcomeKeys(func(o string) bool {
		return slices.ContainsFunc(h.Points, func(p Point) bool { return p.Outcome == o })
	})
	keys = append(keys, lineKey("reference "+h.Reference, zeroLine))
	spent := stroke{color: orange, width: 1.4, dash: dashed}
	if h.Budget > 0 {
		values = append(values, h.loss())
		keys = append(keys, lineKey(fmt.Sprintf("budget of %s spent", short(h.Budget)), spent))
	}
	level := stroke{color: purple, width: 2.4}
	if len(h.Segments) > 0 {
		keys = append(keys, lineKey("mean of a segment", level))
	}
	y := linear(values...)
	legendHeight, drawLegend := legend(keys, w-2*margin)
	direction := "higher is better"
	if h.LowerBetter {
		direction = "lower is better"
	}
	small := write{color: dim, size: small}
	head := small.wrap(h.Axis+", difference from the reference: "+direction, w-2*margin)
	const plotHeight = 280
	top := 8 + lineHeight*float64(len(head))
	return top + plotHeight + 66 + legendHeight, func(p *pen, y0 float64) {
		for i, line := range head {
			p.text(small, margin, y0+10+lineHeight*float64(i), line)
		}
		f := &frame{
			x: counts(max(len(h.Points), 1)), y: y, left: margin + roomY(y), right: w - margin,
			top: y0 + top, bottom: y0 + top + plotHeight,
		}
		f.gridY(p)
		if h.Budget > 0 {
			edge := f.bottom
			if h.LowerBetter {
				edge = f.top
			}
			p.rect(shade, f.left, f.py(h.loss()), f.right, edge)
			p.line(spent, f.left, f.py(h.loss()), f.right, f.py(h.loss()))
		}
		p.line(zeroLine, f.left, f.py(0), f.right, f.py(0))
		pitch := (f.right - f.left) / math.Max(float64(len(h.Points)), 1)
		r := math.Min(5.5, math.Max(2.2, pitch/2.4))
		for _, s := range h.Segments {
			p.line(level, f.px(float64(s.From)+0.6), f.within(f.py(s.Mean)), f.px(float64(s.To)+1.4),
				f.within(f.py(s.Mean)))
		}
		for i, pt := range h.Points {
			h.point(p, f, pt, f.px(float64(i+1)), r, pitch)
		}
		h.labels(p, f, pitch)
		drawLegend(p, margin, f.bottom+60)
	}
}

func (h *History) point(p *pen, f *frame, pt Point, x, r, pitch float64) {
	title := fmt.Sprintf("%s: %s", pt.Label, pt.Outcome)
	if !math.IsNaN(pt.Difference) {
		title += fmt.Sprintf(", %s, interval %s to %s", signed(pt.Difference), signed(pt.Lo),
			signed(pt.Hi))
	}
	if pt.Detail != "" {
		title += "; " + pt.Detail
	}
	p.titled(title, func() {
		p.upright(f, stroke{
			color: outcomeColor(pt.Outcome),
			width: math.Min(1.6, math.Max(0.8, pitch/5)),
		}, pt.Lo, pt.Hi, x, math.Min(4, pitch/3))
		y := f.py(0)
		if !math.IsNaN(pt.Difference) {
			y = f.within(f.py(pt.Difference))
		}
		p.mark(pt.Outcome, x, y, r)
	})
}

// labels names the commits upwards, as many as there is room for.
func (h *History) labels(p *pen, f *frame, pitch float64) {
	w := write{color: dim, size: small, up: true, align: 1}
	step := int(math.Ceil(15 / pitch))
	for i, pt := range h.Points {
		last := len(h.Points) - 1
		if i%step != 0 && i != last || i != last && last-i < step {
			continue
		}
		x := f.px(float64(i + 1))
		p.line(axis, x, f.bottom, x, f.bottom+3)
		p.label(w, x+4, f.bottom+5, 52, pt.Label)
	}
}
