package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// evil is a name that would add a row, colour the rest and turn it around.
const (
	evil  = "x\niris nn 1% improved\x1b[31m\u202e"
	shown = `x\u000airis nn 1% improved\u001b[31m\u202e`
)

// fields are what a result file has from elsewhere.
type fields struct{ data, learner, metric, note string }

// resultFile writes a file with trials of two learners, the first of which has a
// name of its own, and returns its path.
func resultFile(t *testing.T, name string, n fields, gain float64) (string, error) {
	t.Helper()
	h := record.Header{
		Pkg: n.note, Test: n.note, Data: n.data, Commit: n.note, CommitTime: "2026-11-20T16:02:11Z",
		Protocol:   "cv runs=2 folds=2 stratified seed=1 v1",
		DataDigest: strings.Repeat("1", 64), SplitDigest: strings.Repeat("2", 64),
		Reproduce: n.note, Toolchain: n.note,
	}
	h.Of(n.learner).SetProbe(record.NotDeterministic)
	b, err := record.NewBlock(h, []string{n.learner, "base"},
		[]unit.Unit{{Name: n.metric, Better: unit.Higher, Max: 1}}, 20)
	if err != nil {
		return "", err
	}
	for run := 1; run <= 2; run++ {
		for fold := 1; fold <= 2; fold++ {
			for i, l := range []string{n.learner, "base"} {
				score := 0.5 + float64(i)*0.1 + float64(run)*0.01 + float64(fold)*0.02
				if i == 0 {
					score += gain * float64(fold)
				}
				if err := b.Add(record.Trial{
					Data: n.data, Learner: l, Run: run, Fold: fold, TrainN: 10,
					TestN: 10, Values: []float64{score},
				}); err != nil {
					return "", err
				}
			}
		}
	}
	var text bytes.Buffer
	if err := record.Write(&text, b); err != nil {
		return "", err
	}
	path := filepath.Join(t.TempDir(), name)
	return path, os.WriteFile(path, text.Bytes(), 0o666)
}

// runText runs the command and returns its status and output.
func runText(args ...string) (status int, stdout, stderr string) {
	var out, err strings.Builder
	status = run(args, strings.NewReader(""), &out, &err)
	return status, out.String(), err.String()
}

func TestNamesForgeNoLine(t *testing.T) {
	t.Parallel()
	old, err := resultFile(t, "old.txt", fields{evil, evil, evil, evil}, 0)
	require.NoError(t, err)
	other := fields{evil, evil, evil, "y" + evil}
	new, err := resultFile(t, "new.txt", other, 0.01)
	require.NoError(t, err)
	status, stdout, stderr := runText(evil+"="+old, "y"+evil+"="+new)
	assert.Equal(t, cli.Clean, status)
	assert.Empty(t, stderr)
	text := unbroken(stdout)
	assert.Equal(t, strings.ReplaceAll(`2 comparisons: 1 inconclusive, 1 equivalent
pkg: EVIL (EVIL)
pkg: yEVIL (yEVIL)
commit: EVIL of 2026-11-20T16:02:11Z (EVIL)
commit: yEVIL of 2026-11-20T16:02:11Z (yEVIL)
toolchain: EVIL (EVIL)
toolchain: yEVIL (yEVIL)
protocol: cv runs=2 folds=2 stratified seed=1 v1
EVIL in %: EVIL → yEVIL, n = 2×2, corrected-cv-t
`, "EVIL", shown), text[:strings.Index(text, "  ")])
	assert.Contains(t, text, "\n(1) "+shown+"/"+shown+"\n")
	assert.Contains(t, text, "\n¹ "+shown+" is not deterministic: ")
	assert.Equal(t, 8+1+2+1+1+1+2, strings.Count(text, "\n"), stdout)
	assertPrintable(t, stdout)

	for _, args := range [][]string{
		{"-v", evil + "=" + old, new},
		{"-baseline", "base", "-v", evil + "=" + old},
		{"-baseline", evil, "-v", old},
	} {
		status, stdout, stderr := runText(args...)
		assert.Equal(t, cli.Clean, status, stderr)
		assert.Contains(t, stdout, shown)
		assertPrintable(t, stdout)
	}
	quoted := `"x\niris nn 1% improved\x1b[31m\u202e"`
	for want, args := range map[string][]string{
		"learnstat: " + shown + ": no such file or directory\n": {evil, new},
		"learnstat: no data set is called " + strings.Replace(quoted, "x", "yx", 1) + "; there are: " +
			quoted + "; did you mean " + quoted + "?\n": {"-data", "y" + evil, old, new},
		"learnstat: flag provided but not defined: -" + shown +
			"\n": {"-" + evil},
		"learnstat: nothing to compare " + shown +
			" with: give a second file, or a learner of the file as -baseline\n": {
			"-fail-on", "regressed",
			evil,
		},
		"learnstat: -margin 2 is the whole range of " + shown +
			", 0 to 1, or more, and no difference is beyond it: 0.02 is two points\n": {
			"-margin",
			"2", old, new,
		},
	} {
		status, stdout, stderr := runText(args...)
		assert.Equal(t, cli.Unjudged, status)
		assert.Empty(t, stdout)
		assert.Equal(t, want, stderr)
	}
}

