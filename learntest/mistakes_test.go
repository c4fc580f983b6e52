package learntest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/learnbench/learnbench/learntest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mistakes are tests and commands with a mistake in each: what passed, or failed without the
// reason, before somebody looked for it, and rows of docs/gates.md. They are a module of their own,
// which uses this one as any other does.
const mistakes = "testdata/mistakes"

// An outcome is what a user sees of a test: PASS or FAIL, and the first line of its message.
type outcome struct{ status, says string }

// TestMistakes runs the tests as one package, once, and then the commands.
func TestMistakes(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := filepath.Join(t.TempDir(), "module")
	require.NoError(t, os.CopyFS(dir, os.DirFS(mistakes)))
	require.NoError(t, usermod.Write(dir, "example.com/model", ".."))
	require.NoError(t, os.Rename(filepath.Join(dir, "outside.csv"),
		filepath.Join(dir, "..", "outside.csv")))
	env, err := learntest.LinkedOnce()
	require.NoError(t, err)
	env = append(append(os.Environ(), env...),
		"PATH="+learntest.Commands(t)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for i, kv := range env {
		if strings.HasPrefix(kv, "GOFLAGS=") { // the compiler takes two thirds of the time with them
			env[i] = kv + " '-gcflags=-N -l'"
		}
	}
	run := func(command string) (status int, stdout, stderr string) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &errs
		if err := cmd.Run(); err != nil {
			exit, ok := errors.AsType[*exec.ExitError](err)
			require.True(t, ok, "%s: %v", command, err)
			status = exit.ExitCode()
		}
		local := func(text string) string {
			return varying.ReplaceAllString(strings.ReplaceAll(text, filepath.Dir(dir), ".."), "${1}N$2")
		}
		return status, local(out.String()), local(errs.String())
	}

	want := expectedOutcomes(t)
	require.Greater(t, len(want), 50)
	status, out, errs := run("go test -json .")
	require.Equal(t, 1, status, errs)
	got := outcomesOf(t, out)
	for name, w := range want {
		t.Run(strings.TrimPrefix(name, "Test"), func(t *testing.T) {
			assert.Equal(t, w, got[name])
		})
	}
	assert.Len(t, got, len(want), "a test without a row")

	commands, err := os.ReadFile(filepath.Join(mistakes, "commands.txt"))
	require.NoError(t, err)
	for _, row := range regexp.MustCompile(`(?m)^\$ (.+)\nexit (\d)\n((?:[^$#\n].*\n)*)`).FindAllStringSubmatch(string(commands), -1) {
		t.Run(row[1], func(t *testing.T) {
			status, stdout, stderr := run(row[1])
			if status < 2 {
				stderr = ""
			}
			assert.Equal(t, row[2], strconv.Itoa(status), stderr)
			lines := said(stderr+stdout, status > 0)
			for i, want := range strings.Split(strings.TrimSuffix(row[3], "\n"), "\n") {
				require.Less(t, i, len(lines), "%s is not said", want)
				assert.Equal(t, want, lines[i])
			}
		})
	}
}

// expectedOutcomes returns what the comments of the tests say about them.
func expectedOutcomes(t *testing.T) map[string]outcome {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(mistakes, "*_test.go"))
	require.NoError(t, err)
	want := make(map[string]outcome)
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil,
			parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			row := regexp.MustCompile(`\n\t(PASS|FAIL)(?: (.+))?\n$`).FindStringSubmatch(fn.Doc.Text())
			require.NotNil(t, row, "%s: the comment ends with PASS or FAIL, and with the message",
				fn.Name.Name)
			want[fn.Name.Name] = outcome{row[1], row[2]}
		}
	}
	return want
}

// outcomesOf returns the outcomes in the output of go test -json.
func outcomesOf(t *testing.T, text string) map[string]outcome {
	t.Helper()
	got, output := make(map[string]outcome), make(map[string]string)
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		var event struct{ Action, Test, Output string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &event), "%s", lines.Text())
		switch name := event.Test; event.Action {
		case "output", "build-output":
			output[name] += event.Output
		case "pass", "fail", "skip":
			if name != "" {
				first := append(said(output[name], event.Action == "fail"), "")[0]
				got[name] = outcome{strings.ToUpper(event.Action), first}
			}
		}
	}
	require.NotEmpty(t, got, output[""])
	return got
}

// Lines that say nothing of a mistake: frames of the go command, the baseline and the scores of a
// comparison, and checks that found nothing.
var idle = regexp.MustCompile(`^(---|===|PASS$|FAIL$|ok  |exit |baseline \S+: .*, stored)|, p [=<] [-0-9.e]+$`)

// varying are the number of a line at which a model has panicked, and the time that a trial took.
var varying = regexp.MustCompile(`(_test\.go:|: it took )[\d.]+m?s?(\)|\\n)`)

// placed are the lines of a test with a place, and the first one of a failed claim, which has its
// place elsewhere.
var placed = regexp.MustCompile(`(?m)^(?: +\w+_test\.go:\d+: |\s+Error: +\t)(.+)$`)

// said returns the lines about mistakes, without their places.
func said(output string, failed bool) []string {
	lines := strings.Split(output, "\n")
	if found := placed.FindAllStringSubmatch(output, -1); found != nil {
		lines = nil
		for _, line := range found {
			lines = append(lines, line[1])
		}
	}
	return slices.DeleteFunc(lines, func(line string) bool {
		return line == "" || idle.MatchString(line) || failed && strings.Contains(line, ": holds")
	})
}
