package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
)

// fontFamily begins with the font that texts are measured in. The fonts after it have the same
// widths, but for the last.
const fontFamily = "Liberation Sans,Arial,Arimo,Helvetica,sans-serif"

// svg is a canvas that writes SVG with presentation attributes only: no style, no script, no
// identifier, so that several can be part of one page with a strict policy.
type svg struct {
	w, h  float64
	out   bytes.Buffer
	group string // the attributes of the group that is open
}

// number rounds to tenths of a pixel.
func number(x float64) string {
	x = math.Round(10*x)/10 + 0 // not -0
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// in opens the group with the attributes unless it is open.
func (s *svg) in(attributes string) {
	if s.group == attributes {
		return
	}
	s.leave()
	s.out.WriteString("<g " + attributes + ">\n")
	s.group = attributes
}

func (s *svg) leave() {
	if s.group != "" {
		s.out.WriteString("</g>\n")
		s.group = ""
	}
}

func (s *svg) lines(l stroke, points []point) {
	if l.width <= 0 {
		return
	}
	attributes := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%s"`, l.color.light,
		number(l.width))
	for i, d := range l.dash {
		attributes += map[bool]string{true: ` stroke-dasharray="`, false: " "}[i == 0] + number(d)
	}
	if len(l.dash) > 0 {
		attributes += `"`
	}
	s.in(attributes)
	s.path(points, "")
}

func (s *svg) polygon(c Color, points []point) {
	s.in(fmt.Sprintf(`fill="%s"`, c.light))
	s.path(points, "Z")
}

func (s *svg) path(points []point, end string) {
	s.out.WriteString(`<path d="`)
	for i, p := range points {
		s.out.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + number(p.x) +
			" " + s.below(p.y))
	}
	s.out.WriteString(end + "\"/>\n")
}

// below returns a height as it has always been rounded: that from below, taken from above.
func (s *svg) below(y float64) string { return number(s.h - (s.h - y)) }

func (s *svg) disc(c Color, centre point, r float64) {
	s.circle(c.light.String(), "none", 0, centre, r)
}

func (s *svg) ring(c Color, centre point, r, width float64) {
	s.circle(paper.light.String(), c.light.String(), width, centre, r)
}

func (s *svg) circle(fill, edge string, width float64, at point, r float64) {
	s.in(fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="%s"`, fill, edge, number(width)))
	fmt.Fprintf(&s.out, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", number(at.x), s.below(at.y),
		number(r))
}

// text aligns by the width of whichever font the reader has.
func (s *svg) text(w write, at point, text string) {
	attributes := fmt.Sprintf(`fill="%s" font-size="%s"`, w.color.light, number(w.size))
	if w.bold {
		attributes += ` font-weight="bold"`
	}
	switch w.align {
	case 0.5:
		attributes += ` text-anchor="middle"`
	case 1:
		attributes += ` text-anchor="end"`
	}
	s.in(attributes)
	x, y := number(at.x), s.below(at.y)
	fmt.Fprintf(&s.out, `<text x="%s" y="%s"`, x, y)
	if w.up {
		fmt.Fprintf(&s.out, ` transform="rotate(-90 %s %s)"`, x, y)
	}
	s.out.WriteString(">" + escape(text) + "</text>\n")
}

// titled draws something that has a title, which browsers show where the pointer is.
func (s *svg) titled(title string, draw func()) {
	s.leave()
	s.out.WriteString("<g><title>" + escape(title) + "</title>\n")
	draw()
	s.leave()
	s.out.WriteString("</g>\n")
}

// document returns the whole picture with a name and a description for people who cannot see it.
func (s *svg) document(name, description string) []byte {
	s.leave()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="%[3]s" role="img">`+"\n",
		number(s.w), number(s.h), fontFamily)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n", escape(name), escape(description))
	b.Write(s.out.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// escape returns the text escaped for XML. Characters that XML forbids become U+FFFD.
func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
