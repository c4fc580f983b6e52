package imports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

// Paths find what keys with dots have, too, also where another way ends before.
func TestPathsWithDots(t *testing.T) {
	t.Parallel()
	inner := map[string]any{"c": "x"}
	for _, o := range []object{
		{"a.b.c": "x"},
		{"a.b": inner},
		{"a": map[string]any{"b": inner}},
		{"a": map[string]any{"b.c": "x"}},
		{"a": map[string]any{}, "a.b": inner},
		{"a": "y", "a.b": inner},
	} {
		require.Equal(t, "x", o.get("a.b.c"), "%v", o)
	}
	require.Nil(t, object{"a": inner}.get("a.b.c"))
}

// Of two columns for slices, one of which begins like the other, each may have as many values.
func TestSlicesThatBeginAlike(t *testing.T) {
	t.Parallel()
	text := "id,ok,lang,language\n"
	for i := range 24 {
		text += fmt.Sprintf("q%d,1,%d,%d\n", i, i%12, i/2)
	}
	o := faq
	o.Slices = []string{"lang", "language"}
	_, err := items(t, "items", o, text)
	require.NoError(t, err)
}

// A column that no row has fails all answers: it is not left out.
func TestColumnsThatAreMissing(t *testing.T) {
	t.Parallel()
	o := faq
	o.Measures = []Measure{{Column: "ok"}, {Column: "nope"}}
	res, err := items(t, "items", o, `{"id": "a", "ok": 1}`+"\n"+`{"id": "b", "ok": 0}`+"\n")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"a a": "no score nope", "a b": "no score nope"},
		answersOf(t, res.Blocks[0], "ok"))
	require.True(t, res.Blocks[0].Timeless)
}

// The documents of lm-eval may differ in their metrics, and in whether a digest of their content is
// known.
func TestDocumentsOfLMEvalThatDiffer(t *testing.T) {
	t.Parallel()
	row := func(id int, more string) string {
		return fmt.Sprintf(`{"doc_id": %d, "filter": "none", "exact_match": 1, "f1": 0.5, %s}`+"\n", id,
			more)
	}
	const one, both = `"metrics": ["exact_match"]`, `"metrics": ["exact_match", "f1"]`
	res, err := items(t, "lm-eval", ItemOptions{Dataset: "d"}, row(0, one)+row(1, both))
	require.NoError(t, err)
	require.Equal(t, map[string]any{"a 0": "no score f1", "a 1": 0.5},
		answersOf(t, res.Blocks[0], "f1"))
	const digests = `, "doc_hash": "ab", "target_hash": "cd"`
	for _, text := range []string{row(0, one) + row(1, one+digests), row(0, one+digests) +
		row(1, one)} {
		res, err = items(t, "lm-eval", ItemOptions{Dataset: "d"}, text)
		require.NoError(t, err)
		require.Equal(t, "imported from lm-eval: items identified by id", res.Blocks[0].Header.Toolchain)
	}
}

// Options name the suite and the learner, whatever a file calls them.
func TestNamesOfOptionsCount(t *testing.T) {
	t.Parallel()
	text := sample(t, "inspect.json")
	read := func(format string, o ItemOptions, texts ...string) *record.Block {
		t.Helper()
		var sources []Source
		for i, text := range texts {
			sources = append(sources, Source{
				Name: fmt.Sprint("f", i), Learner: fmt.Sprint("learner", i),
				Reader: strings.NewReader(text),
			})
		}
		res, err := ReadItems(itemFormat(t, format), o, sources...)
		require.NoError(t, err)
		return res.Blocks[0]
	}
	b := read("inspect", ItemOptions{Dataset: "own"}, text, strings.Replace(text, `"task": "faq"`,
		`"task": "other"`, 1))
	require.Equal(t, "own", b.Header.Data)
	require.Equal(t, []string{"learner0", "learner1"}, b.Learners)
	b = read("docker-agent", ItemOptions{Dataset: "own"}, sample(t, "docker-agent.json"))
	require.Equal(t, []string{"learner0"}, b.Learners)
}
