package dataset

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The form in which a data set tells the groups of its examples.
var (
	_ interface{ Groups() []string } = (*Table)(nil)
	_ interface{ Groups() []string } = Regression{}
)

func TestWithGroups(t *testing.T) {
	t.Parallel()
	plain := mustNew(t, []Column{numeric("x", 1, 2, 3)}, 0, []float64{1, 2, 1})
	require.Nil(t, plain.Groups())
	require.Empty(t, plain.groupName)
	before := digest(t, plain)
	grouped := mustGroup(t, plain, "who", "a", "b", "a")
	require.Equal(t, []string{"a", "b", "a"}, grouped.Groups())
	require.Equal(t, "who", grouped.groupName)
	require.Equal(t, plain.Name(), grouped.Name())
	require.Equal(t, plain.Weights(), grouped.Weights())
	require.Equal(t, plain.Len(), grouped.Len())
	require.Equal(t, plain.NumAttributes(), grouped.NumAttributes())
	require.Equal(t, plain.ClassIndex(), grouped.ClassIndex())
	require.Equal(t, plain.Numbers(0), grouped.Numbers(0))
	require.Nil(t, plain.Groups())
	require.Equal(t, before, digest(t, plain))
	require.NotNil(t, mustGroup(t, mustNew(t, []Column{numeric("x")}, 0, nil), "who").Groups())
	for _, c := range []struct {
		name   string
		groups []string
		msg    string
	}{
		{"", []string{"a", "b", "c"}, `the name "" of the groups is empty`},
		{"\xff", []string{"a", "b", "c"}, `the name "\xff" of the groups is empty or not UTF-8`},
		{"x", []string{"a", "b", "c"}, `column 0 and the groups are both named "x"`},
		{"who", []string{"a", "b"}, "2 groups for 3 rows"},
		{"who", nil, "0 groups for 3 rows"},
		{"who", []string{"a", "b", "\xff"}, `row 2: group "\xff" is not UTF-8`},
	} {
		_, err := plain.WithGroups(c.name, c.groups)
		require.ErrorIs(t, err, ErrTable)
		require.ErrorContains(t, err, c.msg)
	}
}

func TestReadGroups(t *testing.T) {
	t.Parallel()
	const arff = `@relation r
@attribute nr numeric
@attribute who {ann, 'b o', never}
@attribute day date "yyyy-MM-dd"
@attribute x numeric
@attribute note string
@attribute y {p,q}
@data
1, ann, "2001-01-01", 1, 'a, b', p
1.0, 'b o', "2001-01-02", 2, c, q
-0, ann, "2001-01-01", 3, '?', ?
`
	all := []string{"nr", "who", "day", "note"}
	for group, want := range map[string][]string{
		"nr":   {"1", "1", "0"},
		"who":  {"ann", "b o", "ann"},
		"day":  {"2001-01-01", "2001-01-02", "2001-01-01"},
		"note": {"a, b", "c", "?"},
	} {
		opts := ReadOptions{Group: group}
		for _, other := range all {
			if other != group {
				opts.Ignore = append(opts.Ignore, other)
			}
		}
		table := readARFF(t, arff, opts)
		require.Equal(t, want, table.Groups())
		require.Equal(t, group, table.groupName)
		require.Equal(t, 2, table.NumAttributes())
		require.Equal(t, 1, table.ClassIndex())
		require.Equal(t, "y", table.Attribute(1).Name)
		require.Equal(t, []float64{1, 2, 3}, table.Numbers(0))
		requireRoundTrip(t, table)
	}

	const csv = "x,y,who\n1,p, ann\n2,q,\"b o\"\n3,,1.0\n4,p,1\n5,q,ann\n"
	table := readCSV(t, csv, ReadOptions{Group: "who"})
	require.Equal(t, []string{"ann", "b o", "1.0", "1", "ann"}, table.Groups())
	require.Equal(t, 2, table.NumAttributes())
	require.Equal(t, 1, table.ClassIndex(), "the group is the last column, not the class")
	require.Equal(t, []int32{0, 1, -1, 0, 1}, table.Codes(1))
	numbers := readCSV(t, "x,y,who\n1,2,1\n1,1,2\n", ReadOptions{Group: "who"})
	require.Equal(t, []string{"1", "2"}, numbers.Groups())
	require.Equal(t, Nominal, numbers.Attribute(1).Kind)
}

