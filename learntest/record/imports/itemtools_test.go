package imports

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/items/" + name)
	require.NoError(t, err)
	return string(text)
}

// TestFiltersOfLMEval checks that the lines of two filters are not taken for repeats, in one file
// or in two.
func TestFiltersOfLMEval(t *testing.T) {
	t.Parallel()
	text := sample(t, "samples_gsm8k_2026-10-02.jsonl")
	_, err := items(t, "lm-eval", ItemOptions{Dataset: "gsm8k"}, text)
	require.ErrorContains(t, err, `f1:2: there are answers of the filters "strict-match" and "flexible-extract": select one with Where (-where), as in -where filter=flexible-extract`)
	lines := strings.SplitAfter(text, "\n")
	_, err = items(t, "lm-eval", ItemOptions{Dataset: "gsm8k"}, lines[0]+lines[2], lines[1]+lines[3])
	require.ErrorContains(t, err, `f2:1: there are answers of the filters "strict-match" and "flexible-extract"`)
}

// TestItemsOfLMEval has files of two models.
func TestItemsOfLMEval(t *testing.T) {
	t.Parallel()
	strict := ItemOptions{Dataset: "gsm8k", Where: []Condition{{"filter", "strict-match"}}}
	text := sample(t, "samples_gsm8k_2026-10-02.jsonl")
	res, err := items(t, "lm-eval", strict, text, text)
	require.NoError(t, err)
	require.Empty(t, res.Notes)
	require.Equal(t, []string{"a", "b"}, res.Blocks[0].Learners)

	// A prompt may change, and is noted; a question may not.
	res, err = items(t, "lm-eval", strict, text, strings.ReplaceAll(text, `"77ab"`, `"88ab"`))
	require.NoError(t, err)
	require.Equal(t, []string{"prompts differ: f2 has other prompts of some items than the files before it"}, res.Notes)
	for _, change := range []string{`"9f02"`, `"2c02"`} {
		_, err = items(t, "lm-eval", strict, text, strings.ReplaceAll(text, change, `"0000"`))
		require.ErrorContains(t, err, `f2:3: item "1" has another content here than in other rows`)
	}
	// A file that was appended to has documents twice.
	_, err = items(t, "lm-eval", strict, text+text)
	require.ErrorIs(t, err, record.ErrDouble)
	_, err = items(t, "lm-eval", strict, strings.ReplaceAll(text, `"metrics": ["exact_match"]`,
		`"metrics": []`))
	require.ErrorContains(t, err, "f1:1: metrics lists no metric: name the columns with Measures (-measure)")
	own := strict
	own.Measures = []Measure{{Column: "exact_match", Name: "right"}}
	res, err = items(t, "lm-eval", own, text)
	require.NoError(t, err)
	require.Equal(t, "right", res.Blocks[0].Units[0].Name)
}

