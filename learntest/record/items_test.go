package record

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
	"pgregory.net/rapid"
)

var (
	correct = unit.Unit{Name: "correct", Better: unit.Higher, Min: 0, Max: 1, Mean: true}
	usd     = unit.Unit{Name: "usd", Better: unit.Lower, Min: 0, Max: 1000}
)

func itemsHeader(repeats int) Header {
	return Header{
		Pkg: "example.com/bot", Test: "TestAgent", Data: "faq", Commit: "3f2a9c1",
		Protocol: ItemsProtocol(repeats), Grader: "rubric 2",
	}
}

// sampleItems is a block of three items, with a failed answer to the last one.
func sampleItems(t require.TestingT, repeats int, learners ...string) *Block {
	h := itemsHeader(repeats)
	require.NoError(t, h.SetItems([]Item{
		{ID: "tax-2", Content: "00c0ffee11"},
		{ID: "refund 17/a", Content: "3f2a9c1d", Cluster: "refunds=x"},
		{ID: "refund-3", Content: "beefbeef", Cluster: "refunds=x"},
	}))
	b, err := NewBlock(h, learners, []unit.Unit{correct, usd}, 0)
	require.NoError(t, err)
	for l, name := range learners {
		for repeat := 1; repeat <= repeats; repeat++ {
			for i := range 3 {
				tr := Trial{Data: "faq", Learner: name, Run: repeat, Fold: i + 1, TestN: 1, PredictSec: 2.5}
				if i == 2 && l == len(learners)-1 && repeat == repeats {
					tr.Err = "status 500\nretry"
				} else {
					tr.Values = []float64{float64((i + l + repeat) % 2), 0.0042 * float64(i+1)}
				}
				require.NoError(t, b.Add(tr))
			}
		}
	}
	return b
}

func TestFormatOfItems(t *testing.T) {
	t.Parallel()
	b := sampleItems(t, 2, "agent", "before")
	full := text(t, b)
	require.Equal(t, `learnbench-format: 3
pkg: example.com/bot
test: TestAgent
commit: 3f2a9c1
protocol: items repeats=2 v1
data-sha256: `+b.Header.DataDigest+`
split-sha256: `+b.Header.DataDigest+`
Item: refund%2017%2fa 3f2a9c1d cluster=refunds%3dx
Item: refund-3 beefbeef cluster=refunds%3dx
Item: tax-2 00c0ffee
Grader: rubric 2
Data: faq
Learners: agent before
Checksum: `+b.Checksum()+`
Unit correct better=higher min=0 max=1 mean=examples
Unit usd better=lower min=0 max=1000
BenchmarkItem/data=faq/learner=agent/item=refund%2017%2fa/repeat=1 1 1 correct 0.0042 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=agent/item=refund%2017%2fa/repeat=2 1 0 correct 0.0042 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=before/item=refund%2017%2fa/repeat=1 1 0 correct 0.0042 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=before/item=refund%2017%2fa/repeat=2 1 1 correct 0.0042 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=agent/item=refund-3/repeat=1 1 0 correct 0.0084 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=agent/item=refund-3/repeat=2 1 1 correct 0.0084 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=before/item=refund-3/repeat=1 1 1 correct 0.0084 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=before/item=refund-3/repeat=2 1 0 correct 0.0084 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=agent/item=tax-2/repeat=1 1 1 correct 0.0126 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=agent/item=tax-2/repeat=2 1 0 correct 0.0126 usd 2.5 call-sec/op
BenchmarkItem/data=faq/learner=before/item=tax-2/repeat=1 1 0 correct 0.0126 usd 2.5 call-sec/op
error: status 500\nretry
BenchmarkItem/data=faq/learner=before/item=tax-2/repeat=2 1 1 failed 2.5 call-sec/op
error:
`, full)
	f := readText(t, full)
	require.Equal(t, contents(b), contents(f.Blocks()...))
	require.NoError(t, Verify(f.Blocks()[0]))
	require.Equal(t, []Item{
		{ID: "refund 17/a", Content: "3f2a9c1d", Cluster: "refunds=x"},
		{ID: "refund-3", Content: "beefbeef", Cluster: "refunds=x"},
		{ID: "tax-2", Content: "00c0ffee"},
	}, ItemsOf(f.Blocks()[0]))
	failed := f.Failures()
	require.Len(t, failed, 1)
	require.Equal(t, "data set faq, learner before, item tax-2, repeat 2", failed[0].Cell().String())
	require.Equal(t, "f.txt:29", failed[0].Pos.String())
	require.NoError(t, f.Check())
	require.Nil(t, ItemsOf(sampleBlock(t, "vehicle", 1, 2, "c45")))

	id, err := IdentityOf([]byte(full[:strings.Index(full, "Benchmark")]))
	require.NoError(t, err)
	require.Equal(t, b.Header.Identity(), id)
}

