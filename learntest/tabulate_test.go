package learntest

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/split"
)

type colour string

// A journey has a field of each kind that becomes a column, and fields that become none.
type journey struct {
	Who     string   `csv:"who,group"`
	Colour  colour   `csv:"colour"`
	Seats   *int     `csv:"seats"`
	Weight  float32  `csv:"weight,nan"`
	Open    bool     `csv:"open"`
	Note    *string  `csv:"note"`
	Secret  []string `csv:"-"`
	At      time.Time
	Late    bool `csv:"late,label"`
	private int
}

func journeys() *ExampleSet[journey, bool] {
	seats, note := 4, "wet"
	start := time.Unix(1000, 500_000_000)
	var xs []journey
	var ys []bool
	for i := range 12 {
		x := journey{
			Who: "p", Colour: []colour{"red", "blue", "green"}[i%3], Weight: float32(i) / 2,
			Open: i%2 == 0, private: i, At: start.Add(time.Duration(i) * time.Second),
		}
		if i%4 == 0 {
			x.Seats, x.Note = &seats, &note
		}
		if i == 5 {
			x.Weight, x.Colour = float32(math.NaN()), ""
		}
		xs, ys = append(xs, x), append(ys, i%3 == 0)
	}
	return Examples("journeys", xs, ys)
}

// spy is a learner on tables that tells of its training.
func spy(saw func(train Sample[dataset.Row, int])) Learner[dataset.Row, int] {
	return Func("spy", func(_ context.Context, train Sample[dataset.Row, int],
		_ uint64,
	) (func(dataset.Row) int, error) {
		saw(train)
		return func(r dataset.Row) int { return 1 - r.Table.Class(r.Index) }, nil
	})
}

func TestTabulate(t *testing.T) {
	t.Parallel()
	var tables []*dataset.Table
	l := Tabulate[journey, bool](spy(func(train Sample[dataset.Row, int]) {
		table := train.Example(0).Table
		tables = append(tables, table)
		assert.Equal(t, 8, train.Len())
		assert.Equal(t, []int{0, 1}, train.Classes())
		assert.Equal(t, 1, train.Label(0))
	}))
	p, failed := allPredictions(t, journeys(), l, split.TimeSeries(1, split.Window{TestSize: 4}))
	require.Empty(t, failed)
	for i := range p.Truth { // 1 for its class in the table is the class of the examples
		assert.Equal(t, 1-p.Truth[i], p.Predicted[i])
	}
	require.NotEmpty(t, tables)
	table := tables[0]
	for _, other := range tables {
		assert.Same(t, table, other, "a program is sent one table")
	}
	assert.Equal(t, "journeys", table.Name())
	assert.Equal(t, 12, table.Len())
	var b strings.Builder
	for j := range table.NumAttributes() {
		a := table.Attribute(j)
		b.WriteString(a.Name + " " + a.Kind.String() + " " + strings.Join(a.Values, ",") + "\n")
	}
	assert.Equal(t, "colour nominal red,blue,green\nseats numeric \nweight numeric \nopen nominal false,true\nnote nominal wet\nAt numeric \nlabel nominal false,true\n", b.String())
	assert.Equal(t, []int32{0, 1, 2, 0, 1, -1}, table.Codes(0)[:6])
	assert.Equal(t, 4.0, table.Numbers(1)[4])
	assert.True(t, math.IsNaN(table.Numbers(1)[5]))
	assert.True(t, math.IsNaN(table.Numbers(2)[5]))
	assert.Equal(t, 0.5, table.Numbers(2)[1])
	assert.Equal(t, []int32{1, 0}, table.Codes(3)[:2])
	assert.Equal(t, []int32{0, -1}, table.Codes(4)[:2])
	assert.Equal(t, 1002.5, table.Numbers(5)[2])
	assert.Equal(t, 6, table.ClassIndex())
}

