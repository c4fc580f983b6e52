package process

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A log collects lines.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// served returns the learner that this program is with arguments behind "serve".
func served(t testing.TB, args ...string) *Learner {
	t.Helper()
	return started(t, Config{Args: append([]string{self(t), "serve", "ok"}, args...)})
}

func started(t testing.TB, cfg Config) *Learner {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "it"
	}
	if cfg.Depends == nil {
		cfg.Depends = []string{}
	}
	l, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	return l
}

// processes returns the programs of a learner that run.
func processes(l *Learner) []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	var pids []int
	for c := range l.running {
		pids = append(pids, c.cmd.Process.Pid)
	}
	return pids
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return path
}

// trial trains on all rows that are no multiple of three and predicts the others.
func trial(ctx context.Context, l *Learner, t *dataset.Table, seed uint64) (*Predictions, error) {
	var train []int
	var test []dataset.Row
	for i := range t.Len() {
		if i%3 == 0 {
			test = append(test, t.Example(i))
		} else {
			train = append(train, i)
		}
	}
	m, err := l.Fit(ctx, t, train, seed)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Predict(ctx, test)
}

// mixed is a table with missing values, of which the class is not the last
// attribute, and with odd names.
func mixed(t testing.TB) *dataset.Table {
	t.Helper()
	attribute := func(name string, values ...string) dataset.Attribute {
		a := dataset.Attribute{Name: name, Values: values}
		if values != nil {
			a.Kind = dataset.Nominal
		}
		return a
	}
	table, err := dataset.New("a \"table\"\n", []dataset.Column{
		{Attribute: attribute("x<1>"), Numbers: []float64{1, math.NaN(), -3.25, 4e200, 5}},
		{Attribute: attribute("class", "a", "b\\", "\u2028ü"), Codes: []int32{0, 1, 2, 0, -1}},
		{Attribute: attribute("n", "", "b"), Codes: []int32{0, 1, -1, 1, 0}},
	}, 1, nil)
	require.NoError(t, err)
	return table
}

func TestMessages(t *testing.T) {
	t.Parallel()
	table := mixed(t)
	s, err := newSample(table, []int{4, 3, 1, 1}, math.MaxUint64)
	require.NoError(t, err)
	c := &child{}
	c.says.tables = true
	assert.Equal(t, `{"id":1,"op":"table","name":"a \"table\"\n","target":{"name":"class","values":["a","b\\","`+"\u2028"+`ü"]},`+
		`"attributes":[{"name":"x<1>"},{"name":"n","values":["","b"]}],"columns":[[1,null,-3.25,4e+200,5],[0,1,null,1,0]]`,
		string(appendExamples(c.begin("table"), table, nil)))
	assert.Equal(t, `{"id":2,"op":"fit","labels":[0,1,1],"seed":"18446744073709551615","seed31":2147483647`,
		string(appendTraining(c.begin("fit"), s)))
	c.says.tables = false
	b, err := c.message(t.Context(), "predict", table, []int{2, 0})
	require.NoError(t, err)
	assert.Contains(t, string(b), `,"columns":[[-3.25,1],[null,0]]`)
	assert.NotContains(t, string(b), "labels", "no message contains the labels of test rows")
}

// The messages to a program do not depend on the way they are sent.
func TestModesAgree(t *testing.T) {
	t.Parallel()
	numbers, err := uci.Iris().WithGroups("flower", make([]string, uci.Iris().Len()))
	require.NoError(t, err)
	tables := []*dataset.Table{mixed(t), weighted(t), numbers, target(t), uci.Labor()}
	if testing.Short() { // processes start slowly under the race detector
		tables = tables[:2]
	}
	byTable, inline := served(t, "weights"), served(t, "weights", "inline")
	byLabels := served(t, "weights", "labels")
	for _, table := range tables {
		want, err := trial(t.Context(), byTable, table, 7)
		require.NoError(t, err, table.Name())
		got, err := trial(t.Context(), inline, table, 7)
		require.NoError(t, err, table.Name())
		assert.Equal(t, want, got, table.Name())
		if table.NumClasses() == 0 {
			assert.Len(t, want.Values, (table.Len()+2)/3)
			continue
		}
		assert.Len(t, want.Probabilities, (table.Len()+2)/3*table.NumClasses())
		labels, err := trial(t.Context(), byLabels, table, 7)
		require.NoError(t, err)
		for i, c := range labels.Labels {
			assert.Equal(t, 1.0, want.Probabilities[i*table.NumClasses()+c])
		}
		other, err := trial(t.Context(), byTable, table, 8)
		require.NoError(t, err)
		assert.NotEqual(t, want, other, "the seed counts")
	}
}

// target is a table with a number to be predicted.
func target(t testing.TB) *dataset.Table {
	t.Helper()
	iris := uci.Iris()
	var cols []dataset.Column
	for j := range 4 {
		cols = append(cols, dataset.Column{Attribute: iris.Attribute(j), Numbers: iris.Numbers(j)})
	}
	table, err := dataset.New("target", cols, 3, nil)
	require.NoError(t, err)
	return table
}

