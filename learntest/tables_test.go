package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A part is some rows of a table, as a user may want it.
type part struct {
	*dataset.Table
	rows  []int
	label func(class int) int
}

func (p part) Len() int                  { return len(p.rows) }
func (p part) Example(i int) dataset.Row { return p.Table.Example(p.rows[i]) }

func (p part) Label(i int) int {
	class := p.Class(p.rows[i])
	if p.label != nil {
		return p.label(class)
	}
	return class
}

func (p part) Digest() (string, error) {
	d, err := p.Table.Digest()
	if err != nil {
		return "", err
	}
	return DigestOf(d, p.rows)
}

// every returns each k-th row of a table.
func every(t *dataset.Table, k int) part {
	p := part{Table: t}
	for i := 0; i < t.Len(); i += k {
		p.rows = append(p.rows, i)
	}
	return p
}

// pick returns a table of the given rows of another.
func pick(t *testing.T, from *dataset.Table, rows []int) *dataset.Table {
	t.Helper()
	var cols []dataset.Column
	for j := range from.NumAttributes() {
		c := dataset.Column{Attribute: from.Attribute(j)}
		for _, i := range rows {
			if c.Kind == dataset.Numeric {
				c.Numbers = append(c.Numbers, from.Numbers(j)[i])
			} else {
				c.Codes = append(c.Codes, from.Codes(j)[i])
			}
		}
		cols = append(cols, c)
	}
	out, err := dataset.New(from.Name(), cols, from.ClassIndex(), nil)
	require.NoError(t, err)
	return out
}

// values returns the first metric of each trial that did not fail.
func values(b *record.Block) []float64 {
	var out []float64
	for t := range b.Trials() {
		if t.Err == "" {
			out = append(out, t.Values[0])
		}
	}
	return out
}

// A part of a table, or its rows as examples, is learned as a table of just these
// rows is. The part of glass has but six of the seven declared classes.
func TestPartsOfTablesAreLearned(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(2, 3).WithSeed(4), Metrics: []metric.Metric{metric.LogLoss()}}
	glass := every(uci.Glass(), 2)
	whole := pick(t, glass.Table, glass.rows)
	bayes, nearest := Classifier(naivebayes.New(naivebayes.Config{})), Classifier(neighbor.New(neighbor.Config{K: 3}))
	want := mustRun[dataset.Row, int](t, whole, cfg, bayes, nearest)
	got := mustRun[dataset.Row, int](t, glass, cfg, bayes, nearest)
	require.Len(t, values(want), 12)
	assert.Equal(t, values(want), values(got))

	var rows []dataset.Row
	var labels []int
	for i := range glass.Len() {
		rows, labels = append(rows, glass.Example(i)), append(labels, glass.Label(i))
	}
	examples := Examples("glass", rows, labels)
	assert.Equal(t, values(want), values(mustRun(t, examples, cfg, bayes, nearest)))
	before, err := examples.Digest()
	require.NoError(t, err)
	_, err = uci.Glass().Digest() // which the table remembers
	require.NoError(t, err)
	after, err := examples.Digest()
	require.NoError(t, err)
	assert.Equal(t, before, after)
	rows[0].Index++
	after, err = examples.Digest()
	require.NoError(t, err)
	assert.NotEqual(t, before, after)
	ofIris, err := Examples("d", []dataset.Row{{Table: uci.Iris()}}, []int{0}).Digest()
	require.NoError(t, err)
	ofGlass, err := Examples("d", []dataset.Row{{Table: uci.Glass()}}, []int{0}).Digest()
	require.NoError(t, err)
	assert.NotEqual(t, ofIris, ofGlass, "the tables count")
	rows[0] = dataset.Row{Table: whole, Index: 0}
	after, err = examples.Digest()
	require.NoError(t, err)
	assert.NotEqual(t, before, after)
}

