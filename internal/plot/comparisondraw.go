package plot

import (
	"fmt"
	"math"
)

// Picture draws the folds by run, the means of the runs, and what each run alone would say.
func (c *Comparison) Picture() *Picture {
	p := &Picture{Title: c.Title, Lines: c.Lines, Text: c.text()}
	p.body = func(w float64) (float64, func(*pen, float64)) {
		panels := []func(w float64) (float64, func(p *pen, x, y float64)){c.folds}
		if len(c.RunMeans) > 1 {
			panels = append(panels, c.means)
		}
		if len(c.P) > 1 {
			panels = append(panels, c.ranks)
		}
		return stack(w, panels)
	}
	return p
}

// text says in words what the picture shows.
func (c *Comparison) text() string {
	return fmt.Sprintf("%s. Mean difference %s, interval %s to %s; alone, %d of %d runs would find the candidate better and %d worse.",
		c.Title, short(c.Mean), short(c.Lo), short(c.Hi), c.Significant[1], len(c.P), c.Significant[0])
}

func short(x float64) string { return fmt.Sprintf("%.4g", x+0) }

// A panel draws a part of a picture in a room of width w.
type panel = func(w float64) (h float64, draw func(p *pen, x, y float64))

// stack lays out panels: the first over the whole width, the others beside one another where there
// is room for that.
func stack(w float64, panels []panel) (float64, func(*pen, float64)) {
	const gap = 22
	room := w - 2*margin
	type placed struct {
		x, y float64
		draw func(p *pen, x, y float64)
	}
	var all []placed
	height, first := panels[0](room)
	all = append(all, placed{margin, 0, first})
	rest := panels[1:]
	if w >= compact && len(rest) > 1 {
		each := (room - gap*float64(len(rest)-1)) / float64(len(rest))
		tallest := 0.0
		for i, panel := range rest {
			h, draw := panel(each)
			tallest = math.Max(tallest, h)
			all = append(all, placed{margin + float64(i)*(each+gap), height + gap, draw})
		}
		height += gap + tallest
		rest = nil
	}
	for _, panel := range rest {
		h, draw := panel(room)
		all = append(all, placed{margin, height + gap, draw})
		height += gap + h
	}
	return height, func(p *pen, y float64) {
		for _, a := range all {
			a.draw(p, a.x, y+a.y)
		}
	}
}

// heading writes the title of a panel with what explains it, and returns the height of both.
func heading(title, explained string, room float64) (float64, func(p *pen, x, y float64)) {
	titles := strong.wrap(title, room)
	w := write{color: dim, size: small}
	lines := w.wrap(explained, room)
	return 18*float64(len(titles)) + 15*float64(len(lines)) + 6, func(p *pen, x, y float64) {
		for _, t := range titles {
			p.text(strong, x, y+12, t)
			y += 18
		}
		for _, l := range lines {
			p.text(w, x, y+10, l)
			y += 15
		}
	}
}

// better says which direction of the axis is.
func (c *Comparison) better() string {
	if c.LowerBetter {
		return "lower is better"
	}
	return "higher is better"
}

var (
	zeroLine   = stroke{color: ink, width: 1}
	marginLine = stroke{color: dim, width: 1, dash: dashed}
)

// showsMargin reports whether the margin is so small that it can be drawn with the values.
func showsMargin(margin float64, values ...float64) bool {
	largest := 0.0
	for _, x := range values {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			largest = math.Max(largest, math.Abs(x))
		}
	}
	return margin > 0 && margin <= 2*largest
}

// folds draws the differences of all folds, a column for each run, and beside them the mean with
// its interval.
func (c *Comparison) folds(w float64) (float64, func(p *pen, x, y float64)) {
	values := []float64{0, c.Mean, c.Lo, c.Hi}
	for _, run := range c.Runs {
		values = append(values, run...)
	}
	keys := []key{
		{"a fold", func(p *pen, x, y float64) { p.ring(dim, x, y, 2.4, 1) }},
		lineKey("mean of a run", stroke{color: ink, width: 2}),
		{c.Outcome + ": mean and interval", func(p *pen, x, y float64) { p.mark(c.Outcome, x, y, 5) }},
	}
	within := showsMargin(c.Margin, values...)
	if within {
		values = append(values, -c.Margin, c.Margin)
		keys = append(keys, areaKey("within the margin of "+short(c.Margin), band))
	}
	y := linear(values...)
	h, head := heading("Differences of the folds, run by run",
		c.Axis+", candidate − baseline: "+c.better(), w)
	const plotHeight = 210
	legendHeight, drawLegend := legend(keys, w)
	return h + plotHeight + 40 + legendHeight, func(p *pen, x0, y0 float64) {
		head(p, x0, y0)
		f := &frame{
			y: y, left: x0 + roomY(y), right: x0 + w - 54, top: y0 + h + 4,
			bottom: y0 + h + plotHeight,
		}
		f.x = counts(len(c.Runs))
		f.right += 54
		if within {
			p.rect(band, f.left, f.py(c.Margin), f.right, f.py(-c.Margin))
		}
		f.gridY(p)
		if within {
			p.line(marginLine, f.left, f.py(c.Margin), f.right, f.py(c.Margin))
			p.line(marginLine, f.left, f.py(-c.Margin), f.right, f.py(-c.Margin))
		}
		p.line(zeroLine, f.left, f.py(0), f.right, f.py(0))
		all := f.right - 26
		f.right -= 54
		c.columns(p, f)
		f.runLabels(p, "run")
		p.line(grid, f.right, f.top, f.right, f.bottom)
		p.text(caption, all, f.bottom+15, "all")
		s := stroke{color: outcomeColor(c.Outcome), width: 2.2}
		p.titled(fmt.Sprintf("mean %s, interval %s to %s", short(c.Mean), short(c.Lo), short(c.Hi)),
			func() {
				p.upright(f, s, c.Lo, c.Hi, all, 6)
				p.mark(c.Outcome, all, f.within(f.py(c.Mean)), 6.5)
			})
		drawLegend(p, x0, f.bottom+36)
	}
}

