package learnercheck

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/split"
)

// tableOf reads a table whose class is y.
func tableOf(t *testing.T, header string, line func(i int) string) *dataset.Table {
	t.Helper()
	lines := []string{header}
	for i := range 60 {
		lines = append(lines, line(i))
	}
	table, err := dataset.ReadCSV(strings.NewReader(strings.Join(lines, "\n")+"\n"), "t.csv",
		dataset.ReadOptions{Target: "y"})
	require.NoError(t, err)
	return table
}

func TestDataRules(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	half := func(i int) string { return map[bool]string{true: "no", false: "yes"}[i < 30] }
	for name, c := range map[string]struct {
		line func(i int) string
		opts DataOptions
		rule Rule // the only one that is broken; "" if none is
		says string
	}{
		"nothing": {func(i int) string {
			return fmt.Sprintf("%v,%d,%s", r.NormFloat64(), i%7,
				half(i))
		}, DataOptions{MaxCopies: -1, MaxContradictions: -1}, "", ""},
		"an id": {
			func(i int) string { return fmt.Sprintf("%d,%d,%s", i+17, i%7, half(i)) },
			DataOptions{},
			Columns, "column a numbers the rows, and the rows of each label are together",
		},
		"a shuffled id": {func(i int) string {
			return fmt.Sprintf("%d,%d,%s", (i*7)%60, i%7,
				half((i*7)%60))
		}, DataOptions{}, Columns, "column a numbers the rows"},
		"time stamps": {
			func(i int) string { return fmt.Sprintf("%d,%d,%s", -i*i, i%7, half(i)) },
			DataOptions{},
			Columns, "column a numbers the rows",
		},
		"an honest id": {func(i int) string {
			return fmt.Sprintf("%d,%d,%s", i, i%7,
				half(r.IntN(60)))
		}, DataOptions{}, "", ""},
		"a constant": {
			func(i int) string { return fmt.Sprintf("%v,3,%s", r.NormFloat64(), half(i)) },
			DataOptions{},
			Columns, "column b has one value in all 60 rows",
		},
		"copies": {
			func(i int) string {
				return fmt.Sprintf("%d.5,%d,%s", i*7%60/2, i*7%60/2%7,
					half(i))
			},
			DataOptions{MaxCopies: 0.01},
			Copies,
			"% of test examples have a copy in training (60 examples in 30 sets of equal ones), and 1% may",
		},
		"allowed copies": {func(i int) string {
			return fmt.Sprintf("%d,%d,%s", i*31%60/2, i%2,
				half(r.IntN(60)))
		}, DataOptions{}, "", ""},
		"contradictions": {
			func(i int) string { return fmt.Sprintf("%d,%d,%s", i%30, i%3, half(i)) },
			DataOptions{MaxContradictions: 0.05},
			Contradictions,
			"30 sets of equal examples have different labels, so that no accuracy is above 50.00%, and 5% of the examples",
		},
		"missing is missing": {
			func(i int) string {
				return fmt.Sprintf("%s,%d,%s", map[bool]string{
					true:  "",
					false: fmt.Sprint(i * 37 % 101),
				}[i > 57], min(i, 58), half(i))
			},
			DataOptions{MaxCopies: -1},
			Copies, "% of test examples have a copy in training (2 examples in 1 sets of equal ones), and 0% may",
		},
	} {
		err := Check(t.Context(), Data(tableOf(t, "a,b,y", c.line), c.opts))
		if c.rule == "" {
			assert.NoError(t, err, name)
			continue
		}
		found := flawsIn(t, err)
		require.Len(t, found, 1, name)
		assert.Equal(t, c.rule, found[0].Rule, name)
		assert.Contains(t, found[0].Err.Error(), c.says, name)
	}
}