func TestLearnersOnTablesKnowTheLabelsOfTables(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(1, 2)}
	bayes := Classifier(naivebayes.New(naivebayes.Config{}))
	iris := every(uci.Iris(), 1)
	iris.label = func(class int) int { return min(class, 1) }
	b := mustRun[dataset.Row, int](t, iris, cfg, bayes)
	for _, tr := range trials(b) {
		assert.Equal(t, "fit: unusable data: naivebayes: the label of example 100 is 1, which is not what its table says: this learner knows the labels of tables only", tr.Err)
	}
	// Others may learn them, and the classes are those that occur.
	var classes []int
	rule := Func("rule", func(_ context.Context, train Sample[dataset.Row, int], _ uint64) (func(dataset.Row) int, error) {
		classes = train.Classes()
		return func(r dataset.Row) int { return min(r.Table.Class(r.Index), 1) }, nil
	})
	b = mustRun[dataset.Row, int](t, iris, Config{Protocol: split.CV(1, 2), Parallel: 1}, rule)
	assert.Equal(t, []float64{1, 1}, values(b))
	assert.Equal(t, []int{0, 1}, classes)
}

func TestRowsOfSeveralTables(t *testing.T) {
	t.Parallel()
	iris := uci.Iris()
	all := make([]int, iris.Len())
	for i := range all {
		all[i] = i
	}
	twin := pick(t, iris, all)
	examples := func(tables ...*dataset.Table) *ExampleSet[dataset.Row, int] {
		var rows []dataset.Row
		var labels []int
		for _, table := range tables {
			for i := range table.Len() {
				rows, labels = append(rows, table.Example(i)), append(labels, table.Class(i))
			}
		}
		return Examples("rows", rows, labels)
	}
	bayes := Classifier(naivebayes.New(naivebayes.Config{}))
	// A table to train on and one to test on.
	test := make([]int, 150)
	for i := range test {
		test[i] = 150 + i
	}
	cfg := Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 150})}
	assert.Len(t, values(mustRun(t, examples(iris, twin), cfg, bayes)), 1)
	// Training on both.
	cfg = Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 100})}
	b := mustRun(t, examples(iris, twin), cfg, bayes)
	require.Len(t, record.NewFile(b).Failures(), 1)
	assert.Equal(t, "fit: unusable data: naivebayes: training examples 0 and 150 are rows of different tables: a learner on tables is trained on one", trials(b)[0].Err)
	// Tables that have nothing to do with each other.
	b = mustRun(t, examples(iris, uci.Glass()), cfg, bayes)
	assert.Equal(t, "fit: unusable data: naivebayes: example 150 is a row of a table with other attributes than that of example 0", trials(b)[0].Err)

	for _, bad := range []dataset.Row{{}, {Table: iris, Index: -1}, {Table: iris, Index: 150}} {
		_, err := newSource(Examples("rows", []dataset.Row{{Table: iris}, bad}, []int{0, 1}))
		require.ErrorIs(t, err, ErrData)
		require.ErrorContains(t, err, "example 1 is no row of a table: Table.Example makes one")
	}
}

func TestSameAttributes(t *testing.T) {
	t.Parallel()
	column := func(name string, values ...string) dataset.Column {
		return dataset.Column{Attribute: dataset.Attribute{Name: name, Kind: dataset.Nominal, Values: values}, Codes: []int32{0}}
	}
	table := func(class int, cols ...dataset.Column) *dataset.Table {
		out, err := dataset.New("t", cols, class, nil)
		require.NoError(t, err)
		return out
	}
	a := table(1, column("x", "p", "q"), column("c", "y"))
	assert.True(t, sameAttributes(a, table(1, column("x", "p", "q"), column("c", "y"))))
	for _, b := range []*dataset.Table{
		table(0, column("x", "p", "q"), column("c", "y")),
		table(1, column("x", "p", "q"), column("c", "y"), column("d", "z")),
		table(1, column("x", "q", "p"), column("c", "y")),
		table(1, column("z", "p", "q"), column("c", "y")),
		table(1, dataset.Column{Attribute: dataset.Attribute{Name: "x"}, Numbers: []float64{1}}, column("c", "y")),
	} {
		assert.False(t, sameAttributes(a, b))
	}
}

