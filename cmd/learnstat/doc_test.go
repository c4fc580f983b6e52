package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExamplesInDocumentation runs the commands of the documentation in
// testdata and compares their output.
func TestExamplesInDocumentation(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	commands, example := 0, false
	for line := range strings.Lines(doc) {
		if command, ok := strings.CutPrefix(line, "\t$ learnstat "); ok {
			commands++
			example = true
			got.WriteString(line)
			for l := range strings.Lines(output(t, strings.Fields(command))) {
				if strings.TrimSpace(l) != "" {
					l = "\t" + l
				}
				got.WriteString(l)
			}
			continue
		}
		if example = example && strings.HasPrefix(line, "\t"); !example {
			got.WriteString(line)
		}
	}
	require.Positive(t, commands)
	if *update {
		require.NoError(t, os.WriteFile("doc.go", []byte(got.String()), 0o644))
		return
	}
	assert.Equal(t, doc, got.String())
}

// output returns what learnstat prints in testdata.
func output(t *testing.T, args []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "learnstat", args...)
	cmd.Dir = "testdata"
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.NotEqual(t, 2, cmd.ProcessState.ExitCode(), "%s", out)
	}
	return string(out)
}

// The short help fits a screen, and names flags that exist.
func TestShortHelp(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(shortHelp), "\n")
	assert.LessOrEqual(t, len(lines), 40)
	for _, l := range lines {
		assert.LessOrEqual(t, len(l), 90, l)
	}
	for _, m := range regexp.MustCompile(`[\t ]-([a-z][a-z-]*)`).FindAllStringSubmatch(shortHelp, -1) {
		if !slices.Contains([]string{"count", "o", "help-all"}, m[1]) { // flags of other commands, and no flag
			assert.Contains(t, doc, "-"+m[1]+" ", m[0])
			_, err := parseFlags([]string{"-" + m[1] + "=1", "x"})
			if err != nil {
				assert.NotContains(t, err.Error(), "not defined", m[0])
			}
		}
	}
}

func TestDocumentationListsAdjustments(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(doc), " ")
	for _, m := range adjust.Methods() {
		assert.Equal(t, !m.AllPairs, strings.Contains(text, " "+m.Name+",") ||
			strings.Contains(text, " "+m.Name+" "), m.Name)
	}
}