// Equal structs are copies; groups keep them together.
func TestDataOfAnyType(t *testing.T) {
	t.Parallel()
	type pair struct {
		A    float64
		B    int // which nothing is read into
		said string
	}
	xs, ys, groups := make([]pair, 60), make([]string, 60), make([]string, 60)
	for i := range xs {
		xs[i], ys[i], groups[i] = pair{float64(i%20) + 0.5, 0, ""}, []string{"x", "y"}[i%2],
			fmt.Sprint(i%20)
	}
	data := learntest.Examples("pairs", xs, ys)
	findings, err := Inspect(t.Context(), Data(data, DataOptions{}))
	require.NoError(t, err)
	require.Len(t, findings, 5)
	assert.Equal(t, "100.0% of test examples have a copy in training (60 examples in 20 sets of equal ones)", findings[0].Detail)
	assert.Equal(t, "0 sets of equal examples have different labels", findings[1].Detail)
	require.Error(t, Check(t.Context(), Data(data, DataOptions{MaxCopies: 0.9})))
	require.NoError(t, Check(t.Context(), Data(data.WithGroups(groups), DataOptions{
		MaxCopies: -1,
		Protocol:  split.Groups(2, 10),
	})))
	Run(t, Data(learntest.Data[dataset.Row, int](uci.Iris()), DataOptions{MaxCopies: 0.05}))
	_, err = Inspect(t.Context(), Data(data, DataOptions{Protocol: split.Groups(1, 5)}))
	require.ErrorContains(t, err, `data set "pairs"`)
	require.ErrorIs(t, Check(t.Context(), Data(learntest.Examples("few", []int{1}, []bool{}),
		DataOptions{})), dataset.ErrUnusable)
}

// Fields of structs, elements of arrays and columns of tables are looked at alike.
func TestColumnsOfAnyData(t *testing.T) {
	t.Parallel()
	type inner struct {
		At  time.Time
		own time.Time
	}
	type visit struct {
		Person string
		ID     *int
		Values [2]float32
		inner
		Any    any
		Unread int
	}
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	r := rand.New(rand.NewPCG(3, 4))
	honest := func(i int) visit {
		id := r.IntN(1e6)
		return visit{Person: fmt.Sprint("p", r.IntN(1e6)), ID: &id, Values: [2]float32{
			r.Float32(),
			r.Float32(),
		}, inner: inner{At: day.AddDate(0, 0, r.IntN(1e4)), own: day}, Any: i}
	}
	for name, c := range map[string]struct {
		change func(v *visit, i int)
		rule   Rule // the only one that is broken; "" if none is
		says   string
	}{
		"nothing": {func(*visit, int) {}, "", ""},
		"an id behind a pointer": {
			func(v *visit, i int) { v.ID = &i }, Columns,
			"column ID numbers the rows, and the rows of each label are together",
		},
		"an id as a text": {
			func(v *visit, i int) { v.Person = fmt.Sprint("p", i) },
			Columns, "column Person numbers the rows",
		},
		"an id, backwards": {
			func(v *visit, i int) { v.Person = fmt.Sprint("p", 100-i) },
			Columns, "column Person numbers the rows",
		},
		"an id that may be missing": {func(v *visit,
			i int,
		) {
			v.ID = map[bool]*int{true: &i}[i > 0]
		}, "", ""},
		"a constant element": {
			func(v *visit, _ int) { v.Values[1] = 3 }, Columns,
			"column Values[1] has one value in all 60 rows",
		},
		"persons next to one another": {func(v *visit, i int) {
			v.Person = fmt.Sprint("p",
				(i/5*7)%12)
		}, Groups, "column Person has 12 values in 60 rows, and the rows of each value are next to one another: for 100% of test examples, others of the same value are in training"},
		"persons who have one label": {func(v *visit, i int) {
			v.Person = fmt.Sprint("p",
				i%6+i/30*6)
		}, Groups, "column Person has 12 values in 60 rows, and each value has one label: for 100%"},
		"persons whose label changes": {
			func(v *visit, i int) { v.Person = fmt.Sprint("p", i%12) }, "",
			"",
		},
		"one code of a label": {func(v *visit, i int) {
			v.Person = fmt.Sprint("p",
				i/30*(1+i%7))
		}, "", ""},
		"names in order, some twice": {func(v *visit, i int) {
			v.Person = fmt.Sprintf("n%c%c",
				'a'+i*2/3/26, 'a'+i*2/3%26)
		}, "", ""},
		"days, in their order": {
			func(v *visit, i int) { v.At = day.AddDate(0, 0, (i*7)/5) },
			Columns, "column inner.At numbers the rows",
		},
		"seconds of one day": {func(v *visit,
			i int,
		) {
			v.At = day.Add(time.Duration(i/2) * time.Second)
		}, Times, `column inner.At has the rows in the order of time, and "cv runs=10 folds=10 stratified seed=1 v1" tests models of later rows`},
		"dates as texts, latest first": {func(v *visit, i int) {
			v.Person = day.AddDate(0, 0,
				-i/2).Format(time.DateOnly)
		}, Times, "column Person has the rows in the order of time"},
		"seconds as numbers": {func(v *visit, i int) {
			id := 1767312000 +
				i*2/3*10
			v.ID = &id
		}, Times, "column ID has the rows in the order of time"},
		"names in the order of the file": {func(v *visit, i int) {
			v.Person = fmt.Sprintf("n%c%c",
				'a'+i/26, 'a'+i%26)
			v.Unread = 0
		}, Columns, "column Person numbers the rows"},
	} {
		xs, ys := make([]visit, 60), make([]bool, 60)
		for i := range xs {
			xs[i], ys[i] = honest(i), i < 30
			c.change(&xs[i], i)
		}
		err := Check(t.Context(), Data(learntest.Examples("visits", xs, ys), DataOptions{
			MaxCopies:         -1,
			MaxContradictions: -1,
		}))
		if c.rule == "" {
			assert.NoError(t, err, name)
			continue
		}
		found := flawsIn(t, err)
		if assert.Len(t, found, 1, name) {
			assert.Equal(t, c.rule, found[0].Rule, name)
			assert.Contains(t, found[0].Err.Error(), c.says, name)
		}
	}
}

