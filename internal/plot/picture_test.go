package plot

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// TestPictures checks every kind of picture at each size that people will have, and compares the
// pictures of five rows with pictures that were looked at.
func TestPictures(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 5, 27, 200} {
		for name, p := range samples(t, n) {
			for _, w := range []float64{Wide, 600, Narrow} {
				t.Run(fmt.Sprintf("%s of %d, %v wide", name, n, w), func(t *testing.T) {
					t.Parallel()
					doc := p.SVG(w)
					d := read(t, doc)
					require.Equal(t, w, d.width)
					check(t, d)
					require.Equal(t, p.Title, d.titles[0])
					require.NotEmpty(t, p.Text)
					require.Contains(t, string(doc),
						`font-family="Liberation Sans,Arial,Arimo,Helvetica,sans-serif"`)
					require.Equal(t, 1, d.elements["svg"])
					require.Zero(t, d.elements["style"]+d.elements["script"]+d.elements["image"]+d.elements["a"])
					require.Equal(t, string(doc), string(p.SVG(w)), "another picture the second time")
					if n == 5 && w != 600 {
						golden(t, fmt.Sprintf("%s-%v.svg", name, w), doc, same)
					}
				})
			}
		}
	}
}

func golden(t *testing.T, name string, got []byte, compare func(t *testing.T, want, got []byte)) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	compare(t, want, got)
}

// TestImages compares images with ones that were looked at, at a quarter of their size: a pixel's
// shade of difference on another processor vanishes there.
func TestImages(t *testing.T) {
	t.Parallel()
	for name, p := range samples(t, 5) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img := p.image(Wide)
			require.Equal(t, 2*Wide, img.Bounds().Dx())
			small := reduce(img)
			var b bytes.Buffer
			if *update {
				require.NoError(t, png.Encode(&b, small))
			}
			golden(t, name+".png", b.Bytes(), func(t *testing.T, want, _ []byte) {
				t.Helper()
				w, err := png.Decode(bytes.NewReader(want))
				require.NoError(t, err)
				require.Equal(t, w.Bounds(), small.Bounds())
				worst := 0.0
				for y := range small.Bounds().Dy() {
					for x := range small.Bounds().Dx() {
						worst = math.Max(worst, distance(w.At(x, y), small.At(x, y)))
					}
				}
				assert.Less(t, worst, 24.0, "of 255")
			})
		})
	}
}

// A PNG file has the pixels of the image.
func TestPNG(t *testing.T) {
	t.Parallel()
	p := samples(t, 1)["forest"]
	doc, err := p.PNG(Narrow)
	require.NoError(t, err)
	got, err := png.Decode(bytes.NewReader(doc))
	require.NoError(t, err)
	want := p.image(Narrow)
	require.Equal(t, want.Bounds(), got.Bounds())
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if w := want.RGBAAt(x, y); w != color.RGBAModel.Convert(got.At(x, y)) {
				require.Equal(t, w, got.At(x, y), "pixel %d, %d", x, y)
			}
		}
	}
}

// reduce averages squares of four by four pixels.
func reduce(img *image.RGBA) *image.RGBA {
	const by = 4
	small := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx()/by, img.Bounds().Dy()/by))
	for y := range small.Bounds().Dy() {
		for x := range small.Bounds().Dx() {
			var sum [3]uint32
			for i := range by * by {
				c := img.RGBAAt(by*x+i%by, by*y+i/by)
				sum[0], sum[1], sum[2] = sum[0]+uint32(c.R), sum[1]+uint32(c.G), sum[2]+uint32(c.B)
			}
			small.SetRGBA(x, y, color.RGBA{
				uint8(sum[0] / by / by), uint8(sum[1] / by / by),
				uint8(sum[2] / by / by), 255,
			})
		}
	}
	return small
}

func distance(a, b color.Color) float64 {
	r0, g0, b0, _ := a.RGBA()
	r1, g1, b1, _ := b.RGBA()
	d := func(x, y uint32) float64 { return math.Abs(float64(x>>8) - float64(y>>8)) }
	return max(d(r0, r1), d(g0, g1), d(b0, b1))
}