func TestInspectLogs(t *testing.T) {
	t.Parallel()
	text := sample(t, "inspect.json")
	res, err := items(t, "inspect", ItemOptions{Cluster: "metadata.subject"}, text)
	require.NoError(t, err)
	b := res.Blocks[0]
	require.Equal(t, "faq", b.Header.Data)
	require.Equal(t, []string{"f1 has a limit of 3 samples: other limits are other items"}, res.Notes)
	var names []string
	for _, u := range b.Units {
		names = append(names, u.Name)
	}
	require.Equal(t, []string{"judge.length", "judge.tone", "match"}, names)
	require.Equal(t, "products", record.ItemsOf(b)[2].Cluster)

	// A metric that some answers lack.
	res, err = items(t, "inspect", ItemOptions{},
		strings.Replace(text, `, "judge": {"value": {"tone": 1, "length": 1}}`, "", 1))
	require.NoError(t, err)
	require.Equal(t, "no score judge.length", answersOf(t, res.Blocks[0], "match")["openai/small 2 1"])

	one := ItemOptions{Measures: []Measure{{Column: "judge.tone", Name: "tone"}}}
	res, err = items(t, "inspect", one, text)
	require.NoError(t, err)
	require.Equal(t, 1., answersOf(t, res.Blocks[0], "tone")["openai/small 3 2"])

	for change, want := range map[[2]string]string{
		{`"status": "success"`, `"status": "cancelled"`}:                             `f1:1: the status of the evaluation is "cancelled": results are complete only after success`,
		{`"value": "C"`, `"value": "X"`}:                                             `f1:1: sample 1: score "match": "X" is not a finite number`,
		{`"id": 2, "epoch": 2`, `"id": 2, "epoch": 1`}:                               `f1:4: item "2" of openai/small is there already, in f1:3: keep one run`,
		{`"id": 2, "epoch": 2`, `"id": 4, "epoch": 2`}:                               `repeats of item "2" of openai/small, and others have 2`,
		{`"input": "2+2?"`, `"input": "2+3?"`}:                                       `f1:2: item "1" has another content here than in other rows`,
		{`"subject": "sums"}},`, `"subject": null}},`}:                               `f1:1: there is no "metadata.subject"`,
		{`"epoch": 2`, `"epoch": "x"`}:                                               `f1:1: sample 2: epoch "x"`,
		{`"model": "openai/small"`, `"model": ""`}:                                   `f1 does not name its learner`,
		{`"task": "faq"`, `"task": ""`}:                                              `the files do not name their suite: give Dataset (-dataset)`,
		{`"version": 2,`, `"version": 2`}:                                            `f1:1: this is not the JSON of a log of Inspect, JSON`,
		{`"value": "I"`, `"value": [1]`}:                                             `f1:1: sample 3: score "match" is a list of 1: name the elements that count, from 0, with Measures (-measure), as in -measure match.0=NAME`,
		{`"scores": {"match": {"value": "N"}`, `"scores": {"match": {"value": NaN}`}: ``,
	} {
		_, err = items(t, "inspect", ItemOptions{Cluster: "metadata.subject"},
			strings.Replace(text, change[0], change[1], 1))
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
	// Elements of lists count where they are named; a shorter list lacks them.
	lists := strings.NewReplacer(`{"tone": 1, "length": 0.5}`, `["C", [0.25, true]]`,
		`{"tone": 0, "length": 0.5}`, `["I"]`, `{"tone": 1, "length": 1}`, `["P", [1]]`).Replace(text)
	numbered := ItemOptions{Measures: []Measure{
		{Column: "judge.0", Name: "first"},
		{Column: "judge.1.0", Name: "inner"},
	}}
	res, err = items(t, "inspect", numbered, lists)
	require.NoError(t, err)
	first, inner := answersOf(t, res.Blocks[0], "first"), answersOf(t, res.Blocks[0], "inner")
	require.Equal(t, []any{1., 0.5}, []any{first["openai/small 1 1"], first["openai/small 2 1"]})
	require.Equal(t, []any{0.25, 1.}, []any{inner["openai/small 1 1"], inner["openai/small 2 1"]})
	require.Equal(t, "no score inner", inner["openai/small 1 2"])
	for _, o := range []ItemOptions{{}, {Measures: []Measure{{Column: "judge", Name: "whole"}}}} {
		_, err = items(t, "inspect", o, lists)
		require.ErrorContains(t, err, ` is a list of 2: name the elements that count, from 0, with Measures (-measure), as in -measure judge.0=NAME`)
	}
	_, err = items(t, "inspect", ItemOptions{Measures: []Measure{{Column: "match"}}}, lists)
	require.NoError(t, err, "a list that is not asked for")

	// Two tasks, two models.
	_, err = items(t, "inspect", ItemOptions{}, text, strings.Replace(text, `"task": "faq"`,
		`"task": "other"`, 1))
	require.ErrorContains(t, err, `f2:1: this is of the suite "other", and other results are of "faq": import one suite at a time`)
	res, err = items(t, "inspect", ItemOptions{}, text, strings.Replace(text, "openai/small",
		"openai/large", 1))
	require.NoError(t, err)
	require.Equal(t, []string{"openai/small", "openai/large"}, res.Blocks[0].Learners)
}

// archived returns an archive of the files, compressed by a method.
func archived(t *testing.T, method uint16, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zipZstd, func(out io.Writer) (io.WriteCloser,
		error,
	) {
		return flate.NewWriter(out, 1)
	})
	for name, text := range files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		require.NoError(t, err)
		_, err = io.WriteString(f, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

const zipZstd = 93 // the method of ZIP archives by zstd

// TestArchivesOfInspect compares an archive with the log as JSON.
func TestArchivesOfInspect(t *testing.T) {
	t.Parallel()
	text := sample(t, "inspect.json")
	want, err := items(t, "inspect", ItemOptions{}, text)
	require.NoError(t, err)
	var log map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &log))
	var samples []json.RawMessage
	require.NoError(t, json.Unmarshal(log["samples"], &samples))
	delete(log, "samples")
	header, err := json.Marshal(log)
	require.NoError(t, err)
	files := map[string]string{
		"header.json": string(header), "summaries.json": "[]",
		"_journal/start.json": "{}", "reductions.json": "x",
	}
	for i, s := range samples {
		files[fmt.Sprintf("samples/%d_epoch_%d.json", i/2+1, i%2+1)] = string(s)
	}
	for _, method := range []uint16{zip.Deflate, zip.Store} {
		got, err := items(t, "inspect", ItemOptions{}, archived(t, method, files))
		require.NoError(t, err)
		require.Equal(t, want.Blocks[0].Header.DataDigest, got.Blocks[0].Header.DataDigest)
		require.Equal(t, answersOf(t, want.Blocks[0], "match"), answersOf(t, got.Blocks[0], "match"))
		require.Equal(t, want.Notes, got.Notes)
	}
	const convert = "write the log as JSON, by inspect log convert --to json --output-dir DIR FILE"
	whole := archived(t, zip.Deflate, files)
	refused := func(text string, o ItemOptions, says ...string) {
		t.Helper()
		_, err := items(t, "inspect", o, text)
		for _, s := range says {
			require.ErrorContains(t, err, s)
		}
	}
	refused(archived(t, zipZstd, files), ItemOptions{},
		"f1:1: this is a ZIP archive: header.json: zip: unsupported compression algorithm", convert)
	refused("PK\x03\x04...", ItemOptions{}, "f1:1: this is a ZIP archive: zip: not a valid zip file",
		convert)
	refused(whole[:len(whole)/2], ItemOptions{}, "zip: not a valid zip file", convert)
	files["samples/4_epoch_1.json"] = "{}" + strings.Repeat(" ", 60_000)
	files["samples/5_epoch_1.json"] = strings.Repeat(" ", 60_000)
	refused(archived(t, zip.Deflate, files), ItemOptions{Limits: Limits{Bytes: 100_000}},
		"f1:1: samples/5_epoch_1.json", "Limits.Bytes")
	refused(archived(t, zip.Deflate, files), ItemOptions{},
		"f1:1: samples/5_epoch_1.json is not the JSON of a log of Inspect")
	delete(files, "samples/5_epoch_1.json")
	delete(files, "header.json")
	refused(archived(t, zip.Deflate, files), ItemOptions{}, "there is no header.json", convert)
	files["header.json"] = "{"
	refused(archived(t, zip.Deflate, files), ItemOptions{},
		"f1:1: header.json is not the JSON of a log of Inspect")
}