// The data digest covers each line of an item, as any program can compute it.
func TestDigestOfItems(t *testing.T) {
	t.Parallel()
	h := itemsHeader(1)
	require.NoError(t, h.SetItems([]Item{
		{ID: "b", Content: "0123456789"},
		{ID: "a", Content: "89abcdef", Cluster: "c"},
	}))
	require.Equal(t, digest("learnbench items v1\na 89abcdef cluster=c\nb 01234567\n"), h.DataDigest)
	require.Equal(t, h.DataDigest, h.SplitDigest)
}

func TestItemsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		items []Item
		msg   string
	}{
		{[]Item{{ID: "", Content: "01234567"}}, "an item has no id"},
		{[]Item{
			{ID: "a", Content: "01234567"},
			{ID: "b", Content: "01234567"},
			{ID: "a", Content: "01234567"},
		}, `two items have the id "a"`},
		{[]Item{{ID: "a", Content: "0123456"}}, `item "a": its content "0123456" is no digest`},
		{[]Item{{ID: "a", Content: "0123456G"}}, "is no digest"},
		{
			[]Item{{ID: "a", Content: "01234567", Slices: []string{"b", "b"}}},
			`item "a": slice b is there twice`,
		},
		{[]Item{{ID: "a", Content: "01234567", Slices: []string{""}}}, `a slice is called ""`},
		{[]Item{{ID: "a", Content: "01234567", Slices: []string{"x}"}}}, "without braces"},
		{
			[]Item{{ID: "a", Content: "01234567", Slices: []string{"cluster=b"}}},
			"would be taken for the cluster",
		},
	} {
		h := itemsHeader(1)
		err := h.SetItems(c.items)
		require.ErrorIs(t, err, ErrInvalid)
		require.ErrorContains(t, err, c.msg)
	}
	h := itemsHeader(1)
	require.NoError(t, h.SetItems(nil))
	_, err := NewBlock(h, []string{"a"}, []unit.Unit{correct}, 0)
	require.ErrorContains(t, err, "has no items")
}

// Tools for benchmarks see the scores, and nothing that they stumble on.
func TestBenchfmtReadsItems(t *testing.T) {
	t.Parallel()
	b := sampleItems(t, 2, "agent", "before")
	full := text(t, b)
	r := benchfmt.NewReader(strings.NewReader(full), "f.txt")
	n := 0
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatal(rec)
		case *benchfmt.Result:
			base, parts := rec.Name.Parts()
			require.Equal(t, "Item", string(base))
			require.Len(t, parts, 4)
			if rec.Values[0].Unit == "correct" {
				require.Equal(t, "usd", rec.Values[1].Unit)
				require.Equal(t, "call-sec/op", rec.Values[2].Unit)
			}
			n++
		}
	}
	require.NoError(t, r.Err())
	require.Equal(t, 12, n)
}

