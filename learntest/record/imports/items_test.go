package imports

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

func itemFormat(t *testing.T, name string) ItemFormat {
	t.Helper()
	f, ok := LookupItems(name)
	require.True(t, ok, name)
	return f
}

// items reads texts, each of its own learner a, b and so on unless the format names them.
func items(t *testing.T, format string, o ItemOptions, texts ...string) (*Results, error) {
	t.Helper()
	var sources []Source
	for i, text := range texts {
		s := Source{Name: "f" + string(rune('1'+i)), Reader: strings.NewReader(text)}
		if format == "items" || format == "lm-eval" {
			s.Learner = string(rune('a' + i))
		}
		sources = append(sources, s)
	}
	res, err := ReadItems(itemFormat(t, format), o, sources...)
	if err == nil { // results can be written, and read back
		var b bytes.Buffer
		require.NoError(t, record.Write(&b, res.Blocks...))
		_, err := record.Read(&b, "out.txt")
		require.NoError(t, err)
	}
	return res, err
}

// answers returns the values of a metric, or the causes of failures, by learner, item and repeat.
func answersOf(t *testing.T, b *record.Block, metric string) map[string]any {
	t.Helper()
	at := -1
	for i, u := range b.Units {
		if u.Name == metric {
			at = i
		}
	}
	require.GreaterOrEqual(t, at, 0)
	all := make(map[string]any)
	ids := record.ItemsOf(b)
	for trial := range b.Trials() {
		key := trial.Learner + " " + ids[trial.Fold-1].ID
		if b.Runs() > 1 {
			key += " " + string(rune('0'+trial.Run))
		}
		all[key] = trial.Err
		if trial.Err == "" {
			all[key] = trial.Values[at]
		}
	}
	return all
}

var faq = ItemOptions{
	Dataset: "faq", ID: "id",
	Measures: []Measure{{Column: "ok", Name: "correct"}},
}

func TestItemRows(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"lines": "{\"id\": \"q1\", \"ok\": true}\n\n{\"id\": \"q2\", \"ok\": 0.5, \"prompt\": {\"long\": [1, 2]}}\n{\"id\": 3, \"ok\": NaN}\n",
		"list":  `[{"id": "q1", "ok": 1}, {"id": "q2", "ok": 0.5}, {"id": 3, "ok": null}]`,
		"CSV":   "id,ok\nq1,true\nq2,0.5\n3,\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := items(t, "items", faq, text)
			require.NoError(t, err)
			b := res.Blocks[0]
			require.Equal(t, map[string]any{"a q1": 1., "a q2": 0.5, "a 3": "no score correct"},
				answersOf(t, b, "correct"))
			require.Equal(t, []unit.Unit{{Name: "correct", Better: unit.Higher, Max: 1, Mean: true}},
				b.Units)
			require.Equal(t, "items", b.Header.Test)
			require.Equal(t, "imported from items: items identified by id", b.Header.Toolchain)
			require.Equal(t, "items repeats=1 v1", b.Header.Protocol)
			require.Contains(t, res.Assumed, "correct is from 0 to 1")
		})
	}
}

func TestItemPathsClustersAndRepeats(t *testing.T) {
	t.Parallel()
	o := ItemOptions{
		Dataset: "faq", ID: "case.id", Cluster: "case.doc", Repeat: "n",
		Content:  []string{"case.text", "want"},
		Measures: []Measure{{Column: "s.usd", Name: "usd", Better: unit.Lower}, {Column: "s.points"}},
		Where:    []Condition{{"kind", "test"}},
	}
	row := func(id, n, points string) string {
		return `{"case": {"id": "` + id +
			`", "doc": "d1", "text": "?"}, "want": [1], "kind": "test", "n": ` + n +
			`, "s": {"usd": 0.1, "points": ` + points + "}}\n"
	}
	other := `{"case": {"id": "z"}, "kind": "draft"}` + "\n"
	res, err := items(t, "items", o, row("x", "0", "3")+other+row("y", "7", "1")+row("y", "0",
		"2")+row("x", "7", "-4"))
	require.NoError(t, err)
	b := res.Blocks[0]
	require.Equal(t, map[string]any{"a x 1": 3., "a x 2": -4., "a y 1": 2., "a y 2": 1.},
		answersOf(t, b, "s.points"))
	require.Equal(t, "usd", b.Units[0].Name)
	require.Equal(t, unit.Lower, b.Units[0].Better)
	require.Zero(t, b.Units[0].Min)
	require.False(t, b.Units[0].IsMean())
	require.Equal(t, "d1", record.ItemsOf(b)[0].Cluster)
	require.Equal(t, "imported from items: items identified by content", b.Header.Toolchain)

	again, err := items(t, "items", o, strings.ReplaceAll(row("x", "0", "3")+row("y", "0", "2"),
		`"?"`, `"other"`))
	require.NoError(t, err)
	require.NotEqual(t, record.ItemsOf(b)[0].Content, record.ItemsOf(again.Blocks[0])[0].Content)
}