func TestPromptfooOutput(t *testing.T) {
	t.Parallel()
	text := sample(t, "promptfoo.json")
	o := ItemOptions{Dataset: "greetings"}
	// Items are not known by their position.
	res, err := items(t, "promptfoo", o, text)
	require.NoError(t, err)
	moved, err := items(t, "promptfoo", o, strings.NewReplacer(`"testIdx": 0`, `"testIdx": 1`,
		`"testIdx": 1`, `"testIdx": 0`).Replace(text))
	require.NoError(t, err)
	require.Equal(t, res.Blocks[0].Header.DataDigest, moved.Blocks[0].Header.DataDigest)
	require.Equal(t, answersOf(t, res.Blocks[0], "score"), answersOf(t, moved.Blocks[0], "score"))
	asserted, err := items(t, "promptfoo", o, strings.ReplaceAll(text, `"description": "german"`,
		`"description": "german", "assert": [{"type": "equals", "value": "Hallo"}]`))
	require.NoError(t, err)
	require.NotEqual(t, res.Blocks[0].Header.DataDigest, asserted.Blocks[0].Header.DataDigest,
		"another right answer is another item")
	// Without a description they are known by their variables.
	bare, err := items(t, "promptfoo", o, strings.NewReplacer(`"description": "german"`, "",
		`"description": "french"`, "").Replace(text))
	require.NoError(t, err)
	require.Len(t, record.ItemsOf(bare.Blocks[0]), 2)
	require.Len(t, record.ItemsOf(bare.Blocks[0])[0].ID, 16)
	// Several prompts are several learners.
	two, err := items(t, "promptfoo", o,
		strings.Replace(strings.Replace(text, `"testIdx": 0, "promptIdx": 0`,
			`"testIdx": 0, "promptIdx": 1`, 1), `"testIdx": 1, "promptIdx": 0`,
			`"testIdx": 1, "promptIdx": 1`, 1))
	require.NoError(t, err)
	require.Equal(t, []string{"small prompt 1", "small prompt 0"}, two.Blocks[0].Learners)
	// Metrics of one's own.
	o.Measures = []Measure{{Column: "cost", Name: "usd", Better: unit.Lower}, {Column: "success"}}
	res, err = items(t, "promptfoo", o, text)
	require.NoError(t, err)
	require.Equal(t, 0.01, answersOf(t, res.Blocks[0], "usd")["small german 1"])
	require.Equal(t, 0., answersOf(t, res.Blocks[0], "success")["small german 2"])
	for change, want := range map[[2]string]string{
		{`"vars":`, `"variables":`}:            "f1:1: row 1: there are no vars, which an item is known by",
		{`"success": true`, `"success": "so"`}: `f1:1: row 1: "success": "so" is not a finite number`,
		{`"name": "Ada"`, `"name": "Bo"`}:      `f1:2: item "german" has another content here than in other rows`,
	} {
		_, err = items(t, "promptfoo", o, strings.Replace(text, change[0], change[1], 1))
		require.ErrorContains(t, err, want)
	}
}