func TestItemFilesConcatenate(t *testing.T) {
	t.Parallel()
	a, b := sampleItems(t, 2, "agent"), sampleItems(t, 2, "before")
	f := readText(t, text(t, a)+"\n"+text(t, b))
	require.NoError(t, f.Check())
	require.Len(t, f.Experiments(), 1)
	require.Equal(t, 12, f.Experiments()[0].Len())
	full := text(t, f.Experiments()[0])
	require.Contains(t, full, "Learners: agent before\n")
	require.Equal(t, full, text(t, readText(t, full).Blocks()...))

	part := withoutChecksum(text(t, a))
	part = strings.Replace(part, "BenchmarkItem/data=faq/learner=agent/item=refund-3/repeat=2 1 1 correct 0.0084 usd 2.5 call-sec/op\n", "", 1)
	require.NotEqual(t, withoutChecksum(text(t, a)), part)
	require.ErrorContains(t, readText(t, part).Check(),
		"trials are missing: data set faq, learner agent, item refund-3, repeat 2")

	other := sampleItems(t, 2, "before")
	require.NoError(t, other.Header.SetItems([]Item{{ID: "other", Content: "01234567"}}))
	_, err := Union(a, other)
	require.ErrorIs(t, err, ErrMismatch)
	other = sampleItems(t, 2, "before")
	other.Header.Grader = "rubric 3"
	_, err = Union(a, other)
	require.ErrorContains(t, err, `Grader is "rubric 2"`)
}