// A learner that changes the table behind a part of it is found out.
func TestPartsOfTablesThatChange(t *testing.T) {
	t.Parallel()
	read := func() *dataset.Table {
		table, err := dataset.ReadCSV(strings.NewReader("x,class\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n"), "petals.csv", dataset.ReadOptions{})
		require.NoError(t, err)
		return table
	}
	spoiler := Func("spoiler", func(_ context.Context, train Sample[dataset.Row, int], _ uint64) (func(dataset.Row) int, error) {
		train.Example(0).Table.Numbers(0)[3]++
		return func(dataset.Row) int { return 0 }, nil
	})
	table := read()
	for _, d := range []Data[dataset.Row, int]{every(read(), 2), Examples("rows", []dataset.Row{table.Example(0), table.Example(1), table.Example(2), table.Example(4)}, []int{0, 1, 0, 0})} {
		_, err := Run(t.Context(), []Data[dataset.Row, int]{d}, []Learner[dataset.Row, int]{spoiler}, Config{Protocol: split.CV(1, 2)})
		require.ErrorIs(t, err, ErrLearner)
		require.ErrorContains(t, err, "spoiler changes the examples that it is given")
	}
}

// rents is a table with a nominal attribute, a number to be predicted and groups.
func rents(t *testing.T) dataset.Regression {
	t.Helper()
	var text strings.Builder
	text.WriteString("rooms,town,rent,house\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%s,%d,%d\n", i%4, [...]string{"a", "b", "c"}[i%3], 100*(i%4)+[...]int{10, 20, 60}[i%3]+i%5, i/6)
	}
	table, err := dataset.ReadCSV(strings.NewReader(text.String()), "rents.csv", dataset.ReadOptions{Target: "rent", Group: "house"})
	require.NoError(t, err)
	r, err := table.Regression()
	require.NoError(t, err)
	return r
}

func TestRegressorsLearnTables(t *testing.T) {
	t.Parallel()
	r := rents(t)
	var tests [][]int
	cfg := Config{Protocol: split.Groups(1, 5), Metrics: []metric.Metric{metric.MAE()}, Parallel: 1}
	cfg.Predicted = func(c record.Cell, test []int, _ *metric.Predictions) {
		if c.Learner == "ols" {
			tests = append(tests, slices.Clone(test))
		}
	}
	b := mustRun[dataset.Row, float64](t, r, cfg, Regressor(ols.New(ols.Config{})), Regressor(baseline.Median()), Regressor(baseline.Mean()))
	v := values(b)
	require.Len(t, v, 15)
	for i := 0; i < len(v); i += 3 {
		assert.Less(t, v[i], 2.0)
		assert.Greater(t, v[i+1], 50.0)
	}
	require.Len(t, tests, 5)
	for _, test := range tests {
		in := make(map[string]int)
		for _, i := range test {
			in[r.Groups()[i]]++
		}
		for g, n := range in {
			assert.Equal(t, 6, n, "group %s is divided", g)
		}
	}
	// Labels of one's own are not what the table says.
	var rows []dataset.Row
	var labels []float64
	for i := range r.Len() {
		rows, labels = append(rows, r.Example(i)), append(labels, r.Label(i))
	}
	cfg = Config{Protocol: split.CV(1, 2), Metrics: cfg.Metrics}
	assert.Len(t, values(mustRun(t, Examples("rents", rows, labels), cfg, Regressor(baseline.Mean()))), 2)
	labels[7]++
	b = mustRun(t, Examples("rents", rows, labels), cfg, Regressor(baseline.Mean()))
	assert.Contains(t, trials(b)[0].Err, "mean: the label of example 7 is ")
	// Nor is a number what a table of classes says.
	b = mustRun(t, Examples("iris", []dataset.Row{uci.Iris().Example(0), uci.Iris().Example(1)}, []float64{0, 0}), cfg, Regressor(baseline.Mean()))
	assert.Contains(t, trials(b)[0].Err, "the label of example 0 is 0, which is not what its table says")
}

