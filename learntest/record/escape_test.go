package record

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNameEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, want string }{
		{"c45", "c45"},
		{"", "%"},
		{"%", "%25"},
		{"a b", "a%20b"},
		{"lambda=1/2", "lambda%3d1%2f2"},
		{"nb-8", "nb-8"},
		{"größe", "größe"},
		{"x\u00a0y", "x%c2%a0y"},
		{"\xff\n", "%ff%0a"},
		{"\ufffd", "\ufffd"},
	} {
		require.Equal(t, c.want, string(appendName(nil, c.name, "/=")))
		back, err := unescapeName(c.want)
		require.NoError(t, err)
		require.Equal(t, c.name, back)
	}
}

func TestUnescapeNameRejects(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "%2", "a%", "%zz", "%2g", "%%"} {
		_, err := unescapeName(s)
		require.Error(t, err, "%q", s)
	}
	name, err := unescapeName("%2F%c3%B6%2A%A")
	require.Error(t, err)
	require.Empty(t, name)
	name, err = unescapeName("%2F%c3%B6%2A")
	require.NoError(t, err)
	require.Equal(t, "/ö*", name)
}

func TestAnyNameRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := anyText().Draw(t, "name")
		escaped := string(appendName(nil, name, "/="))
		if strings.ContainsAny(escaped, "/=") || strings.ContainsFunc(escaped, unicode.IsSpace) ||
			!utf8.ValidString(escaped) || escaped == "" {
			t.Fatalf("escaped to %q", escaped)
		}
		back, err := unescapeName(escaped)
		if err != nil || back != name {
			t.Fatalf("%q reads back as %q, %v", escaped, back, err)
		}
	})
}

func TestTextEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"go test -run '^TestA$' ./...", "go test -run '^TestA$' ./..."},
		{"panic: a\n\tb\r\n", `panic: a\n\tb\r\n`},
		{`C:\x`, `C:\\x`},
		{" a  b ", `\x20a  b\x20`},
		{"\x00\xff", `\x00\xff`},
		{"\u2028", `\xe2\x80\xa8`},
	} {
		require.Equal(t, c.want, string(appendText(nil, c.text)))
		back, err := unescapeText(c.want)
		require.NoError(t, err)
		require.Equal(t, c.text, back)
	}
	for _, s := range []string{`\`, `\q`, `\x1`, `\xgg`} {
		_, err := unescapeText(s)
		require.Error(t, err, "%q", s)
	}
}

func TestAnyTextRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		escaped := string(appendText(nil, text))
		if strings.ContainsAny(escaped, "\n\r") || strings.TrimSpace(escaped) != escaped {
			t.Fatalf("escaped to %q", escaped)
		}
		back, err := unescapeText(escaped)
		if err != nil || back != text {
			t.Fatalf("%q reads back as %q, %v", escaped, back, err)
		}
	})
}

func TestCauseIsBoundedAndNotEmpty(t *testing.T) {
	t.Parallel()
	require.Equal(t, "unknown cause", Cause(""))
	require.Equal(t, "boom", Cause("boom"))
	require.Equal(t, strings.Repeat("x", maxCause), Cause(strings.Repeat("x", maxCause)))
	require.Len(t, Cause(strings.Repeat("x", maxCause+1)), maxCause)
	require.Equal(t, "…", Cause(strings.Repeat("\x80", 2*maxCause)), "no character begins there")
	long := Cause(strings.Repeat("ö", 600))
	require.LessOrEqual(t, len(long), maxCause)
	require.True(t, utf8.ValidString(long))
	require.True(t, strings.HasSuffix(long, "ö…"))
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat(anyText().Draw(t, "s"), rapid.IntRange(1, 300).Draw(t, "n"))
		c := Cause(s)
		if c == "" || len(c) > maxCause || Cause(c) != c {
			t.Fatalf("%q", c)
		}
	})
}
