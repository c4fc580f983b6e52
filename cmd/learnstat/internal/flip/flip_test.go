package flip

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/predictions"
)

// A text is a block of predictions to be edited.
type text struct{ protocol, digest, split, classes, data, probabilities, body string }

func (x text) String() string {
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "learnbench-predictions: 1\nprotocol: %s\ndata-sha256: %s\nsplit-sha256: %s\nData: %s\nExamples: 6\n",
		or(x.protocol, "cv runs=2 folds=2 stratified seed=1 v1"), strings.Repeat(or(x.digest, "a"), 64),
		strings.Repeat(or(x.split, "b"), 64), or(x.data, "pets"))
	if x.classes != "none" {
		fmt.Fprintf(&b, "Classes: %s\n", or(x.classes, "cat dog eel"))
	}
	if x.probabilities != "" {
		fmt.Fprintf(&b, "Probabilities: %s\n", x.probabilities)
	}
	b.WriteString(x.body)
	return fmt.Sprintf("%sChecksum: %x\n", &b, sha256.Sum256([]byte(b.String())))
}

const parts = "T 0 ABCABC\nF 1 0 AAABBB\nF 2 0 BABABA\n"

func side(t *testing.T, name string, blocks ...text) *Side {
	t.Helper()
	var all strings.Builder
	for _, b := range blocks {
		all.WriteString(b.String())
	}
	read, err := predictions.Read(strings.NewReader(all.String()), name)
	require.NoError(t, err)
	return &Side{Label: name, Blocks: read}
}

func all(string, string) bool { return true }

// Old and new differ on each example in its own way: 0 is lost, 1 won, 2 is wrong in another way, 3
// as before, 4 changes once, and 5 is none of the classes.
var (
	old = text{body: parts + "P tree 1 0 .CA...\nP tree 2 0 .AA...\n"}
	now = text{body: parts + "P tree 1 0 B.B..!\nP tree 2 0 C.B.A.\n"}
)

func TestPairs(t *testing.T) {
	t.Parallel()
	pairs, notes, err := Compare(side(t, "old", old), side(t, "new", now), all)
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Len(t, pairs, 1)
	require.Contains(t, pairs[0].Untested, "share training data")
	require.Nil(t, pairs[0].McNemar)
	require.Equal(t, `pets/tree, mean of 2 runs: 1.0 of 6 turned right, 2.0 turned wrong (negative flip rate 33.3%), 2.0 right in both, 1.0 in neither; 4.0 changed in all
  lost         before always right, now never: 0
  won          before never right, now always: 1
  classes      right of each, the greatest losses first: cat 100.0% to 50.0%, eel 50.0% to 25.0%, dog 50.0% to 75.0%
  agreement    33.3% of the predictions agree; of the predictions that either got wrong, both got 25.0% wrong
  oracle       choosing the right one of the two would score 83.3%: before 66.7%, now 50.0%
example  class  before  now
0        cat    2/2     0/2
4        dog    2/2     1/2
5        eel    2/2     1/2
1        dog    0/2     2/2
`, Text(pairs, true))
	require.NotContains(t, Text(pairs, false), "example  class")
	require.Equal(t, `data,before,now,example,class,runs,right_before,right_now
pets,tree,tree,0,cat,2,2,0
pets,tree,tree,4,dog,2,2,1
pets,tree,tree,5,eel,2,2,1
pets,tree,tree,1,dog,2,0,2
`, CSV(pairs))
	never, _, err := Compare(side(t, "old",
		text{body: parts + "P tree 1 0 ....A.\nP tree 2 0 ......\n"}),
		side(t, "new", text{body: parts + "P tree 1 0 ...BA.\nP tree 2 0 ...BA.\n"}), all)
	require.NoError(t, err)
	require.Contains(t, Text(never, false), "before always right, now never: 3\n",
		"example 4 was not always right")
	same, notes, err := Compare(side(t, "old", old), side(t, "new", old), all)
	require.NoError(t, err)
	require.Equal(t, []string{"pets: new:1 is a copy of old:1: nothing can have changed"}, notes)
	require.Contains(t, Text(same, true),
		"0.0 changed in all\n  lost         before always right, now never: none\n")
	require.NotContains(t, Text(same, true), "example  class")
}

// predefined returns the text of a protocol of one run.
func predefined(folds int) string {
	return fmt.Sprintf("predefined runs=1 folds=%d sha256=%s seed=1 v1", folds,
		strings.Repeat("d", 64))
}

// McNemar's test takes one model of each learner.
func TestMcNemarTakesOneModel(t *testing.T) {
	t.Parallel()
	fixed := predefined(1)
	body := "T 0 ABCABC\nF 1 0 --AAAA\n"
	before := side(t, "old", text{protocol: fixed, body: body + "P tree 1 0 --....\n"})
	after := side(t, "new", text{protocol: fixed, body: body + "P tree 1 0 --ABA.\n"})
	pairs, _, err := Compare(before, after, all)
	require.NoError(t, err)
	require.Empty(t, pairs[0].Untested)
	require.InDelta(t, 0.25, pairs[0].McNemar.P, 1e-12, "three losses of three")
	require.Contains(t, Text(pairs, false),
		"one run: 0 of 4 turned right, 3 turned wrong (negative flip rate 75.0%), 1 right in both, 0 in neither; 3 changed in all\n  lost         before always right, now never: 2, 3, 4\n")
	require.Contains(t, Text(pairs, false), "  test         McNemar, exact: p = 0.250: ")
	for _, protocol := range []string{"cv runs=1 folds=2 stratified seed=1 v1", predefined(2)} {
		one := text{protocol: protocol, body: "T 0 ABCABC\nF 1 0 AAABBB\nP tree 1 0 ......\n"}
		pairs, _, err := Compare(side(t, "old", one), side(t, "new", one), all)
		require.NoError(t, err)
		require.Nil(t, pairs[0].McNemar, protocol)
		require.NotEmpty(t, pairs[0].Untested)
	}
}