// The file was written by promptfoo itself: see testdata/README.md.
func TestPromptfooItself(t *testing.T) {
	t.Parallel()
	text := sample(t, "promptfoo-0.121.json")
	o := ItemOptions{Dataset: "greetings", Measures: []Measure{
		{Column: "score"},
		{Column: "namedScores.places", Name: "places"},
	}}
	res, err := items(t, "promptfoo", o, text)
	require.NoError(t, err)
	b := res.Blocks[0]
	require.ElementsMatch(t, []string{"old prompt 0", "old prompt 1", "new prompt 0", "new prompt 1"},
		b.Learners, "promptIdx runs from 0 to 3")
	require.Equal(t, 24, b.Len())
	got := answersOf(t, b, "score")
	for key, want := range map[string]any{
		"old prompt 0 greets Ann 1": 1., "old prompt 1 greets Ann 2": 0.5,
		"new prompt 0 greets Bob 1": 0.5, "new prompt 1 greets Bob 2": 0.,
	} {
		require.Equal(t, want, got[key], key)
	}
	require.Equal(t, 1., answersOf(t, b, "places")["new prompt 0 greets Bob 2"])
	failed := record.NewFile(b).Failures()
	require.Len(t, failed, 4, "of one item and one provider, two prompts and two repeats")
	require.Equal(t, "error: 500 out of order", failed[0].Err)

	// Of one prompt, providers are the learners, whatever their numbers.
	var one []string
	for _, line := range strings.SplitAfter(text, "\n") {
		if !strings.Contains(line, `"label": "Good morning {{name}}"`) {
			one = append(one, line)
		}
	}
	res, err = items(t, "promptfoo", o, strings.Join(one, ""))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"old", "new"}, res.Blocks[0].Learners)

	// Two prompts of one text, with other settings, are no repeats of each other.
	res, err = items(t, "promptfoo", o, strings.ReplaceAll(text, `"label": "Good morning {{name}}"`,
		`"label": "Hello {{name}}, from {{city}}"`))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"old prompt 0", "old prompt 1", "new prompt 2", "new prompt 3"},
		res.Blocks[0].Learners)
}

