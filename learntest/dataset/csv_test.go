package dataset

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

func readCSV(t *testing.T, text string, opts ReadOptions) *Table {
	t.Helper()
	table, err := ReadCSV(strings.NewReader(text), "dir/some.csv.gz", opts)
	require.NoError(t, err)
	return table
}

func TestReadCSV(t *testing.T) {
	t.Parallel()
	table := readCSV(t, `size, colour ,"class, so to say"
1.5,red,0
?, blue ,1

NA,"a ""b"", c",0
-2e1,,
 7 ,red,?
`, ReadOptions{})
	require.Equal(t, "some", table.Name())
	require.Equal(t, 5, table.Len())
	require.Equal(t, 2, table.ClassIndex())
	require.Equal(t, Attribute{Name: "size"}, table.Attribute(0))
	require.Equal(t, Attribute{Name: "colour", Kind: Nominal, Values: []string{
		"red", "blue",
		`a "b", c`,
	}}, table.Attribute(1))
	require.Equal(t, Attribute{Name: "class, so to say", Kind: Nominal, Values: []string{"0", "1"}},
		table.Attribute(2))
	require.NoError(t, floatcmp.Slices(table.Numbers(0), []float64{
		1.5, math.NaN(), math.NaN(),
		-20, 7,
	}, 0, 0))
	require.Equal(t, []int32{0, 1, 2, -1, 0}, table.Codes(1))
	require.Equal(t, []int32{0, 1, 0, -1, -1}, table.Codes(2))
}

func TestCSVSpellings(t *testing.T) {
	t.Parallel()
	const text = "a,b,c\n1,x,no\n2,y,yes\n"
	want := digest(t, readCSV(t, text, ReadOptions{}))
	for name, c := range map[string]struct {
		text string
		opts ReadOptions
	}{
		"CR LF":           {strings.ReplaceAll(text, "\n", "\r\n"), ReadOptions{}},
		"byte-order mark": {"\ufeff" + text, ReadOptions{}},
		"no last newline": {strings.TrimSuffix(text, "\n"), ReadOptions{}},
		"quotes": {
			strings.NewReplacer("x", `"x"`, "1", `"1"`, "a", `"a"`).Replace(text),
			ReadOptions{},
		},
		"semicolons": {strings.ReplaceAll(text, ",", ";"), ReadOptions{Comma: ';'}},
		"tabs":       {strings.ReplaceAll(text, ",", "\t"), ReadOptions{Comma: '\t'}},
		"spaces":     {strings.ReplaceAll(text, ",", " ,\t"), ReadOptions{}},
		"ignored column": {strings.NewReplacer("a,", `"",a,`, "1,", "r1,1,", "2,",
			"r2,2,").Replace(text), ReadOptions{Ignore: []string{""}}},
		"class by name":   {text, ReadOptions{Class: "c"}},
		"declared values": {text, ReadOptions{Values: map[string][]string{"b": {"x", "y"}}}},
		"fixed kinds":     {text, ReadOptions{Kinds: map[string]Kind{"a": Numeric, "b": Nominal}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, digest(t, readCSV(t, c.text, c.opts)))
		})
	}
}

func TestCSVKinds(t *testing.T) {
	t.Parallel()
	const text = "id,a,b,c\n1,1,1,0\n2,2.50,1,1\n3,?,?,0\n4,many,2,1\n5,1,01,1\n"
	table := readCSV(t, text, ReadOptions{
		Ignore: []string{"id"},
		Kinds:  map[string]Kind{"b": Nominal, "c": Numeric},
	})
	require.Equal(t, 3, table.NumAttributes())
	require.Equal(t, []string{"1", "2.50", "many"}, table.Attribute(0).Values)
	require.Equal(t, []int32{0, 1, -1, 2, 0}, table.Codes(0))
	require.Equal(t, []string{"1", "2", "01"}, table.Attribute(1).Values)
	require.Equal(t, []float64{0, 1, 0, 1, 1}, table.Numbers(2))
	require.Equal(t, 2, table.ClassIndex())

	table = readCSV(t, text, ReadOptions{NoClass: true})
	require.Equal(t, -1, table.ClassIndex())
	require.Equal(t, Numeric, table.Attribute(3).Kind)

	table = readCSV(t, text, ReadOptions{Class: "id"})
	require.Equal(t, 0, table.ClassIndex())
	require.Equal(t, Nominal, table.Attribute(0).Kind)
	require.Equal(t, Numeric, table.Attribute(3).Kind)
}