// Each edit, also of a file without checksum, is an error that says where.
func TestEditedItems(t *testing.T) {
	t.Parallel()
	b := sampleItems(t, 1, "agent", "before")
	full := text(t, b)
	for name, c := range map[string]struct{ old, new, msg string }{
		"score": {
			"repeat=1 1 0 correct", "repeat=1 1 1 correct",
			"changed after they were written",
		},
		"item removed": {
			"Item: tax-2 00c0ffee\n", "",
			"an item was added, removed or changed by hand",
		},
		"item added": {
			"Item: tax-2 00c0ffee\n", "Item: tax-2 00c0ffee\nItem: tax-3 00c0ffee\n",
			"an item was added, removed or changed by hand",
		},
		"content": {"00c0ffee", "00c0ffef", "an item was added, removed or changed by hand"},
		"cluster": {
			"beefbeef cluster=refunds%3dx", "beefbeef",
			"an item was added, removed or changed by hand",
		},
		"twice": {
			"Item: tax-2 00c0ffee\n", "Item: tax-2 00c0ffee\nItem: tax-2 00c0ffee\n",
			`Item "tax-2" is there twice`,
		},
		"order": {
			"Item: refund-3 beefbeef", "Item: zzz beefbeef",
			`Item "tax-2" comes after "zzz"`,
		},
		"spelling":  {"Item: tax-2", "Item: t%61x-2", "the id is spelled tax-2"},
		"no digest": {"tax-2 00c0ffee", "tax-2 00c0ffe", `"00c0ffe" is no digest of 8 digits`},
		"no hex":    {"tax-2 00c0ffee", "tax-2 00c0ffez", `"00c0ffez" is no digest of 8 digits`},
		"cluster spelling": {
			"beefbeef cluster=refunds%3dx", "beefbeef cluster=%72efunds%3dx",
			`"cluster=%72efunds%3dx" is no cluster=NAME`,
		},
		"data digest": {
			"data-sha256: " + b.Header.DataDigest[:4], "data-sha256: 0000",
			"an item was added, removed or changed by hand",
		},
		"split digest": {
			"split-sha256: " + b.Header.DataDigest[:4], "split-sha256: 0000",
			"an item was added, removed or changed by hand",
		},
		"braces": {
			"tax-2 00c0ffee", "tax-2 00c0ffee lang{de",
			`a slice is called "lang{de": it needs a name without braces`,
		},
		"slice twice": {"tax-2 00c0ffee", "tax-2 00c0ffee a a", "slice a is there twice"},
		"slice order": {
			"tax-2 00c0ffee", "tax-2 00c0ffee b a",
			"the slices b a are not in the order of their names",
		},
		"slice spelling": {"tax-2 00c0ffee", "tax-2 00c0ffee %61", `slice "a" is spelled a`},
		"no slice":       {"tax-2 00c0ffee", "tax-2 00c0ffee a  b", "empty name"},
		"space":          {"tax-2 00c0ffee", "tax-2 00c0ffee ", "ends with a space"},
		"two clusters": {
			"beefbeef cluster=refunds%3dx", "beefbeef cluster=refunds%3dx cluster=y",
			"which would be taken for the cluster",
		},
		"empty cluster": {"tax-2 00c0ffee", "tax-2 00c0ffee cluster=%", "is no cluster=NAME"},
		"unknown item": {
			"item=tax-2", "item=tax-3",
			`item "tax-3" is not one of those under the key Item`,
		},
		"repeat":   {"item=tax-2/repeat=1", "item=tax-2/repeat=2", "repeat 2 is not one of 1"},
		"repeat 0": {"item=tax-2/repeat=1", "item=tax-2/repeat=0", `invalid repeat "0"`},
		"name": {
			"BenchmarkItem/data=faq/learner=agent/item=tax-2",
			"BenchmarkItem/data=faq/learner=agent/id=tax-2",
			"not of the form Item/data=D/learner=L/item=I/repeat=R",
		},
		"more": {
			"correct 0.0084 usd 2.5 call-sec/op\n",
			"correct 0.0084 usd 2.5 call-sec/op 3 retries\n", "unit retries is not declared",
		},
		"sizes": {
			"usd 2.5 call-sec/op\n", "usd 1 train-n 2.5 call-sec/op\n",
			"unit train-n is not declared",
		},
		"negative time":   {"2.5 call-sec/op", "-2.5 call-sec/op", "is -2.5"},
		"other benchmark": {"BenchmarkItem/", "BenchmarkCV/", "not of the form"},
		"format": {
			"learnbench-format: 3", "learnbench-format: 2",
			`version 2 of the format with the protocol "items repeats=1 v1", whose results are of version 3`,
		},
		"protocol": {
			"items repeats=1", "cv runs=1 folds=3 stratified seed=1",
			`version 3 of the format with the protocol "cv runs=1`,
		},
		"repeats": {"items repeats=1", "items runs=1", "repeats= is missing"},
		"late item": {
			"BenchmarkItem/data=faq/learner=before/item=tax-2",
			"Item: x 00c0ffee\nBenchmarkItem/data=faq/learner=before/item=tax-2", "Item comes after",
		},
		"truncated":        {"call-sec/op\nerror:\n", "call-sec/op\n", "truncated"},
		"torn":             {"call-sec/op\nerror:\n", "call-se", "truncated"},
		"failed and score": {"1 failed", "1 failed 1 correct", "a failed trial has a value of correct"},
	} {
		changed := strings.Replace(full, c.old, c.new, 1)
		require.NotEqual(t, full, changed, name)
		_, err := Read(strings.NewReader(changed), "f.txt")
		require.ErrorContains(t, err, c.msg, name)
		requireError[*SyntaxError](t, err)
		if name != "score" { // nor do files of other tools pass, which have no checksum
			_, err = Read(strings.NewReader(withoutChecksum(changed)), "f.txt")
			require.ErrorContains(t, err, c.msg, name)
		}
	}
	items := sampleBlock(t, "vehicle", 1, 2, "c45")
	items.Header.Items = b.Header.Items
	_, err := NewBlock(items.Header, items.Learners, items.Units, 0)
	require.ErrorContains(t, err, `items under the protocol "cv runs=1`)
}

