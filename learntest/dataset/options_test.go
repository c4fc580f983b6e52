package dataset

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsThatDoNotApply(t *testing.T) {
	t.Parallel()
	const arff = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n"
	const csv = "a,b\n1,x\n"
	type file struct {
		name, text string
		read       func(io.Reader, string, ReadOptions) (*Table, error)
	}
	onlyARFF := []file{{"f.arff", arff, ReadARFF}}
	onlyCSV := []file{{"f.csv", csv, ReadCSV}}
	both := slices.Concat(onlyARFF, onlyCSV)
	for name, c := range map[string]struct {
		files []file
		opts  ReadOptions
		msg   string
	}{
		"class and no class": {
			both,
			ReadOptions{NoClass: true, Class: "a"},
			`both class "a" and no class`,
		},
		"ignored class": {
			both,
			ReadOptions{Class: "a", Ignore: []string{"a"}},
			`the class "a" is to be ignored`,
		},
		"unknown class": {
			both,
			ReadOptions{Class: "c"},
			`has no attribute "c" to be the class: it has "a", "b"`,
		},
		"unknown ignored attribute": {
			both,
			ReadOptions{Ignore: []string{"a", "B"}},
			`has no attribute "B" to ignore`,
		},

		"target and no class": {
			both,
			ReadOptions{NoClass: true, Target: "a"},
			`both target "a" and no class`,
		},
		"class and target": {
			both,
			ReadOptions{Class: "b", Target: "a"},
			`both class "b" and target "a": name one of them`,
		},
		"ignored target": {
			both,
			ReadOptions{Target: "a", Ignore: []string{"a"}},
			`the target "a" is to be ignored`,
		},
		"ignored group": {
			both,
			ReadOptions{Group: "a", Ignore: []string{"a"}},
			`the group "a" is to be ignored`,
		},
		"class and group": {
			both,
			ReadOptions{Class: "b", Group: "b"},
			`"b" is to be predicted and the group`,
		},
		"target and group": {
			both,
			ReadOptions{Target: "a", Group: "a"},
			`"a" is to be predicted and the group`,
		},
		"unknown target": {both, ReadOptions{Target: "c"}, `has no attribute "c" to be the target`},
		"unknown group":  {both, ReadOptions{Group: "c"}, `has no attribute "c" to be the group`},
		"only a group is left": {
			both,
			ReadOptions{Group: "a", Ignore: []string{"b"}},
			"every attribute of f.",
		},
		"kind of the group": {
			onlyCSV,
			ReadOptions{Group: "a", Kinds: map[string]Kind{"a": Nominal}},
			`column "a" is described, but the group, which is text`,
		},
		"values of the group": {
			onlyCSV,
			ReadOptions{Group: "a", Values: map[string][]string{"a": {"1"}}},
			`column "a" is described, but the group, which is text`,
		},

		"nothing is left": {both, ReadOptions{Ignore: []string{"a", "b"}}, "every attribute of f."},

		"kinds":   {onlyARFF, ReadOptions{Kinds: map[string]Kind{}}, "Kinds does not apply"},
		"values":  {onlyARFF, ReadOptions{Values: map[string][]string{}}, "Values does not apply"},
		"missing": {onlyARFF, ReadOptions{Missing: []string{}}, "Missing does not apply"},
		"comma":   {onlyARFF, ReadOptions{Comma: ';'}, "Comma does not apply"},

		"kind of unknown column": {
			onlyCSV,
			ReadOptions{Kinds: map[string]Kind{"c": Numeric}},
			`f.csv has no column "c"`,
		},
		"values of unknown column": {
			onlyCSV,
			ReadOptions{Values: map[string][]string{"c": nil}},
			`f.csv has no column "c"`,
		},
		"kind of ignored column": {onlyCSV, ReadOptions{
			Ignore: []string{"a"},
			Kinds:  map[string]Kind{"a": Numeric},
		}, `column "a" is described, but to be ignored`},
		"unknown kind": {
			onlyCSV,
			ReadOptions{Kinds: map[string]Kind{"a": 9}},
			`column "a": unknown kind Kind(9)`,
		},
		"values of numeric column": {onlyCSV, ReadOptions{
			Kinds:  map[string]Kind{"b": Numeric},
			Values: map[string][]string{"b": {"x"}},
		}, `column "b" is to be numeric and has declared values`},
		"repeated value": {
			onlyCSV,
			ReadOptions{Values: map[string][]string{"b": {"x", "y", "x"}}},
			`column "b": value "x" is declared twice`,
		},
		"value not UTF-8": {
			onlyCSV,
			ReadOptions{Values: map[string][]string{"b": {"\xff"}}},
			`column "b": value "\xff" is not UTF-8`,
		},
		"value missing by default": {
			onlyCSV,
			ReadOptions{Values: map[string][]string{"b": {"x", "NA"}}},
			`column "b": "NA" is both declared and missing`,
		},
		"value missing": {onlyCSV, ReadOptions{
			Missing: []string{"x"},
			Values:  map[string][]string{"b": {"x"}},
		}, `column "b": "x" is both declared and missing`},
		"quote separates fields":        {onlyCSV, ReadOptions{Comma: '"'}, `'"' cannot separate fields`},
		"no character separates fields": {onlyCSV, ReadOptions{Comma: -1}, "cannot separate fields"},
	} {
		for _, f := range c.files {
			t.Run(name+" "+f.name, func(t *testing.T) {
				t.Parallel()
				_, err := f.read(strings.NewReader(f.text), f.name, c.opts)
				require.ErrorIs(t, err, ErrOptions)
				require.ErrorContains(t, err, c.msg)
			})
		}
	}
}

func TestOnRowHasTheLinesOfRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		read func(io.Reader, string, ReadOptions) (*Table, error)
		text string
		want []int
	}{
		{
			ReadARFF, "% comment\n@relation r\n@attribute a {x,y}\n@data\n\nx\n% y\ny\r\n{0 x}\n",
			[]int{6, 8, 9},
		},
		{ReadCSV, "a,b\n\"x\ny\",1\n\nz,2\n", []int{2, 5}},
	} {
		var got []int
		table, err := c.read(strings.NewReader(c.text), "f",
			ReadOptions{OnRow: func(line int) { got = append(got, line) }})
		require.NoError(t, err)
		require.Len(t, got, table.Len())
		require.Equal(t, c.want, got)
	}
}
