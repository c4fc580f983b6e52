package dataset

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// FuzzReadARFF checks that every accepted table reads the same after it was written, and that
// errors have a position.
func FuzzReadARFF(f *testing.F) {
	for _, text := range []string{
		"",
		weatherARFF,
		strings.ReplaceAll(weatherARFF, "\n", "\r"),
		"@relation 'a b'\n@attribute \"x\\ty\" {'?',\"%\",\\a}\n@data\n'?',{2}\n{0 '%'} {1e-3}\n{}\n?\n",
		"@RELATION r\n@ATTRIBUTE a INTEGER [0,9]\n@attribute s string\n@DATA\n1 'x\\171\\8\\'\n",
		"@relation r\n@attribute a relational\n@attribute b real\n@end a\n@attribute c real\n@data\n'1',1\n",
		"\ufeff@relation r\r\n@attribute a real\r\n@data\r\n1e999\r\n",
		"@relation r\n@attribute a {}\n@data\n?\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, opts := range []ReadOptions{
			{},
			{NoClass: true},
			{Ignore: []string{"s"}},
			{Ignore: []string{"a"}},
			{Target: "a"},
			{Group: "a"},
			{Group: "s"},
		} {
			table, err := ReadARFF(strings.NewReader(text), "f.arff", opts)
			requireAcceptedOrPositioned(t, table, err)
		}
	})
}

// FuzzReadCSV reads CSV files, and checks that they are the same tables when written as ARFF.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{
		"",
		"a,b,c\n1,x,no\n2,y,yes\n",
		"a;b\n1;2,5\n",
		"\ufeffa,\"b\"\"c\"\r\n\"1\n2\", ?\r\n",
		"a\nNaN\n1\n",
		"s,a\nNA,1e999\n,-0\n",
		"a,b\n1\n",
		"a,a\n",
		"a,b\n1.0,x\nword,\xff\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, opts := range []ReadOptions{
			{},
			{NoClass: true, Missing: []string{}},
			{Ignore: []string{"s"}},
			{Comma: ';', Kinds: map[string]Kind{"a": Nominal}},
			{Kinds: map[string]Kind{"a": Numeric}},
			{Values: map[string][]string{"a": {"1", "2"}}},
			{Target: "a"},
			{Group: "a", Missing: []string{}},
		} {
			table, err := ReadCSV(strings.NewReader(text), "f.csv", opts)
			requireAcceptedOrPositioned(t, table, err)
		}
	})
}

func requireAcceptedOrPositioned(t *testing.T, table *Table, err error) {
	t.Helper()
	var syntax *SyntaxError
	switch {
	case err == nil:
		requireRoundTrip(t, table)
	case errors.As(err, &syntax):
		require.Positive(t, syntax.Line)
	default:
		require.ErrorIs(t, err, ErrOptions)
	}
}

// FuzzRoundTrip lets the fuzzer look for tables that do not survive.
func FuzzRoundTrip(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { requireRoundTrip(t, drawTable(t)) }))
}