func weighted(t testing.TB) *dataset.Table {
	t.Helper()
	table := target(t)
	weights := make([]float64, table.Len())
	var cols []dataset.Column
	for j := range table.NumAttributes() {
		cols = append(cols, dataset.Column{Attribute: table.Attribute(j), Numbers: table.Numbers(j)})
	}
	for i := range weights {
		weights[i] = 0.1 + float64(i%4)
	}
	table, err := dataset.New("weighted", cols, 3, weights)
	require.NoError(t, err)
	return table
}

// TestTablesThatAreKept goes through more tables than a program keeps, again and
// again.
func TestTablesThatAreKept(t *testing.T) {
	t.Parallel()
	tables := []*dataset.Table{uci.Iris(), uci.Labor(), target(t), uci.Vote(), uci.Glass(), uci.Zoo()}
	l := served(t)
	var want []*Predictions
	for _, table := range tables {
		p, err := trial(t.Context(), served(t), table, 1)
		require.NoError(t, err)
		want = append(want, p)
	}
	for i := range 60 {
		k := i * i % 7 % len(tables)
		got, err := trial(t.Context(), l, tables[k], 1)
		require.NoError(t, err)
		require.Equal(t, want[k], got, "trial %d on %s", i, tables[k].Name())
	}
	assert.Len(t, processes(l), 1, "one program has served all")
}

// A table is not sent again, as long as a recent message used it.
func TestSlots(t *testing.T) {
	t.Parallel()
	var s slots
	var sent strings.Builder
	for _, digest := range strings.Split("a a b a c d a e b a e", " ") {
		n, known := s.number(digest)
		require.LessOrEqual(t, n, TableSlots)
		if !known {
			fmt.Fprintf(&sent, "%s%d ", digest, n)
		}
	}
	assert.Equal(t, "a1 b2 c3 d4 e2 b3 ", sent.String())
}

func TestRowsOfOtherTables(t *testing.T) {
	t.Parallel()
	iris := uci.Iris()
	half, err := part(iris, []int{7, 3, 60, 100}, true)
	require.NoError(t, err)
	for _, l := range []*Learner{served(t), served(t, "inline")} {
		m, err := l.Fit(t.Context(), iris, []int{0, 1, 2, 70, 120}, 1)
		require.NoError(t, err)
		want, err := m.Predict(t.Context(), []dataset.Row{
			{Table: iris, Index: 7},
			{Table: iris, Index: 100},
			{Table: iris, Index: 60},
		})
		require.NoError(t, err)
		got, err := m.Predict(t.Context(), []dataset.Row{
			{Table: half, Index: 0},
			{Table: iris, Index: 100},
			{Table: half, Index: 2},
		})
		require.NoError(t, err)
		assert.Equal(t, want, got)
		empty, err := m.Predict(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, &Predictions{}, empty)

		_, err = m.Predict(t.Context(), []dataset.Row{{Table: iris, Index: 150}})
		assert.EqualError(t, err, `row 150 of table "iris", which has 150`)
		_, err = m.Predict(t.Context(), []dataset.Row{{Table: uci.Glass(), Index: 0}})
		assert.ErrorContains(t, err, `has other attributes than "iris", which the program learned from`)
		_, err = m.Predict(t.Context(), []dataset.Row{{}})
		assert.EqualError(t, err, "an example is no row of a table")
		require.NoError(t, m.Close())
		require.NoError(t, m.Close())
		_, err = m.Predict(t.Context(), nil)
		assert.ErrorIs(t, err, errModelClosed)
	}
}

// TestWhichProcessServesMakesNoDifference runs trials one after another and many at
// once, so that they are served by other programs in another order.
func TestWhichProcessServesMakesNoDifference(t *testing.T) {
	t.Parallel()
	table := uci.Vote()
	alone, crowd := served(t), served(t)
	const trials = 40
	want, got := make([]*Predictions, trials), make([]*Predictions, trials)
	for i := range want {
		var err error
		want[i], err = trial(t.Context(), alone, table, uint64(i))
		require.NoError(t, err)
	}
	var g errgroup.Group
	g.SetLimit(4)
	for i := range got {
		g.Go(func() (err error) {
			got[trials-1-i], err = trial(t.Context(), crowd, table, uint64(trials-1-i))
			return err
		})
	}
	require.NoError(t, g.Wait())
	assert.Equal(t, want, got)
	assert.Len(t, processes(alone), 1)
	assert.LessOrEqual(t, len(processes(crowd)), 4, "one for each model at the same time")
	assert.Greater(t, len(processes(crowd)), 1)
	assert.Len(t, crowd.free, len(processes(crowd)))
}