// luminance is the brightness of a colour in greyscale, from 0 to 1.
func luminance(c rgb) float64 {
	linear := func(x uint32) float64 {
		v := float64(x&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return float64(0.2126*linear(uint32(c>>16))) + float64(0.7152*linear(uint32(c>>8))) +
		float64(0.0722*linear(uint32(c)))
}

func contrast(a, b rgb) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// TestColoursAreSeen checks the contrasts that the guidelines for web content ask for: 4.5 for
// texts and 3 for lines and marks, on light and on dark pages.
func TestColoursAreSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []Color{ink, dim} {
		for _, ground := range []Color{paper, shade, band} {
			assert.GreaterOrEqual(t, contrast(c.light, ground.light), 4.5, "%v on %v", c.light, ground.light)
			assert.GreaterOrEqual(t, contrast(c.dark, ground.dark), 4.5, "%v on %v", c.dark, ground.dark)
		}
	}
	for _, c := range sequence {
		for _, ground := range []Color{paper, shade, band} {
			assert.GreaterOrEqual(t, contrast(c.light, ground.light), 3.0, "%v on %v", c.light, ground.light)
			assert.GreaterOrEqual(t, contrast(c.dark, ground.dark), 3.0, "%v on %v", c.dark, ground.dark)
		}
	}
}

// TestPaletteHasNoTwins checks that a page finds each colour by its light form.
func TestPaletteHasNoTwins(t *testing.T) {
	t.Parallel()
	seen := make(map[rgb]bool)
	for _, c := range palette {
		assert.False(t, seen[c.light], "%v", c.light)
		seen[c.light] = true
	}
	css := DarkCSS("figure")
	for _, c := range palette {
		assert.Contains(t, css, fmt.Sprintf("figure [fill=\"%v\"]{fill:%v}", c.light, c.dark))
		assert.Contains(t, css, fmt.Sprintf("figure [stroke=\"%v\"]{stroke:%v}", c.light, c.dark))
	}
}

// TestEveryColourIsOfThePalette checks that no picture has a colour that dark pages do not know.
func TestEveryColourIsOfThePalette(t *testing.T) {
	t.Parallel()
	for name, p := range samples(t, 27) {
		for _, part := range strings.Split(string(p.SVG(Wide)), `="#`)[1:] {
			hex := part[:6]
			assert.True(t, slices.ContainsFunc(palette,
				func(c Color) bool { return c.light.String() == "#"+hex }), "%s has #%s", name, hex)
		}
	}
}

// TestOutcomesHaveShapes checks that outcomes differ without colours.
func TestOutcomesHaveShapes(t *testing.T) {
	t.Parallel()
	grey := func(draw func(p *pen)) string {
		p := &Picture{body: func(float64) (float64, func(*pen, float64)) {
			return 40, func(p *pen, _ float64) { draw(p) }
		}}
		doc := string(p.SVG(Narrow))
		for _, c := range palette {
			doc = strings.ReplaceAll(doc, c.light.String(), "#000000")
		}
		return doc
	}
	shapes := make(map[string]string)
	for _, o := range outcomes {
		shapes[grey(func(p *pen) { p.mark(o, 20, 20, 5) })] = o
	}
	assert.Len(t, shapes, len(outcomes), "%v", slices.Sorted(maps.Values(shapes)))
	series := make(map[string]int)
	for i := range 6 {
		series[grey(func(p *pen) { p.shape(i, 20, 20, 5) })] = i
	}
	assert.Len(t, series, 6)
}

func TestLongNamesAreCutAndKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a-name-that-goes-on-", 20) + "to-its-end"
	rows := []Row{{
		Label: long, Outcome: improved, Difference: 1, Lo: 0.5, Hi: 1.5, Baseline: 80,
		Candidate: 81,
	}}
	p := (&Forest{Title: "accuracy", Axis: "accuracy, points", Rows: rows}).Picture()
	d := read(t, p.SVG(Narrow))
	check(t, d)
	require.Contains(t, d.titles, long)
	check(t, read(t, (&Forest{Title: "accuracy", Lines: []string{long}, Rows: rows}).Picture().SVG(Narrow)))
	cut := d.texts[slices.IndexFunc(d.texts,
		func(x drawnText) bool { return strings.Contains(x.text, "…") })].text
	before, after, _ := strings.Cut(cut, "…")
	assert.True(t, strings.HasPrefix(long, before) && strings.HasSuffix(long, after) && len(after) > 2,
		cut)
}

func TestNamesAreText(t *testing.T) {
	t.Parallel()
	name := "<script>alert(1)</script>&\"'\x00\u202e\xff]]>"
	rows := []Row{{
		Label: name, Note: name, Outcome: regressed, Difference: -1, Lo: -2, Hi: -0.5,
		Baseline: 80, Candidate: 79, Posterior: &Regions{1, 0, 0},
	}}
	for _, p := range []*Picture{
		(&Forest{Title: name, Lines: []string{name}, Axis: name, Rows: rows}).Picture(),
		(&Scatter{Title: name, Lines: []string{name}, Axis: name, Rows: rows}).Picture(),
		(&Simplex{
			Title: name, Rope: name, Rows: rows,
			Over: []Overall{{name, Regions{1, 0, 0}}},
		}).Picture(),
		(&Ranks{Title: name, Columns: []RankedColumn{{name, 1}, {"b", 2}}}).Picture(),
		(&History{
			Title: name, Reference: name,
			Points: []Point{{Label: name, Detail: name, Outcome: improved}},
		}).Picture(),
	} {
		doc := p.SVG(Wide)
		d := read(t, doc)
		require.Zero(t, d.elements["script"])
		require.NotContains(t, string(doc), "<script")
		require.NotPanics(t, func() { p.image(Wide) })
	}
}

// A picture of its own follows the reader's screen: each colour of it has a rule.
func TestFilesTurnDark(t *testing.T) {
	t.Parallel()
	for _, p := range samples(t, 5) {
		file := string(p.File(Wide))
		require.NoError(t, xml.Unmarshal([]byte(file), new(struct{})))
		style, rest, ok := strings.Cut(file, "</style>\n")
		require.True(t, ok)
		require.Contains(t, style, "@media (prefers-color-scheme: dark) {")
		colors := regexp.MustCompile(`(?:fill|stroke)="#[0-9a-f]{6}"`).FindAllString(rest, -1)
		require.NotEmpty(t, colors)
		for _, c := range colors {
			require.Contains(t, style, "svg ["+c+"]{", "%s", p.Title)
		}
	}
}
