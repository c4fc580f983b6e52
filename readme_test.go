package learnbench_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the outputs in the README")

var (
	block    = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```\n")
	duration = regexp.MustCompile(`\d+\.\d+s\b|\(cached\)`)
)

// TestREADME runs the commands of the README and compares their outputs, and
// looks its code up in the examples.
func TestREADME(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 150)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	dir := t.TempDir() + string(filepath.Separator)
	ran := 0
	got := block.ReplaceAllStringFunc(string(text), func(b string) string {
		m := block.FindStringSubmatch(b)
		switch language, body := m[1], m[2]; language {
		case "go":
			assert.Contains(t, string(example), body, "code that is not in the example")
		case "console":
			ran++
			return "```console\n" + session(t, dir, body) + "```\n"
		}
		return b
	})
	require.Equal(t, 3, ran, "console blocks")
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(normal(got)), 0o644))
		return
	}
	assert.Equal(t, normal(string(text)), normal(got))
}

// session runs the commands of a console block and returns the block with the
// outputs that they have. Result files go to dir.
func session(t *testing.T, dir, body string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(body) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue // output, which is made afresh
		}
		out.WriteString(line)
		cmd := exec.CommandContext(t.Context(), "sh", "-c", regexp.MustCompile(`\b(old|new|results)\.txt`).ReplaceAllStringFunc(command, func(name string) string { return dir + name }))
		cmd.Env = append(os.Environ(), "NO_COLOR=1")
		text, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.True(t, err == nil || errors.As(err, &exit), "%s: %v", command, err)
		if strings.Contains(command, "learnbench run ") && strings.Contains(command, " -o ") {
			continue // the output is that of another block
		}
		for l := range strings.Lines(strings.ReplaceAll(string(text), dir, "")) {
			out.WriteString(strings.TrimRight(l, " \t\n") + "\n")
		}
	}
	return out.String()
}

// normal returns the text without what differs from time to time.
func normal(s string) string {
	root, err := os.Getwd()
	if err == nil {
		s = strings.ReplaceAll(s, root+"/", "")
	}
	return duration.ReplaceAllString(s, "0.00s")
}
