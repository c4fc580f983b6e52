package plot

import (
	"fmt"
	"image/color"
	"strings"
)

// A Color is one of the palette. It has a lighter twin for dark pages.
type Color struct{ light, dark rgb }

type rgb uint32

func (c rgb) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

// RGBA implements color.Color with the colour for light pages.
func (c Color) RGBA() (r, g, b, a uint32) {
	return color.RGBA{uint8(c.light >> 16), uint8(c.light >> 8), uint8(c.light), 0xff}.RGBA()
}

// The palette. Each has a light form of its own: that is how a page finds it (see [DarkCSS]).
var (
	paper   = Color{0xffffff, 0x16191d}
	ink     = Color{0x1c1f23, 0xe8eaed}
	dim     = Color{0x5a6068, 0xa9b0b9}
	rule    = Color{0xd9dce0, 0x3a4048}
	shade   = Color{0xeef0f3, 0x24292f} // behind every second row, and bands
	band    = Color{0xdfe7ef, 0x2b3947} // margins
	blue    = Color{0x0072b2, 0x56b4e9} // better
	orange  = Color{0xd55e00, 0xff8c42} // worse
	green   = Color{0x00785a, 0x2ec79b} // equivalent
	grey    = Color{0x70767d, 0x9aa1a9} // inconclusive
	purple  = Color{0xa8498a, 0xdf8fc0}
	yellow  = Color{0x8a6d00, 0xf0e442}
	sky     = Color{0x3a7ca5, 0x8ac6ee}
	palette = []Color{
		paper, ink, dim, rule, shade, band, blue, orange, green, grey, purple, yellow,
		sky,
	}
	sequence = []Color{blue, orange, green, purple, yellow, sky, ink, grey} // of series
)

// DarkCSS returns rules that turn the pictures below a selector dark.
func DarkCSS(selector string) string {
	var b strings.Builder
	for _, c := range palette {
		fmt.Fprintf(&b, "%s [fill=\"%v\"]{fill:%v}%[1]s [stroke=\"%[2]v\"]{stroke:%[3]v}\n", selector,
			c.light, c.dark)
	}
	return b.String()
}
