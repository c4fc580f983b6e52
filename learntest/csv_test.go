package learntest

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A visit has fields of many kinds.
type visit struct {
	Patient string `csv:"patient,group"`
	measures
	Seen    time.Time `csv:"seen"`
	Ill     bool      `csv:"outcome,label"`
	Ward    string    `csv:"ward,text"`
	Comment string    `csv:"-"`
	private int
}

type measures struct {
	Age    *uint8   `csv:"age"`
	Weight *float64 `csv:"weight"`
	Score  float32  `csv:"score,nan"`
}

// A left struct has embedded ones that are left out or read as a whole.
type left struct {
	*Out   `csv:"-"`
	Pair   `csv:"pair"`
	*Grade `csv:"grade"`
	Y      int `csv:"y,label"`
}

type (
	Out   struct{ A, B, C int }
	Grade = grade
	Pair  struct{ First, Second string }
)

func (p *Pair) UnmarshalText(text []byte) error {
	var ok bool
	if p.First, p.Second, ok = strings.Cut(string(text), "/"); !ok {
		return errors.New("no pair")
	}
	return nil
}

func TestCSVOfEmbeddedStructs(t *testing.T) {
	t.Parallel()
	e, err := CSV[left, int](write(t, "f.csv", "pair,grade,y\na/b,C,1\n"))
	require.NoError(t, err)
	c := grade(2)
	assert.Equal(t, left{Pair: Pair{"a", "b"}, Grade: &c}, e.Example(0))
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestCSV(t *testing.T) {
	t.Parallel()
	e, err := CSV[visit, bool]("testdata/csv/visits.csv")
	require.NoError(t, err)
	assert.Equal(t, "visits", e.Name())
	assert.Equal(t, 4, e.Len())
	assert.Equal(t, []string{"p1", "p1", "p2", "p3"}, e.Groups())
	age := func(a uint8) *uint8 { return &a }
	weight := func(w float64) *float64 { return &w }
	assert.Equal(t, visit{
		Patient: "p1", measures: measures{age(61), weight(70.5), 0.25},
		Seen: time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC), Ward: "NA",
	}, e.Example(0))
	assert.True(t, e.Label(0))
	assert.False(t, e.Label(2))
	second := e.Example(1)
	assert.Nil(t, second.Weight)
	assert.True(t, math.IsNaN(float64(second.Score)))
	assert.Empty(t, second.Ward)
	assert.Equal(t, "north, 2", e.Example(2).Ward)
	assert.Nil(t, e.Example(3).Age)
	assert.Equal(t, " x", e.Example(3).Ward)
	for i := range e.Len() {
		assert.False(t, e.Example(i).Ill, "no learner looks at the label")
		assert.Zero(t, e.Example(i).private)
	}

	d, err := e.Digest()
	require.NoError(t, err)
	again, err := CSV[visit, bool]("testdata/csv/visits.csv")
	require.NoError(t, err)
	d2, err := again.Digest()
	require.NoError(t, err)
	assert.Equal(t, d, d2)
}