// Notes on results left out are escaped, too.
func TestNotesForgeNoLine(t *testing.T) {
	t.Parallel()
	var both []byte
	for _, n := range []fields{{"iris", "nn", "accuracy", ""}, {evil, "knn", "accuracy", ""}} {
		path, err := resultFile(t, "part.txt", n, 0.01)
		require.NoError(t, err)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		both = append(both, text...)
	}
	path := filepath.Join(t.TempDir(), "both.txt")
	require.NoError(t, os.WriteFile(path, both, 0o666))
	status, stdout, stderr := runText("-baseline", "base", path)
	assert.Equal(t, cli.Clean, status, stderr)
	assert.Contains(t, unbroken(stdout), "\ndata set "+shown+" lacks learners that other data sets have: \"nn\"\n")
	assertPrintable(t, stdout)
	status, stdout, stderr = runText("-baseline", "base", "-fail-on", "regressed", path)
	assert.Equal(t, cli.Unjudged, status)
	assertPrintable(t, stdout)
	assert.Contains(t, stderr, ": data set "+shown+" lacks learners that other data sets have: \"nn\": run them there as well, or choose with -learner or -data\n")
	assertPrintable(t, stderr)
}

// A reason that a row cannot be judged is a line of standard error, whatever the names are.
func TestReasonsForgeNoLine(t *testing.T) {
	t.Parallel()
	old, err := resultFile(t, "old.txt", fields{evil, evil, evil, ""}, 0)
	require.NoError(t, err)
	new, err := resultFile(t, "new.txt", fields{evil, "other" + evil, evil, ""}, 0)
	require.NoError(t, err)
	status, stdout, stderr := runText(old, new)
	assert.Equal(t, cli.Unjudged, status)
	assertPrintable(t, stdout)
	assertPrintable(t, stderr)
	assert.Equal(t, 2, strings.Count(stderr, "\n"), stderr)
}

// unbroken returns a text without the breaks of its long lines.
func unbroken(text string) string { return breaks.ReplaceAllString(text, " $1") }

var breaks = regexp.MustCompile(`\n {4}(\S)`)

// assertPrintable checks that there is nothing in the lines of a text but what shows.
func assertPrintable(t *testing.T, text string) {
	t.Helper()
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		assert.Equal(t, unit.Printable(l), l)
	}
}

// FuzzOutput checks that only printable characters reach a terminal, that a row is a line, that
// each comparison without a verdict has a reason, and that CSV has the names unescaped.
func FuzzOutput(f *testing.F) {
	f.Add("iris", "nn", "accuracy", "example.com/model", "old")
	f.Add(evil, evil, evil, evil, evil)
	f.Add("\u202e", "\u200b", "\r", "\x9b31m", "\xff")
	f.Add("a\r\nb", "\",\"", " x ", "\x00", "=")
	f.Add("", "base", "", "", "")
	f.Add("::error::x", "::stop-commands::x", "\u3000::x::y", "##[error]x", "::add-mask::x")
	f.Fuzz(func(t *testing.T, data, learner, metric, note, label string) {
		checkOutput(t, fields{data, learner, metric, note}, label)
	})
}

// Names are made of what terminals, tables and CSV give a meaning to.
func TestOutputOfAnyNames(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	rapid.Check(t, func(r *rapid.T) {
		part := rapid.OneOf(rapid.SampledFrom([]string{
			"\n", "\r", "\t", "\x00", "\x1b[31m", "\x7f", "\u0085", "\x9b", "\u2028", "\u202e", "\u2066",
			"\u200b", "\u061c", "\ufeff", "\ufe0f", "\u3164", "\U000e0041",
			" ", "│", ",", "::", "::error::", "##[error]", "##", "[", "\"", "=", ":", "%", "%0a", "(", ")",
			"/", "\\", "nn", "日本", "e\u0301",
		}), rapid.String())
		name := rapid.Map(rapid.SliceOfN(part, 0, 5),
			func(parts []string) string { return strings.Join(parts, "") })
		checkOutput(t, fields{
			name.Draw(r, "data"), name.Draw(r, "learner"), name.Draw(r, "metric"),
			name.Draw(r, "note"),
		}, name.Draw(r, "label"))
	})
}

