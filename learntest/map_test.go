package learntest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A parcel is an example of tests, which is as heavy as its name is long.
type parcel struct {
	Name string
	N    float64
}

func parcels() *ExampleSet[parcel, string] {
	var xs []parcel
	var ys []string
	for i := range 12 {
		xs = append(xs, parcel{strings.Repeat("x", i+1), float64(i)})
		ys = append(ys, []string{"light", "middling", "heavy"}[i/4])
	}
	return Examples("parcels", xs, ys)
}

// allPredictions returns the predictions of a learner in the only trial of a protocol.
func allPredictions[X any, Y comparable](t *testing.T, data Data[X, Y], l Learner[X, Y],
	p split.Protocol,
) (metric.Predictions, string) {
	t.Helper()
	var got metric.Predictions
	b := mustRun(t, data, Config{Protocol: p, Parallel: 1, Predicted: func(_ record.Cell, _ []int,
		p *metric.Predictions,
	) {
		got = *p
		got.Truth, got.Predicted, got.Probabilities = slices.Clone(p.Truth), slices.Clone(p.Predicted),
			slices.Clone(p.Probabilities)
		got.PredictedValues = slices.Clone(p.PredictedValues)
	}}, l)
	return got, trials(b)[0].Err
}

// TestMap has learners of each kind of model learn from texts as their lengths.
func TestMap(t *testing.T) {
	t.Parallel()
	data, last := parcels(), split.TimeSeries(1, split.Window{TestSize: 4})
	length := func(p parcel) int { return len(p.Name) }
	var saw []int
	fitted := func(train Sample[int, string]) {
		saw = train.Examples()
		assert.Equal(t, []string{"heavy", "light", "middling"}, train.Classes())
		assert.Equal(t, 1, train.Class(0))
		assert.Equal(t, "middling", train.Label(7))
		assert.Zero(t, train.Data().Example(11), "no test example is there")
	}
	one := Func("one", func(_ context.Context, train Sample[int, string], _ uint64) (func(int) string,
		error,
	) {
		fitted(train)
		return func(x int) string { return train.Label(x - 7) }, nil
	})
	probs := ProbFunc("probs", func(_ context.Context, train Sample[int, string],
		_ uint64,
	) (func(int, []float64), error) {
		fitted(train)
		return func(x int, p []float64) { p[train.Class(x-7)] = 1 }, nil
	})
	closed := 0
	batch := Learner[int, string]{
		Name: "batch", Depends: []string{"map_test.go"},
		Fit: func(_ context.Context, train Sample[int, string], _ uint64) (Model[int, string], error) {
			fitted(train)
			return LabelModel(func(_ context.Context, xs []int) ([]string, error) {
				ys := make([]string, len(xs))
				for i, x := range xs {
					ys[i] = train.Label(x - 7)
				}
				return ys, nil
			}).WithClose(func() error { closed++; return nil }), nil
		},
	}
	for _, l := range []Learner[int, string]{one, probs, batch} {
		on := Map(l, length)
		assert.Equal(t, l.Name, on.Name)
		assert.Equal(t, l.Depends, on.Depends)
		p, err := allPredictions(t, data, on, last)
		require.Empty(t, err)
		assert.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8}, saw)
		assert.Equal(t, []int{0, 0, 0, 0}, p.Truth)
		assert.Equal(t, []int{1, 1, 2, 2}, p.Predicted, "the labels of examples 2 to 5")
		assert.Equal(t, l.Name == "probs", p.Probabilities != nil)
	}
	assert.Positive(t, closed)

	wrong := Func("wrong", func(context.Context, Sample[int, string], uint64) (func(int) string,
		error,
	) {
		return func(int) string { return "huge" }, nil
	})
	_, err := allPredictions(t, data, Map(wrong, length), last)
	assert.Contains(t, err, `predict: invalid prediction: example 8: the label "huge" is no class`)
	_, err = allPredictions(t, data, Map(one, func(parcel) int { panic("no scales") }), last)
	assert.Contains(t, err, "panic: no scales")
	assert.Nil(t, Map(Learner[int, string]{Name: "x"}, length).Fit)
	assert.Nil(t, Map[parcel](one, nil).Fit)
}

