package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rowsOf returns all rows with their lines, the places of their fields, and the error at the end.
func rowsOf(text string, comma rune, parserOnly, slowly bool) (all []string, err error) {
	r := io.Reader(strings.NewReader(text))
	if slowly {
		r = iotest.OneByteReader(r)
	}
	c, err := newCSVReader(r, "f.csv", &ReadOptions{Comma: comma}, true)
	if err != nil {
		return nil, err
	}
	if parserOnly {
		c.plain.comma = 'é'
	}
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, fmt.Sprintf("%d %q", c.Line(), record))
		for i := range record {
			line, column := c.place(i)
			all = append(all, fmt.Sprint(line, ":", column))
		}
	}
}

func TestPlainRowsAreThoseOfTheParser(t *testing.T) {
	t.Parallel()
	cell := rapid.OneOf(rapid.StringMatching(`[a-z0-9 é]{0,4}`),
		rapid.SampledFrom([]string{
			`"q"`, `"a""b"`, "\"l\ni\nne\"", `"a,b"`, "\r", "x\ry", `b"are`,
			"\xff", "\x00",
		}))
	end := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\n\n", "\r\n\r\n", "\r\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		comma := rapid.SampledFrom([]rune{',', ';', '\t', 'é'}).Draw(t, "comma")
		columns := rapid.IntRange(1, 3).Draw(t, "columns")
		var text strings.Builder
		for j := range columns {
			text.WriteString(strings.Repeat(string(comma), min(j, 1)) + fmt.Sprint("n", j))
		}
		text.WriteString(end.Draw(t, "end"))
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			fields := columns
			if rapid.IntRange(0, 15).Draw(t, "odd") == 0 {
				fields++
			}
			for j := range fields {
				text.WriteString(strings.Repeat(string(comma), min(j, 1)))
				if rapid.IntRange(0, 400).Draw(t, "long") == 0 {
					text.WriteString(strings.Repeat("long", 20000)) // longer than the buffer
				}
				text.WriteString(cell.Draw(t, "cell"))
			}
			if rapid.IntRange(0, 9).Draw(t, "ends") > 0 {
				text.WriteString(end.Draw(t, "end"))
			}
		}
		want, wrong := rowsOf(text.String(), comma, true, false)
		for _, slowly := range []bool{false, true} {
			got, err := rowsOf(text.String(), comma, false, slowly)
			require.Equal(t, want, got, "%q", text.String())
			require.Equal(t, wrong, err, "%q", text.String())
		}
	})
}

func TestRowsBeyondTheBufferAreThoseOfTheParser(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range 40000 {
		fmt.Fprintf(&text, "%d,%s\n", i, []string{"x", `"y"`, "", "z"}[i%997%4*(i%3/2)])
	}
	want, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	require.NoError(t, err)
	c, err := newCSVReader(strings.NewReader(text.String()), "f.csv", &ReadOptions{}, false)
	require.NoError(t, err)
	var kept [][]string
	for i := range want[1:] {
		record, err := c.Read()
		require.NoError(t, err)
		require.Equal(t, i+2, c.Line())
		kept = append(kept, append([]string(nil), record...))
	}
	require.Equal(t, want[1:], kept, "fields that are kept do not change")
	require.Positive(t, c.plain.taken)
	require.Less(t, c.plain.taken, len(want)-1, "some have quotes")
}

// TestPlainNumbersAreThoseOfTheParser reads each table twice: quotes leave nothing to plain rows.
func TestPlainNumbersAreThoseOfTheParser(t *testing.T) {
	t.Parallel()
	number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,16})(\.[0-9]{1,6})?`)
	other := rapid.SampledFrom([]string{
		"", "?", "-9", "word", " 1.5", "1.5 ", "1e5", "007", "-0", "+5", "1.", ".5", "-", "1.2.3", "1\x00",
		"123456789012345", "1234567890123456", "99999999999999999999", "1e999",
	})
	rapid.Check(t, func(t *rapid.T) {
		comma := rapid.SampledFrom([]rune{',', ';', '\t', '.', '-', '5'}).Draw(t, "comma")
		missing := rapid.SampledFrom([][]string{nil, {"-9"}, {"?", "0"}, {""}}).Draw(t, "missing")
		opts := ReadOptions{Comma: comma, Missing: missing, Ignore: []string{"n2"}}
		if rapid.Bool().Draw(t, "numeric") {
			opts.Kinds = map[string]Kind{"n0": Numeric}
		}
		var plain, quoted strings.Builder
		odd := rapid.IntRange(0, 3).Draw(t, "odd")
		for i := range rapid.IntRange(1, 25).Draw(t, "rows") + 1 {
			for j := range 4 {
				cell := fmt.Sprint("n", j)
				if i > 0 {
					cell = number.Draw(t, "number")
					if rapid.IntRange(0, 9).Draw(t, "other") < odd {
						cell = other.Draw(t, "cell")
					}
				}
				if strings.ContainsRune(cell, comma) {
					cell = "x"
				}
				plain.WriteString(strings.Repeat(string(comma), min(j, 1)) + cell)
				quoted.WriteString(strings.Repeat(string(comma), min(j, 1)) + `"` + cell + `"`)
			}
			plain.WriteString("\n")
			quoted.WriteString("\n")
		}
		got, err := ReadCSV(strings.NewReader(plain.String()), "f.csv", opts)
		want, wrong := ReadCSV(strings.NewReader(quoted.String()), "f.csv", opts)
		if wrong != nil {
			var a, b *SyntaxError
			require.ErrorAs(t, wrong, &b)
			require.ErrorAs(t, err, &a, "%q", plain.String())
			require.Equal(t, b.Line, a.Line)
			require.Equal(t, b.Msg, a.Msg)
			return
		}
		require.NoError(t, err, "%q", plain.String())
		require.Equal(t, want.CurrentDigest(), got.CurrentDigest(), "%q", plain.String())
	})
}
