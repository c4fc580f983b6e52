package learnbench_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGatesAreClosedByTests checks that each row of the list of open gates names a test, and that
// the tests are there, and the scripts, and the rows of the table of mistakes.
func TestGatesAreClosedByTests(t *testing.T) {
	t.Parallel()
	var text []byte
	for _, page := range []string{
		"gates.md", "cache.md", "items.md", "itemruns.md", "predictions.md",
		"itemresults.md",
	} {
		b, err := os.ReadFile(filepath.Join("docs", page))
		require.NoError(t, err)
		text = append(text, b...)
	}
	mistakes := filepath.Join("learntest", "testdata", "mistakes")
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	tests, rowsOfMistakes := make(map[string]bool), make(map[string]bool)
	scripts := make(map[string]bool)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, "_test.go"):
			b, err := os.ReadFile(path)
			of := tests
			if filepath.Dir(path) == mistakes {
				of = rowsOfMistakes
			}
			for _, name := range test.FindAllSubmatch(b, -1) {
				of[string(name[1])] = true
			}
			return err
		case strings.HasSuffix(path, ".txtar"):
			scripts[d.Name()] = true
		}
		return nil
	}))
	named, script := regexp.MustCompile("`(Test\\w+)(?:/(\\w+))?`"), regexp.MustCompile(`\w+\.txtar`)
	for _, name := range named.FindAllStringSubmatch(string(text), -1) {
		assert.True(t, tests[name[1]], "docs/gates.md names %s", name[1])
		if name[2] != "" {
			assert.Equal(t, "TestMistakes", name[1])
			assert.True(t, rowsOfMistakes["Test"+name[2]], "docs/gates.md names Test%s", name[2])
		}
	}
	for _, name := range script.FindAllString(string(text), -1) {
		assert.True(t, scripts[name], "docs/gates.md names the script %s", name)
	}
	rows, ways := 0, true
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSuffix(row, " |\n"), " | ")
		switch {
		case row == "## How often a gate of many rows fails\n" || row == "## What a month costs\n" ||
			row == "## How many items\n":
			ways = false
		case strings.HasPrefix(row, "#"):
			ways = true
		}
		if !ways || !strings.HasPrefix(row, "| ") || cells[0] == "| way" || cells[0] == "| what changes" {
			continue
		}
		rows++
		last := cells[len(cells)-1]
		assert.Regexp(t, named, last, "docs/gates.md: no test closes this: %s", row)
		if strings.Contains(last, "`TestScripts`") {
			assert.Regexp(t, script, last, "docs/gates.md names no script: %s", row)
		}
	}
	assert.Greater(t, rows, 130)
}