// A mapping between examples of one type lends nobody the examples of the data set to change.
func TestMapBetweenRows(t *testing.T) {
	t.Parallel()
	data := Examples("rows", [][]float64{{1}, {2}, {3}, {4}}, []bool{false, false, true, true})
	double := func(x []float64) []float64 { return []float64{2 * x[0]} }
	l := Map(Func("above", func(_ context.Context, train Sample[[]float64, bool],
		_ uint64,
	) (func([]float64) bool, error) {
		return func(x []float64) bool { return x[0] > 5 }, nil
	}), double)
	batch := Map(Learner[[]float64, bool]{Name: "batch", Fit: func(_ context.Context,
		train Sample[[]float64, bool], _ uint64,
	) (Model[[]float64, bool], error) {
		return LabelModel(func(_ context.Context, xs [][]float64) ([]bool, error) {
			return []bool{xs[0][0] > 5, xs[1][0] > 5}, nil
		}), nil
	}}, double)
	all, err := NewSample(data)
	require.NoError(t, err)
	for _, l := range []Learner[[]float64, bool]{l, batch} {
		m, err := l.Fit(t.Context(), all, 1)
		require.NoError(t, err)
		p, err := m.Predict(t.Context(), all.Select([]int{1, 2}))
		require.NoError(t, err)
		assert.Equal(t, []int{0, 1}, p.Predicted)
	}
}

// A function may make rows of a table of examples.
func TestMapToRows(t *testing.T) {
	t.Parallel()
	table, err := dataset.ReadCSV(strings.NewReader("x,class\na,p\nb,q\na,p\nb,q\na,p\nb,q\n"),
		"t.csv", dataset.ReadOptions{})
	require.NoError(t, err)
	type wrapped struct{ row int }
	of := func(w wrapped) dataset.Row { return table.Example(w.row) }
	var xs []wrapped
	var ys []int
	for i := range table.Len() {
		xs, ys = append(xs, wrapped{i}), append(ys, table.Label(i))
	}
	bayes := Map(FromClassifier(naivebayes.New(naivebayes.Config{})), of)
	p, failed := allPredictions(t, Examples("wrapped", xs, ys), bayes,
		split.TimeSeries(1, split.Window{TestSize: 2}))
	require.Empty(t, failed)
	assert.Equal(t, p.Truth, p.Predicted)

	slices.Reverse(ys)
	_, failed = allPredictions(t, Examples("wrapped", xs, ys), bayes,
		split.TimeSeries(1, split.Window{TestSize: 2}))
	assert.Contains(t, failed, "not what its table says")
	_, failed = allPredictions(t, Examples("wrapped", xs, ys),
		Map(FromClassifier(naivebayes.New(naivebayes.Config{})),
			func(wrapped) (r dataset.Row) { return r }), split.TimeSeries(1, split.Window{TestSize: 2}))
	assert.Contains(t, failed, "example 0 is no row of a table")
}

