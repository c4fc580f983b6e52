package learntest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
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
	return dataset.DigestOf(d, p.rows)
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
	bayes, nearest := FromClassifier(naivebayes.New(naivebayes.Config{})),
		FromClassifier(neighbor.New(neighbor.Config{K: 3}))
	want := mustRun[dataset.Row, int](t, whole, cfg, bayes, nearest)
	got := mustRun[dataset.Row, int](t, glass, cfg, bayes, nearest)
	require.Len(t, values(want), 12)
	assert.Equal(t, values(want), values(got))
	// No example of this one has the index of its row.
	later := part{Table: glass.Table}
	for i := 1; i < 100; i++ {
		later.rows = append(later.rows, i)
	}
	assert.Equal(t, values(mustRun[dataset.Row, int](t, pick(t, glass.Table, later.rows), cfg, bayes)),
		values(mustRun[dataset.Row, int](t, later, cfg, bayes)))

	var rows []dataset.Row
	var labels []int
	for i := range glass.Len() {
		rows, labels = append(rows, glass.Example(i)), append(labels, glass.Label(i))
	}
	examples := Examples("glass", rows, labels)
	assert.Equal(t, values(want), values(mustRun(t, examples, cfg, bayes, nearest)))
	before, err := examples.Digest()
	require.NoError(t, err)
	fresh := pick(t, glass.Table, glass.rows)
	digest := func() string {
		d, err := Examples("d", []dataset.Row{{Table: fresh}}, []int{0}).Digest()
		require.NoError(t, err)
		return d
	}
	unused := digest()
	_, err = fresh.Digest() // which the table remembers
	require.NoError(t, err)
	assert.Equal(t, unused, digest())
	rows[0].Index++
	after, err := examples.Digest()
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
	iris := dataset.Row{Table: uci.Iris(), Index: 1}
	ofFirst, err := Examples("d", []dataset.Row{
		{Table: fresh},
		{Table: iris.Table},
		{Table: fresh, Index: 1},
	}, make([]int, 3)).Digest()
	require.NoError(t, err)
	ofSecond, err := Examples("d", []dataset.Row{{Table: fresh}, {Table: iris.Table}, iris},
		make([]int, 3)).Digest()
	require.NoError(t, err)
	assert.NotEqual(t, ofFirst, ofSecond, "which table a row is of counts")
}

func TestLearnersOnTablesKnowTheLabelsOfTables(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(1, 2)}
	bayes := FromClassifier(naivebayes.New(naivebayes.Config{}))
	iris := every(uci.Iris(), 1)
	iris.label = func(class int) int { return min(class, 1) }
	b := mustRun[dataset.Row, int](t, iris, cfg, bayes)
	for _, tr := range trials(b) {
		assert.Equal(t, "fit: unusable data: naivebayes: the label of example 100 is 1, which is not what its table says: this learner knows the labels of tables only", tr.Err)
	}
	// Other learners may learn such labels, and only labels that occur are classes.
	var classes []int
	rule := Func("rule", func(_ context.Context, train Sample[dataset.Row, int],
		_ uint64,
	) (func(dataset.Row) int, error) {
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
	bayes := FromClassifier(naivebayes.New(naivebayes.Config{}))
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
	// Training on both, although each example has the index of its row.
	both := examples(iris)
	for i := range both.xs {
		if i%2 == 1 {
			both.xs[i].Table = twin
		}
	}
	b = mustRun(t, both, Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 50})}, bayes,
		Encode(dataset.Encoding{}, neverFit(t)))
	assert.Equal(t, "fit: unusable data: naivebayes: training examples 0 and 1 are rows of different tables: a learner on tables is trained on one", trials(b)[0].Err)
	assert.Equal(t, "fit: unusable data: training examples 0 and 1 are rows of different tables: a learner on tables is trained on one", trials(b)[1].Err)
	// Tables that have nothing to do with each other.
	b = mustRun(t, examples(iris, uci.Glass()), cfg, bayes)
	assert.Equal(t, "fit: unusable data: naivebayes: example 150 is a row of a table with other attributes than the table of example 0", trials(b)[0].Err)

	for _, bad := range []dataset.Row{{}, {Table: iris, Index: -1}, {Table: iris, Index: 150}} {
		_, err := newSource(Examples("rows", []dataset.Row{{Table: iris}, bad}, []int{0, 1}))
		require.ErrorIs(t, err, dataset.ErrUnusable)
		require.ErrorContains(t, err, "example 1 is no row of a table: Table.Example makes one")
	}
}

