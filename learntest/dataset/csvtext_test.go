package dataset

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"0": 0, "7": 0, "-12": 0, "0.5": 1, "-0.50": 2, "123456789012345": 0, "12345678901.2345": 4,
		"0.00000000000000": 14,
		"":                 -1, "-": -1, ".5": -1, "5.": -1, "05": -1, "+5": -1, "--5": -1, "1e5": -1,
		"1.2.3": -1,
		"1_000": -1, "0x10": -1, "1\x00": -1, "1\x002": -1,
		"1234567890123456": -1, "0.000000000000001": -1, "00.5": -1, "5.-": -1,
	} {
		_, decimals, _ := parsePlain([]byte(text))
		require.Equal(t, want, decimals, "%q", text)
	}
}

// A number ends at the separator, or is not plain, whatever byte is in the line.
func TestPlainNumbersEndAtTheSeparator(t *testing.T) {
	t.Parallel()
	plain := regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.([0-9]+))?(,|$)`)
	for _, text := range []string{
		"-12.3456789012,5", "1.5,99,1234567890", "7.12345678,", "0.1234567,8", "123456789012345.1234567,",
		"-0.000000,00000", "12,3.456789012,3",
	} {
		for at := range len(text) {
			for _, b := range []byte("0189,.-+:/e;\x00\t\x7f\x80\x89\x8a\xb0\xba\xff") {
				line := []byte(text)
				line[at] = b
				for end := range len(line) + 1 {
					x, decimals, n := plainNumber(line[:end], ',')
					groups := plain.FindSubmatch(line[:end])
					if groups == nil || len(groups[1])+len(groups[3]) > mostDigits {
						require.Zero(t, n, "%q", line[:end])
						continue
					}
					number := bytes.TrimSuffix(groups[0], []byte(","))
					want, err := strconv.ParseFloat(string(number), 64)
					require.NoError(t, err)
					if math.Float64bits(x) != math.Float64bits(want) || decimals != len(groups[3]) ||
						n != len(number) {
						t.Fatalf("%q is %v with %d decimals, %d bytes", line[:end], x, decimals, n)
					}
				}
			}
		}
	}
}

func TestNumbersKeepTheirTexts(t *testing.T) {
	t.Parallel()
	form := rapid.StringMatching(`[+-]?[0-9]{0,17}(\.[0-9]{0,17})?(e[+-]?[0-9]{1,2})?`)
	plain := rapid.StringMatching(`-?(0|[1-9][0-9]{0,7})(\.[0-9]{1,7})?`)
	rapid.Check(t, func(t *rapid.T) {
		var to []byte
		var texts []string
		var numbers []float64
		for _, text := range rapid.SliceOfN(rapid.OneOf(form, plain, rapid.Just("-0.0"),
			rapid.Just(strings.Repeat("0", 300)+"1")), 1, 40).Draw(t, "texts") {
			x, decimals, err := parsePlain([]byte(text))
			if want, wrong := parseNumber([]byte(text)); math.Float64bits(x) != math.Float64bits(want) ||
				(err == nil) != (wrong == nil) {
				t.Fatalf("%q is %v (%v), want %v (%v)", text, x, err, want, wrong)
			}
			if err == nil {
				to = appendText(to, []byte(text), decimals)
				texts, numbers = append(texts, text), append(numbers, x)
			}
		}
		for i, want := range texts {
			var got string
			if got, to = nextText(to, numbers[i]); got != want {
				t.Fatalf("%q, want %q", got, want)
			}
		}
		if len(to) > 0 {
			t.Fatalf("%d bytes are left", len(to))
		}
	})
}

// TestColumnsThatTurnOutNominalKeepTheirTexts has missing values, which have no text.
func TestColumnsThatTurnOutNominalKeepTheirTexts(t *testing.T) {
	t.Parallel()
	texts := []string{
		"1", "01", "1.0", "?", "1.00", "-0", "-0.0", "0", "1e0", "0.1", ".1", "?",
		"123456789.012345678", "word", "some", "more", "1",
	}
	table, err := ReadCSV(strings.NewReader("x,y\n"+strings.Join(texts, ",a\n")+",b\n"), "f.csv",
		ReadOptions{})
	require.NoError(t, err)
	values := table.Attribute(0).Values
	for i, code := range table.Codes(0) {
		if texts[i] == "?" {
			require.Equal(t, int32(-1), code)
		} else {
			require.Equal(t, texts[i], values[code])
		}
	}
}