func checkOutput(t *testing.T, n fields, label string) {
	t.Helper()
	old, err := resultFile(t, "old.txt", n, 0)
	if err != nil {
		return // names that no file can have
	}
	new, err := resultFile(t, "new.txt", n, 0.01)
	require.NoError(t, err)
	dir := t.TempDir()
	for i, args := range [][]string{
		{label + "=" + old, new},
		{"-v", old, label + "=" + new},
		{"-baseline", "base", label + "=" + new},
		{label + "=" + new},
		{"-format", "csv", label + "=" + new},
		{"-baseline", label, old},
		{"-fail-on", "regressed", "-adjust", "holm", label + "=" + old, new},
		{"-learner", label, "-data", n.note, "-metric", n.metric, old, new},
		{label, n.note},
		{"-history", label + "=" + old, new, old},
		{"-history", "-reference", label + "=" + old, new, old},
		{
			"-plot", dir, "-html", filepath.Join(dir, "page.html"), "-bayes", "-margin", "0.01",
			label + "=" + old, new,
		},
		{"-plot", dir, "-history", label + "=" + old, new, old},
	} {
		status, stdout, stderr := runText(args...)
		assertPrintable(t, stdout)
		assertPrintable(t, stderr)
		undecided := args[0] == "-fail-on" &&
			strings.Contains(stderr, " passes -fail-on regressed, with a loss of ")
		assert.Equal(t, status == cli.Unjudged || undecided, stderr != "", "%v: status %d", args, status)
		if i == 0 && status == cli.Clean {
			assert.Len(t, regexp.MustCompile(`(?m)^[~=▲▼] .*  [+-]\d`).FindAllString(stdout, -1),
				1, "%q", stdout)
			assert.Equal(t, 1, strings.Count(unbroken(stdout), "\n  1 row with identical scores: "), "%q", stdout)
		}
	}
	checkDrawn(t, dir)
	checkFormats(t, n, old, new)
	status, stdout, _ := runText("-format", "csv", old, new)
	if status == cli.Unjudged {
		return
	}
	lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 3)
	assert.Equal(t, []string{
		unit.Printable(n.metric), unit.Printable(n.data),
		unit.Printable(n.learner),
	}, lines[1][:3])
}

// A name at the beginning of a line is no command to what runs a job.
func TestNamesForgeNoCommand(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`(?m)^\s*::|##\[`)
	for _, evil := range []string{"::error::x", "\u3000::stop-commands::x", "##[error]x"} {
		n := fields{evil, evil, evil, evil}
		old, err := resultFile(t, "old.txt", n, 0)
		require.NoError(t, err)
		new, err := resultFile(t, "new.txt", n, 0.01)
		require.NoError(t, err)
		for _, args := range [][]string{
			{evil + "=" + old, new},
			{"-v", evil + "=" + old, evil + "#2=" + new},
			{evil + "=" + old, evil + "#2=" + old}, // a note begins with the label
			{"-baseline", "base", old},
			{evil + "=" + old},
			{"-format", "csv", evil + "=" + old},
			{"-col", "/learner", "-row", "", "-table", "/data", old},
			{"-format", "markdown", evil + "=" + old, new},
			{"-format", "csv", evil + "=" + old, new},
			{"-fail-on", "inconclusive", evil + "=" + old, new},
			{"-data", evil + "2", old, new},
			{"-history", "-reference", old, evil + "=" + old, evil + "#2=" + new},
		} {
			_, stdout, stderr := runText(args...)
			assert.NotRegexp(t, command, stdout, "%v", args)
			assert.NotRegexp(t, command, stderr, "%v", args)
			assert.NotEmpty(t, stdout+stderr)
		}
		_, stdout, _ := runText("-format", "github", evil+"="+old, new)
		assert.NotRegexp(t, command, workflowCommands.ReplaceAllString(stdout, ""))
	}
}

// checkDrawn checks that pictures are well-formed, and that no name is part of it in any other way
// than as text.
func checkDrawn(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		dec := xml.NewDecoder(bytes.NewReader(text))
		for err == nil {
			_, err = dec.Token()
		}
		require.ErrorIs(t, err, io.EOF, "%s", text)
		assert.NotRegexp(t, "(?i)<script|javascript:|[\\x00-\\x08\u202e]", string(text))
	}
	page, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	require.NoError(t, err)
	assert.NotRegexp(t, "(?i)<script|<img|<iframe|[\\x00-\\x08\u202e]", string(page))
	assert.Equal(t, strings.Count(string(page), "<details "), strings.Count(string(page),
		"</details>"))
}
