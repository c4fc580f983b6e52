package dataset

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func readARFF(t testing.TB, text string, opts ReadOptions) *Table {
	t.Helper()
	table, err := ReadARFF(strings.NewReader(text), "f.arff", opts)
	require.NoError(t, err)
	return table
}

const weatherARFF = `% A comment
@relation weather

@attribute temperature real
@attribute windy {no, yes}
@attribute play {yes,no}

@data
20.5,no,yes
?,yes,no
-3e1,?,?
`

func TestReadARFF(t *testing.T) {
	t.Parallel()
	table := readARFF(t, weatherARFF, ReadOptions{})
	require.Equal(t, "weather", table.Name())
	require.Equal(t, 3, table.Len())
	require.Equal(t, 2, table.ClassIndex())
	require.Equal(t, Attribute{Name: "temperature"}, table.Attribute(0))
	require.Equal(t, Attribute{Name: "windy", Kind: Nominal, Values: []string{"no", "yes"}},
		table.Attribute(1))
	require.Equal(t, 20.5, table.Numbers(0)[0])
	require.True(t, math.IsNaN(table.Numbers(0)[1]))
	require.Equal(t, -30.0, table.Numbers(0)[2])
	require.Equal(t, []int32{0, 1, -1}, table.Codes(1))
	require.Equal(t, []int32{0, 1, -1}, table.Codes(2))
	require.Nil(t, table.Weights())
}

// TestARFFSpellings reads files that mean the same as one another.
func TestARFFSpellings(t *testing.T) {
	t.Parallel()
	want := digest(t, readARFF(t, weatherARFF, ReadOptions{}))
	for name, text := range map[string]string{
		"keywords in capitals": strings.NewReplacer("@relation", "@RELATION", "@attribute",
			"@Attribute", "real", "NUMERIC", "@data", "@DATA").Replace(weatherARFF),
		"CR LF":                  strings.ReplaceAll(weatherARFF, "\n", "\r\n"),
		"CR":                     strings.ReplaceAll(weatherARFF, "\n", "\r"),
		"byte-order mark":        "\ufeff" + weatherARFF,
		"no newline at the end":  strings.TrimSuffix(weatherARFF, "\n"),
		"blank lines":            strings.ReplaceAll(weatherARFF, "\n", "\n\n \t\n"),
		"comments on every line": strings.ReplaceAll(weatherARFF, "\n", " % {',\n"),
		"tabs":                   strings.NewReplacer(" ", "\t", ",", "\t").Replace(weatherARFF),
		"spaces for commas":      strings.ReplaceAll(weatherARFF, ",", "  "),
		"spaces around commas":   strings.ReplaceAll(weatherARFF, ",", "\t, "),
		"indented":               "  " + strings.ReplaceAll(weatherARFF, "\n", "\n  "),
		"integer with a range":   strings.Replace(weatherARFF, "real", "integer [-30, 40]", 1),
		"braces without spaces": strings.NewReplacer("windy {", "windy{", "play {",
			"'play'{").Replace(weatherARFF),
		"braces with spaces": strings.NewReplacer("{", "{ ", "}", " }").Replace(weatherARFF),
		"single quotes": strings.NewReplacer("windy", "'windy'", ",yes", ",'yes'", "20.5",
			"'20.5'").Replace(weatherARFF),
		"double quotes": strings.NewReplacer("windy", `"windy"`, ",yes",
			`,"yes"`).Replace(weatherARFF),
		"escapes": strings.NewReplacer("windy", `'w\indy'`, "yes",
			`'\171es'`).Replace(weatherARFF),
		"weights of 1": strings.Replace(weatherARFF, "20.5,no,yes", "20.5,no,yes,{1.0}", 1),
		"sparse rows": weatherARFF[:strings.Index(weatherARFF, "20.5")] +
			"{0 20.5}\n{0 ?, 1 yes, 2 no}\n{ 0 -30,1 ? , 2 ? }\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, digest(t, readARFF(t, text, ReadOptions{})), text)
		})
	}
}

