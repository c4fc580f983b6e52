package plot

import (
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// dense is how many pixels of a raster there are for one of a picture, for fine screens.
const dense = 2

// A raster is a canvas of pixels. A shape is drawn as outlines that all turn the same way, so that
// overlapping ones are one.
type raster struct{ image *image.RGBA }

func newRaster(w, h float64) *raster {
	return &raster{image.NewRGBA(image.Rect(0, 0, int(math.Round(dense*w)), int(math.Round(dense*h))))}
}

// An outline is closed curves, each of which begins with a move; the coordinates are pixels of the
// raster.
type outline []sfnt.Segment

func (o *outline) add(op sfnt.SegmentOp, points ...point) {
	s := sfnt.Segment{Op: op}
	for i, p := range points {
		s.Args[i] = fixed.Point26_6{X: sub(p.x), Y: sub(p.y)}
	}
	*o = append(*o, s)
}

// sub returns a coordinate in parts of a pixel. A coordinate far outside of any picture is brought
// near.
func sub(x float64) fixed.Int26_6 {
	const far = 1 << 14
	return fixed.Int26_6(math.Round(64 * min(max(x, -far), far)))
}

func (o *outline) polygon(points []point) {
	for i, p := range points {
		op := sfnt.SegmentOpLineTo
		if i == 0 {
			op = sfnt.SegmentOpMoveTo
		}
		o.add(op, point{dense * p.x, dense * p.y})
	}
}

// disc adds a circle of four curves, which are within a thousandth of the radius.
func (o *outline) disc(c point, r float64) {
	x, y, r := dense*c.x, dense*c.y, dense*r
	k := r * 4 / 3 * (math.Sqrt2 - 1)
	o.add(sfnt.SegmentOpMoveTo, point{x + r, y})
	o.add(sfnt.SegmentOpCubeTo, point{x + r, y + k}, point{x + k, y + r}, point{x, y + r})
	o.add(sfnt.SegmentOpCubeTo, point{x - k, y + r}, point{x - r, y + k}, point{x - r, y})
	o.add(sfnt.SegmentOpCubeTo, point{x - r, y - k}, point{x - k, y - r}, point{x, y - r})
	o.add(sfnt.SegmentOpCubeTo, point{x + k, y - r}, point{x + r, y - k}, point{x + r, y})
}

// line adds a straight line of a width.
func (o *outline) line(a, b point, width float64) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	dx, dy := width/2*(b.x-a.x)/length, width/2*(b.y-a.y)/length
	o.polygon([]point{
		{a.x + dy, a.y - dx},
		{b.x + dy, b.y - dx},
		{b.x - dy, b.y + dx},
		{a.x - dy, a.y + dx},
	})
}

// fill draws an outline.
func (r *raster) fill(c Color, o outline) {
	var bounds fixed.Rectangle26_6
	for i, s := range o {
		for _, p := range s.Args[:pointsOf(s.Op)] {
			b := fixed.Rectangle26_6{Min: p, Max: p.Add(fixed.Point26_6{X: 1, Y: 1})}
			if i == 0 {
				bounds = b
			}
			bounds = bounds.Union(b)
		}
	}
	in := image.Rect(bounds.Min.X.Floor(), bounds.Min.Y.Floor(), bounds.Max.X.Ceil(),
		bounds.Max.Y.Ceil())
	if !in.Overlaps(r.image.Rect) {
		return
	}
	z := vector.NewRasterizer(in.Dx(), in.Dy())
	at := func(p fixed.Point26_6) (x, y float32) {
		return float32(p.X)/64 - float32(in.Min.X), float32(p.Y)/64 - float32(in.Min.Y)
	}
	for _, s := range o {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			z.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			z.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			z.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	z.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, in.Dx(), in.Dy()))
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	draw.DrawMask(r.image, in, image.NewUniform(c), image.Point{}, mask, image.Point{}, draw.Over)
}

// pointsOf returns how many arguments a segment has.
func pointsOf(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	}
	return 1
}

// The methods of canvas follow.

func (r *raster) lines(s stroke, points []point) {
	var o outline
	left, on := math.Inf(1), 0 // of the dash that is drawn, or of the gap, whose index is odd
	if len(s.dash) > 0 {
		left = s.dash[0]
	}
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		if i > 0 && on%2 == 0 {
			o.disc(a, s.width/2) // a round join
		}
		for length := math.Hypot(b.x-a.x, b.y-a.y); length > 0; length = math.Hypot(b.x-a.x, b.y-a.y) {
			to := b
			if left < length {
				to = point{a.x + (b.x-a.x)*left/length, a.y + (b.y-a.y)*left/length}
			}
			if on%2 == 0 {
				o.line(a, to, s.width)
			}
			if to == b {
				left -= length
				break
			}
			on++
			a, left = to, s.dash[on%len(s.dash)]
		}
	}
	r.fill(s.color, o)
}

func (r *raster) polygon(c Color, points []point) {
	var o outline
	o.polygon(points)
	r.fill(c, o)
}

func (r *raster) disc(c Color, centre point, radius float64) {
	var o outline
	o.disc(centre, radius)
	r.fill(c, o)
}

func (r *raster) ring(c Color, centre point, radius, width float64) {
	r.disc(c, centre, radius+width/2)
	r.disc(paper, centre, radius-width/2)
}

func (r *raster) text(w write, at point, text string) {
	shift := dense * w.align * w.width(text)
	var o outline
	var buffer sfnt.Buffer
	size := sub(dense * w.size)
	_, em := w.glyphs("", nil)
	w.glyphs(text, func(f *sfnt.Font, i sfnt.GlyphIndex, begin int) {
		segments, err := f.LoadGlyph(&buffer, i, size, nil)
		if err != nil {
			return // as of a character that shows nothing
		}
		from := dense*w.size*float64(begin)/float64(em) - shift
		for _, s := range segments {
			var points []point
			for _, p := range s.Args[:pointsOf(s.Op)] {
				x, y := from+float64(p.X)/64, float64(p.Y)/64
				if w.up {
					x, y = y, -x
				}
				points = append(points, point{dense*at.x + x, dense*at.y + y})
			}
			o.add(s.Op, points...)
		}
	})
	r.fill(w.color, o)
}

func (r *raster) titled(_ string, draw func()) { draw() }