// TestRangesOfItems checks the assumptions on scores, and that known metrics need none.
func TestRangesOfItems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scores  string
		measure Measure
		want    unit.Unit
	}{
		"share": {"0,1", Measure{Column: "ok"}, unit.Unit{
			Name: "ok", Better: unit.Higher,
			Max: 1, Mean: true,
		}},
		"points": {"0,5", Measure{Column: "ok"}, unit.Unit{
			Name: "ok", Better: unit.Higher,
			Max: math.Inf(1),
		}},
		"gain": {"-1,1", Measure{Column: "ok"}, unit.Unit{
			Name: "ok", Better: unit.Higher,
			Min: math.Inf(-1), Max: math.Inf(1),
		}},
		"cost": {
			"0.1,0.2",
			Measure{Column: "ok", Better: unit.Lower},
			unit.Unit{Name: "ok", Better: unit.Lower, Max: math.Inf(1)},
		},
		"accuracy": {"0,1", Measure{Column: "ok", Name: "accuracy"}, metricUnit("accuracy")},
		"other way": {
			"0,1",
			Measure{Column: "ok", Name: "accuracy", Better: unit.Lower},
			unit.Unit{Name: "accuracy", Better: unit.Lower, Max: math.Inf(1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := faq
			o.Measures = []Measure{c.measure}
			res, err := items(t, "items", o, "id,ok\nq1,"+strings.Replace(c.scores, ",", "\nq2,", 1)+"\n")
			require.NoError(t, err)
			require.Equal(t, []unit.Unit{c.want}, res.Blocks[0].Units)
		})
	}
}

// manyRows are so many rows, of items of their own.
func manyRows(n int) string {
	text := "id,ok,lang\n"
	for i := range n {
		text += fmt.Sprintf("q%d,1,%s\n", i, []string{"de", "en", ""}[i%3])
	}
	return text
}

func TestSlicesOfItems(t *testing.T) {
	t.Parallel()
	o := faq
	o.Slices = []string{"lang", "ok"}
	res, err := items(t, "items", o, manyRows(7))
	require.NoError(t, err)
	var got []string
	for _, s := range record.SlicesOfItems(record.ItemsOf(res.Blocks[0])) {
		got = append(got, fmt.Sprintf("%s %d", s.Name, s.Members))
	}
	require.Equal(t, []string{"lang=? 2", "lang=de 3", "lang=en 2", "ok=1 7"}, got)
	o.Slices = []string{"id"}
	_, err = items(t, "items", o, manyRows(20))
	require.NoError(t, err)
}

