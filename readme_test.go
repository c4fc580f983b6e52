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

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the outputs in the README")

var (
	block    = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```\n")
	duration = regexp.MustCompile(`\d+\.\d+s\b|\(cached\)`)
)

// TestREADME runs the commands of the README and compares their outputs, and runs its
// code.
func TestREADME(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 120)
	dir := t.TempDir() + string(filepath.Separator)
	ran, snippets, main, red := 0, 0, 0, ""
	got := block.ReplaceAllStringFunc(string(text), func(b string) string {
		m := block.FindStringSubmatch(b)
		switch language, body := m[1], m[2]; language {
		case "go":
			snippets++
			out, err := userTest(t, body)
			require.Error(t, err, "the model is worse")
			red = out
			out, err = userTest(t, strings.Replace(body, "K: 100", "K: 6", 1))
			require.NoError(t, err, out)
			assert.Regexp(t, `(?m)^ok\s`, out, "a change that costs nothing")
		case "text":
			return "```text\n" + strings.Join(strings.SplitAfter(red, "\n")[:shownLines], "") + "```\n"
		case "sh":
			for line := range strings.Lines(body) {
				command, _, _ := strings.Cut(line, "#")
				switch {
				case strings.HasPrefix(command, "go run "):
					main++
					assert.Contains(t, session(t, dir, "$ "+command+"\n"),
						"nn is 24.42 points better than naivebayes on vehicle in accuracy: improved on this data set\n")
				case strings.HasPrefix(command, "go test "):
					main++
					ci, err := os.ReadFile(filepath.Join(".ci", "run"))
					require.NoError(t, err)
					assert.Contains(t, string(ci), "\n"+strings.TrimSpace(command)+"\n")
				}
			}
		case "console":
			ran++
			return "```console\n" + session(t, dir, body) + "```\n"
		}
		return b
	})
	require.Equal(t, 2, main, "commands for a clone")
	require.Equal(t, 1, ran, "console blocks")
	require.Equal(t, 1, snippets, "blocks of Go")
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(normal(got)), 0o644))
		return
	}
	assert.Equal(t, normal(string(text)), normal(got))
}

// shownLines is how much the README has of what a failing test prints.
const shownLines = 10

// userTest runs a test file in a module of its own.
func userTest(t *testing.T, text string) (output string, err error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, usermod.Write(dir, "example.com/model", "."))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model_test.go"), []byte(text), 0o666))
	env, err := usermod.Environment()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "go", "test")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return withoutProgress(strings.ReplaceAll(string(out), dir+string(filepath.Separator), "")), err
}

// session runs the commands of a console block and returns the block with the
// outputs that they have. Result files go to dir.
func session(t *testing.T, dir, body string, env ...string) string {
	t.Helper()
	env = append(env, revisionEnvironment(t)...)
	var out strings.Builder
	for line := range strings.Lines(body) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue // output, which is made afresh
		}
		out.WriteString(line)
		cmd := exec.CommandContext(t.Context(), "sh", "-c",
			regexp.MustCompile(`([ =])(\w+\.(?:txt|pred\.gz)\b)`).ReplaceAllString(command,
				"${1}"+dir+"${2}"))
		cmd.Env = append(append(os.Environ(), "NO_COLOR=1"), env...)
		text, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.True(t, err == nil || errors.As(err, &exit), "%s: %v", command, err)
		if strings.Contains(command, "learnbench run ") && strings.Contains(command, " -o ") {
			continue // the output belongs to another block
		}
		for l := range strings.Lines(withoutProgress(strings.ReplaceAll(string(text), dir, ""))) {
			out.WriteString(strings.TrimRight(l, " \t\n") + "\n")
		}
	}
	return out.String()
}

// withoutProgress leaves out what tests log on slow machines only.
func withoutProgress(s string) string {
	return progress.ReplaceAllString(s, "")
}

var progress = regexp.MustCompile(`(?m)^.*(?: of \d+ trials after \d+s, \S+ left|\bplan: \d+ trainings, about .*)\n`)

// normal returns the text without what differs from time to time.
func normal(s string) string {
	root, err := os.Getwd()
	if err == nil {
		s = strings.ReplaceAll(s, root+"/", "")
	}
	return duration.ReplaceAllString(s, "0.00s")
}

// revisionEnvironment has commands find a repository whose only commit is equal on all machines.
func revisionEnvironment(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	env := []string{
		"GIT_DIR=" + filepath.Join(dir, ".git"), "GIT_WORK_TREE=" + dir, "GIT_CONFIG_GLOBAL=" +
			os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=author", "GIT_AUTHOR_EMAIL=author@example.com",
		"GIT_AUTHOR_DATE=2026-11-20T16:02:11Z",
		"GIT_COMMITTER_NAME=author", "GIT_COMMITTER_EMAIL=author@example.com",
		"GIT_COMMITTER_DATE=2026-11-20T16:02:11Z",
	}
	for _, args := range [][]string{{"init", "-q"}, {
		"commit", "-q", "--allow-empty",
		"-m", "a model",
	}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Env = append(os.Environ(), env...)
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", text)
	}
	return append(env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false")
}