// A learner gets the table of the file, whether it reads tables or structs.
func TestTabulateIsTheTableOfTheFile(t *testing.T) {
	t.Parallel()
	type flower struct {
		Length float64 `csv:"length"`
		Colour *string `csv:"colour"`
		Kind   string  `csv:"kind,label"`
	}
	file := t.TempDir() + "/flowers.csv"
	text := "length,colour,kind\n1.5,red,a\n2.5,blue,b\n3,?,a\n1,red,b\n2,blue,a\n7,red,b\n1,blue,a\n3,red,b\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	structs, err := CSV[flower, string](file)
	require.NoError(t, err)
	table, err := dataset.ReadCSV(strings.NewReader(text), "flowers.csv", dataset.ReadOptions{})
	require.NoError(t, err)
	bayes := FromClassifier(naivebayes.New(naivebayes.Config{}))
	cfg := Config{Protocol: split.CV(2, 2)}
	a := mustRun(t, structs, cfg, Tabulate[flower, string](bayes))
	b := mustRun[dataset.Row, int](t, table, cfg, bayes)
	require.NotEmpty(t, values(a))
	own, err := NewSample(structs)
	require.NoError(t, err)
	src, err := tableOf[int](own.src)
	require.NoError(t, err)
	want, err := table.Digest()
	require.NoError(t, err)
	got, err := src.tables.all[0].Digest()
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Len(t, values(b), len(values(a)))
}

func TestTabulateNumbers(t *testing.T) {
	t.Parallel()
	data := Examples("rows", [][]float64{{1, 2}, {2, math.NaN()}, {3, 4}, {4, 5}},
		[]float64{1, 2, 3, 6})
	p, failed := allPredictions(t, data, Tabulate[[]float64, float64](FromRegressor(baseline.Mean())),
		split.TimeSeries(1, split.Window{TestSize: 1}))
	require.Empty(t, failed)
	assert.Equal(t, []float64{2}, p.PredictedValues)

	// An encoding lets a learner on rows of numbers learn from structs.
	var saw [][]float64
	rows := Func("rows", func(_ context.Context, train Sample[[]float64, int],
		_ uint64,
	) (func([]float64) int, error) {
		saw = train.Examples()
		return func([]float64) int { return 0 }, nil
	})
	type point struct {
		X      int
		Colour string
	}
	points := Examples("points", []point{{1, "a"}, {2, "b"}, {3, "a"}}, []string{"p", "q", "p"})
	// A field may have the name of the label, and the learner depends on the same files.
	type odd struct {
		Label int `csv:"label"`
	}
	names := Learner[dataset.Row, int]{
		Name: "names", Depends: []string{"tabulate_test.go"},
		unnamed: true, Fit: spy(func(train Sample[dataset.Row, int]) {
			table := train.Example(0).Table
			assert.Equal(t, "label'", table.Attribute(table.ClassIndex()).Name)
		}).Fit,
	}
	on := Tabulate[odd, string](names)
	assert.Equal(t, names.Depends, on.Depends)
	assert.True(t, on.unnamed)
	on.unnamed = false
	_, failed = allPredictions(t, Examples("odd", []odd{{1}, {2}, {3}}, []string{"p", "q", "p"}), on,
		split.TimeSeries(1, split.Window{TestSize: 1}))
	require.Empty(t, failed)

	closed := errors.New("closed")
	own := Learner[dataset.Row, int]{Name: "own", Fit: func(context.Context, Sample[dataset.Row, int],
		uint64,
	) (Model[dataset.Row, int], error) {
		return LabelModel(func(context.Context, []dataset.Row) ([]int, error) {
			return []int{0},
				nil
		}).WithClose(func() error { return closed }), nil
	}}
	_, failed = allPredictions(t, points, Tabulate[point, string](own),
		split.TimeSeries(1, split.Window{TestSize: 1}))
	assert.Equal(t, "close: closed", failed)
	_, failed = allPredictions(t, points,
		Tabulate[point, string](Encode(dataset.Encoding{OneHot: true}, rows)),
		split.TimeSeries(1, split.Window{TestSize: 1}))
	require.Empty(t, failed)
	assert.Equal(t, [][]float64{{1, 1, 0}, {2, 0, 1}}, saw)
}