func TestDockerAgentResults(t *testing.T) {
	t.Parallel()
	text := sample(t, "docker-agent.json")
	o := ItemOptions{Dataset: "support"}
	res, err := items(t, "docker-agent", o, text)
	require.NoError(t, err)
	b := res.Blocks[0]
	require.Equal(t, []string{"brave-otter-12"}, b.Learners)
	require.Equal(t, map[string]any{
		"brave-otter-12 evals/all.json": 1., "brave-otter-12 evals/nothing.json": 1.,
		"brave-otter-12 evals/size.json":  0.,
		"brave-otter-12 evals/tools.json": 0., "brave-otter-12 evals/relevance.json": 0.,
		"brave-otter-12 evals/handoff.json": 0.,
		"brave-otter-12 evals/error.json":   "error: context deadline exceeded",
	}, answersOf(t, b, "passed"))
	require.Equal(t, 0.02, answersOf(t, b, "usd")["brave-otter-12 evals/all.json"])
	require.Equal(t, unit.Unit{Name: "usd", Better: unit.Lower, Max: math.Inf(1)}, b.Units[2])
	require.Equal(t, unit.Unit{Name: "passed", Better: unit.Higher, Max: 1, Mean: true}, b.Units[1])
	require.Equal(t, "imported from docker-agent: items identified by content", b.Header.Toolchain)

	expected, err := items(t, "docker-agent", o, strings.Replace(text, `"size_expected": "M"`,
		`"size_expected": "L"`, 1))
	require.NoError(t, err)
	require.NotEqual(t, b.Header.DataDigest, expected.Blocks[0].Header.DataDigest,
		"another expectation is another item")
	_, err = items(t, "docker-agent", o, `{"name": "x", "results": []}`)
	require.ErrorContains(t, err, "f1 has no result")
	_, err = items(t, "docker-agent", o, strings.Replace(text, "evals/size.json", "evals/all.json", 1))
	require.ErrorContains(t, err, "has another content here than in other rows")
}