func TestCSVDeclaredValues(t *testing.T) {
	t.Parallel()
	values := []string{"high", "low", "never"}
	table := readCSV(t, "a,c\nlow,1\nhigh,2\n,1\n",
		ReadOptions{Values: map[string][]string{"a": values, "c": {"2", "1"}}})
	require.Equal(t, []string{"high", "low", "never"}, table.Attribute(0).Values)
	require.Equal(t, []int32{1, 0, -1}, table.Codes(0))
	require.Equal(t, []int32{1, 0, 1}, table.Codes(1))
	values[0] = "changed"
	require.Equal(t, "high", table.Attribute(0).Values[0])
}

func TestCSVMissing(t *testing.T) {
	t.Parallel()
	const text = "a,b,c\n-99,NA,x\n1,,y\n"
	table := readCSV(t, text, ReadOptions{Missing: []string{"-99", "x"}})
	require.NoError(t, floatcmp.Slices(table.Numbers(0), []float64{math.NaN(), 1}, 0, 0))
	require.Equal(t, []string{"NA", ""}, table.Attribute(1).Values)
	require.Equal(t, []int32{-1, 0}, table.Codes(2))

	table = readCSV(t, text, ReadOptions{
		Missing: []string{"-99"},
		Kinds:   map[string]Kind{"a": Numeric},
	})
	require.NoError(t, floatcmp.Slices(table.Numbers(0), []float64{math.NaN(), 1}, 0, 0))

	table = readCSV(t, text, ReadOptions{Missing: []string{}})
	require.Equal(t, []float64{-99, 1}, table.Numbers(0))
	require.Equal(t, []int32{0, 1}, table.Codes(1))
}

func TestCSVWithoutRows(t *testing.T) {
	t.Parallel()
	table := readCSV(t, "a,b\n", ReadOptions{})
	require.Equal(t, 0, table.Len())
	require.Equal(t, Numeric, table.Attribute(0).Kind)
	require.Equal(t, Nominal, table.Attribute(1).Kind)
}

func TestCSVColumnOfMissingValuesIsNumeric(t *testing.T) {
	t.Parallel()
	table := readCSV(t, "a,b\n,x\n?,y\n", ReadOptions{})
	require.NoError(t, floatcmp.Slices(table.Numbers(0), []float64{math.NaN(), math.NaN()}, 0, 0))
}

func TestCSVWordsMayNameInfinities(t *testing.T) {
	t.Parallel()
	table := readCSV(t, "a,b,c\n1,inf,x\ninf,nan,y\nword,inf,x\n", ReadOptions{})
	require.Equal(t, []string{"1", "inf", "word"}, table.Attribute(0).Values)
	require.Equal(t, []string{"inf", "nan"}, table.Attribute(1).Values)
	table = readCSV(t, "a,c\n1,x\ninf,y\n", ReadOptions{Kinds: map[string]Kind{"a": Nominal}})
	require.Equal(t, []string{"1", "inf"}, table.Attribute(0).Values)
	table = readCSV(t, "a,c\n1,x\ninf,y\n", ReadOptions{Missing: []string{"inf"}})
	require.Equal(t, Numeric, table.Attribute(0).Kind)
}

// withTexts returns a file with a column of numbers and texts among them, in turn.
func withTexts(numbers int, texts ...string) string {
	var b strings.Builder
	b.WriteString("a,class\n")
	for i := range numbers {
		fmt.Fprintf(&b, "%d,%c\n", i, 'x'+i%2)
		if i == 1 {
			for _, text := range texts {
				b.WriteString(text + ",x\n")
			}
		}
	}
	return b.String()
}

