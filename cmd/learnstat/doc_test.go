package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExamplesInDocumentation runs the commands of the documentation in
// testdata and compares what they print.
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

func TestDocumentationListsAdjustments(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(doc), " ")
	for _, m := range adjust.Methods() {
		assert.Equal(t, !m.AllPairs, strings.Contains(text, " "+m.Name+",") || strings.Contains(text, " "+m.Name+" "), m.Name)
	}
}