func TestARFFQuoting(t *testing.T) {
	t.Parallel()
	table := readARFF(t, `@relation 'a "b" c'
@attribute "it's" {'?', ?x, '', 'a,b', "a{b}%", '\\\'\"\t\n\101\351\7z', élan, '@data', a\b}
@data
?
'?'
''
'a,b'
"a{b}%"
'\\\'\"\t\n\101\351\7z'
élan
'@data'
a\b
`, ReadOptions{NoClass: true})
	require.Equal(t, `a "b" c`, table.Name())
	require.Equal(t, Attribute{Name: "it's", Kind: Nominal, Values: []string{
		"?", "?x", "", "a,b", "a{b}%", "\\'\"\t\nA\u00e9\az", "élan", "@data", `a\b`,
	}}, table.Attribute(0))
	require.Equal(t, []int32{-1, 0, 2, 3, 4, 5, 6, 7, 8}, table.Codes(0))
	require.Equal(t, -1, table.ClassIndex())
}

func TestARFFUnquotedQuestionMarkMayBeDeclared(t *testing.T) {
	t.Parallel()
	table := readARFF(t, "@relation r\n@attribute a {?,b}\n@data\n?\n'?'\nb\n", ReadOptions{})
	require.Equal(t, []int32{-1, 0, 1}, table.Codes(0))
}

func TestARFFWeights(t *testing.T) {
	t.Parallel()
	table := readARFF(t, `@relation r
@attribute a numeric
@attribute b {x,y}
@data
1,x
2,y,{0.5}
3,x, { 2 } % heavy
{1 y}, {3}
{1 y} {4}
4,y
5,x{6}
`, ReadOptions{})
	require.Equal(t, []float64{1, 0.5, 2, 3, 4, 1, 6}, table.Weights())
	require.Equal(t, []float64{1, 2, 3, 0, 0, 4, 5}, table.Numbers(0))
}

func TestARFFSparseRowsTakeFirstValue(t *testing.T) {
	t.Parallel()
	table := readARFF(t, `@relation r
@attribute a numeric
@attribute b {x,y}
@attribute c numeric
@attribute d {p,q}
@data
{}
{1 y, 2 ?}
{0 7, 3 'q'}
`, ReadOptions{Ignore: []string{"c"}})
	require.Equal(t, []float64{0, 0, 7}, table.Numbers(0))
	require.Equal(t, []int32{0, 1, 0}, table.Codes(1))
	require.Equal(t, []int32{0, 0, 1}, table.Codes(2))
}

func TestARFFIgnoredAttributes(t *testing.T) {
	t.Parallel()
	table := readARFF(t, `@relation r
@attribute id string
@attribute a numeric
@attribute day date "yyyy-MM-dd, HH:mm"
@attribute bag RELATIONAL
  @attribute x numeric
  @attribute inner relational
    @attribute y {p,q}
  @end inner
@end bag
@attribute b {x,y}
@attribute note STRING
@data
'the first',1,"2001-01-01, 00:00",'1,"p\nq"\n',x,anything
?,2,?,?,y,?
`, ReadOptions{Ignore: []string{"id", "day", "bag", "note"}})
	require.Equal(t, 2, table.NumAttributes())
	require.Equal(t, 1, table.ClassIndex())
	require.Equal(t, []float64{1, 2}, table.Numbers(0))
	require.Equal(t, []int32{0, 1}, table.Codes(1))
}

func TestARFFOptions(t *testing.T) {
	t.Parallel()
	table := readARFF(t, weatherARFF, ReadOptions{
		Name: "mine", Class: "windy",
		Ignore: []string{"temperature"},
	})
	require.Equal(t, "mine", table.Name())
	require.Equal(t, 0, table.ClassIndex())
	require.Equal(t, "windy", table.Attribute(0).Name)

	table = readARFF(t, weatherARFF, ReadOptions{Ignore: []string{"play"}})
	require.Equal(t, 1, table.ClassIndex())
	require.Equal(t, 2, table.NumAttributes())

	table = readARFF(t, weatherARFF, ReadOptions{NoClass: true})
	require.Equal(t, -1, table.ClassIndex())
}