// neverFit is a learner that must not be trained.
func neverFit(t *testing.T) Learner[[]float64, int] {
	return Func("never", func(context.Context, Sample[[]float64, int], uint64) (func([]float64) int,
		error,
	) {
		t.Error("it is trained")
		return nil, nil
	})
}

// Rows of tables without classes may have labels of one's own.
func TestRowsOfTablesWithoutClasses(t *testing.T) {
	t.Parallel()
	table := targets(t, 8).Table
	var rows []dataset.Row
	for i := range 8 {
		rows = append(rows, table.Example(i))
	}
	d := Examples("rows", rows, []int{0, 1, 0, 1, 0, 1, 0, 1})
	cfg := Config{Protocol: split.CV(1, 2)}
	b := mustRun(t, d, cfg, Pretrained("parity", func(r dataset.Row) int { return r.Index % 2 }),
		FromClassifier(classifyingAide{}))
	assert.Equal(t, []float64{1, 1}, values(b))
	assert.Contains(t, trials(b)[1].Err,
		"the label of example 0 is 0, which is not what its table says")
}

func TestSameAttributes(t *testing.T) {
	t.Parallel()
	column := func(name string, values ...string) dataset.Column {
		return dataset.Column{Attribute: dataset.Attribute{
			Name: name, Kind: dataset.Nominal,
			Values: values,
		}, Codes: []int32{0}}
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
		table(1, dataset.Column{Attribute: dataset.Attribute{Name: "x"}, Numbers: []float64{1}},
			column("c", "y")),
	} {
		assert.False(t, sameAttributes(a, b))
	}
}

// A learner that changes the table behind a part of it is found out.
func TestPartsOfTablesThatChange(t *testing.T) {
	t.Parallel()
	read := func() *dataset.Table {
		table, err := dataset.ReadCSV(strings.NewReader("x,class\n1,a\n2,a\n3,b\n4,b\n5,a\n6,a\n7,b\n8,b\n"), "petals.csv", dataset.ReadOptions{})
		require.NoError(t, err)
		return table
	}
	spoiler := Func("spoiler", func(_ context.Context, train Sample[dataset.Row, int],
		_ uint64,
	) (func(dataset.Row) int, error) {
		train.Example(0).Table.Numbers(0)[3]++
		return func(dataset.Row) int { return 0 }, nil
	})
	table := read()
	for _, d := range []Data[dataset.Row, int]{
		every(read(), 2),
		Examples("rows", []dataset.Row{
			table.Example(0), table.Example(1), table.Example(2),
			table.Example(4),
		}, []int{0, 0, 1, 0}),
	} {
		_, err := Run(t.Context(), []Data[dataset.Row, int]{d}, []Learner[dataset.Row, int]{spoiler},
			Config{Protocol: split.CV(1, 2)})
		require.ErrorIs(t, err, learner.ErrUnusable)
		require.ErrorContains(t, err, "spoiler changes the examples that it is given")
	}
}

// rents is a table with a nominal attribute, a number to be predicted and groups.
func rents(t *testing.T) dataset.Regression {
	t.Helper()
	var text strings.Builder
	text.WriteString("rooms,town,rent,house\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%s,%d,%d\n", i%4, [...]string{"a", "b", "c"}[i%3],
			100*(i%4)+[...]int{10, 20, 60}[i%3]+i%5, i/6)
	}
	table, err := dataset.ReadCSV(strings.NewReader(text.String()), "rents.csv",
		dataset.ReadOptions{Target: "rent", Group: "house"})
	require.NoError(t, err)
	r, err := table.Regression()
	require.NoError(t, err)
	return r
}

func TestGroupsAndNumbersAreNamedInErrors(t *testing.T) {
	t.Parallel()
	_, err := Run(t.Context(), []Data[dataset.Row, int]{uci.Iris()},
		[]Learner[dataset.Row, int]{FromClassifier(baseline.Majority())},
		Config{Protocol: split.Groups(1, 5)})
	require.ErrorIs(t, err, split.ErrExamples)
	require.ErrorContains(t, err, `data set "iris": `)
	require.ErrorContains(t, err, "needs the groups of the examples: ReadOptions.Group reads groups from a file, Table.WithGroups and ExampleSet.WithGroups add them")
	_, err = Run(t.Context(), []Data[dataset.Row, int]{rents(t).Table},
		[]Learner[dataset.Row, int]{FromClassifier(baseline.Majority())}, Config{})
	require.ErrorIs(t, err, dataset.ErrUnusable)
	require.ErrorContains(t, err, "the table has no nominal class: name the class attribute when it is read, or use Table.Regression if a number is to be predicted")
}