// TestSampleWith trains learners on examples that another one has made.
func TestSampleWith(t *testing.T) {
	t.Parallel()
	all, err := NewSample(parcels())
	require.NoError(t, err)
	half := all.Select([]int{0, 1, 2, 3}) // light all of them
	other, err := half.With([]parcel{{"a", 1}, {"b", 2}}, []string{"middling", "middling"})
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1}, other.Rows())
	assert.Equal(t, all.Classes(), other.Classes())
	assert.Equal(t, 2, other.Class(1))
	assert.Equal(t, "b", other.Example(1).Name)
	assert.Equal(t, []string{"middling", "middling"}, other.Labels())

	// Without labels, for predictions.
	m := LabelModel(func(_ context.Context, xs []parcel) ([]string, error) {
		return slices.Repeat([]string{"heavy"}, len(xs)), nil
	})
	asked, err := half.With([]parcel{{"a", 1}, {"b", 2}, {"c", 3}}, nil)
	require.NoError(t, err)
	assert.Equal(t, -1, asked.Class(2))
	assert.Empty(t, asked.Label(2))
	p, err := m.Predict(t.Context(), asked)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 0, 0}, p.Predicted)
	assert.Equal(t, []int{-1, -1, -1}, p.Truth)

	_, err = half.With([]parcel{{"a", 1}}, []string{"huge"})
	require.ErrorIs(t, err, dataset.ErrUnusable)
	assert.ErrorContains(t, err, `other examples of "parcels": the label of example 0, huge, is none of the classes`)
	_, err = half.With([]parcel{{"a", 1}}, []string{})
	assert.ErrorContains(t, err, "1 examples with 0 labels")

	numbers, err := NewSample(Examples("numbers", []int{1, 2}, []float64{1, 2}))
	require.NoError(t, err)
	more, err := numbers.With([]int{7}, []float64{8})
	require.NoError(t, err)
	assert.Equal(t, -1, more.Class(0))
	v, err := LabelModel(func(context.Context, []int) ([]float64, error) {
		return []float64{9},
			nil
	}).Predict(t.Context(), more)
	require.NoError(t, err)
	assert.Equal(t, []float64{8}, v.TrueValues)
	assert.Equal(t, []float64{9}, v.PredictedValues)
	none, err := numbers.With([]int{7}, nil)
	require.NoError(t, err)
	v, err = LabelModel(func(context.Context, []int) ([]float64, error) {
		return []float64{9},
			nil
	}).Predict(t.Context(), none)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(v.TrueValues[0]))
	_, err = numbers.With([]int{7}, []float64{math.Inf(1)})
	assert.ErrorContains(t, err, "label of example 0 is +Inf")
}

// A learner of tables is trained on rows of more than its own examples.
func TestSampleWithRows(t *testing.T) {
	t.Parallel()
	table, err := dataset.ReadCSV(strings.NewReader("x,class\na,p\nb,q\na,p\nb,q\n"), "t.csv",
		dataset.ReadOptions{})
	require.NoError(t, err)
	all, err := NewSample[dataset.Row, int](table)
	require.NoError(t, err)
	more, err := all.With([]dataset.Row{table.Example(3), table.Example(0), table.Example(0)},
		[]int{1, 0, 0})
	require.NoError(t, err)
	bayes := FromClassifier(naivebayes.New(naivebayes.Config{}))
	m, err := bayes.Fit(t.Context(), more, 1)
	require.NoError(t, err)
	p, err := m.Predict(t.Context(), all)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1, 0, 1}, p.Predicted)
	_, err = all.With([]dataset.Row{{}}, nil)
	assert.ErrorContains(t, err, "is no row of a table")
}

// errScale is an error of a mapping that is learned.
var errScale = errors.New("nothing to scale")

// TestLearnedMap learns a mapping from the training examples, in a Fit of its own.
func TestLearnedMap(t *testing.T) {
	t.Parallel()
	inner := Func("above", func(_ context.Context, train Sample[float64, string],
		_ uint64,
	) (func(float64) string, error) {
		return func(x float64) string { return map[bool]string{true: "heavy", false: "light"}[x > 1] },
			nil
	})
	scaled := Learner[parcel, string]{Name: "scaled", Fit: func(ctx context.Context,
		train Sample[parcel, string], seed uint64,
	) (Model[parcel, string], error) {
		most := 0.0
		for x := range train.All() {
			most = max(most, x.N)
		}
		if most == 0 {
			return Model[parcel, string]{}, errScale
		}
		return Map(inner, func(p parcel) float64 { return p.N / most }).Fit(ctx, train, seed)
	}}
	p, failed := allPredictions(t, parcels(), scaled, split.TimeSeries(1, split.Window{TestSize: 4}))
	require.Empty(t, failed)
	assert.Equal(t, []int{0, 0, 0, 0}, p.Predicted)
}