func TestCSVOptions(t *testing.T) {
	t.Parallel()
	type point struct {
		X *float64 // by the name of the field
		Y float64  `csv:",label"`
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte("\ufeffX;unused;Y\r\n1;NaN;2\n\n-;x;\"3\"\n"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	path := write(t, "points.csv.gz", packed.String())
	var lines []int
	e, err := CSVWith[point, float64](path, dataset.ReadOptions{
		Name: "mine", Comma: ';',
		Missing: []string{"-"}, OnRow: func(line int) { lines = append(lines, line) },
	})
	require.NoError(t, err)
	assert.Equal(t, "mine", e.Name())
	assert.Equal(t, []int{2, 4}, lines)
	assert.Equal(t, 1.0, *e.Example(0).X)
	assert.Nil(t, e.Example(1).X)
	assert.Equal(t, 3.0, e.Label(1))
	assert.Nil(t, e.Groups())

	for _, opts := range []dataset.ReadOptions{
		{Class: "Y"},
		{Target: "Y"},
		{Group: "X"},
		{Ignore: []string{"X"}},
		{NoClass: true},
		{Kinds: map[string]dataset.Kind{"X": 0}},
		{Values: map[string][]string{"X": nil}},
	} {
		_, err := CSVWith[point, float64](path, opts)
		require.ErrorIs(t, err, dataset.ErrOptions)
		require.ErrorContains(t, err, "only Name, Comma, Missing, Limits and OnRow apply to structs")
	}
	_, err = CSVWith[point, float64](path, dataset.ReadOptions{Comma: '"'})
	require.ErrorIs(t, err, dataset.ErrOptions)
	plain := write(t, "points.csv", "X,Y\n1,2\n3,4\n")
	for _, l := range []dataset.Limits{{Bytes: 10}, {Line: 3}, {Cells: 35}} {
		_, err = CSVWith[point, float64](plain, dataset.ReadOptions{Limits: l})
		require.ErrorIs(t, err, dataset.ErrLimit, "%v", l)
	}
	_, err = CSVWith[point, float64](plain, dataset.ReadOptions{Limits: dataset.Limits{
		Bytes: 12,
		Line:  4, Cells: 36,
	}})
	require.NoError(t, err)
}

// grade reads itself.
type grade int

func (g *grade) UnmarshalText(text []byte) error {
	if len(text) != 1 || text[0] < 'A' || text[0] > 'F' {
		return errors.New("grades are A to F")
	}
	*g = grade(text[0] - 'A')
	return nil
}

func TestCSVErrorsAboutTheFile(t *testing.T) {
	t.Parallel()
	type pupil struct {
		Name  string   `csv:"name"`
		Age   int8     `csv:"age"`
		Size  float32  `csv:"size"`
		Marks uint     `csv:"marks"`
		Good  bool     `csv:"good"`
		Grade grade    `csv:"grade,label"`
		Class string   `csv:"class,group"`
		Home  *float64 `csv:"home"`
	}
	const head = "name,age,size,marks,good,grade,class,home\n"
	for _, c := range []struct{ text, want string }{
		{"", "f.csv:1: the file is empty"},
		{head, "f.csv:1:1: there are no rows below the header"},
		{"name,age\n", `f.csv:1:1: there is no column "size" for the field Size: the first of 2 columns are ["name" "age"]`},
		{"name,name\n", `f.csv:1:6: columns 1 and 2 are both named "name"`},
		{head + "a,1\n", "f.csv:2:3: the row has 2 fields, the header has 8"},
		{
			head + "a,1,1,1,1,A,x,1\n\n  b, x,1,1,1,A,x,1\n",
			`f.csv:4:5: column "age", field Age int8: "x" is not a value of int8`,
		},
		{
			head + "a,128,1,1,1,A,x,1\n",
			`f.csv:2:3: column "age", field Age int8: "128" is out of the range of int8`,
		},
		{head + "a,1.0,1,1,1,A,x,1\n", `"1.0" is not a value of int8`},
		{
			head + "a,1,1e40,1,1,A,x,1\n",
			`f.csv:2:5: column "size", field Size float32: "1e40" is out of the range of float32`,
		},
		{head + "a,1,Inf,1,1,A,x,1\n", `"Inf" is not a decimal number`},
		{head + "a,1,nan,1,1,A,x,1\n", `"nan" is not a decimal number`},
		{head + "a,1,0x1p-2,1,1,A,x,1\n", `"0x1p-2" is not a decimal number`},
		{head + "a,1,1e,1,1,A,x,1\n", `"1e" is not a decimal number`},
		{head + "a,1,1,-1,1,A,x,1\n", `column "marks", field Marks uint: "-1" is not a value of uint`},
		{
			head + "a,1,1,1,yes,A,x,1\n",
			`column "good", field Good bool: "yes" is not a value of bool, which are true, false, t, f, 1 and 0: a field of type string takes any text`,
		},
		{head + "a,1,1,1,1,G,x,1\n", `f.csv:2:11: column "grade", field Grade learntest.grade: "G": grades are A to F`},
		{head + "a,1,1,1,1,A,x,y\n", `f.csv:2:15: column "home", field Home *float64: "y" is not a decimal number`},
		{
			head + "\xff,1,1,1,1,A,x,1\n",
			`f.csv:2:1: column "name", field Name string: "\xff" is not UTF-8: convert the file first`,
		},
		{head + ",1,1,1,1,A,x,1\n", `field Name string: it is missing, and nothing is imputed: a field of type *string is nil then, and one with the tag csv:"name,text" has the text of the cell`},
		{head + "a,NA,1,1,1,A,x,1\n", `f.csv:2:3: column "age", field Age int8: it is missing, and nothing is imputed: a field of type *int8 is nil then`},
		{head + "a,1,?,1,1,A,x,1\n", `field Size float32: it is missing, and nothing is imputed: a field of type *float32 is nil then, and one with the tag csv:"size,nan" NaN`},
		{head + "a,1,1,1,1,,x,1\n", `f.csv:2:11: column "grade", field Grade learntest.grade: it is missing: leave the row out`},
		{head + "a,1,1,1,1,A,NA,1\n", `f.csv:2:13: column "class", field Class string: it is missing: leave the row out`},
		{head + "a,\"1,1,1,1,A,x,1\n", "f.csv:2:18: extraneous or missing \" in quoted-field"},
	} {
		path := write(t, "f.csv", c.text)
		_, err := CSV[pupil, grade](path)
		require.ErrorContains(t, err, c.want, "%q", c.text)
		e, ok := errors.AsType[*dataset.SyntaxError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, path, e.File)
	}
	_, err := CSV[pupil, grade](filepath.Join(t.TempDir(), "none.csv"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = CSV[pupil, grade]("testdata/table.txt")
	require.EqualError(t, err, "testdata/table.txt: unknown extension: want .csv or .csv.gz")
}

func TestCSVErrorsAboutTheStruct(t *testing.T) {
	t.Parallel()
	type inner struct{ A int }
	type Inner struct{ A int }
	refuse := func(err error, want string) {
		t.Helper()
		require.ErrorIs(t, err, dataset.ErrUnusable)
		require.ErrorContains(t, err, "unusable data: x.csv cannot be read into ")
		require.ErrorContains(t, err, want)
	}
	_, err := CSV[int, int]("x.csv")
	refuse(err, "into int: it is no struct")
	_, err = CSV[struct{ A int }, int]("x.csv")
	refuse(err, `it has 0 labels and 0 groups: one field is to have the tag csv:",label", and at most one csv:",group"`)
	_, err = CSV[struct {
		A int `csv:",label"`
		B int `csv:",label"`
	}, int]("x.csv")
	refuse(err, "it has 2 labels")
	_, err = CSV[struct {
		A int `csv:",group"`
		B int `csv:",group"`
		C int `csv:",label"`
	}, int]("x.csv")
	refuse(err, "it has 1 labels and 2 groups")
	_, err = CSV[struct {
		A int `csv:",label"`
	}, string]("x.csv")
	refuse(err, "its label, the field A, is a int, and the labels of the data set are to be of the type string: write CSV[struct { A int")
	_, err = CSV[struct {
		A int `csv:"a,lable"`
	}, int]("x.csv")
	refuse(err, `its field A: its tag has the option "lable": there are label, group, slice, nan and text`)
	_, err = CSV[struct {
		A int `csv:"a"`
		B int `csv:"a,label"`
	}, int]("x.csv")
	refuse(err, `its fields A and B are both of the column "a"`)
	_, err = CSV[struct {
		a int `csv:"a,label"`
	}, int]("x.csv")
	refuse(err, "its field a cannot be set")
	_, err = CSV[struct {
		A []int `csv:"a"`
	}, int]("x.csv")
	refuse(err, "its field A: a []int cannot be read from a cell")
	_, err = CSV[struct {
		A **int `csv:"a"`
	}, int]("x.csv")
	refuse(err, "a **int cannot be read from a cell")
	_, err = CSV[struct {
		A int `csv:",nan"`
	}, int]("x.csv")
	refuse(err, "the option nan is for floats among the attributes")
	_, err = CSV[struct {
		A float64 `csv:",label,nan"`
	}, float64]("x.csv")
	refuse(err, "the option nan is for floats among the attributes")
	_, err = CSV[struct {
		A *string `csv:",text"`
	}, int]("x.csv")
	refuse(err, "the option text is for strings")
	_, err = CSV[struct {
		A *int `csv:",label"`
	}, *int]("x.csv")
	refuse(err, "a label or group is no pointer: none may be missing")
	_, err = CSV[struct {
		A int `csv:",label,group"`
	}, int]("x.csv")
	refuse(err, "it is the label and the group")
	_, err = CSV[struct {
		*Inner
		B int `csv:",label"`
	}, int]("x.csv")
	refuse(err, "its field Inner: a *learntest.Inner cannot be read from a cell")
	_, err = CSV[struct {
		*inner
		B int `csv:",label"`
	}, int]("x.csv")
	refuse(err, "its field inner cannot be set: it is not exported")
}

// FuzzCSV checks that accepted rows are read back unchanged after they were written, and that
// errors have a position.
func FuzzCSV(f *testing.F) {
	type row struct {
		S string   `csv:"s,text"`
		G string   `csv:"g,group"`
		B *bool    `csv:"b"`
		I *int16   `csv:"i"`
		X float64  `csv:"x,nan"`
		P *float32 `csv:"p"`
		R *grade   `csv:"r"`
		Y int      `csv:"y,label"`
	}
	for _, text := range []string{
		"",
		"s,g,b,i,x,p,r,y\na,b,true,1,2.5,1e3,A,1\n,c,,NA,?,,,-2\n",
		"y,s,g,b,i,x,p,r,\n1,\" a \"\"\n\",b,0,-1,1e-300,.5,F,z\n",
		"s,g,b,i,x,p,r,y\n\xff,b,,,,,,1\n",
		"s,g,b,i,x,p,r,y\r\na,b,,,Inf,,,1\r\n",
		"s,g,b,i,x,p,r\n",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, fmt.Sprint(os.Getpid(), ".csv"))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		e, err := CSV[row, int](path)
		if err != nil {
			at, ok := errors.AsType[*dataset.SyntaxError](err)
			require.True(t, ok, "%v", err)
			require.Positive(t, at.Line)
			return
		}
		require.NoError(t, e.check())
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		require.NoError(t, w.Write([]string{"y", "r", "p", "x", "i", "b", "g", "s"}))
		for i := range e.Len() {
			x := e.Example(i)
			require.Zero(t, x.Y)
			require.NoError(t, w.Write([]string{
				strconv.Itoa(e.Label(i)), written(x.R, func(g grade) string { return string(rune('A' + g)) }),
				written(x.P, func(p float32) string { return strconv.FormatFloat(float64(p), 'g', -1, 32) }),
				number(x.X),
				written(x.I, func(i int16) string { return strconv.Itoa(int(i)) }),
				written(x.B, strconv.FormatBool), e.Groups()[i], x.S,
			}))
		}
		w.Flush()
		if strings.Contains(text, "\r") { // which a quoted field need not keep
			return
		}
		require.NoError(t, os.WriteFile(path, out.Bytes(), 0o666))
		again, err := CSV[row, int](path)
		require.NoError(t, err, "%s", out.String())
		want, err := e.Digest()
		require.NoError(t, err)
		got, err := again.Digest()
		require.NoError(t, err)
		require.Equal(t, want, got, "%s", out.String())
	})
}

func written[T any](x *T, text func(T) string) string {
	if x == nil {
		return ""
	}
	return text(*x)
}

func number(x float64) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