func TestSparseRowsLeaveGroupsOut(t *testing.T) {
	t.Parallel()
	const head = "@relation r\n@attribute nr real\n@attribute who {ann,bo}\n@attribute x {p,q}\n@data\n"
	require.Equal(t, []string{"0", "2"}, readARFF(t, head+"{}\n{0 2}\n",
		ReadOptions{Group: "nr"}).Groups())
	require.Equal(t, []string{"ann", "bo"}, readARFF(t, head+"{}\n{1 bo}\n",
		ReadOptions{Group: "who"}).Groups())
}

func TestGroupErrors(t *testing.T) {
	t.Parallel()
	const head = "@relation r\n@attribute nr real\n@attribute who {ann,bo}\n@attribute x {p,q}\n@attribute s string\n@data\n"
	for _, c := range []struct {
		file, text, group string
		line, column      int
		msg               string
	}{
		{
			"f.arff", head + "1,ann,p,a\n?,ann,p,a\n", "nr", 8, 0,
			`the row has no group, attribute "nr": give it one, or leave the row out`,
		},
		{"f.arff", head + "1,?,p,a\n", "who", 7, 0, `the row has no group, attribute "who"`},
		{"f.arff", head + "1,ann,p,?\n", "s", 7, 0, `the row has no group, attribute "s"`},
		{"f.arff", head + "one,ann,p,a\n", "nr", 7, 0, `value "one" of attribute "nr" is not a number`},
		{"f.arff", head + "1,eve,p,a\n", "who", 7, 0, `value "eve" of attribute "who" is not declared`},
		{
			"f.arff", head + "1,ann,p,\xff\n", "s", 7, 0,
			`attribute "s": group "\xff" is not UTF-8: convert the file first`,
		},
		{"f.arff", head + "{0 1}\n", "s", 7, 0, `the sparse row leaves out attribute "s", the group`},
		{"f.arff", "@relation r\n@attribute bag relational\n@attribute x real\n@end bag\n@attribute x real\n@data\n", "bag", 2, 0, `attribute "bag" has type relational, which a table cannot hold`},
		{
			"f.csv", "who,x,s\nann,1,p\n?,1,p\n", "who", 3, 1,
			`the row has no group, column "who": give it one, or leave the row out`,
		},
		{"f.csv", "who,x,s\nann,1,p\n\xff,1,p\n", "who", 3, 1, `column "who": group "\xff" is not UTF-8`},
	} {
		t.Run(fmt.Sprintf("%s %s", c.file, c.msg), func(t *testing.T) {
			t.Parallel()
			read, opts := ReadARFF, ReadOptions{Group: c.group}
			if c.file == "f.csv" {
				read = ReadCSV
			}
			if c.group != "s" && c.group != "bag" {
				opts.Ignore = []string{"s"}
			}
			_, err := read(strings.NewReader(c.text), c.file, opts)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, []int{c.line, c.column}, []int{syntax.Line, syntax.Column}, err)
			require.Contains(t, syntax.Msg, c.msg)
		})
	}
}