// Groups that are named, and protocols that go forward in time, break no rule; and some rules may
// be allowed to be broken.
func TestColumnsAndProtocols(t *testing.T) {
	t.Parallel()
	type visit struct {
		Person string
		At     time.Time
	}
	xs, ys, persons := make([]visit, 120), make([]bool, 120), make([]string, 120)
	for i := range xs {
		persons[i] = fmt.Sprint("p", i/5)
		xs[i], ys[i] = visit{persons[i], time.Unix(int64(i*i), 0)}, i%3 == 0
	}
	data := learntest.Examples("visits", xs, ys)
	rules := func(err error) (broken []Rule) {
		for _, f := range flawsIn(t, err) {
			broken = append(broken, f.Rule)
		}
		return broken
	}
	check := func(d learntest.Data[visit, bool], p split.Protocol, allowed ...Rule) error {
		return Check(t.Context(), Data(d, DataOptions{Protocol: p}), allowed...)
	}
	assert.Equal(t, []Rule{Groups, Times}, rules(check(data, split.Protocol{})))
	assert.Equal(t, []Rule{Times}, rules(check(data.WithGroups(persons), split.Protocol{})))
	assert.Equal(t, []Rule{Groups}, rules(check(data, split.TimeSeries(3, split.Window{TestSize: 7}))))
	assert.NoError(t, check(data, split.TimeSeries(5, split.Window{})),
		"which tests 20 visits each, of four persons")
	assert.NoError(t, check(data, split.Protocol{}, Groups, Times))
	between := split.Fold{Test: []int{0, 119}}
	for i := 1; i < 119; i++ {
		between.Train = append(between.Train, i)
	}
	assert.Equal(t, []Rule{Times}, rules(check(data, split.Predefined([]split.Fold{between}), Groups)))
	rents := make([]float64, len(xs)) // of which nothing is ordered, nor told by a person
	for i := range rents {
		rents[i] = float64(i / 10)
	}
	err := Check(t.Context(), Data(learntest.Examples("rents", xs, rents), DataOptions{}))
	assert.Equal(t, []Rule{Groups, Times}, rules(err))
}
