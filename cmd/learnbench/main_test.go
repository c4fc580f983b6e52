package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/scripttest"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(cleaner{m}, map[string]func(){"learnbench": main, "toy": toy})
}

// A cleaner runs the tests and removes the programs they have built.
type cleaner struct{ *testing.M }

func (c cleaner) Run() int {
	defer os.RemoveAll(builtDir)
	return c.M.Run()
}

// TestScripts is not parallel to other tests, as calls change the working directory.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs(filepath.Join("testdata", "script"))
	require.NoError(t, err)
	readme, err := filepath.Abs(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	program := scripttest.Program{
		Name: "learnbench",
		Run: func(args []string, stdout, stderr io.Writer) int {
			return run(t.Context(), args, stdout, stderr)
		},
	}
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("README", readme)
			e.Values[begun{}] = time.Now()
			return nil
		},
		Condition: scripttest.Condition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"call":         program.Call,
			"nothing-left": nothingLeft,
			"repository":   repository,
			"status":       program.Status,
			"taken":        taken,
		},
	})
}

// begun is the key of the time when a script began.
type begun struct{}

// taken logs how long a script has taken. No time fails it: a loaded machine takes several times as long.
func taken(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: taken")
	}
	ts.Logf("the script has taken %v", time.Since(ts.Value(begun{}).(time.Time)).Round(time.Second))
}

// TestEachCommandHasHelp is about all commands of the usage, and -h of each.
func TestEachCommandHasHelp(t *testing.T) {
	t.Parallel()
	_, usage, _ := strings.Cut(doc, "Usage:\n")
	usage, _, _ = strings.Cut(usage, "\n# ")
	seen := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^\tlearnbench ([\w-]+)`).FindAllStringSubmatch(usage,
		-1) {
		if name := m[1]; name != "help" && name != "version" && !seen[name] {
			seen[name] = true
			var stdout, stderr strings.Builder
			assert.Equal(t, 0, run(t.Context(), []string{name, "-h"}, &stdout, &stderr), name)
			assert.Empty(t, stderr.String())
			assert.Regexp(t, `^Usage:\n\n(\tlearnbench `+name+` .*\n)+\n[A-Z]`, stdout.String())
			assert.NotRegexp(t, `(?m)^#`, stdout.String())
			own, _, _ := strings.Cut(strings.TrimPrefix(stdout.String(), "Usage:\n\n"), "\n\n")
			assert.Equal(t, strings.Count(usage, "\tlearnbench "+name+" "),
				strings.Count(own, "\tlearnbench "), own)
		}
	}
	assert.Len(t, seen, 13)
}

// The short help fits a screen, and names each command that the documentation has.
func TestShortHelp(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(shortHelp), "\n")
	assert.LessOrEqual(t, len(lines), 40)
	for _, l := range lines {
		assert.LessOrEqual(t, len(l), 90, l)
	}
	_, usage, _ := strings.Cut(doc, "Usage:\n")
	usage, _, _ = strings.Cut(usage, "\n# ")
	for _, m := range regexp.MustCompile(`(?m)^\tlearnbench ([\w-]+)`).FindAllStringSubmatch(usage,
		-1) {
		assert.Contains(t, shortHelp, "learnbench "+m[1])
	}
}

// The help lists the data sets that are built in.
func TestHelpListsDataSets(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(strings.Join(strings.Fields(doc), " "), "Built in are ")
	text, _, _ = strings.Cut(text, " -class ")
	assert.Equal(t, uci.Names(), strings.FieldsFunc(strings.Replace(text, " and ", ", ", 1),
		func(c rune) bool { return c == ',' || c == ' ' }))
}
