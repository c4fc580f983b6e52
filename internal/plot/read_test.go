package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn is what a reader finds in an SVG document.
type drawn struct {
	width, height float64
	texts         []drawnText
	titles        []string
	elements      map[string]int
	numbers       []float64 // of all attributes, in order
	skeleton      string    // the document without them
}

type drawnText struct {
	text       string
	x, y, size float64
	bold, up   bool
	align      float64
}

var numeral = regexp.MustCompile(`-?\d+(\.\d+)?`)

// read parses a document. Whatever a browser would not take for well-formed is an error.
func read(t testing.TB, doc []byte) *drawn {
	d := &drawn{elements: make(map[string]int)}
	var sizes []float64
	var bolds []bool
	var aligns []float64
	dec := xml.NewDecoder(bytes.NewReader(doc))
	dec.Strict = true
	var open []string
	var now *drawnText
	var skeleton strings.Builder
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Helper()
			require.NoError(t, err, "%s", doc)
		}
		switch e := token.(type) {
		case xml.StartElement:
			d.elements[e.Name.Local]++
			open = append(open, e.Name.Local)
			size, heavy, align := 0.0, false, 0.0
			if n := len(sizes); n > 0 {
				size, heavy, align = sizes[n-1], bolds[n-1], aligns[n-1]
			}
			skeleton.WriteString("<" + e.Name.Local)
			now = nil
			if e.Name.Local == "text" {
				d.texts = append(d.texts, drawnText{})
				now = &d.texts[len(d.texts)-1]
			}
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") ||
					strings.HasPrefix(a.Name.Local, "on") {
					t.Helper()
					require.Fail(t, "attribute", "%s=%q", a.Name.Local, a.Value)
				}
				switch a.Name.Local {
				case "style", "class", "id", "href":
					t.Helper()
					require.Fail(t, "attribute", "%s=%q", a.Name.Local, a.Value)
				case "font-size":
					size = parse(t, a.Value)
				case "text-anchor":
					align = map[string]float64{"middle": 0.5, "end": 1}[a.Value]
				case "font-weight":
					heavy = a.Value == "bold"
				case "width":
					if len(open) == 1 {
						d.width = parse(t, a.Value)
					}
				case "height":
					if len(open) == 1 {
						d.height = parse(t, a.Value)
					}
				}
				if now != nil {
					switch a.Name.Local {
					case "x":
						now.x = parse(t, a.Value)
					case "y":
						now.y = parse(t, a.Value)
					case "transform":
						now.up = strings.HasPrefix(a.Value, "rotate(-90 ")
						require.True(t, now.up, a.Value)
					}
				}
				skeleton.WriteString(" " + a.Name.Local + "=")
				rest := a.Value
				if a.Name.Local != "fill" && a.Name.Local != "stroke" {
					from := 0
					for _, at := range numeral.FindAllStringIndex(rest, -1) {
						d.numbers = append(d.numbers, parse(t, rest[at[0]:at[1]]))
						skeleton.WriteString(rest[from:at[0]] + "0")
						from = at[1]
					}
					rest = rest[from:]
				}
				skeleton.WriteString(rest)
			}
			if now != nil {
				now.size, now.bold, now.align = size, heavy, align
			}
			sizes, bolds, aligns = append(sizes, size), append(bolds, heavy), append(aligns, align)
			skeleton.WriteString(">")
		case xml.EndElement:
			open, sizes, bolds, aligns = open[:len(open)-1], sizes[:len(sizes)-1], bolds[:len(bolds)-1],
				aligns[:len(aligns)-1]
			now = nil
			skeleton.WriteString("</>\n")
		case xml.CharData:
			text := string(e)
			if now != nil {
				now.text += text
			}
			if len(open) > 0 && open[len(open)-1] == "title" {
				d.titles = append(d.titles, text)
			}
			skeleton.WriteString(strings.TrimSpace(text))
		}
	}
	d.skeleton = skeleton.String()
	return d
}

func parse(t testing.TB, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Helper()
		require.NoError(t, err)
	}
	return x
}

// check checks what holds for every picture: texts are large enough, inside of the picture, and
// beside one another, even in a font that is a little wider.
func check(t testing.TB, d *drawn) {
	t.Helper()
	var boxes []box
	for _, x := range d.texts {
		require.GreaterOrEqual(t, x.size, 11.0, "%q", x.text)
		w := write{size: x.size, bold: x.bold}.room(x.text)
		before, after := x.align*w, (1-x.align)*w
		b := box{x.x - before, x.y - 0.72*x.size, x.x + after, x.y + 0.15*x.size}
		if x.up {
			b = box{x.x - 0.72*x.size, x.y - after, x.x + 0.15*x.size, x.y + before}
		}
		require.True(t, b.x0 >= 0 && b.y0 >= 0 && b.x1 <= d.width && b.y1 <= d.height,
			"%q at %+v is outside of %v×%v", x.text, b, d.width, d.height)
		for i, o := range boxes {
			if b.overlaps(o) {
				require.Fail(t, "overlap", "%q at %+v overlaps %q at %+v", x.text, b, d.texts[i].text, o)
			}
		}
		boxes = append(boxes, b)
	}
	require.Less(t, d.largest(), 5e4)
}

// largest returns the largest absolute value of the numbers.
func (d *drawn) largest() float64 {
	largest := 0.0
	for _, n := range d.numbers {
		largest = max(largest, math.Abs(n))
	}
	return largest
}

// same checks that two documents are equal up to round-off in their coordinates.
func same(t *testing.T, want, got []byte) {
	t.Helper()
	a, b := read(t, want), read(t, got)
	if !assert.Equal(t, a.skeleton, b.skeleton) {
		return
	}
	require.Equal(t, len(a.numbers), len(b.numbers))
	for i := range a.numbers {
		if !(math.Abs(a.numbers[i]-b.numbers[i]) <= 0.21) {
			require.InDelta(t, a.numbers[i], b.numbers[i], 0.21, "number %d", i)
		}
	}
}