func TestGroupsAndNumbersAreNamedInErrors(t *testing.T) {
	t.Parallel()
	_, err := Run(t.Context(), []Data[dataset.Row, int]{uci.Iris()}, []Learner[dataset.Row, int]{Classifier(baseline.Majority())}, Config{Protocol: split.Groups(1, 5)})
	require.ErrorIs(t, err, split.ErrExamples)
	require.ErrorContains(t, err, `data set "iris": `)
	require.ErrorContains(t, err, "needs the groups of the examples: ReadOptions.Group reads groups from a file, Table.WithGroups and ExampleSet.WithGroups add them")
	_, err = Run(t.Context(), []Data[dataset.Row, int]{rents(t).Table}, []Learner[dataset.Row, int]{Classifier(baseline.Majority())}, Config{})
	require.ErrorIs(t, err, ErrData)
	require.ErrorContains(t, err, "the table has no nominal class: name the class attribute when it is read, or use Table.Regression if a number is to be predicted")
}

// A spy model takes note of what it is given.
type spyModel struct {
	rows   [][]float64
	labels []int
	asked  [][]float64
	err    error
}

func (m *spyModel) Fit(x [][]float64, y []int) error { m.rows, m.labels = x, y; return m.err }
func (m *spyModel) Classes() []int                   { return []int{2, 0} }

func (m *spyModel) Predict(row []float64) int {
	m.asked = append(m.asked, row)
	return 2
}

func (m *spyModel) Probabilities(row []float64) []float64 {
	m.asked = append(m.asked, row)
	return []float64{0.7, 0.3}
}

func TestEncodedTables(t *testing.T) {
	t.Parallel()
	table, err := dataset.ReadCSV(strings.NewReader("n,colour,class\n1,red,a\n3,blue,b\n5,red,c\n11,green,a\n-7,red,b\n5,blue,c\n"), "t.csv", dataset.ReadOptions{})
	require.NoError(t, err)
	cfg := Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 3}), Parallel: 1}
	both := dataset.Encoding{OneHot: true, Scale: true}
	deviation := math.Sqrt(8. / 3)
	train := [][]float64{{-2 / deviation, 1, 0, 0}, {0, 0, 1, 0}, {2 / deviation, 1, 0, 0}}
	test := [][]float64{{8 / deviation, 0, 0, 1}, {-10 / deviation, 1, 0, 0}, {2 / deviation, 0, 1, 0}}

	var spy *spyModel
	rows := Rows("rows", func(uint64) RowModel[int] { spy = &spyModel{}; return spy })
	probs := ProbRows("probs", func(uint64) ProbRowModel[int] { spy = &spyModel{}; return spy })
	batch := Learner[[]float64, int]{"batch", func(_ context.Context, s Sample[[]float64, int], _ uint64) (Model[[]float64, int], error) {
		spy = &spyModel{rows: s.Examples(), labels: s.Labels()}
		assert.Nil(t, s.Data().Example(4), "no test row is there")
		assert.Equal(t, []int{0, 1, 2}, s.Classes())
		assert.Equal(t, 2, s.Class(2))
		return Labels(func(_ context.Context, xs [][]float64) ([]int, error) {
			spy.asked = xs
			return []int{2, 2, 2}, nil
		}).WithClose(func() error { return errors.New("closed") }), nil
	}}
	for _, l := range []Learner[[]float64, int]{rows, probs, batch} {
		var predicted metric.Predictions
		cfg.Predicted = func(_ record.Cell, _ []int, p *metric.Predictions) {
			predicted = *p
			predicted.Predicted, predicted.Probabilities = slices.Clone(p.Predicted), slices.Clone(p.Probabilities)
		}
		b := mustRun[dataset.Row, int](t, table, cfg, Encode(both, l))
		assert.Equal(t, []string{l.Name}, b.Learners)
		requireRows(t, train, spy.rows)
		requireRows(t, test, spy.asked)
		assert.Equal(t, []int{0, 1, 2}, spy.labels)
		if l.Name == "batch" {
			assert.Equal(t, "close: closed", trials(b)[0].Err)
			continue
		}
		require.Empty(t, trials(b)[0].Err)
		assert.Equal(t, []int{2, 2, 2}, predicted.Predicted)
		if l.Name == "probs" {
			assert.Equal(t, []float64{0.3, 0, 0.7, 0.3, 0, 0.7, 0.3, 0, 0.7}, predicted.Probabilities)
		}
	}

	// Without the choices, the error names them; so do values that are missing.
	failure := func(e dataset.Encoding, l Learner[[]float64, int], text string) string {
		table, err := dataset.ReadCSV(strings.NewReader(text), "t.csv", dataset.ReadOptions{})
		require.NoError(t, err)
		return trials(mustRun[dataset.Row, int](t, table, Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 1})}, Encode(e, l)))[0].Err
	}
	assert.Contains(t, failure(dataset.Encoding{}, rows, "c,class\np,a\nq,b\n"), "set Encoding.OneHot")
	for _, l := range []Learner[[]float64, int]{rows, probs, batch} {
		assert.Contains(t, failure(both, l, "x,class\n1,a\n2,b\n3,c\n4,a\n?,c\n"), "predict: rows cannot be encoded as numbers: ")
	}
	assert.Contains(t, failure(dataset.Encoding{}, rows, "x,class\n?,a\n1,b\n"), "fit: rows cannot be encoded as numbers: ")
	silent := Learner[[]float64, int]{"silent", func(context.Context, Sample[[]float64, int], uint64) (Model[[]float64, int], error) {
		return Model[[]float64, int]{}, nil
	}}
	assert.Contains(t, failure(both, silent, "x,class\n1,a\n1,b\n"), "the model has no function that predicts")
	_, err = Run(t.Context(), []Data[dataset.Row, int]{table}, []Learner[dataset.Row, int]{Encode(both, Learner[[]float64, int]{Name: "x"})}, Config{})
	require.ErrorContains(t, err, "learner 0 has no name or no Fit")
}