func TestDockerAgentSessions(t *testing.T) {
	t.Parallel()
	text := sample(t, "docker-agent-sessions.json")
	o := ItemOptions{Dataset: "support"}
	res, err := items(t, "docker-agent", o, text)
	require.NoError(t, err)
	b := res.Blocks[0]
	require.Equal(t, map[string]any{
		"calm-otter-7 refund 1": 1., "calm-otter-7 refund 2": 0., "calm-otter-7 order 1": 0.,
		"calm-otter-7 order 2": "error: context deadline exceeded",
	}, answersOf(t, b, "passed"))
	require.Equal(t, 0.02, answersOf(t, b, "usd")["calm-otter-7 refund 1"])
	require.Equal(t, 80., answersOf(t, b, "output-tokens")["calm-otter-7 refund 2"])
	for change, want := range map[[2]string]string{
		{`"total_evals": 4`, `"total_evals": 5`}:                        "there are 4 sessions of 5 evaluations: those without a session have failed, and would be left out",
		{`"summary"`, `"overview"`}:                                     "there are 4 sessions of 0 evaluations",
		{`"eval_result"`, `"evaluation"`}:                               "f1:1: session 1 has no eval_result",
		{`"title": "refund"`, `"title": ""`}:                            "f1:1: the item has no id",
		{`"sessions"`, `"results": [{"input_path": "a"}], "sessions"`}:  "there are results and sessions: one of both would be left out",
		{`"content": "Money back?"`, `"content": "Where is my money?"`}: `item "refund" has another content here than in other rows`,
		{
			`"evals": {"relevance": ["30 days"]}`,
			`"evals": {"relevance": []}`,
		}: `item "refund" has another content here than in other rows`,
	} {
		require.Contains(t, text, change[0])
		_, err = items(t, "docker-agent", o, strings.Replace(text, change[0], change[1], 1))
		require.ErrorContains(t, err, want)
	}
	// What the agent says is no part of the question.
	same, err := items(t, "docker-agent", o, strings.Replace(text, "Within 30 days.", "Never.", 1))
	require.NoError(t, err)
	require.Equal(t, b.Header.DataDigest, same.Blocks[0].Header.DataDigest)
}

// ranked reads runs with the judgements.
func ranked(t *testing.T, qrels string, o ItemOptions, runs ...string) (*Results, error) {
	t.Helper()
	o.Dataset, o.Qrels = "web", filepath.Join(t.TempDir(), "qrels.txt")
	require.NoError(t, os.WriteFile(o.Qrels, []byte(qrels), 0o600))
	return items(t, "trec", o, runs...)
}

const (
	qrelsOfThree = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq2 0 d 1\nq3 0 a 0\n"
	runOfTwo     = "q1 Q0 b 1 3.5 bm25\nq1 Q0 a 2 9.5 bm25\nq9 Q0 a 1 1 bm25\n"
)

// TestRunsOfPytrecEval has one run in both formats.
func TestRunsOfPytrecEval(t *testing.T) {
	t.Parallel()
	o := ItemOptions{Measures: []Measure{{Column: "recall@1"}, {Column: "ndcg"}}}
	want, err := ranked(t, qrelsOfThree, o, runOfTwo)
	require.NoError(t, err)
	const qrels = "\n {\"q1\": {\"a\": 1, \"b\": 0},\n \"q2\": {\"c\": 2, \"d\": 1}, \"q3\": {\"a\": 0}}\n"
	const run = `{"q1": {"b": 3.5, "a": 9.5}, "q9": {"a": 1}, "q2": {}}`
	named := func(o ItemOptions, qrels, run string) (*Results, error) {
		o.Dataset, o.Qrels = "web", filepath.Join(t.TempDir(), "qrels.json")
		require.NoError(t, os.WriteFile(o.Qrels, []byte(qrels), 0o600))
		return ReadItems(mustItems(t, "trec"), o, Source{
			Name: "run.json", Reader: strings.NewReader(run),
			Learner: "bm25",
		})
	}
	for _, judged := range []string{qrelsOfThree, qrels} {
		got, err := named(o, judged, run)
		require.NoError(t, err)
		for _, m := range []string{"recall@1", "ndcg"} {
			require.Equal(t, answersOf(t, want.Blocks[0], m), answersOf(t, got.Blocks[0], m))
		}
		require.Equal(t, want.Blocks[0].Header.DataDigest, got.Blocks[0].Header.DataDigest)
		require.Contains(t, got.Notes, "run.json: queries that have no document here, and score 0: 1: q2")
	}
	for _, c := range []struct{ qrels, run, says string }{
		{
			qrels, `{"q1": {"a": 1}, "q1": {"b": 1}}`,
			`run.json:1: this is not {query: {document: number}}: query "q1" is there twice`,
		},
		{
			qrels, `{"q1": {"a": 1,` + "\n" + ` "a": 2}}`,
			`run.json:2: this is not {query: {document: number}}: document "a" of query "q1" is there twice`,
		},
		{qrels, `{"q1": {"a": NaN}}`, `document "a" of query "q1" has no number`},
		{qrels, `{"q1": {"a": "9"}}`, `document "a" of query "q1" has no number`},
		{qrels, `{"q1": ["a"]}`, "[ is no object"},
		{qrels, `{"q1": {"a": 1}`, "unexpected"},
		{qrels, `{"q1": {"a": 1}} {`, "something follows it"},
		{qrels, `{"q1": {"a": 1e999}}`, "is not a finite number"},
		{qrels, `{}`, "run.json:1: there is no document of any query"},
		{`{}`, run, "qrels.json:1: there are no judgements"},
		{`{"q1": {"a": 0.5}}`, run, `"0.5" is no grade: it is a whole number`},
		{`{"q1": {"a": 1}, "q1": {"a": 1}}`, run, `query "q1" is there twice`},
	} {
		_, err := named(o, c.qrels, c.run)
		require.ErrorContains(t, err, c.says, c.qrels+c.run)
	}
	_, err = ranked(t, qrels, o, run)
	require.ErrorContains(t, err, "Learner (-learner)", "the file does not name it")
	_, err = ranked(t, qrels, o, strings.Repeat(" ", 101)+run)
	require.Error(t, err)
}