func TestARFFLongLines(t *testing.T) {
	t.Parallel()
	value := strings.Repeat("long", 50000)
	table := readARFF(t, "@relation r\n@attribute a {x,"+value+"}\n@data\nx\n"+value+"\nx",
		ReadOptions{})
	require.Equal(t, []string{"x", value}, table.Attribute(0).Values)
	require.Equal(t, []int32{0, 1, 0}, table.Codes(0))
}

func TestARFFSyntaxErrors(t *testing.T) {
	t.Parallel()
	const header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
	for _, c := range []struct {
		name, text string
		line       int
		msg        string
	}{
		{"empty file", "", 1, "the file ends before @data"},
		{"only comments", "% a\n% b\n", 2, "the file ends before @data"},
		{"no relation", "@attribute a numeric\n", 1, `"@attribute" in place of @relation`},
		{"not ARFF", "a,b\n1,2\n", 1, `"a" in place of @relation`},
		{"line without keyword", "@relation r\n{a}\n", 2, "no keyword at the start of the line"},
		{"comma before keyword", "@relation r\n,\n", 2, "no keyword at the start of the line"},
		{"relation without name", "@relation\n", 1, "the relation has no name"},
		{"relation of two words", "@relation r s\n", 1, "the line goes on after the relation's name"},
		{"relation not UTF-8", "@relation \xe9\n", 1, `"\xe9" is not UTF-8`},
		{
			"unknown keyword", "@relation r\n@attributes a numeric\n", 2,
			`"@attributes" in place of @attribute or @data`,
		},
		{"end of no relation", "@relation r\n@end bag\n", 2, `"@end" in place of @attribute or @data`},
		{"no attributes", "@relation r\n@data\n1\n", 2, "@data without an attribute before it"},
		{
			"text after data", "@relation r\n@attribute a real\n@data 1\n", 3,
			"the line goes on after @data",
		},
		{"no data", "@relation r\n@attribute a real\n\n", 3, "the file ends before @data"},
		{"attribute without name", "@relation r\n@attribute\n", 2, "the attribute has no name"},
		{
			"attribute with empty name", "@relation r\n@attribute '' real\n", 2,
			"the name of the attribute is empty",
		},
		{
			"attribute name in braces", "@relation r\n@attribute {a} real\n", 2,
			"the attribute has no name",
		},
		{
			"repeated attribute", "@relation r\n@attribute a real\n@attribute b real\n@attribute 'a' {x}\n",
			4, `a second attribute "a"`,
		},
		{"no type", "@relation r\n@attribute a\n", 2, `attribute "a" has no type`},
		{"quoted type", "@relation r\n@attribute a 'real'\n", 2, `attribute "a" has no type`},
		{"comma before type", "@relation r\n@attribute a, real\n", 2, `attribute "a" has no type`},
		{
			"unknown type", "@relation r\n@attribute a float\n", 2,
			`attribute "a" has the unknown type "float"`,
		},
		{
			"name of two words", "@relation r\n@attribute a b real\n", 2,
			`attribute "a" has the unknown type "b"`,
		},
		{
			"text after type", "@relation r\n@attribute a real 1\n", 2,
			`the line goes on after the type of attribute "a"`,
		},
		{
			"text after values", "@relation r\n@attribute a {x} [1]\n", 2,
			`the line goes on after the type of attribute "a"`,
		},
		{"attribute weight", "@relation r\n@attribute a real {0.5}\n", 2, `attribute "a" has a weight`},
		{
			"nominal attribute weight", "@relation r\n@attribute a {x,y} {0.5}\n", 2,
			`attribute "a" has a weight`,
		},
		{
			"string", "@relation r\n@attribute a String\n", 2,
			`attribute "a" has type string, which a table cannot hold: convert it, or leave it out by naming it in ReadOptions.Ignore`,
		},
		{"date", "@relation r\n@attribute a date 'yyyy'\n", 2, `attribute "a" has type date`},
		{"relational", "@relation r\n@attribute a relational\n", 2, `attribute "a" has type relational`},
		{
			"values not closed", "@relation r\n@attribute a {x,y\n@data\n", 2,
			`the values of attribute "a" are not closed by a brace`,
		},
		{
			"values with a comment", "@relation r\n@attribute a {<50%,>50%}\n", 2,
			`the values of attribute "a" are not closed by a brace before the comment: quote values that contain %`,
		},
		{
			"values in values", "@relation r\n@attribute a {x,{y}}\n", 2,
			`the values of attribute "a" are not closed`,
		},
		{
			"empty declared value", "@relation r\n@attribute a {x,,y}\n", 2,
			`a declared value of attribute "a" is empty`,
		},
		{
			"empty first value", "@relation r\n@attribute a {,x}\n", 2,
			`a declared value of attribute "a" is empty`,
		},
		{
			"empty last value", "@relation r\n@attribute a {x,}\n", 2,
			`a declared value of attribute "a" is empty`,
		},
		{
			"repeated value", "@relation r\n@attribute a {x,y,'x'}\n", 2,
			`attribute "a" declares "x" twice`,
		},
		{"value not UTF-8", "@relation r\n@attribute a {\xe9}\n", 2, `"\xe9" is not UTF-8`},

		{"undeclared value", header + "1,x\n2,z\n", 6, `value "z" of attribute "b" is not declared`},
		{"value in capitals", header + "1,X\n", 5, `value "X" of attribute "b" is not declared`},
		{"word for number", header + "one,x\n", 5, `value "one" of attribute "a" is not a number`},
		{
			"quoted question mark for number", header + "'?',x\n", 5,
			`value "?" of attribute "a" is not a number`,
		},
		{
			"quoted question mark for value", header + "1,'?'\n", 5,
			`value "?" of attribute "b" is not declared`,
		},
		{"NaN", header + "NaN,x\n", 5, `value "NaN" of attribute "a" is not a number`},
		{"infinity", header + "-Infinity,x\n", 5, `value "-Infinity" of attribute "a" is not a number`},
		{
			"overflow", header + "1e999,x\n", 5,
			`value "1e999" of attribute "a" is too large for a 64-bit number`,
		},
		{"short row", header + "1\n", 5, "the row has 1 values for 2 attributes"},
		{
			"short row before comment", header + "1 %,x\n", 5,
			"the row ends after 1 values of 2 at a comment",
		},
		{"long row", header + "1,x,y\n", 5, "the row goes on after its 2 values"},
		{"long sparse row", header + "{1 x} y\n", 5, "the row goes on after its 2 values"},
		{"unquoted space", header + "1 2,x\n", 5, `value "2" of attribute "b" is not declared`},
		{"only a comma", header + ",\n", 5, "a value is empty: write ? for a missing value"},
		{"empty first value of a row", header + ",1,x\n", 5, "a value is empty"},
		{"empty value", header + "1,,x\n", 5, "a value is empty"},
		{"empty last value of a row", header + "1,\n", 5, "a value is empty"},
		{"comma at the end", header + "1,x,\n", 5, "the row goes on after its 2 values"},
		{"brace in a row", header + "1,{x}\n", 5, `brace in place of the value of attribute "b"`},
		{"closing brace", header + "}\n", 5, `brace in place of the value of attribute "a"`},
		{"open single quote", header + "1,'x\n", 5, "' is not closed on its line"},
		{"open double quote", header + "1,\"x'\n", 5, `" is not closed on its line`},
		{"escaped closing quote", header + `1,'x\'` + "\n", 5, "' is not closed on its line"},
		{"backslash at the end", header + `1,'x\` + "\n", 5, "' is not closed on its line"},
		{
			"quote inside of a word", header + "1,don't\n", 5,
			"quote inside of don': quote the whole value",
		},
		{"text behind a quote", header + "1,'x'y\n", 5, `no separator after the quoted value "x"`},
		{
			"quote behind a quote", header + `1,'x'"y"` + "\n", 5,
			`no separator after the quoted value "x"`,
		},

		{"sparse index not a number", header + "{a x}\n", 5, `"a" is not an index of the 2 attributes`},
		{"negative sparse index", header + "{-1 x}\n", 5, `"-1" is not an index of the 2 attributes`},
		{"large sparse index", header + "{2 x}\n", 5, `"2" is not an index of the 2 attributes`},
		{"huge sparse index", header + "{18446744073709551616 x}\n", 5, "is not an index"},
		{
			"repeated sparse index", header + "{1 x, 1 y}\n", 5,
			"index 1 of the sparse row does not increase",
		},
		{
			"sparse indices out of order", header + "{1 x, 0 1}\n", 5,
			"index 0 of the sparse row does not increase",
		},
		{"sparse row not closed", header + "{1 x\n", 5, "the sparse row is not closed by a brace"},
		{"sparse index without value", header + "{1}\n", 5, "index 1 of the sparse row has no value"},
		{"sparse comma at the start", header + "{,1 x}\n", 5, "a value is empty"},
		{"sparse comma at the end", header + "{1 x,}\n", 5, "a value is empty"},
		{"sparse double comma", header + "{0 1,,1 x}\n", 5, "a value is empty"},
		{"sparse undeclared value", header + "{1 z}\n", 5, `value "z" of attribute "b" is not declared`},
		{
			"sparse without first value", "@relation r\n@attribute a {}\n@data\n{}\n", 4,
			`leaves out attribute "a", which has no declared values`,
		},

		{"zero weight", header + "1,x,{0}\n", 5, "weight 0 is not positive"},
		{"negative weight", header + "1,x,{-1}\n", 5, "weight -1 is not positive"},
		{"weight not a number", header + "1,x,{heavy}\n", 5, `weight "heavy" is not a number`},
		{"missing weight", header + "1,x,{?}\n", 5, `weight "?" is not a number`},
		{"no weight", header + "1,x,{}\n", 5, "no weight between the braces"},
		{"two weights", header + "1,x,{1 2}\n", 5, "more than a weight between the braces"},
		{"weight not closed", header + "1,x,{1\n", 5, "more than a weight between the braces"},
		{"text after weight", header + "1,x,{1},{2}\n", 5, "the row goes on after its 2 values"},
		{"two commas before weight", header + "1,x,,{1}\n", 5, "the row goes on after its 2 values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadARFF(strings.NewReader(c.text), "dir/f.arff", ReadOptions{})
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, "dir/f.arff", syntax.File)
			require.Equal(t, c.line, syntax.Line, err)
			require.Contains(t, syntax.Msg, c.msg)
		})
	}
}

func TestARFFIgnoredRelationMustEnd(t *testing.T) {
	t.Parallel()
	const start = "@relation r\n@attribute a real\n@attribute bag relational\n@attribute x real\n"
	for text, want := range map[string]string{
		start:             "f.arff:4: the file ends before @data",
		start + "@data\n": `f.arff:5: no @end of the relational attribute "bag" of line 3`,
	} {
		_, err := ReadARFF(strings.NewReader(text), "f.arff", ReadOptions{Ignore: []string{"bag"}})
		require.EqualError(t, err, want)
	}
}

func TestARFFReadErrorsAreWrapped(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, n := range []int{5, 40, 130} {
		r := io.MultiReader(strings.NewReader(weatherARFF[:n]), iotest.ErrReader(broken))
		_, err := ReadARFF(r, "f.arff", ReadOptions{})
		require.ErrorIs(t, err, broken)
		require.ErrorContains(t, err, "f.arff: after line ")
	}
}
