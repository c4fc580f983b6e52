package plot

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"strings"
)

// Widths of pictures, in pixels: on a page, and on a telephone.
const (
	Wide   = 760
	Narrow = 344
)

// compact is the width below which there is only room for what matters most.
const compact = 520

const margin = 14 // around everything

// A Picture can be drawn at any width from [Narrow] on.
type Picture struct {
	Title string
	Lines []string // below the title: the compared columns and the method
	Notes []string // below the picture: how to read it
	Text  string   // a description, for readers who cannot see the picture

	// body lays the picture out for a width, and returns its height and what draws it with its
	// upper left corner at the given y.
	body func(w float64) (h float64, draw func(p *pen, y float64))
}

// SVG returns the picture as an SVG document of the given width in pixels.
func (p *Picture) SVG(width float64) []byte {
	l := p.layout(width)
	s := &svg{w: l.w, h: l.h}
	l.draw(&pen{s, l.w, l.h})
	return s.document(p.Title, strings.Join(append([]string{p.Text}, p.Lines...), " "))
}

// File returns the picture as an SVG document of its own, which is dark where the reader's screen
// is.
func (p *Picture) File(width float64) []byte {
	const end = "</desc>\n"
	style := end + "<style>@media (prefers-color-scheme: dark) {\n" + DarkCSS("svg") + "}</style>\n"
	return bytes.Replace(p.SVG(width), []byte(end), []byte(style), 1)
}

// PNG returns the picture as a PNG image, of [dense] pixels for each.
func (p *Picture) PNG(width float64) ([]byte, error) {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p.image(width)); err != nil {
		return nil, fmt.Errorf("PNG: %w", err)
	}
	return b.Bytes(), nil
}

// image returns the picture as pixels, [dense] for each.
func (p *Picture) image(width float64) *image.RGBA {
	l := p.layout(width)
	c := newRaster(l.w, l.h)
	l.draw(&pen{c, l.w, l.h})
	return c.image
}

// A layout is a picture at a width.
type layout struct {
	w, h float64
	draw func(p *pen)
}

const (
	titleHeight = 22
	lineHeight  = 16.0
)

func (p *Picture) layout(width float64) layout {
	width = math.Max(width, Narrow)
	room := width - 2*margin
	title, line := write{color: ink, size: large, bold: true}, write{color: dim, size: normal}
	note := write{color: dim, size: small}
	titles := title.wrap(p.Title, room)
	var lines, notes []string
	for _, l := range p.Lines {
		lines = append(lines, line.wrap(l, room)...)
	}
	for _, n := range p.Notes {
		notes = append(notes, note.wrap(n, room)...)
	}
	height, body := p.body(width)
	top := margin + titleHeight*float64(len(titles)) + lineHeight*float64(len(lines)) + 6
	foot := top + height
	total := foot + margin
	if len(notes) > 0 {
		total += 6 + lineHeight*float64(len(notes))
	}
	return layout{width, math.Ceil(total), func(pen *pen) {
		pen.rect(paper, 0, 0, pen.w, pen.h)
		y := float64(margin)
		for _, t := range titles {
			pen.text(title, margin, y+15, t)
			y += titleHeight
		}
		for _, l := range lines {
			pen.text(line, margin, y+11, l)
			y += lineHeight
		}
		body(pen, top)
		y = foot + 6
		for _, n := range notes {
			pen.text(note, margin, y+11, n)
			y += lineHeight
		}
	}}
}