func TestWhatCannotBeTrained(t *testing.T) {
	t.Parallel()
	l := served(t)
	iris := uci.Iris()
	none, err := dataset.New("none", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "x"},
		Numbers:   []float64{1},
	}}, -1, nil)
	require.NoError(t, err)
	unknown, err := part(iris, []int{0, 1}, false)
	require.NoError(t, err)
	for _, c := range []struct {
		t    *dataset.Table
		rows []int
		want string
	}{
		{nil, nil, "no table"},
		{none, []int{0}, "neither a class nor a target"},
		{iris, []int{0, 150}, "rows[1] is 150, the table has 150 rows"},
		{iris, []int{-1}, "rows[0] is -1"},
		{iris, nil, "no row whose class is known among 0"},
		{unknown, []int{0, 1}, "no row whose class is known among 2"},
	} {
		_, err := l.Fit(t.Context(), c.t, c.rows, 1)
		assert.ErrorIs(t, err, learner.ErrTraining)
		assert.ErrorContains(t, err, c.want)
	}
	assert.Empty(t, processes(l), "nothing was started for it")
	_, err = trial(t.Context(), l, weighted(t), 1)
	assert.EqualError(t, err, "the program says: it does not use the weights that the examples have")
}

// TestTextsSurvive draws texts and numbers by hand: rapid would add a millisecond to the start of
// each program, which is this test.
func TestTextsSurvive(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(12) {
			r := rng.Int32N([]int32{' ', unicode.MaxASCII, unicode.MaxLatin1, 1 << 16, unicode.MaxRune}[rng.IntN(5)] + 1)
			b.WriteRune(r) // a surrogate becomes U+FFFD
		}
		want, got := b.String(), ""
		require.NoError(t, json.Unmarshal(appendText(nil, want), &got))
		require.Equal(t, want, got)
	}
	numbers := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1e21, 1e-7, math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.NaN(),
	}
	for range 1000 {
		numbers = append(numbers, math.Float64frombits(rng.Uint64()), rng.NormFloat64(),
			float64(rng.IntN(2e6)-1e6)/1000)
	}
	for _, want := range numbers {
		if math.IsInf(want, 0) {
			continue
		}
		var got *float64
		require.NoError(t, json.Unmarshal(appendNumber(nil, want), &got))
		if math.IsNaN(want) {
			require.Nil(t, got)
			continue
		}
		require.Equal(t, math.Float64bits(want), math.Float64bits(*got))
	}
}

func TestConfigurations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{}, "Args name no program"},
		{Config{Args: []string{""}}, "Args name no program"},
		{Config{Args: []string{"x", "a\x00b"}}, `"a\x00b" has a zero byte`},
		{Config{Args: []string{"x"}, Env: []string{"HOME"}}, `Env has "HOME", not NAME=value`},
		{Config{Args: []string{"x"}, Env: []string{"=1"}}, `Env has "=1", not NAME=value`},
		{Config{Args: []string{"x"}, StartTimeout: -1}, "StartTimeout -1ns is negative"},
		{Config{Args: []string{"x", "{train}"}}, "no {test} or {test.arff}"},
		{Config{Args: []string{"x", "{test}"}}, "no {train} or {train.arff}"},
		{Config{Args: []string{"x", "-s={seed}"}}, "no {train} or {train.arff}"},
		{Config{Args: []string{"x", "{train}", "{test.arff}"}}, "need {pred} or {prob}, and not both"},
		{
			Config{Args: []string{"x", "{train}", "{test}", "{pred}", "{prob}"}},
			"need {pred} or {prob}, and not both",
		},
	} {
		_, err := New(c.cfg)
		assert.ErrorIs(t, err, ErrConfig)
		assert.ErrorContains(t, err, c.want)
	}
	l, err := New(Config{Args: []string{"python3", "x.py", "{not: a placeholder}"}})
	require.NoError(t, err)
	assert.Equal(t, "exec(python3 x.py {not: a placeholder})", l.Name())
	assert.Nil(t, l.template)
	_, err = trial(t.Context(), started(t, Config{Args: []string{"no-such-program"}}), uci.Iris(), 1)
	assert.ErrorIs(t, err, ErrStart)
	assert.ErrorContains(t, err, `"no-such-program": executable file not found`)
}

func TestEnvironmentAndDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := new(log)
	l := started(t, Config{
		Args: []string{
			"sh", "-c",
			`echo "$LEARNER_MODE in $(pwd -P)" >&2; exec "$0" serve ok`, self(t),
		}, Dir: dir,
		Env: []string{"LEARNER_MODE=fast mode"}, Stderr: out,
	})
	_, err := trial(t.Context(), l, uci.Iris(), 1)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	assert.Contains(t, out.String(), "it: fast mode in ")
	assert.Contains(t, out.String(), dir)
	_, err = trial(t.Context(), l, uci.Iris(), 1)
	assert.ErrorIs(t, err, errClosed)
}