func requireRows(t *testing.T, want, got [][]float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDeltaSlice(t, want[i], got[i], 1e-15)
		require.Len(t, got[i], len(want[i]))
	}
}

func TestEncodedTablesWithNumbers(t *testing.T) {
	t.Parallel()
	line := Func("line", func(_ context.Context, train Sample[[]float64, float64], _ uint64) (func([]float64) float64, error) {
		assert.Equal(t, train.Len(), len(train.Labels()))
		return func(x []float64) float64 { return 100*x[0] + 10*x[1] + 20*x[2] + 60*x[3] + 2 }, nil
	})
	b := mustRun[dataset.Row, float64](t, rents(t), Config{Protocol: split.CV(1, 3)}, Encode(dataset.Encoding{OneHot: true}, line))
	require.Len(t, values(b), 3)
	for _, v := range values(b) {
		assert.InDelta(t, math.Sqrt2, v, 0.2)
	}
}

func TestProbRowsRefusesWhatIsNoPrediction(t *testing.T) {
	t.Parallel()
	d := Examples("d", [][]float64{{1}, {2}, {3}, {4}}, []int{0, 1, 0, 1})
	probs := func(err error) Learner[[]float64, int] {
		return ProbRows("probs", func(uint64) ProbRowModel[int] { return &spyModel{err: err} })
	}
	b := mustRun(t, d, Config{Protocol: split.CV(1, 2)}, probs(nil))
	assert.Equal(t, "fit: invalid prediction: class 0 of the model is 2, which is none of the data's: [0 1]", trials(b)[0].Err)
	b = mustRun(t, d, Config{Protocol: split.CV(1, 2)}, probs(errors.New("singular")))
	assert.Equal(t, "fit: singular", trials(b)[0].Err)
}
