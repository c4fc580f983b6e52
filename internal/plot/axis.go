package plot

import (
	"math"
	"strconv"
	"strings"
)

// A scale maps values to 0..1.
type scale struct {
	norm  func(x float64) float64
	ticks []tick
}

type tick struct {
	value float64
	label string
}

// place returns where a value is between two pixels. A value outside of the scale is outside of
// them, by no more than outside pixels.
func (s scale) place(x, from, to float64) float64 {
	const outside = 1e4
	at := from + float64(s.norm(x)*(to-from))
	return math.Min(math.Max(at, math.Min(from, to)-outside), math.Max(from, to)+outside)
}

// inside reports whether a value is on the scale.
func (s scale) inside(x float64) bool {
	n := s.norm(x)
	return n >= -1e-9 && n <= 1+1e-9
}

// huge is the largest number that is drawn where it is; a number beyond it is drawn there.
const huge = 1e150

func bound(x float64) float64 { return math.Min(math.Max(x, -huge), huge) }

// linear returns a scale that has all of the values, and a little room around them.
func linear(values ...float64) scale {
	lo, hi := extent(values)
	room := 0.06 * (hi - lo)
	return exactly(lo-room, hi+room)
}

// extent returns the smallest and the largest of the values that are numbers, with some
// distance between them.
func extent(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range values {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			lo, hi = math.Min(lo, bound(x)), math.Max(hi, bound(x))
		}
	}
	if lo > hi {
		return -1, 1
	}
	if least := 1e-9 * math.Max(math.Abs(lo), math.Abs(hi)); hi-lo <= least {
		around := math.Max(math.Abs(lo)*0.05, 1e-12)
		if lo == 0 && hi == 0 {
			around = 1
		}
		return lo - around, hi + around
	}
	return lo, hi
}

// exactly returns a linear scale from lo to hi, with about five ticks at round numbers.
func exactly(lo, hi float64) scale {
	s := scale{norm: func(x float64) float64 { return (bound(x) - lo) / (hi - lo) }}
	step := roundStep((hi - lo) / 5)
	digits := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+1e-9*step && len(s.ticks) < 20; i++ {
		s.ticks = append(s.ticks, tick{i * step, tickLabel(i*step, digits)})
	}
	return s
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is x or more.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// tickLabel returns a number with so many digits behind the point, or in scientific notation where
// that is shorter.
func tickLabel(x float64, digits int) string {
	label := strconv.FormatFloat(x+0, 'f', digits, 64)
	if len(label) > 7 {
		label = strconv.FormatFloat(x, 'g', 3, 64)
	}
	return minus(label)
}

// minus replaces hyphens that stand for minus signs.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// logarithmic returns a scale for positive values.
func logarithmic(values ...float64) scale {
	lo, hi := extent(values)
	lo, hi = math.Log10(lo), math.Log10(hi)
	room := math.Max(0.05*(hi-lo), 0.02)
	lo, hi = lo-room, hi+room
	s := scale{norm: func(x float64) float64 {
		return (math.Log10(math.Max(x,
			1e-300)) - lo) / (hi - lo)
	}}
	step := math.Max(1, math.Ceil((hi-lo)/5))
	for e := math.Ceil(lo); e <= hi; e += step {
		s.ticks = append(s.ticks, tick{
			math.Pow(10, e),
			minus(strconv.FormatFloat(math.Pow(10, e), 'g', 3, 64)),
		})
	}
	if len(s.ticks) < 3 {
		s.ticks = nil
		for e := math.Floor(lo); e <= hi; e++ {
			for _, m := range []float64{1, 2, 5} {
				if x := m * math.Pow(10, e); s.inside(x) {
					s.ticks = append(s.ticks, tick{x, strconv.FormatFloat(x, 'g', 3, 64)})
				}
			}
		}
	}
	return s
}

// probit returns a scale on which probabilities are as far from one half as the quantiles of the
// normal distribution. Those within least of 0 and 1 are drawn there.
func probit() scale {
	const least = 1e-4
	quantile := func(p float64) float64 {
		return math.Sqrt2 * math.Erfinv(2*math.Min(math.Max(p,
			least), 1-least)-1)
	}
	edge := quantile(0) * 1.08
	return scale{
		norm: func(p float64) float64 { return (quantile(p) - edge) / (-2 * edge) },
		ticks: []tick{
			{1e-4, "≤ 0.0001"},
			{0.001, "0.001"},
			{0.025, "0.025"},
			{0.2, "0.2"},
			{0.5, "0.5"},
			{0.8, "0.8"},
			{0.975, "0.975"},
			{0.999, "0.999"},
			{1 - 1e-4, "≥ 0.9999"},
		},
	}
}

// counts returns a scale for 1 to n, with ticks at whole numbers.
func counts(n int) scale {
	s := scale{norm: func(x float64) float64 { return (x - 0.5) / float64(n) }}
	step := 1
	for _, candidate := range []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000} {
		step = candidate
		if n/candidate <= 10 {
			break
		}
	}
	for i := step; i <= n; i += step {
		if i == step && step > 1 {
			s.ticks = append(s.ticks, tick{1, "1"})
		}
		s.ticks = append(s.ticks, tick{float64(i), strconv.Itoa(i)})
	}
	return s
}

