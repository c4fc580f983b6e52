package unit

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "",
		"nn(k=5,weighting=inverse)": "nn(k=5,weighting=inverse)",
		"größe 日本 ✓ naïve":          "größe 日本 ✓ naïve",
		"e\u0301":                   "e\u0301",
		"no\u00a0break":             "no\u00a0break",
		`C:\new\u000a`:              `C:\new\u000a`,
		"\x00":                      `\u0000`,
		"a\tb":                      `a\u0009b`,
		"a\nb":                      `a\u000ab`,
		"a\r\nb":                    `a\u000d\u000ab`,
		"\x1b[31mred\x1b[0m":        `\u001b[31mred\u001b[0m`,
		"\x1b]0;title\a":            `\u001b]0;title\u0007`,
		"\x7f":                      `\u007f`,
		"\u0085\u009b31m":           `\u0085\u009b31m`,
		"\x9b31m":                   `\x9b31m`,
		"\xff\xc3":                  `\xff\xc3`,
		"\ufffd":                    "\ufffd",
		"\u2028\u2029":              `\u2028\u2029`,
		"soft\u00adhyphen":          `soft\u00adhyphen`,
		"\ufeffbom":                 `\ufeffbom`,
		"a\u202ecba\u202c":          `a\u202ecba\u202c`,
		"a\u200bb\u200c\u200d":      `a\u200bb\u200c\u200d`,
		"a\u2060b":                  `a\u2060b`,
		"\u3164\uffa0\u115f":        `\u3164\uffa0\u115f`,
		"\u034f\ufe0f":              `\u034f\ufe0f`,
		"\U000e0041\U000e0100":      `\U000e0041\U000e0100`,
		"\uffff\U00010000":          `\uffff` + "\U00010000",
		"\ue000\U0010fffd\ufdd0":    `\ue000\U0010fffd\ufdd0`,
		"😀":                         "😀",
		"::error::x":                `\u003a:error::x`,
		" \u00a0::stop-commands::x": " \u00a0" + `\u003a:stop-commands::x`,
		":::":                       `\u003a::`,
		":x::y":                     ":x::y",
		"ns::f":                     "ns::f",
		"c ##[error]x":              `c #\u0023[error]x`,
		"###[add-mask]x":            `##\u0023[add-mask]x`,
		"##vso[task.x]":             `#\u0023vso[task.x]`,
		"##teamcity[x]":             `#\u0023teamcity[x]`,
		"## x [y] #[z]":             "## x [y] #[z]",
	} {
		assert.Equal(t, want, Printable(in), "%q", in)
	}
	for _, r := range []rune{
		0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
	} {
		assert.Equal(t, fmt.Sprintf(`a\u%04xb`, r), Printable("a"+string(r)+"b"))
	}
}

func TestPrintableIsGraphicAndStaysSo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		commands := rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{
			":", "#", "[", "vso", " ",
			"\u2003", "\n", "x",
		})), func(parts []string) string { return strings.Join(parts, "") })
		s := rapid.OneOf(commands, rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()),
			func(b []byte) string { return string(b) })).Draw(t, "s")
		checkPrintable(t, s)
	})
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{
		"", "nn", "\x1b[2J", "a\nb", "\u202e", "\xff", "größe", `\u000a`,
		"\u3000::error::x", "##[##vso[###[",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkPrintable(t, s) })
}

func checkPrintable(t interface{ Errorf(string, ...any) }, s string) {
	got := Printable(s)
	if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.In(r, unicode.Bidi_Control,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	}) {
		t.Errorf("%q is shown as %q", s, got)
	}
	if strings.HasPrefix(strings.TrimSpace(got), "::") || strings.Contains(got, "##[") ||
		strings.Contains(got, "##vso[") {
		t.Errorf("%q is shown as %q, which is a command", s, got)
	}
	if again := Printable(got); again != got {
		t.Errorf("%q, which is %q already, becomes %q", s, got, again)
	}
}