// columns draws the folds of each run, beside one another as there is room.
func (c *Comparison) columns(p *pen, f *frame) {
	pitch := (f.right - f.left) / float64(len(c.Runs))
	r := math.Min(2.4, math.Max(1.1, pitch/8))
	for i, run := range c.Runs {
		for j, x := range run {
			at := (float64(j)+0.5)/float64(len(run)) - 0.5
			p.ring(dim, f.px(float64(i+1))+0.72*at*pitch, f.py(x), r, 0.9)
		}
	}
	s := stroke{color: ink, width: 2}
	half := math.Max(0.4*pitch, 1.5)
	for i, m := range c.RunMeans {
		x := f.px(float64(i + 1))
		p.line(s, x-half, f.py(m), x+half, f.py(m))
	}
}

// runLabels writes the numbers of the runs below the frame.
func (f *frame) runLabels(p *pen, of string) {
	end := math.Inf(-1)
	for _, t := range f.x.ticks {
		x := f.px(t.value)
		if half := caption.room(t.label) / 2; x-half > end+5 {
			p.text(caption, x, f.bottom+15, t.label)
			end = x + half
		}
	}
	p.text(write{color: dim, size: small, align: 0.5}, (f.left+f.right)/2, f.bottom+29, of)
}

// means draws the means of the runs, and where the means of reruns fall.
func (c *Comparison) means(w float64) (float64, func(p *pen, x, y float64)) {
	values := append([]float64{c.Mean, c.Band[0], c.Band[1]}, c.RunMeans...)
	explained := fmt.Sprintf("band: %.0f%% of the means of reruns", 100*c.BandLevel)
	shown := showsMargin(c.Beyond, values...)
	if shown {
		values = append(values, 0, math.Copysign(c.Beyond, c.Mean))
		if math.Min(c.Band[0], c.Band[1])*math.Copysign(1, c.Mean) < 0 {
			values = append(values, -math.Copysign(c.Beyond, c.Mean))
		}
		explained += "; beyond the dashes a mean is significant"
	}
	y := linear(values...)
	h, head := heading("Means of the runs, and of reruns", explained, w)
	const plotHeight = 190
	return h + plotHeight + 34, func(p *pen, x0, y0 float64) {
		head(p, x0, y0)
		f := &frame{
			x: counts(len(c.RunMeans)), y: y, left: x0 + roomY(y), right: x0 + w, top: y0 + h,
			bottom: y0 + h + plotHeight,
		}
		p.rect(band, f.left, f.within(f.py(c.Band[1])), f.right, f.within(f.py(c.Band[0])))
		f.gridY(p)
		if shown {
			for _, x := range []float64{0, c.Beyond, -c.Beyond} {
				s := marginLine
				if x == 0 {
					s = zeroLine
				}
				if f.y.inside(x) {
					p.line(s, f.left, f.py(x), f.right, f.py(x))
				}
			}
		}
		p.line(stroke{color: outcomeColor(c.Outcome), width: 1.6}, f.left, f.py(c.Mean),
			f.right, f.py(c.Mean))
		pitch := (f.right - f.left) / float64(len(c.RunMeans))
		for i, m := range c.RunMeans {
			p.titled(fmt.Sprintf("run %d: %s", i+1, short(m)), func() {
				p.disc(ink, f.px(float64(i+1)), f.py(m), math.Min(3.2, math.Max(1.3, pitch/3)))
			})
		}
		f.runLabels(p, "run")
	}
}

// ranks draws the p of each run, in order.
func (c *Comparison) ranks(w float64) (float64, func(p *pen, x, y float64)) {
	explained := "one-sided p of each run's own t test, sorted: near 1 the candidate is better; dashed: the level"
	if !math.IsNaN(c.AveragedP) {
		explained += "; line: p of the mean t"
	}
	y := probit()
	h, head := heading("What each run alone would say", explained, w)
	const plotHeight = 190
	return h + plotHeight + 34, func(p *pen, x0, y0 float64) {
		head(p, x0, y0)
		f := &frame{
			x: counts(len(c.P)), y: y, left: x0 + roomY(y), right: x0 + w, top: y0 + h,
			bottom: y0 + h + plotHeight,
		}
		p.rect(shade, f.left, f.py(1-c.Alpha/2), f.right, f.py(c.Alpha/2))
		f.gridY(p)
		for _, x := range []float64{c.Alpha / 2, 1 - c.Alpha/2} {
			p.line(marginLine, f.left, f.py(x), f.right, f.py(x))
		}
		if !math.IsNaN(c.AveragedP) {
			p.line(stroke{color: purple, width: 1.8}, f.left, f.py(c.AveragedP), f.right, f.py(c.AveragedP))
		}
		pitch := (f.right - f.left) / float64(len(c.P))
		r := math.Min(3.4, math.Max(1.3, pitch/3))
		for i, x := range c.P {
			p.titled(fmt.Sprintf("p = %.4g", x), func() {
				at, y := f.px(float64(i+1)), f.py(x)
				switch {
				case x <= c.Alpha/2:
					p.triangle(orange, at, y, r*1.2, 1)
				case 1-x <= c.Alpha/2:
					p.triangle(blue, at, y, r*1.2, -1)
				default:
					p.ring(grey, at, y, r, 1.3)
				}
			})
		}
		f.runLabels(p, "rank")
	}
}