// A frame is where values are drawn.
type frame struct {
	x, y                     scale
	left, right, top, bottom float64
}

func (f *frame) px(x float64) float64 { return f.x.place(x, f.left, f.right) }
func (f *frame) py(y float64) float64 { return f.y.place(y, f.bottom, f.top) }

// within keeps a y inside of the frame.
func (f *frame) within(y float64) float64 { return math.Min(math.Max(y, f.top), f.bottom) }

var (
	grid    = stroke{color: rule, width: 1}
	axis    = stroke{color: dim, width: 1}
	caption = write{color: dim, size: small, align: 0.5}
	strong  = write{color: ink, size: normal, bold: true}
)

// gridX draws vertical lines with their labels below the frame, as many as there is room for.
func (f *frame) gridX(p *pen, labels bool) {
	end := math.Inf(-1)
	for _, t := range f.x.ticks {
		x := f.px(t.value)
		half := caption.room(t.label) / 2
		p.line(grid, x, f.top, x, f.bottom)
		if labels && x-half > end+6 && x+half <= p.w-2 && x-half >= 2 {
			p.text(caption, x, f.bottom+15, t.label)
			end = x + half
		}
	}
}

// gridY draws horizontal lines with their labels at the left.
func (f *frame) gridY(p *pen) {
	w := caption
	w.align = 1
	end := math.Inf(1)
	for _, t := range f.y.ticks {
		y := f.py(t.value)
		p.line(grid, f.left, y, f.right, y)
		if y+small < end {
			p.text(w, f.left-6, y+4, t.label)
			end = y
		}
	}
}

// roomY returns the room that the labels of the y axis take.
func roomY(s scale) float64 {
	room := 0.0
	for _, t := range s.ticks {
		room = math.Max(room, caption.room(t.label))
	}
	return room + 8
}

// titleY writes along the y axis.
func (f *frame) titleY(p *pen, x float64, text string) {
	w := caption
	w.up = true
	p.text(w, x, (f.top+f.bottom)/2, w.fit(text, f.bottom-f.top+20))
}

// outline draws the frame itself.
func (f *frame) outline(p *pen) {
	p.lines(grid, f.left, f.top, f.right, f.top, f.right, f.bottom, f.left, f.bottom, f.left, f.top)
}

// square draws a frame whose axes have one scale, with the line on which both are equal and
// the titles of the axes.
func square(p *pen, sc scale, left, top, side float64, x, y string) *frame {
	f := &frame{x: sc, y: sc, left: left, right: left + side, top: top, bottom: top + side}
	f.gridX(p, true)
	f.gridY(p)
	f.outline(p)
	p.line(zeroLine, f.left, f.bottom, f.right, f.top)
	f.titleY(p, margin+8, y)
	p.text(caption, (f.left+f.right)/2, f.bottom+30, caption.fit(x, side))
	return f
}