// Items of any name come back from a file.
func TestItemsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := itemsHeader(rapid.IntRange(1, 3).Draw(t, "repeats"))
		ids := rapid.SliceOfNDistinct(rapid.String().Filter(func(s string) bool {
			return s != "" &&
				len(s) < 1000
		}), 1, 20, rapid.ID[string]).Draw(t, "ids")
		want := make(map[string]Item)
		for _, id := range ids {
			want[id] = Item{
				ID: id, Content: fmt.Sprintf("%08x", rapid.Uint32().Draw(t, "content")),
				Cluster: rapid.SampledFrom([]string{"", "a", "%", " b/=", id}).Draw(t, "cluster"),
				Slices: rapid.SliceOfDistinct(rapid.SampledFrom([]string{
					"%", "a=b", " a/b=", "ö\n",
					"cluster",
				}), rapid.ID[string]).Draw(t, "slices"),
			}
		}
		require.NoError(t, h.SetItems(slices.Collect(maps.Values(want))))
		b, err := NewBlock(h, []string{"x y", "z"}, []unit.Unit{correct}, 0)
		require.NoError(t, err)
		b.Timeless = rapid.Bool().Draw(t, "timeless")
		for i := range ids {
			for repeat := 1; repeat <= b.Runs(); repeat++ {
				for _, l := range b.Learners {
					if rapid.IntRange(0, 9).Draw(t, "there") > 0 {
						require.NoError(t, b.Add(Trial{
							Data: "faq", Learner: l, Run: repeat, Fold: i + 1, TestN: 1,
							Values: []float64{rapid.Float64Range(0, 1).Draw(t, "score")},
						}))
					}
				}
			}
		}
		full := text(t, b)
		again := readText(t, full).Blocks()[0]
		require.Equal(t, contentOf(b).Trials, contentOf(again).Trials)
		require.Equal(t, b.Header, again.Header)
		for _, it := range ItemsOf(again) {
			wanted := want[it.ID]
			wanted.Slices = slices.Sorted(slices.Values(wanted.Slices))
			require.Equal(t, wanted, it)
		}
		require.Equal(t, full, text(t, again))
		slow, err := Read(strings.NewReader(long(full)), "f.txt")
		require.NoError(t, err)
		require.Equal(t, contents(again), contents(slow.Blocks()...))
		for tr := range again.Trials() {
			line := strings.Split(full, "\n")[tr.Pos.Line-1]
			require.Contains(t, line, "/item="+EscapeName(tr.Item)+fmt.Sprintf("/repeat=%d ", tr.Run))
		}
	})
}

// A journal of answers ends with the last whole one.
func TestStreamOfItems(t *testing.T) {
	t.Parallel()
	b := sampleItems(t, 1, "agent")
	s, err := NewStream(b.Header, b.Learners, b.Units, 0)
	require.NoError(t, err)
	full := s.AppendHead(nil)
	var last int
	for tr := range b.Trials() {
		last = len(full)
		full, err = s.AppendTrial(full, tr)
		require.NoError(t, err)
	}
	require.Equal(t, full, WholeTrials(full))
	require.Equal(t, full[:last], WholeTrials(full[:len(full)-1]))
	f, err := Read(bytes.NewReader(full), "f.txt")
	require.NoError(t, err)
	require.Equal(t, 3, f.Blocks()[0].Len())
}

func TestAnswersThatDoNotBelong(t *testing.T) {
	t.Parallel()
	b := sampleItems(t, 1, "agent").Clone()
	tr := Trial{Data: "faq", Learner: "agent", Run: 2, Fold: 1, TestN: 1, Values: []float64{1, 1}}
	require.ErrorContains(t, b.Add(tr), "repeat 2 is not one of 1")
	tr.Run = 1
	require.ErrorContains(t, b.Add(tr), "item refund 17/a, repeat 1")
	tr.Item = "tax-2"
	require.ErrorContains(t, b.Add(tr), `fold 1 is item "refund 17/a"`)
	empty, err := NewBlock(b.Header, b.Learners, b.Units, 0)
	require.NoError(t, err)
	tr.Item, tr.TrainN = "", 7
	require.ErrorContains(t, empty.Add(tr), "7 training and 1 test examples for an item, which is one")
	tr.TrainN, tr.TestN = 0, 2
	require.ErrorContains(t, empty.Add(tr), "for an item, which is one")
	var missing []string
	for c := range empty.Missing(1) {
		missing = append(missing, c.Item)
	}
	require.Equal(t, []string{"refund 17/a", "refund-3", "tax-2"}, missing)
}