// Predictions of other examples are refused, and learners without a counterpart are named.
func TestWhatDoesNotPair(t *testing.T) {
	t.Parallel()
	edit := func(f func(x *text)) text { x := now; f(&x); return x }
	for _, c := range []struct {
		new  text
		says string
	}{
		{
			edit(func(x *text) { x.digest = "c" }),
			"pets: the predictions of old:1 and new:1 do not pair: their data differ: an example of one is no example of the other",
		},
		{
			edit(func(x *text) { x.split = "c" }),
			"their partitions differ: run both with the same protocol and version",
		},
		{edit(func(x *text) { x.classes = "cat dog fox" }), "their classes differ"},
		{
			edit(func(x *text) { x.body = strings.Replace(x.body, "T 0 ABC", "T 0 ABA", 1) }),
			"pets/tree: example 2 is of class eel in old:1, and cat in new:1",
		},
		{
			edit(func(x *text) { x.body = strings.Replace(x.body, "P tree 2 0 C.B.A.\n", "", 1) }),
			"run 2 was predicted on one side only: complete it",
		},
		{edit(func(x *text) {
			x.body = strings.Replace(x.body, "P tree 2 0 C.B.A.", "P tree 2 0 -.-.-.",
				1)
		}), "pets/tree: run 2: "},
	} {
		_, _, err := Compare(side(t, "old", old), side(t, "new", c.new), all)
		require.ErrorContains(t, err, c.says)
	}
	pairs, notes, err := Compare(side(t, "old", old, text{
		data: "toys", classes: "none",
		body: "TV 0 1 2 3 4 5 6\nF 1 0 AAABBB\nF 2 0 AAABBB\nV ols 1 0 1 2 3 4 5 6\nV ols 2 0 1 2 3 4 5 6\n",
	}),
		side(t, "new", now, text{
			data: "toys", classes: "none",
			body: "TV 0 1 2 3 4 5 6\nF 1 0 AAABBB\nF 2 0 AAABBB\nV ols 1 0 1 2 3 4 5 6\nV ols 2 0 1 2 3 4 5 6\n",
		}, edit(func(x *text) { x.data = "more" })), all)
	require.NoError(t, err)
	require.Len(t, pairs, 1)
	require.Equal(t, []string{
		"toys: numbers are predicted there, which do not flip",
		"more: there are no predictions of it in old",
	}, notes)
	two := edit(func(x *text) {
		x.body += strings.ReplaceAll(strings.TrimPrefix(x.body, parts),
			"tree", "bush")
	})
	pairs, notes, err = Compare(side(t, "old", old), side(t, "new", two), all)
	require.NoError(t, err)
	require.Len(t, pairs, 1)
	require.Equal(t, []string{"pets/bush: there are no predictions of it in old"}, notes)
	_, notes, err = Compare(side(t, "old", two), side(t, "new", now), all)
	require.NoError(t, err)
	require.Equal(t, []string{"pets/bush: there are no predictions of it in new"}, notes)
}

// Learners of one file are compared with the baseline, and a single one in each file under any
// name.
func TestAgainst(t *testing.T) {
	t.Parallel()
	bush := strings.ReplaceAll(strings.TrimPrefix(now.body, parts), "tree", "bush")
	both := side(t, "new", text{body: old.body + bush})
	pairs, notes, err := Against("tree", both, all)
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Len(t, pairs, 1)
	require.True(t, strings.HasPrefix(Text(pairs, false),
		"pets/bush against tree, mean of 2 runs: 1.0 of 6 turned right"))
	_, _, err = Against("vine", both, all)
	require.ErrorContains(t, err, `-baseline: new has no learner "vine"; there are: "bush", "tree"`)
	none, _, err := Against("tree", both, func(string, string) bool { return false })
	require.NoError(t, err)
	require.Empty(t, none)
	pairs, _, err = Compare(side(t, "old", old), side(t, "new", text{body: parts + bush}), all)
	require.NoError(t, err)
	require.Equal(t, "pets/bush against tree", pairs[0].name())
}

// Names are no markup, and the page shows which examples changed.
func TestPage(t *testing.T) {
	t.Parallel()
	hostile := text{classes: "<b>cat</b> dog eel", body: old.body}
	changed := text{classes: "<b>cat</b> dog eel", body: now.body}
	pairs, _, err := Compare(side(t, "old", hostile), side(t, "new", changed), all)
	require.NoError(t, err)
	var page bytes.Buffer
	require.NoError(t, Page(&page, "new<script> against old", pairs, []string{Counting},
		"learnstat -flips old new"))
	text := page.String()
	require.NotContains(t, text, "<script")
	require.NotContains(t, text, "<b>cat")
	for _, part := range []string{
		"mean of 2 runs: 1.0 of 6 turned right", "example 0",
		html.EscapeString("<b>cat</b>"), "2/2", "0/2", Counting,
		"4 examples are right in another number of runs",
	} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "<figure", "without probabilities there is no picture")
	require.Regexp(t, `example 0</th>.*<td class="regressed">0/2 .*\n.*example 4</th>.*<td class="regressed">1/2 `, text)
	require.Regexp(t, `example 1</th>.*<td class="improved">2/2 `, text)
}
