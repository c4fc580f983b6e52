package recipes

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// A workflow is one of GitHub's, as far as the recipes use them.
type workflow struct {
	Jobs map[string]struct {
		Needs    string
		Strategy struct{ Matrix map[string][]string }
		Steps    []step
	}
}

type step struct {
	Uses, Run, If string
	With, Env     map[string]string
}

// A runner runs workflows as GitHub does, as far as the recipes need it.
type runner struct {
	*project
	values    map[string]string // of expressions
	artifacts string
	output    bytes.Buffer
	summary   string
	workspace string // of all jobs, one after the other; empty for one each
	temp      string // of all jobs, whose caches are there; empty for one each
}

// run runs the jobs of a workflow, each in a clone of the project, and reports which have
// succeeded.
func (r *runner) run(t *testing.T, text string) map[string]bool {
	t.Helper()
	var w workflow
	require.NoError(t, yaml.Unmarshal([]byte(text), &w))
	r.artifacts = t.TempDir()
	done := make(map[string]bool)
	for len(done) < len(w.Jobs) {
		before := len(done)
		for _, name := range slices.Sorted(maps.Keys(w.Jobs)) {
			job := w.Jobs[name]
			if _, ok := done[name]; ok {
				continue
			}
			if ok, ran := done[job.Needs]; job.Needs != "" && !ok {
				require.False(t, ran, "%s has failed: %s", job.Needs, r.output.String())
				continue
			}
			done[name] = true
			shards := job.Strategy.Matrix["shard"]
			if shards == nil {
				shards = []string{""}
			}
			for _, shard := range shards {
				done[name] = r.job(t, job.Steps, shard) && done[name]
			}
		}
		require.Greater(t, len(done), before)
	}
	return done
}

func (r *runner) job(t *testing.T, steps []step, shard string) bool {
	t.Helper()
	workspace := r.workspace
	if workspace == "" {
		workspace = filepath.Join(t.TempDir(), "workspace")
	}
	require.NoError(t, os.RemoveAll(workspace))
	r.git(t, "clone", "-q", r.dir, workspace)
	r.git(t, "-C", workspace, "remote", "set-url", "origin", r.remote)
	temp := cmp.Or(r.temp, t.TempDir())
	r.summary = filepath.Join(temp, "summary")
	values := maps.Clone(r.values)
	values["github.workspace"], values["runner.temp"], values["matrix.shard"] = workspace, temp, shard
	ok := true
	for _, s := range steps {
		if !ok && s.If != "always()" {
			continue
		}
		switch action, _, _ := strings.Cut(s.Uses, "@"); action {
		case "":
			ok = r.script(t, workspace, s, values) && ok
		case "actions/checkout", "actions/setup-go", "actions/setup-python", "actions/cache",
			"actions/cache/restore", "actions/cache/save":
		case "actions/upload-artifact":
			from := filepath.Join(workspace, r.expand(t, s.With["path"], values))
			to := filepath.Join(r.artifacts, r.expand(t, s.With["name"], values))
			if info, err := os.Stat(from); err == nil && !info.IsDir() {
				to = filepath.Join(to, filepath.Base(from))
			}
			copyAll(t, from, to)
		case "actions/download-artifact":
			names, err := filepath.Glob(filepath.Join(r.artifacts, s.With["name"]+s.With["pattern"]))
			require.NoError(t, err)
			require.NotEmpty(t, names)
			for _, name := range names {
				copyAll(t, name, filepath.Join(workspace, s.With["path"]))
			}
		default:
			t.Fatalf("action %s", s.Uses)
		}
	}
	return ok
}

// script runs the commands of a step with the shell that GitHub has for them.
func (r *runner) script(t *testing.T, workspace string, s step, values map[string]string) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", r.expand(t, s.Run, values))
	cmd.Dir, cmd.Env = workspace, append(slices.Clone(r.env), "GITHUB_STEP_SUMMARY="+r.summary,
		"GITHUB_RUN_ID=17")
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.expand(t, value, values))
	}
	cmd.Stdout, cmd.Stderr = &r.output, &r.output
	return cmd.Run() == nil
}

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

func (r *runner) expand(t *testing.T, text string, values map[string]string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		value, ok := values[expression.FindStringSubmatch(e)[1]]
		require.True(t, ok, e)
		return value
	})
}

// copyAll copies a file, or the content of a directory into another.
func copyAll(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	require.NoError(t, err)
	if info.IsDir() {
		require.NoError(t, os.MkdirAll(to, 0o777))
		entries, err := os.ReadDir(from)
		require.NoError(t, err)
		for _, e := range entries {
			copyAll(t, filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		}
		return
	}
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o777))
	require.NoError(t, os.WriteFile(to, text, 0o666))
}
