package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// fontFamily begins with the font that texts are measured in. Those that follow have the same
// widths, but for the last.
const fontFamily = "Liberation Sans,Arial,Arimo,Helvetica,sans-serif"

// svg is a vg.Canvas that writes SVG with presentation attributes only: no style, no script, no
// identifier, so that several can be part of one page with a strict policy. One point is one
// pixel.
type svg struct {
	w, h  float64
	out   bytes.Buffer
	group string  // the attributes of the group that is open
	align float64 // of the next text: 0 begins where it is, 0.5 is centred, 1 ends there
	now   svgState
	stack []svgState
}

type svgState struct {
	color color.Color
	width vg.Length
	dash  []vg.Length
	at    [6]float64 // affine: x' = at[0]·x + at[2]·y + at[4]
}

func newSVG(w, h float64) *svg {
	s := &svg{w: w, h: h}
	s.now.at = [6]float64{1, 0, 0, -1, 0, h} // y grows upwards in vg
	vg.Initialize(s)
	return s
}

// Size implements vg.CanvasSizer.
func (s *svg) Size() (w, h vg.Length) {
	return vg.Length(s.w), vg.Length(s.h)
}

// The methods of vg.Canvas follow.

func (s *svg) SetLineWidth(w vg.Length) {
	s.now.width = w
}

func (s *svg) SetLineDash(d []vg.Length, _ vg.Length) {
	s.now.dash = d
}

func (s *svg) SetColor(c color.Color) {
	s.now.color = c
}

func (s *svg) Push() {
	s.stack = append(s.stack, s.now)
}

func (s *svg) Pop() {
	last := len(s.stack) - 1
	s.now, s.stack = s.stack[last], s.stack[:last]
}

func (s *svg) DrawImage(vg.Rectangle, image.Image) {
	panic("plot: there are no images in pictures")
}

func (s *svg) Translate(p vg.Point) {
	s.then([6]float64{1, 0, 0, 1, p.X.Points(), p.Y.Points()})
}

func (s *svg) Scale(x, y float64) {
	s.then([6]float64{x, 0, 0, y, 0, 0})
}

func (s *svg) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	s.then([6]float64{cos, sin, -sin, cos, 0, 0})
}

// then makes m the innermost transformation.
func (s *svg) then(m [6]float64) {
	a := s.now.at
	s.now.at = [6]float64{
		float64(a[0]*m[0]) + float64(a[2]*m[1]), float64(a[1]*m[0]) + float64(a[3]*m[1]),
		float64(a[0]*m[2]) + float64(a[2]*m[3]), float64(a[1]*m[2]) + float64(a[3]*m[3]),
		float64(a[0]*m[4]) + float64(a[2]*m[5]) + a[4], float64(a[1]*m[4]) + float64(a[3]*m[5]) + a[5],
	}
}

// place returns where a point is, in pixels from the upper left corner.
func (s *svg) place(p vg.Point) (x, y float64) {
	x, y = p.X.Points(), p.Y.Points()
	a := s.now.at
	return float64(a[0]*x) + float64(a[2]*y) + a[4], float64(a[1]*x) + float64(a[3]*y) + a[5]
}

func (s *svg) point(p vg.Point) string {
	x, y := s.place(p)
	return number(x) + " " + number(y)
}

// number rounds to tenths of a pixel.
func number(x float64) string {
	x = math.Round(10*x)/10 + 0 // not -0
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func (s *svg) colour() string {
	if c, ok := s.now.color.(Color); ok {
		return c.light.String()
	}
	r, g, b, _ := s.now.color.RGBA()
	return rgb(r>>8<<16 | g>>8<<8 | b>>8).String()
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

func (s *svg) Stroke(p vg.Path) {
	if s.now.width <= 0 {
		return
	}
	attributes := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%s"`, s.colour(), number(s.now.width.Points()))
	if len(s.now.dash) > 0 {
		attributes += ` stroke-dasharray="`
		for i, d := range s.now.dash {
			if i > 0 {
				attributes += " "
			}
			attributes += number(d.Points())
		}
		attributes += `"`
	}
	s.in(attributes)
	s.path(p)
}

func (s *svg) Fill(p vg.Path) {
	s.in(fmt.Sprintf(`fill="%s"`, s.colour()))
	s.path(p)
}

func (s *svg) path(p vg.Path) {
	s.out.WriteString(`<path d="`)
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			s.out.WriteString("M" + s.point(c.Pos))
		case vg.LineComp:
			s.out.WriteString("L" + s.point(c.Pos))
		case vg.CloseComp:
			s.out.WriteString("Z")
		default:
			panic("plot: there are no curves in pictures but circles")
		}
	}
	s.out.WriteString("\"/>\n")
}

// circle draws a circle, which is shorter than as paths.
func (s *svg) circle(fill, edge string, width float64, at vg.Point, r float64) {
	s.in(fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="%s"`, fill, edge, number(width)))
	x, y := s.place(at)
	fmt.Fprintf(&s.out, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", number(x), number(y), number(r))
}

func (s *svg) FillString(f font.Face, p vg.Point, text string) {
	attributes := fmt.Sprintf(`fill="%s" font-size="%s"`, s.colour(), number(f.Font.Size.Points()))
	if f.Font.Weight == bold {
		attributes += ` font-weight="bold"`
	}
	switch s.align {
	case 0.5:
		attributes += ` text-anchor="middle"`
	case 1:
		attributes += ` text-anchor="end"`
	}
	s.align = 0
	s.in(attributes)
	a := s.now.at
	x, y := s.place(p)
	fmt.Fprintf(&s.out, `<text x="%s" y="%s"`, number(x), number(y))
	if angle := math.Round(math.Atan2(a[1], a[0]) * 180 / math.Pi); angle != 0 {
		fmt.Fprintf(&s.out, ` transform="rotate(%s %s %s)"`, number(angle), number(x), number(y))
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

// document returns the whole picture with a name and a description for who does not see it.
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

// escape returns the text as it is written in XML. What XML cannot have is U+FFFD.
func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