func TestLimitsCountGroups(t *testing.T) {
	t.Parallel()
	for file, text := range map[string]string{
		"f.arff": "@relation r\n@attribute g string\n@attribute x real\n@data\na,1\nb,1\na,1\n",
		"f.csv":  "g,x\na,1\n\nb,1\n\na,1\n",
	} {
		read := ReadARFF
		if file == "f.csv" {
			read = ReadCSV
		}
		opts := ReadOptions{Group: "g", Target: "x", Limits: Limits{Cells: 4*16 + 3*2}}
		_, err := read(strings.NewReader(text), file, opts)
		require.NoError(t, err)
		opts.Limits.Cells--
		_, err = read(strings.NewReader(text), file, opts)
		requireLimit(t, err, strings.Count(text, "\n"), "more than 69 cells")
		opts.Limits.Cells = 3*16 + 4 // the second group is one too many
		_, err = read(strings.NewReader(text), file, opts)
		requireLimit(t, err, strings.Count(text[:strings.Index(text, "b,1")], "\n")+1,
			"more than 52 cells")
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	const arff = "@relation r\n@attribute y integer\n@attribute c {p,q}\n@attribute x real\n@data\n1,p,0.5\n?,q,2\n"
	table := readARFF(t, arff, ReadOptions{Target: "y"})
	require.Equal(t, 0, table.ClassIndex())
	require.Equal(t, 0, table.NumClasses())
	require.Equal(t, 1.0, table.Target(0))
	require.True(t, math.IsNaN(table.Target(1)))
	table = readARFF(t, arff, ReadOptions{Target: "c"})
	require.Equal(t, 1, table.ClassIndex())
	require.Equal(t, 2, table.NumClasses())

	const csv = "y,c,x\n1,p,0.5\n2,q,2\n"
	for _, c := range []struct {
		opts  ReadOptions
		class int
		kind  Kind
		last  Kind
	}{
		{ReadOptions{}, 2, Nominal, Nominal},
		{ReadOptions{Class: "y"}, 0, Nominal, Numeric},
		{ReadOptions{Target: "y"}, 0, Numeric, Numeric},
		{ReadOptions{Target: "c"}, 1, Nominal, Numeric},
		{ReadOptions{Target: "x"}, 2, Numeric, Numeric},
		{ReadOptions{Target: "y", Kinds: map[string]Kind{"y": Nominal}}, 0, Nominal, Numeric},
		{ReadOptions{NoClass: true}, -1, Numeric, Numeric},
	} {
		table := readCSV(t, csv, c.opts)
		require.Equal(t, c.class, table.ClassIndex())
		require.Equal(t, c.last, table.Attribute(2).Kind)
		if c.class >= 0 {
			require.Equal(t, c.kind, table.Attribute(c.class).Kind)
		}
	}
	_, err := ReadCSV(strings.NewReader(csv), "f.csv",
		ReadOptions{Target: "c", Kinds: map[string]Kind{"c": Numeric}})
	var syntax *SyntaxError
	require.True(t, errors.As(err, &syntax))
	require.ErrorContains(t, err, `f.csv:2:3: column "c": value "p" is not a number`)
}

func TestRegression(t *testing.T) {
	t.Parallel()
	x, c := numeric("x", 0.5, 2), nominal("c", []string{"p"}, 0, 0)
	table := mustGroup(t, mustNew(t, []Column{x, c}, 0, nil), "who", "a", "b")
	r, err := table.Regression()
	require.NoError(t, err)
	require.Equal(t, 0.5, r.Label(0))
	require.Equal(t, 2.0, r.Label(1))
	require.Equal(t, Row{Table: table, Index: 1}, r.Example(1))
	require.Equal(t, []string{"a", "b"}, r.Groups())
	d, err := r.Digest()
	require.NoError(t, err)
	require.Equal(t, digest(t, table), d)
	for msg, table := range map[string]*Table{
		"no target: name one with ReadOptions.Target":               mustNew(t, []Column{x, c}, -1, nil),
		`the target "c" is nominal, regression needs a numeric one`: mustNew(t, []Column{x, c}, 1, nil),
		`row 1: the target "y" is missing: leave the row out`: mustNew(t,
			[]Column{numeric("y", 1, math.NaN())}, 0, nil),
	} {
		_, err := table.Regression()
		require.ErrorIs(t, err, ErrTable)
		require.ErrorContains(t, err, msg)
	}
}