// A column of numbers does not become nominal since a few of them are none.
func TestCSVNumbersWithFewTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		opts       ReadOptions
		want       string // "" if it is read
		kind       Kind
	}{
		{
			"a typo", withTexts(20, "4O.5"),
			ReadOptions{},
			`f.csv:4:1: column "a": "4O.5" among 20 numbers: mend it, or say that it is missing (-missing, in Go ReadOptions.Missing) or that the column is nominal (-nominal, ReadOptions.Kinds)`, 0,
		},
		{
			"a typo in the first row", "a,class\n-,x\n" + withTexts(20)[8:],
			ReadOptions{},
			`f.csv:2:1: column "a": "-" among 20 numbers`, 0,
		},
		{
			"one text twice", withTexts(41, "", "NULL", "NULL", "-", "NULL"),
			ReadOptions{},
			`f.csv:5:1: column "a": "NULL" among 41 numbers`, 0,
		},
		{
			"a text and what names no number", withTexts(41, "nan", "-"),
			ReadOptions{},
			`f.csv:5:1: column "a": "-" among 41 numbers`, 0,
		},
		{
			"numbers that repeat", "a,class\n" + strings.Repeat("1,x\n2,y\n", 10) + "few,x\n",
			ReadOptions{},
			`f.csv:22:1: column "a": "few" among 20 numbers`, 0,
		},
		{"a tenth", withTexts(18, "b", "c"), ReadOptions{}, "", Nominal},
		{"less than a tenth", withTexts(19, "b", "c"), ReadOptions{}, `"b" among 19 numbers`, 0},
		{
			"texts that repeat", "a,class\n1,x\n2,x\n" + strings.Repeat("many,y\n", 20),
			ReadOptions{},
			"",
			Nominal,
		},
		{
			"said to be nominal", withTexts(20, "4O.5"),
			ReadOptions{Kinds: map[string]Kind{"a": Nominal}},
			"", Nominal,
		},
		{
			"said to be missing", withTexts(20, "NULL"),
			ReadOptions{Missing: []string{"NULL"}},
			"",
			Numeric,
		},
		{"left out", withTexts(20, "NULL"), ReadOptions{Ignore: []string{"a"}}, "", Nominal},
		{"the class", withTexts(20, "NULL"), ReadOptions{Class: "a"}, "", Nominal},
		{"the target", withTexts(20, "NULL"), ReadOptions{Target: "a"}, `"NULL" among 20 numbers`, 0},
	} {
		table, err := ReadCSV(strings.NewReader(c.text), "f.csv", c.opts)
		if c.want != "" {
			require.ErrorContains(t, err, c.want, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.kind, table.Attribute(0).Kind, c.name)
	}
}

func TestCSVSyntaxErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text   string
		opts         ReadOptions
		line, column int
		msg          string
	}{
		{"empty file", "", ReadOptions{}, 1, 0, "the file is empty: no line names the columns"},
		{"column without name", "a,,c\n", ReadOptions{}, 1, 3, "column 2 has no name"},
		{
			"index of pandas", ",a\n0,x\n",
			ReadOptions{},
			1, 1,
			`column 1 has no name: if it is the index that pandas writes, use to_csv(index=False), or leave it out (-ignore '', in Go "" in ReadOptions.Ignore)`,
		},
		{"column named by a space", "a, ,c\n", ReadOptions{}, 1, 3, "column 2 has no name"},
		{"repeated name", "a,b, a\n", ReadOptions{}, 1, 5, `columns 1 and 3 are both named "a"`},
		{
			"repeated ignored name", "a,b,a\n",
			ReadOptions{Ignore: []string{"a"}},
			1, 5,
			`columns 1 and 3 are both named "a"`,
		},
		{"name not UTF-8", "a,\xe9\n", ReadOptions{}, 1, 3, `name "\xe9" of column 2 is not UTF-8`},
		{
			"value not UTF-8", "a,b\n1,\xe9\n",
			ReadOptions{},
			2, 3,
			`column "b": value "\xe9" is not UTF-8`,
		},
		{
			"header repeated", "a,b\nx,y\n\"a\", b\nx,z\n",
			ReadOptions{},
			3, 1,
			"the row repeats the header, as where files are put together: remove it",
		},
		{
			"header repeated at the end", "a,b\nx,y\n a , b\n",
			ReadOptions{Ignore: []string{"a"}},
			3, 1,
			"the row repeats the header",
		},
		{
			"short row", "a,b,c\n1,2,3\n1,2\n",
			ReadOptions{},
			3, 3,
			"the row has 2 fields, the header has 3",
		},
		{
			"long row", "a,b\n1,2\n1,22,3,4\n",
			ReadOptions{},
			3, 6,
			"the row has 4 fields, the header has 2",
		},
		{"bare quote", "a,b\n1,x\"\n", ReadOptions{}, 2, 4, `bare " in non-quoted-field`},
		{
			"open quote", "a,b\n1,\"x\n2,y\n",
			ReadOptions{},
			3, 5,
			`extraneous or missing " in quoted-field in the row that starts on line 2`,
		},
		{
			"open quote in the header", "\"a,b\n",
			ReadOptions{},
			1, 6,
			`extraneous or missing " in quoted-field`,
		},
		{
			"word in numeric column", "a,b\n1,x\n2, two \n",
			ReadOptions{Kinds: map[string]Kind{"b": Numeric}},
			2, 3,
			`column "b": value "x" is not a number`,
		},
		{
			"overflow in numeric column", "a,b\n1e999,x\n",
			ReadOptions{Kinds: map[string]Kind{"a": Numeric}},
			2, 1,
			`column "a": value "1e999" is too large`,
		},
		{
			"undeclared value", "a,b\n1,x\n1,\"a\nb\"\n2,y\n",
			ReadOptions{Values: map[string][]string{"b": {"x", "a\nb"}}},
			5, 3,
			`column "b": value "y" is not declared`,
		},
		{
			"NaN among numbers", "a,b\n1,x\nNaN,y\n2,x\ninf,x\n",
			ReadOptions{},
			3, 1,
			`column "a": "NaN" among 2 numbers`,
		},
		{
			"NaN before numbers", "a,b\nnan,x\n2,y\n",
			ReadOptions{},
			2, 1,
			`column "a": "nan" among 1 number:`,
		},
		{
			"overflow among numbers", "a,b\n0,x\n1e999,y\n",
			ReadOptions{},
			3, 1,
			`column "a": "1e999" among 1 number`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadCSV(strings.NewReader(c.text), "f.csv", c.opts)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Contains(t, syntax.Msg, c.msg)
			require.Equal(t, c.line, syntax.Line, err)
			if c.column > 0 {
				require.Equal(t, c.column, syntax.Column, err)
				require.Contains(t, err.Error(), fmt.Sprintf("f.csv:%d:%d: %s", c.line, c.column, c.msg))
			}
		})
	}
}

func TestCSVReadErrorsAreWrapped(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, text := range []string{"a,", "a,b\n1,2\n3"} {
		_, err := ReadCSV(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "f.csv",
			ReadOptions{})
		require.ErrorIs(t, err, broken)
		require.ErrorContains(t, err, "f.csv: ")
	}
}

func BenchmarkReadCSV(b *testing.B) {
	var text strings.Builder
	table := numbersTable(b, 20000, 16)
	for j := range table.NumAttributes() {
		text.WriteString(table.Attribute(j).Name + ",")
	}
	text.WriteString("last\n")
	for i := range table.Len() {
		for j := range 16 {
			fmt.Fprint(&text, table.Numbers(j)[i], ",")
		}
		fmt.Fprintf(&text, "%d,%c\n", i, 'A'+table.Class(i))
	}
	csv := strings.Replace(text.String(), ",,", ",class,", 1)
	b.SetBytes(int64(len(csv)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadCSV(strings.NewReader(csv), "letters.csv", ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
