package plot

import (
	"strings"
	"sync"
	"sync/atomic"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Sizes of texts, in pixels. Nothing is smaller than small.
const (
	small  = 11.5
	normal = 12.5
	large  = 16
)

// A write is how a text is drawn.
type write struct {
	color Color
	size  float64
	bold  bool
	align float64 // 0 begins at x, 0.5 is centred, 1 ends there
	up    bool    // reads upwards
}

// The fonts that texts are measured and drawn in.
var (
	regular = sync.OnceValue(func() *face { return parsed(liberationsansregular.TTF) })
	heavy   = sync.OnceValue(func() *face { return parsed(liberationsansbold.TTF) })
)

// ascii is how many characters a face knows the measures of; a font looks others up each time.
const ascii = 128

// A face is a font with the measures of most characters, in units of the font.
type face struct {
	*sfnt.Font
	em     fixed.Int26_6
	glyphs [ascii]glyph
	kerns  [ascii * ascii]atomic.Int32 // of pairs of characters, as kern has them
}

// A glyph is the picture of a character. What the font does not have is drawn as its glyph for that.
type glyph struct {
	index   sfnt.GlyphIndex
	advance int
}

func parsed(ttf []byte) *face {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("plot: a font that is built in: " + err.Error())
	}
	a := &face{Font: f, em: fixed.Int26_6(f.UnitsPerEm())}
	var buffer sfnt.Buffer
	for r := range rune(ascii) {
		a.glyphs[r] = a.lookUp(&buffer, r)
	}
	return a
}

func (a *face) lookUp(buffer *sfnt.Buffer, r rune) (g glyph) {
	if i, err := a.GlyphIndex(buffer, r); err == nil {
		g.index = i
	}
	if advance, err := a.GlyphAdvance(buffer, g.index, a.em, font.HintingNone); err == nil {
		g.advance = int(advance)
	}
	return g
}

// kern returns how much farther apart than by themselves the glyphs of two characters are.
func (a *face) kern(buffer *sfnt.Buffer, before, after rune, g, h glyph) int {
	const known = 1 << 20 // in place of 0, which stands for pairs that nobody has looked up
	var cell *atomic.Int32
	if before < ascii && after < ascii {
		cell = &a.kerns[before*ascii+after]
		if x := cell.Load(); x != 0 {
			return int(x) - known
		}
	}
	kern, err := a.Kern(buffer, g.index, h.index, a.em, font.HintingNone)
	if err != nil {
		kern = 0
	}
	if cell != nil {
		cell.Store(int32(kern) + known)
	}
	return int(kern)
}

// glyphs calls f for each glyph of a text, with where it begins in units of the font, and returns
// where the text ends in them.
func (w write) glyphs(text string, f func(font *sfnt.Font, i sfnt.GlyphIndex, at int)) (end int,
	em fixed.Int26_6,
) {
	a := regular()
	if w.bold {
		a = heavy()
	}
	var buffer sfnt.Buffer
	var before rune
	var last glyph
	for n, r := range text {
		var g glyph
		if r < ascii {
			g = a.glyphs[r]
		} else {
			g = a.lookUp(&buffer, r)
		}
		if n > 0 {
			end += a.kern(&buffer, before, r, last, g)
		}
		f(a.Font, g.index, end)
		end += g.advance
		before, last = r, g
	}
	return end, a.em
}

// width returns the width of a text in the font that is measured.
func (w write) width(text string) float64 {
	end, em := w.glyphs(text, func(*sfnt.Font, sfnt.GlyphIndex, int) {})
	return float64(end) * (w.size / float64(em))
}

// room returns the room that a text takes in another sans-serif font, too: the widest that browsers
// have, DejaVu Sans, is wider by up to a seventh, and by a quarter where it is bold.
func (w write) room(text string) float64 {
	if w.bold {
		return 1.26 * w.width(text)
	}
	return 1.15 * w.width(text)
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
