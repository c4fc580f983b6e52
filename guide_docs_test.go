package learnbench_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	commitName = regexp.MustCompile(`( at )[0-9a-f]{12}\b`)
	recordedOn = regexp.MustCompile(`(responses recorded )\d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d)?`)
	commitTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)`)
)

// notOfUsers are variables by which continuous integration is known, where an update is refused.
var notOfUsers = []string{"CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID"}

// TestGuide does what the guide says, and the page on one's own learners, each in a module of its
// own, and compares the outputs.
func TestGuide(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	env, err := usermod.Repeated(".", t.TempDir())
	require.NoError(t, err)
	for _, page := range []struct {
		name     string
		commands int
		must     []string
	}{
		{"guide", 18, []string{
			"there is no such file", "--- SKIP: TestModel", "ok  \texample.com/model",
			"Claim does not hold: model now is 5.65 points worse than model at 3f2a9c1d0b7e",
		}},
		{"items", 14, []string{
			"there is no baseline testdata/total.txt", "ok  \texample.com/model",
			"Claim does not hold: total now is",
			"-BenchmarkItem/data=invoices/learner=total/item=invoice-013/repeat=1 1 1 correct",
			"the items differ: only the baseline has",
		}},
		{"itemruns", 8, []string{
			"ok  \texample.com/model",
			"no response to this request is recorded, in testdata/responses/",
			"Claim does not hold: agent now is 100.00 points worse",
			"all 60 answers of agent now rest on responses recorded",
		}},
		{"own", 4, []string{
			"ok  \texample.com/model",
			"points better than honest on payments in accuracy: holds", "--- PASS: TestLimit/labels",
		}},
	} {
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			walk(t, env, filepath.Join("docs", page.name+".md"), page.commands, page.must)
		})
	}
}

// shownCommits stand for the commits of a page, in the order in which they appear.
var shownCommits = []string{"3f2a9c1d0b7e", "8c41e7aa92d3", "b70d5f3391c6", "51e9a4c8d2f7"}

// namedCommits returns a text whose commits do not depend on the run.
func namedCommits(text string) string {
	names := make(map[string]string)
	return commitName.ReplaceAllStringFunc(text, func(at string) string {
		commit := strings.TrimPrefix(at, " at ")
		if names[commit] == "" {
			names[commit] = shownCommits[len(names)]
		}
		return " at " + names[commit]
	})
}

// walk writes the files of a page and runs its commands, of which there are so many, whose outputs
// must contain something.
func walk(t *testing.T, env []string, path string, commands int, must []string) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 200)
	dir := t.TempDir()
	require.NoError(t, usermod.Write(dir, "example.com/model", "."))
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "LEARNTEST_") &&
			!slices.Contains(notOfUsers, name) {
			env = append([]string{kv}, env...)
		}
	}
	shell := func(command string) string {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir, cmd.Env = dir, env
		text, err := cmd.CombinedOutput()
		exit := (*exec.ExitError)(nil)
		require.True(t, err == nil || errors.As(err, &exit), "%s: %v", command, err)
		return withoutProgress(string(text))
	}
	shell("git init -q")
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("go.mod\ngo.sum\n"),
		0o666))
	ran := 0
	got := block.ReplaceAllStringFunc(string(text), func(b string) string {
		m := block.FindStringSubmatch(b)
		switch language, body := m[1], m[2]; language {
		case "go":
			name, ok := strings.CutPrefix(strings.SplitN(body, "\n", 2)[0], "// ")
			require.True(t, ok, "a file without a name")
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(body), 0o666))
		case "console":
			var out strings.Builder
			for line := range strings.Lines(body) {
				command, ok := strings.CutPrefix(line, "$ ")
				if !ok {
					continue
				}
				ran++
				out.WriteString(line)
				for l := range strings.Lines(strings.ReplaceAll(shell(command), dir+"/", "")) {
					out.WriteString(strings.TrimRight(l, " \t\n") + "\n")
				}
			}
			return "```console\n" + out.String() + "```\n"
		}
		return b
	})
	require.Equal(t, commands, ran)
	plain := func(s string) string {
		s = recordedOn.ReplaceAllString(s, "${1}2026-11-20")
		return normal(commitTime.ReplaceAllString(namedCommits(toolchain.ReplaceAllString(s,
			"go1.26 linux/amd64")), "2026-11-20T16:02:11Z"))
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(plain(got)), 0o644))
		return
	}
	assert.Equal(t, plain(string(text)), plain(got))
	for _, m := range must {
		assert.Contains(t, plain(got), m)
	}
	assert.NotContains(t, got, "-dirty,", "a baseline is stored when its model is committed")
}
