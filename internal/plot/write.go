package plot

import (
	"strings"
	"sync"

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
	regular = sync.OnceValue(func() *sfnt.Font { return parsed(liberationsansregular.TTF) })
	heavy   = sync.OnceValue(func() *sfnt.Font { return parsed(liberationsansbold.TTF) })
)

func parsed(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("plot: a font that is built in: " + err.Error())
	}
	return f
}

// glyphs calls f for each glyph of a text, with where it begins in units of the font, and returns
// where the text ends in them. What the font does not have is drawn as its glyph for that.
func (w write) glyphs(text string, f func(font *sfnt.Font, i sfnt.GlyphIndex, at int)) (end int,
	em fixed.Int26_6,
) {
	face := regular()
	if w.bold {
		face = heavy()
	}
	em = fixed.Int26_6(face.UnitsPerEm())
	var buffer sfnt.Buffer
	var before sfnt.GlyphIndex
	for n, r := range []rune(text) {
		i, err := face.GlyphIndex(&buffer, r)
		if err != nil {
			i = 0
		}
		if n > 0 {
			if kern, err := face.Kern(&buffer, before, i, em, font.HintingNone); err == nil {
				end += int(kern)
			}
		}
		f(face, i, end)
		if advance, err := face.GlyphAdvance(&buffer, i, em, font.HintingNone); err == nil {
			end += int(advance)
		}
		before = i
	}
	return end, em
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