func TestTabulateRefuses(t *testing.T) {
	t.Parallel()
	last := split.TimeSeries(1, split.Window{TestSize: 1})
	bayes := FromClassifier(naivebayes.New(naivebayes.Config{}))
	failure := func(data Data[[]float64, float64]) string {
		_, failed := allPredictions(t, data, Tabulate[[]float64, float64](FromRegressor(baseline.Mean())),
			last)
		return failed
	}
	assert.Contains(t, failure(Examples("uneven", [][]float64{{1, 2}, {1}, {3, 4}},
		[]float64{1, 2, 3})), "example 1 has 1 numbers, and example 0 has 2")
	assert.Contains(t, failure(Examples("empty", [][]float64{{}, {}, {}}, []float64{1, 2, 3})),
		"examples of type []float64 have no columns")
	assert.Contains(t, failure(Examples("far", [][]float64{{1}, {math.Inf(1)}, {3}},
		[]float64{1, 2, 3})), "row 1: +Inf")

	_, failed := allPredictions(t, Examples("numbers", [][]float64{{1}, {2}, {3}}, []float64{1, 2, 3}),
		Tabulate[[]float64, float64](bayes), last)
	assert.Contains(t, failed, "the labels are of type float64: a learner of classes learns from labels that are no floats")
	_, failed = allPredictions(t, Examples("classes", [][]float64{{1}, {2}, {3}},
		[]bool{true, false, true}), Tabulate[[]float64, bool](FromRegressor(baseline.Mean())), last)
	assert.Contains(t, failed, "the labels are of type bool")
	_, failed = allPredictions(t, Examples("texts", []string{"a", "b", "c"},
		[]bool{true, false, true}), Tabulate[string, bool](bayes), last)
	assert.Contains(t, failed, "string is no row of a table: it is no struct")
	type nested struct{ Xs []int }
	_, failed = allPredictions(t, Examples("nested", []nested{{}, {}, {}}, []bool{true, false, true}),
		Tabulate[nested, bool](bayes), last)
	assert.Contains(t, failed, "its field Xs: a []int cannot be read from a cell")
	table, err := dataset.ReadCSV(strings.NewReader("x,class\na,p\nb,q\na,p\n"), "t.csv",
		dataset.ReadOptions{})
	require.NoError(t, err)
	_, failed = allPredictions[dataset.Row, int](t, table, Tabulate[dataset.Row, int](bayes), last)
	assert.Contains(t, failed, "without Tabulate")
	assert.Nil(t, Tabulate[string, bool](Learner[dataset.Row, int]{}).Fit)
}

// Examples that somebody else makes have the columns of the data set.
func TestTabulateOtherExamples(t *testing.T) {
	t.Parallel()
	all, err := NewSample(journeys())
	require.NoError(t, err)
	l := Tabulate[journey, bool](FromClassifier(naivebayes.New(naivebayes.Config{})))
	m, err := l.Fit(t.Context(), all, 1)
	require.NoError(t, err)
	assert.True(t, m.reference, "it is as good as the learner on tables")
	asked, err := all.With([]journey{{Colour: "green"}, {Colour: "red"}}, nil)
	require.NoError(t, err)
	p, err := m.Predict(t.Context(), asked)
	require.NoError(t, err)
	assert.Len(t, p.Predicted, 2)
	asked, err = all.With([]journey{{Colour: "pink"}}, nil)
	require.NoError(t, err)
	_, err = m.Predict(t.Context(), asked)
	require.ErrorIs(t, err, dataset.ErrUnusable)
	assert.ErrorContains(t, err, `example 0, field Colour: "pink" occurs in no example of the data set`)

	other, err := NewSample(Examples("others", []journey{{Colour: "pink"}, {Colour: "red"}},
		[]bool{true, false}))
	require.NoError(t, err)
	_, err = m.Predict(t.Context(), other)
	assert.ErrorContains(t, err, "the model was trained on examples with other columns")
}

// A learner that changes the table is found out as one that changes the examples.
func TestTabulatedTableIsWatched(t *testing.T) {
	t.Parallel()
	vandal := Func("vandal", func(_ context.Context, train Sample[dataset.Row, int],
		_ uint64,
	) (func(dataset.Row) int, error) {
		train.Example(0).Table.Numbers(2)[0]++
		return func(dataset.Row) int { return 0 }, nil
	})
	_, err := Run(t.Context(), []Data[journey, bool]{journeys()},
		[]Learner[journey, bool]{Tabulate[journey, bool](vandal)}, Config{Protocol: split.CV(1, 2)})
	require.ErrorIs(t, err, learner.ErrUnusable)
}