func mustItems(t *testing.T, name string) ItemFormat {
	t.Helper()
	f, ok := LookupItems(name)
	require.True(t, ok)
	return f
}

func TestRunsOfTREC(t *testing.T) {
	t.Parallel()
	o := ItemOptions{Measures: []Measure{{Column: "recall@1"}, {Column: "mrr", Name: "rr"}}}
	res, err := ranked(t, qrelsOfThree, o, runOfTwo)
	require.NoError(t, err)
	b := res.Blocks[0]
	require.Equal(t, map[string]any{"bm25 q1": 1., "bm25 q2": 0.}, answersOf(t, b, "recall@1"),
		"the score decides, and not the rank; a query that the run lacks scores 0")
	require.Equal(t, map[string]any{"bm25 q1": 1., "bm25 q2": 0.}, answersOf(t, b, "rr"))
	require.Equal(t, unit.Unit{Name: "recall@1", Better: unit.Higher, Max: 1, Mean: true}, b.Units[0])
	require.Equal(t, []string{
		"f1: queries that have no judgements, and are left out: 1: q9",
		"f1: queries that have no relevant document, and are left out: 1: q3",
		"f1: queries that have no document here, and score 0: 1: q2",
	}, res.Notes)

	require.NotContains(t, strings.Join(res.Assumed, "; "), "from 0 to 1", "by definition")

	// Queries without a relevant document may be the first ones; five names are listed, and no
	// more.
	for n, want := range map[int]string{
		5: "f1: queries that have no relevant document, and are left out: 5: p0, p1, p2, p3, p4",
		6: "f1: queries that have no relevant document, and are left out: 6: p0, p1, p2, p3, p4 and others",
	} {
		judged := qrelsOfThree[:strings.Index(qrelsOfThree, "q3")]
		for k := range n {
			judged = fmt.Sprintf("p%d 0 a 0\n", k) + judged
		}
		res, err := ranked(t, judged, o, runOfTwo)
		require.NoError(t, err)
		require.Len(t, record.ItemsOf(res.Blocks[0]), 2)
		require.Contains(t, res.Notes, want)
	}
	for name, change := range map[string]func(o *ItemOptions){
		"Slices (-slice)":    func(o *ItemOptions) { o.Slices = []string{"a"} },
		"Cluster (-cluster)": func(o *ItemOptions) { o.Cluster = "a" },
	} {
		refused := ItemOptions{}
		change(&refused)
		_, err := ranked(t, qrelsOfThree, refused, runOfTwo)
		require.ErrorContains(t, err, "format trec takes no "+name)
	}
	_, err = OpenItems(mustItems(t, "trec"), ItemOptions{Dataset: "web", Qrels: "q"},
		[]string{"none.run"}, []string{"a", "b"})
	require.ErrorContains(t, err, "2 learners (-learner) for 1 files")

	// By default it is nDCG, and the file of judgements may be BEIR's.
	beir := "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\tc\t2\nq2\td\t1\nq3\ta\t0\n"
	res, err = ranked(t, beir, ItemOptions{}, runOfTwo, strings.ReplaceAll(runOfTwo, "bm25", "dense"))
	require.NoError(t, err)
	require.Equal(t, []string{"bm25", "dense"}, res.Blocks[0].Learners)
	require.Equal(t, "ndcg@10", res.Blocks[0].Units[0].Name)
	require.Equal(t, b.Header.DataDigest, res.Blocks[0].Header.DataDigest, "the judgements are equal")
	other, err := ranked(t, strings.Replace(qrelsOfThree, "q1 0 b 0", "q1 0 b 1", 1), ItemOptions{},
		runOfTwo)
	require.NoError(t, err)
	require.NotEqual(t, b.Header.DataDigest, other.Blocks[0].Header.DataDigest,
		"other judgements are other items")
}

func TestRunsOfTRECAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		qrels, run, measure, want string
	}{
		"fields": {
			qrelsOfThree, "q1 Q0 b 1 3.5\n", "",
			"f1:1: there are 5 fields: want query, Q0, document, rank, score and tag",
		},
		"score": {
			qrelsOfThree, "q1 Q0 b 1 x bm25\n", "",
			`f1:1: the score "x" is not a finite number`,
		},
		"NaN": {
			qrelsOfThree, "q1 Q0 b 1 NaN bm25\n", "",
			`f1:1: the score "NaN" is not a finite number`,
		},
		"two runs": {
			qrelsOfThree, runOfTwo + "q2 Q0 c 1 1 dense\n", "",
			`f1:4: the tags "bm25" and "dense" are in one file: a file has one run`,
		},
		"twice": {
			qrelsOfThree, runOfTwo + "q1 Q0 b 3 1 bm25\n", "",
			`f1:1: query "q1": document "b" was found twice`,
		},
		"metric": {qrelsOfThree, runOfTwo, "dcg@10", `unknown metric "dcg@10" of rankings`},
		"judged twice": {
			qrelsOfThree + "q1 0 a 2\n", runOfTwo, "",
			`:6: document "a" of query "q1" is judged twice`,
		},
		"grade": {
			"q1 0 a high\n", runOfTwo, "",
			`:1: "high" is no grade: it is a whole number`,
		},
		"no judgements": {"\n", runOfTwo, "", ":1: there are no judgements"},
		"more fields": {
			qrelsOfThree, "q1 Q0 b 1 3.5 bm25 x\n", "",
			"f1:1: there are 7 fields: want query, Q0, document, rank, score and tag",
		},
		"judgement long": {
			"q1 0 a 1 x\n", runOfTwo, "",
			":1: there are 5 fields: want query, 0, document and grade",
		},
		"late header": {
			"q1 a 1\nquery-id corpus-id score\n", runOfTwo, "",
			`:2: "score" is no grade: it is a whole number`,
		},
		"judgement short": {
			"q1 1\n", runOfTwo, "",
			":1: there are 2 fields: want query, 0, document and grade",
		},
		"nothing judged": {"q1 0 a 0\n", runOfTwo, "", "f1 has no result"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o ItemOptions
			if c.measure != "" {
				o.Measures = []Measure{{Column: c.measure}}
			}
			_, err := ranked(t, c.qrels, o, c.run)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := items(t, "trec", ItemOptions{Dataset: "web", Qrels: "testdata/none.txt"}, runOfTwo)
	require.ErrorIs(t, err, os.ErrNotExist)
}
