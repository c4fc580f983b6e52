package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// flagsOf takes flags from lines of a text: any flags that read only the files given to them.
func flagsOf(text string) []string {
	var flags []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		name, _, _ := strings.Cut(strings.TrimLeft(line, "-"), "=")
		if len(flags) < 12 && !slices.Contains([]string{"waivers", "reference", "plot", "html", "-", ""},
			name) && strings.HasPrefix(line, "-") {
			flags = append(flags, line)
		}
	}
	return flags
}

// FuzzCommand runs the command on any two files with any flags. It never panics; a damaged file is
// never a clean gate; it takes memory in proportion to its input; and nothing but what shows
// reaches a format for people.
func FuzzCommand(f *testing.F) {
	texts := make(map[string]string)
	for _, name := range []string{"before.txt", "after.txt", "old.txt", "repeated.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(f, err)
		texts[name] = string(text)
	}
	for _, flags := range []string{
		"", "-fail-on=regressed", "-v", "-format=json", "-format=csv\n-fail-on=inconclusive,improved",
		"-format=markdown", "-format=github",
		"-row=/learner,/data\n-col=.file", "-col=/learner\n-row=/data",
		"-filter=.unit:logloss /learner:nn", "-table=/data\n-row=/learner",
		"-margin=accuracy=1pp,logloss=5%\n-require=non-inferior", "-bayes\n-metric=accuracy",
		"-tail=worse", "-posthoc=meanranks\n-across=sign",
		"-adjust=hommel\n-test=paired-t", "-lenient\n-fail-on=not-improved", "-from=weka", "-repeats=2",
		"-replicability=0.9", "-baseline=nn", "-history", "-history\n-format=markdown\n-lenient",
		"-history\n-format=json\n-alpha=0.2",
		"-width=40\n-require=non-inferior\n-margin=accuracy=1pp,logloss=1", "-format=csv-over\n-bayes",
		"-over=hierarchical\n-rope=accuracy=1pp,logloss=0.1",
		"-over=hierarchical\n-metric=accuracy\n-format=csv-hierarchical",
	} {
		if strings.Contains(flags, "logloss=0.1") && !citest.Has(citest.Slow) {
			continue // chains of two metrics
		}
		f.Add([]byte(texts["before.txt"]), []byte(texts["after.txt"]), flags)
	}
	f.Add([]byte(texts["old.txt"]), []byte(texts["old.txt"]), "-fail-on=regressed")
	f.Add([]byte(texts["repeated.txt"]), []byte{}, "-baseline=naivebayes\n-repeats=3")
	f.Add([]byte("\x1f\x8b"), []byte("learnbench-format: 2\n"), "-v")
	f.Fuzz(checkCommand)
}

func checkCommand(t *testing.T, old, new []byte, text string) {
	flags := flagsOf(text)
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	require.NoError(t, os.WriteFile(paths[0], old, 0o666))
	require.NoError(t, os.WriteFile(paths[1], new, 0o666))
	args := append(flags, paths...)
	if slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "-baseline") }) {
		args = append(flags, paths[0])
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status, stdout, stderr := runText(args...)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20+2000*(len(old)+len(new))))

	require.Contains(t, []int{cli.Clean, cli.Failed, cli.Unjudged}, status)
	assertPrintable(t, stderr)
	if status != cli.Clean {
		require.NotEmpty(t, stderr)
	}
	help := slices.ContainsFunc(flags, func(f string) bool {
		return strings.Trim(f, "-") == "h" ||
			strings.Trim(f, "-") == "help"
	})
	switch format := formatOf(flags); {
	case help:
		return
	case format == "json" && stdout != "":
		var r report.Report
		require.NoError(t, json.Unmarshal([]byte(stdout), &r))
		require.Equal(t, status, r.Status)
	case format == "text" && stdout != "":
		assertPrintable(t, stdout)
		checkFirstLine(t, status, flags, stdout)
	case format == "github":
		assertPrintable(t, workflowCommands.ReplaceAllString(stdout, ""))
	case !strings.HasPrefix(format, "csv"):
		assertPrintable(t, stdout)
	}
	if status == cli.Clean && !slices.ContainsFunc(flags,
		func(f string) bool { return strings.Contains(f, "from") }) {
		for _, path := range args[len(flags):] {
			undamaged(t, path)
		}
	}
}

// checkFirstLine checks that the first line of a text says what the exit status is.
func checkFirstLine(t *testing.T, status int, flags []string, text string) {
	t.Helper()
	line, _, _ := strings.Cut(text, "\n")
	if slices.ContainsFunc(flags, func(f string) bool {
		return strings.HasPrefix(strings.TrimLeft(f,
			"-"), "history")
	}) || strings.Contains(line, ": nothing is compared; ") {
		return
	}
	switch {
	case status == cli.Unjudged:
		require.Equal(t, "NOT EVERYTHING COULD BE JUDGED", line)
	case status == cli.Failed:
		require.Regexp(t, `^GATE FAILS on (\d+ of )?\d+ `, line)
	default:
		require.Regexp(t, `^(GATE PASSES\b|\d+ comparisons?: )`, line)
	}
}

// formatOf returns the last format of the flags.
func formatOf(flags []string) string {
	format := "text"
	for _, f := range flags {
		if name, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "format="); ok {
			format = name
		}
	}
	return format
}

// undamaged checks that a file which was judged is one: complete, consistent and such as its
// writer would write it.
func undamaged(t *testing.T, path string) {
	t.Helper()
	f, err := record.Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	var text bytes.Buffer
	err = record.Write(&text, f.Blocks()...)
	if errors.Is(err, record.ErrInvalid) {
		return // names that make its lines too long
	}
	require.NoError(t, err)
	again, err := record.Read(&text, "again")
	require.NoError(t, err)
	require.Len(t, again.Blocks(), len(f.Blocks()))
}