func TestItemRowsAreRefused(t *testing.T) {
	t.Parallel()
	q := func(id, score string) string {
		return `{"id": "` + id + `", "ok": ` + score + ", \"c\": \"" + score + "\"}\n"
	}
	with := func(change func(o *ItemOptions)) ItemOptions {
		o := faq
		change(&o)
		return o
	}
	for name, c := range map[string]struct {
		o     ItemOptions
		texts []string
		want  error
		text  string
	}{
		"twice": {
			faq,
			[]string{q("q1", "1") + q("q1", "0")},
			record.ErrDouble,
			`f1:2: item "q1" of a is there already, in f1:1`,
		},
		"other items": {
			faq,
			[]string{q("q1", "1") + q("q2", "0"), q("q1", "1")},
			record.ErrIncomplete,
			"b lacks 1 of 2 items: q2; import learners with other items into files of their own",
		},
		"no id":    {faq, []string{`{"ok": 1}`}, nil, `f1:1: there is no "id"`},
		"empty id": {faq, []string{"id,ok\n,1\n"}, nil, "f1:2: the item has no id"},
		"no score": {faq, []string{`{"id": "q1", "correct": 1}`}, nil, "f1: no answer has a score"},
		"a text": {
			faq,
			[]string{`{"id": "q1", "ok": "good"}`},
			nil,
			`f1:1: "ok": "good" is not a finite number`,
		},
		"infinite": {faq, []string{`{"id": "q1", "ok": "Inf"}`}, nil, `is not a finite number`},
		"a list":   {faq, []string{q("q1", "[1]")}, nil, `f1:1: "ok": "[1]" is no score`},
		"no JSON":  {faq, []string{q("q1", "1") + "{\n"}, nil, "f1:2: this is no line of JSON"},
		"cluster": {
			with(func(o *ItemOptions) { o.Cluster = "c" }),
			[]string{q("q1", "1"), q("q1", "0")},
			nil,
			`f2:1: item "q1" has another cluster here than in other rows`,
		},
		"no cluster": {
			with(func(o *ItemOptions) { o.Cluster = "d" }),
			[]string{q("q1", "1")},
			nil,
			`f1:1: there is no "d"`,
		},
		"slice": {
			with(func(o *ItemOptions) { o.Slices = []string{"c"} }),
			[]string{q("q1", "1"), q("q1", "0")},
			nil,
			`f2:1: item "q1" has another slice here than in other rows`,
		},
		"no slice": {
			with(func(o *ItemOptions) { o.Slices = []string{"d"} }),
			[]string{q("q1", "1")},
			nil, `f1:1: there is no "d"`,
		},
		"many slices": {
			with(func(o *ItemOptions) { o.Slices = []string{"id"} }),
			[]string{manyRows(21)},
			ErrOptions,
			`"id" has 21 values, too many for slices, which may be 20: name a column of fewer with Slices (-slice)`,
		},
		"content": {
			with(func(o *ItemOptions) { o.Content = []string{"c"} }),
			[]string{q("q1", "1"), q("q1", "0")},
			nil,
			`f2:1: item "q1" has another content here than in other rows`,
		},
		"no content": {
			with(func(o *ItemOptions) { o.Content = []string{"d"} }),
			[]string{q("q1", "1")},
			nil, `f1:1: there is no "d"`,
		},
		"repeat": {
			with(func(o *ItemOptions) { o.Repeat = "id" }),
			[]string{q("q1", "1")},
			nil,
			`f1:1: "id": "q1" is no number of a repeat`,
		},
		"fewer repeats": {
			with(func(o *ItemOptions) { o.Repeat = "ok" }),
			[]string{q("q1", "1") + q("q1", "2") + q("q2", "1")},
			record.ErrIncomplete,
			`1 repeats of item "q2" of a, and others have 2`,
		},
		"other repeats": {
			with(func(o *ItemOptions) { o.Repeat = "ok" }),
			[]string{q("q1", "1") + q("q2", "2")},
			record.ErrIncomplete, `repeat 2 of item "q1" of a`,
		},
		"no suite": {
			with(func(o *ItemOptions) { o.Dataset = "" }),
			[]string{q("q1", "1")},
			ErrOptions, "format items needs Dataset (-dataset)",
		},
		"nothing given": {
			ItemOptions{},
			[]string{q("q1", "1")},
			ErrOptions,
			"needs Dataset (-dataset), ID (-id), Measures (-measure)",
		},
		"no learners": {with(func(o *ItemOptions) { o.Slices = []string{"ok"}; o.Where = []Condition{{"id", "none"}} }), []string{q("q1", "1")}, nil, "f1 has no result"},
		"qrels": {
			with(func(o *ItemOptions) { o.Qrels = "q" }),
			[]string{q("q1", "1")},
			ErrOptions, "format items takes no Qrels (-qrels)",
		},
		"no files": {faq, nil, ErrOptions, "no files"},
		"nothing in it": {
			with(func(o *ItemOptions) { o.Where = []Condition{{"id", "q7"}} }),
			[]string{q("q1", "1")},
			nil, "f1 has no result",
		},
		"a percentage": {
			with(func(o *ItemOptions) {
				o.Measures = []Measure{{
					Column: "ok",
					Name:   "accuracy",
				}}
			}),
			[]string{q("q1", "93.2")},
			nil,
			"f1: accuracy is 93.2, which is not from 0 to 1: give the metric another name with Measures (-measure)",
		},
		"two in a line": {
			faq,
			[]string{`{"id": "q1", "ok": 1} {"id": "q2", "ok": 1}`},
			nil,
			"f1:1: this is no line of JSON with a dict: something follows it",
		},
		"limit of lines": {
			with(func(o *ItemOptions) { o.Limits.Line = 20 }),
			[]string{q("q1", "1")},
			ErrLimit, "f1:1",
		},
		"limit": {
			with(func(o *ItemOptions) { o.Limits.Line = -1 }),
			[]string{q("q1", "1")},
			ErrOptions, "negative",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := items(t, "items", c.o, c.texts...)
			require.Error(t, err)
			require.ErrorContains(t, err, c.text)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
		})
	}
}

