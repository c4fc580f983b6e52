package plot

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// inked returns how much of a raster is drawn, in pixels of the picture, and in which rectangle.
func inked(r *raster) (area float64, x0, y0, x1, y1 int) {
	x0, y0 = math.MaxInt, math.MaxInt
	for y := range r.image.Rect.Dy() {
		for x := range r.image.Rect.Dx() {
			if a := r.image.RGBAAt(x, y).A; a > 0 {
				area += float64(a) / 255 / dense / dense
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			}
		}
	}
	return area, x0 / dense, y0 / dense, x1 / dense, y1 / dense
}

func TestRasterDrawsWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	thin := stroke{color: ink, width: 2}
	for name, c := range map[string]struct {
		draw func(c canvas)
		area float64
	}{
		"line":      {func(c canvas) { c.lines(thin, []point{{10, 10}, {50, 10}}) }, 80},
		"diagonal":  {func(c canvas) { c.lines(thin, []point{{10, 10}, {40, 50}}) }, 100},
		"backwards": {func(c canvas) { c.lines(thin, []point{{50, 10}, {10, 10}}) }, 80},
		"there, back": {
			func(c canvas) { c.lines(thin, []point{{10, 10}, {50, 10}, {10, 10}}) },
			80 + math.Pi/2,
		},
		"corner": {
			func(c canvas) { c.lines(thin, []point{{10, 10}, {50, 10}, {50, 50}}) },
			160 - 1 + math.Pi/4,
		},
		"dashes": {
			func(c canvas) { c.lines(stroke{ink, 2, dashed}, []point{{10, 10}, {50, 10}}) },
			50,
		},
		"dashes turn": {func(c canvas) {
			c.lines(stroke{ink, 2, []float64{30, 40}},
				[]point{{10, 10}, {50, 10}, {50, 50}})
		}, 60 + 20},
		"no length": {func(c canvas) { c.lines(thin, []point{{10, 10}, {10, 10}}) }, 0},
		"polygon": {func(c canvas) {
			c.polygon(ink, []point{
				{10, 10},
				{50, 10},
				{50, 60},
				{10, 60},
			})
		}, 2000},
		"other way": {func(c canvas) {
			c.polygon(ink, []point{
				{10, 60},
				{50, 60},
				{50, 10},
				{10, 10},
			})
		}, 2000},
		"disc": {func(c canvas) { c.disc(ink, point{30, 30}, 20) }, 400 * math.Pi},
		"ring": {func(c canvas) { c.ring(ink, point{30, 30}, 20, 4) }, 22 * 22 * math.Pi},
		"partly beyond": {func(c canvas) {
			c.polygon(ink, []point{
				{-1e9, -1e3},
				{10, -1e3},
				{10, 10},
				{-1e9, 10},
			})
		}, 100},
		"beyond": {func(c canvas) { c.disc(ink, point{300, 30}, 20) }, 0},
	} {
		r := newRaster(100, 80)
		c.draw(r)
		area, _, _, _, _ := inked(r)
		assert.InDelta(t, c.area, area, 0.005*c.area+0.15, name)
	}
	r := newRaster(100, 80)
	r.ring(blue, point{30, 30}, 20, 4)
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, r.image.RGBAAt(dense*30, dense*30), "paper within")
	assert.Equal(t, color.RGBA{0, 0x72, 0xb2, 255}, r.image.RGBAAt(dense*50, dense*30))
}

// Texts are where they were measured to be, in all directions and alignments.
func TestRasterAlignsTexts(t *testing.T) {
	t.Parallel()
	const text = "HammerH"
	at := func(align float64, up bool) (area float64, x0, y0, x1, y1 int) {
		r := newRaster(300, 300)
		r.text(write{color: ink, size: 20, align: align, up: up}, point{150, 150}, text)
		return inked(r)
	}
	w := write{size: 20}.width(text)
	assert.InDelta(t, 90, w, 5)
	area, _, _, _, _ := at(0, false)
	assert.InDelta(t, 350, area, 100)
	for _, align := range []float64{0, 0.5, 1} {
		begin, end := 150-align*w, 150+(1-align)*w
		a, x0, y0, x1, y1 := at(align, false)
		assert.InDelta(t, area, a, 2)
		assert.InDelta(t, begin, x0, 3)
		assert.InDelta(t, end, x1, 3)
		assert.InDelta(t, 150-20*0.69, y0, 2)
		assert.InDelta(t, 150, y1, 1.5)
		a, x0, y0, x1, y1 = at(align, true)
		assert.InDelta(t, area, a, 2)
		assert.InDelta(t, 300-begin, y1, 3)
		assert.InDelta(t, 300-end, y0, 3)
		assert.InDelta(t, 150-20*0.69, x0, 2)
		assert.InDelta(t, 150, x1, 1.5)
	}
	plain, _, _, _, _ := at(0, false)
	r := newRaster(300, 300)
	r.text(write{color: ink, size: 20, bold: true}, point{150, 150}, text)
	heavier, _, _, _, _ := inked(r)
	assert.Greater(t, heavier, 1.2*plain)
	assert.Greater(t, write{size: 20, bold: true}.width(text), w)
	assert.Less(t, write{size: 20}.width("AVAVAV"), 6*write{size: 20}.width("A"), "pairs are kerned")
}