// TestLearnersOfItemsMustBeNamed reads a file whose learner nobody names.
func TestLearnersOfItemsMustBeNamed(t *testing.T) {
	t.Parallel()
	text := func() *strings.Reader { return strings.NewReader(`{"id": "q1", "ok": 1}`) }
	_, err := ReadItems(itemFormat(t, "items"), faq, Source{Name: "f1", Reader: text()})
	require.ErrorContains(t, err, "needs Learner (-learner)")
	_, err = ReadItems(itemFormat(t, "items"), faq, Source{Name: "f1", Reader: text(), Learner: "a"},
		Source{Name: "f2", Reader: text()})
	require.ErrorContains(t, err, "f2 does not name its learner: give Learner (-learner)")
}

func TestCompressedItems(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(`{"id": "q1", "ok": 1}`))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	res, err := items(t, "items", faq, b.String())
	require.NoError(t, err)
	require.Equal(t, 1, res.Blocks[0].Len())
}

// TestImportedItemsPair reads two files apart, as before and after a change.
func TestImportedItemsPair(t *testing.T) {
	t.Parallel()
	before, err := items(t, "items", faq, "id,ok\nq1,1\nq2,1\n")
	require.NoError(t, err)
	after, err := items(t, "items", faq, "id,ok\nq2,0\nq1,1\n")
	require.NoError(t, err)
	require.Equal(t, before.Blocks[0].Header.DataDigest, after.Blocks[0].Header.DataDigest)
	fewer, err := items(t, "items", faq, "id,ok\nq1,1\n")
	require.NoError(t, err)
	require.NotEqual(t, before.Blocks[0].Header.DataDigest, fewer.Blocks[0].Header.DataDigest)
}

// TestExportedItems reads the files of testdata, which have the keys of the tools.
func TestExportedItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, file, metric string
		o                    ItemOptions
		learner              string
		want                 map[string]any
	}{
		{"lm-eval", "samples_gsm8k_2026-10-02.jsonl", "exact_match", ItemOptions{
			Dataset: "gsm8k",
			Where:   []Condition{{"filter", "strict-match"}},
		}, "m", map[string]any{
			"m 0": 1., "m 1": 0.,
			"m 2": "no score exact_match",
		}},
		{"inspect", "inspect.json", "match", ItemOptions{Cluster: "metadata.subject"}, "", map[string]any{
			"openai/small 1 1": 1., "openai/small 1 2": 0.5, "openai/small 2 1": 0.,
			"openai/small 2 2": "error: status 500",
			"openai/small 3 1": "no scores", "openai/small 3 2": 0.,
		}},
		{"promptfoo", "promptfoo.json", "score", ItemOptions{Dataset: "greetings"}, "", map[string]any{
			"small german 1": 1., "small german 2": 0.5, "small french 1": 0.,
			"small french 2": "error: 429 too many requests",
		}},
	} {
		t.Run(c.format, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("testdata/items/" + c.file)
			require.NoError(t, err)
			res, err := ReadItems(itemFormat(t, c.format), c.o,
				Source{Name: c.file, Reader: bytes.NewReader(text), Learner: c.learner})
			require.NoError(t, err)
			require.Equal(t, c.want, answersOf(t, res.Blocks[0], c.metric))
			require.Equal(t, "imported from "+c.format+": items identified by content",
				res.Blocks[0].Header.Toolchain)
		})
	}
}
