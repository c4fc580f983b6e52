package recipes

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// block is a block of code of a page.
var block = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```\n")

// recipes returns the files of a page by their names, which are in the first line of
// each block.
func recipes(t *testing.T, page string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	require.NoError(t, err)
	files := make(map[string]string)
	for _, m := range block.FindAllStringSubmatch(string(text), -1) {
		if m[1] != "yaml" {
			continue
		}
		name, _, _ := strings.Cut(m[2], "\n")
		files[strings.TrimPrefix(name, "# ")] = m[2]
	}
	return files
}

// fakeGH stands for the command of GitHub: it writes down how it is called.
const fakeGH = `#!/bin/sh
echo "$@" >> "$GH_CALLS"
case "$1 $2" in
"pr view") echo "$GH_HEAD" ;;
"pr comment") cat "$5" >> "$GH_CALLS" ;;
"api --paginate") jq -r "$5" "$GH_COMMENTS" ;;
"api -X") cat "${6#body=@}" >> "$GH_CALLS" ;;
esac
`

// slowTest compares learners whose trainings are worth a cache.
const slowTest = `package model

import (
	"context"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

func TestSlow(t *testing.T) {
	slow := func(name string, at int) learntest.Learner[int, bool] {
		return learntest.Func(name, func(context.Context, learntest.Sample[int, bool], uint64) (func(int) bool, error) {
			time.Sleep(60 * time.Millisecond)
			return func(x int) bool { return x >= at }, nil
		})
	}
	cfg := learntest.Config{NoClaim: true, Protocol: split.CV(4, 5), Parallel: 20, Depends: []string{}}
	learntest.CompareWith(t, cfg, numbers(), slow("fifty", 50), slow("sixty", 60))
}
`

// TestRecipesForCI runs the commands of docs/ci.md: with a model that is worse they
// fail, and else they do not.
func TestRecipesForCI(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Engines)
	files := recipes(t, "ci.md")
	maps.Copy(files, recipes(t, "cache.md"))
	require.Equal(t, []string{
		".github/workflows/comment.yml", ".github/workflows/compare.yml",
		".github/workflows/gate.yml", ".github/workflows/guard.yml", ".github/workflows/models.yml",
		".github/workflows/move.yml", ".github/workflows/python.yml", ".github/workflows/trials.yml",
		".gitlab-ci.yml",
	}, slices.Sorted(maps.Keys(files)))
	// The project's model is tested on 100 examples, which leave losses below 2.95 points open.
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, "-margin 2pp", "-margin 3pp")
	}
	github := func(name string) string { return files[".github/workflows/"+name+".yml"] }
	p := newProject(t, make(map[string]string))
	calls := filepath.Join(t.TempDir(), "calls")
	require.NoError(t, os.WriteFile(filepath.Join(p.bin, "gh"), []byte(fakeGH), 0o777))
	comments := filepath.Join(t.TempDir(), "comments")
	require.NoError(t, os.WriteFile(comments, []byte("[]"), 0o666))
	p.env = append(p.env, "GH_CALLS="+calls, "GH_COMMENTS="+comments)

	// GitHub has all checkouts at one place, where equal sources make one program.
	workspace := filepath.Join(t.TempDir(), "workspace")
	r := &runner{project: p, workspace: workspace, values: map[string]string{
		"github.event.pull_request.number": "42", "inputs.reason": `it's "smaller"; echo $(id)`,
		"github.token": "secret", "github.repository": "example/model",
		"github.event.workflow_run.id": "1", "github.event.workflow_run.head_sha": "c0ffee",
	}}
	require.Equal(t, map[string]bool{"train": true, "judge": true}, r.run(t, github("models")), "%s",
		r.output.String())

	// The results that changes are compared with are written by the command of the page.
	store := exec.CommandContext(t.Context(), "sh", "-c", command(t, "ci.md", "LEARNTEST_OUT="))
	store.Dir, store.Env = p.dir, p.env
	out, err := store.CombinedOutput()
	require.NoError(t, err, "%s", out)
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "results")
	r.output.Reset()
	require.Equal(t, map[string]bool{"gate": true}, r.run(t, github("gate")), "%s", r.output.String())
	assert.Contains(t, read(t, r.summary),
		"### learnstat: 2 comparisons with a margin of 3.00 points of accuracy, and the gate passes")

	move := func(what string) bool {
		r.values["inputs.what"] = what
		require.NoError(t, os.WriteFile(calls, nil, 0o666))
		r.output.Reset()
		moved := r.run(t, github("move"))["move"]
		assert.Equal(t, moved, strings.Contains(read(t, calls), "pr create --fill"), "%s",
			r.output.String())
		return moved
	}
	require.False(t, move("pin"), "no test compares with the file to be pinned")
	budget := filepath.Join(p.dir, "budget_test.go")
	require.NoError(t, os.WriteFile(budget, []byte(strings.NewReplacer("TestAgainst", "TestBudget",
		"baseline.txt", "pinned.txt").Replace(against)), 0o666))
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "a test against a reference")
	require.True(t, move("pin"), "%s", r.output.String())
	p.git(t, "rm", "-q", "-f", "budget_test.go")
	p.git(t, "commit", "-q", "-m", "no reference here")
	assert.Contains(t, p.git(t, "--git-dir", p.remote, "show", "pin-17:testdata/pinned.ledger"),
		`it's "smaller"; echo $(id)`)

	// GitHub keeps the build cache.
	guard := &runner{project: p, values: r.values, workspace: workspace}
	for _, cached := range []bool{false, true} {
		guard.output.Reset()
		require.Equal(t, map[string]bool{"guard": true}, guard.run(t, github("guard")), "%s",
			guard.output.String())
		require.Equal(t, cached, strings.Contains(guard.output.String(), "(cached)"), "%s",
			guard.output.String())
	}

	// It keeps trials, too, of tests that say what training depends on.
	slow := filepath.Join(p.dir, "slow_test.go")
	require.NoError(t, os.WriteFile(slow, []byte(slowTest), 0o666))
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "a test that takes a second")
	trials := &runner{project: p, values: r.values, temp: t.TempDir()}
	for _, said := range []string{
		"cache: 40 of 40 trained, 4 trained again to check\n",
		"cache: 0 of 40 trained, 2 trained again to check\n",
	} {
		trials.output.Reset()
		require.Equal(t, map[string]bool{"trials": true}, trials.run(t, github("trials")), "%s",
			trials.output.String())
		require.Contains(t, trials.output.String(), said)
	}
	p.git(t, "rm", "-q", "slow_test.go")
	p.git(t, "commit", "-q", "-m", "no slow test here")

	p.plant(t)
	require.Equal(t, map[string]bool{"guard": false}, guard.run(t, github("guard")), "%s",
		guard.output.String())
	r.output.Reset()
	require.Equal(t, map[string]bool{"train": true, "judge": false}, r.run(t, github("models")),
		"shards judge nothing, and their union does")
	assert.Contains(t, r.output.String(),
		"Claim does not hold: threshold is on a par with always on numbers in accuracy: ")
	assert.Contains(t, read(t, r.summary), "Claim does not hold")
	// Without pipefail the gate would be open.
	require.True(t, r.job(t, jobSteps(t, strings.ReplaceAll(github("models"), "set -o pipefail",
		"true"), "judge"), ""))
	// A shard that is lost makes it fail, by name.
	require.NoError(t, os.RemoveAll(filepath.Join(r.artifacts, "shard-3")))
	r.output.Reset()
	require.False(t, r.job(t, jobSteps(t, github("models"), "judge"), ""))
	assert.Contains(t, r.output.String(), "run 1, fold 3")

	// The tests fail, and learnstat runs nevertheless.
	require.Equal(t, map[string]bool{"gate": false}, r.run(t, github("gate")))
	assert.Regexp(t, `(?m)^\| numbers/threshold .*\*\*regressed ¹\*\* ❌ \|$`, read(t, r.summary))
	steps := jobSteps(t, github("gate"), "gate")
	last := len(steps) - 1
	require.False(t, r.job(t, slices.Concat(steps[:last-1],
		[]step{{Run: "LEARNTEST_OUT=" + "${{ runner.temp }}/new.txt go test -count=1 ./... || true"}},
		steps[last:]), ""), "learnstat fails by itself")
	require.False(t, r.job(t, steps[last:], ""), "nothing was stored")

	r.output.Reset()
	require.Equal(t, map[string]bool{"compare": false}, r.run(t, github("compare")))
	assert.Regexp(t, `(?m)^✗ numbers/\(1\) .*regressed ¹$`, r.output.String())
	assert.Contains(t, r.output.String(), "\n(1) threshold\n")
	comment := filepath.Join(r.artifacts, "comment")
	assert.Equal(t, "42\n", read(t, filepath.Join(comment, "number")))

	// The comment is made from the artifact, whoever has written it.
	for _, c := range []struct {
		number, head string
		ok           bool
	}{
		{"42", "c0ffee", true},
		{"42", "decade", false},
		{"42; rm -rf /", "c0ffee", false},
		{"--repo=x", "c0ffee", false},
	} {
		require.NoError(t, os.WriteFile(calls, nil, 0o666))
		text := github("comment")
		q := &runner{project: &project{dir: p.dir, remote: p.remote, env: append(slices.Clone(p.env),
			"GH_HEAD="+c.head)}, values: r.values}
		steps := jobSteps(t, text, "comment")
		q.artifacts = t.TempDir()
		copyAll(t, comment, filepath.Join(q.artifacts, "comment"))
		require.NoError(t, os.WriteFile(filepath.Join(q.artifacts, "comment", "number"),
			[]byte(c.number+"\n"), 0o666))
		assert.Equal(t, c.ok, q.job(t, steps, ""), "%v: %s", c, q.output.String())
		assert.Equal(t, c.ok, strings.Contains(read(t, calls), "pr comment 42 --body-file body"))
		if c.ok {
			assert.Contains(t, read(t, calls), "(1) threshold")
		}
	}

	t.Run("GitLab", func(t *testing.T) { testGitLab(t, p, files[".gitlab-ci.yml"]) })

	// A baseline moves if nothing else fails, and in a pull request only.
	require.False(t, move("baseline"), "the model is worse than the baseline that it is to improve on")
	assert.NotContains(t, p.git(t, "--git-dir", p.remote, "branch", "--list", "baseline-17"),
		"baseline")
	p.git(t, "revert", "--no-edit", "HEAD")
	require.False(t, move("baseline"), "there is none, so that nothing is to be committed")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "against_test.go"), []byte(against), 0o666))
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "a test against a baseline")
	require.True(t, move("baseline"), "%s", r.output.String())
	assert.Contains(t, p.git(t, "--git-dir", p.remote, "show", "baseline-17:testdata/baseline.txt"),
		"BenchmarkCV/data=numbers/learner=threshold/run=1/fold=1 1 ")
	assert.Equal(t, `baseline: it's "smaller"; echo $(id)`, p.git(t, "--git-dir", p.remote, "log",
		"-1", "--format=%s", "baseline-17"))
	// With it the test holds, and without it does not.
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "./...")
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err = cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "baseline testdata/baseline.txt: there is no such file")
	p.git(t, "fetch", "-q", "origin", "baseline-17")
	p.git(t, "merge", "-q", "FETCH_HEAD")
	cmd = exec.CommandContext(t.Context(), "go", "test", "-count=1", "./...")
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

const against = `package model

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

func TestAgainst(t *testing.T) {
	threshold := learntest.Pretrained("threshold", func(x int) bool { return x >= Threshold })
	assert.NoRegression(t, learntest.Against(t, numbers(), threshold, "testdata/baseline.txt"), assert.Margin(0.03))
}
`

// command returns the command of a page, in a line of its text, that begins with a prefix.
func command(t *testing.T, page, prefix string) string {
	t.Helper()
	m := regexp.MustCompile("`(" + regexp.QuoteMeta(prefix) + "[^`]*)`").FindStringSubmatch(read(t,
		filepath.Join(root, "docs", page)))
	require.NotNil(t, m)
	return m[1]
}

func jobSteps(t *testing.T, text, job string) []step {
	t.Helper()
	var w workflow
	require.NoError(t, yaml.Unmarshal([]byte(text), &w))
	require.NotEmpty(t, w.Jobs[job].Steps)
	return w.Jobs[job].Steps
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// testGitLab runs the scripts of the pipeline as GitLab's runner does, with the worse
// model and the one before.
func testGitLab(t *testing.T, p *project, text string) {
	var pipeline map[string]struct {
		Parallel     int
		BeforeScript []string `yaml:"before_script"`
		Script       []string
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &pipeline))
	require.Equal(t, 4, pipeline["train"].Parallel)
	for _, c := range []struct {
		revision string
		ok       bool
	}{{"HEAD~", true}, {"HEAD", false}} {
		dir := filepath.Join(t.TempDir(), "clone")
		p.git(t, "clone", "-q", p.dir, dir)
		p.git(t, "-C", dir, "checkout", "-q", p.git(t, "rev-parse", c.revision))
		run := func(job string, variables ...string) (string, error) {
			j := pipeline[job]
			cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c",
				strings.Join(slices.Concat(j.BeforeScript, j.Script), "\n"))
			cmd.Dir, cmd.Env = dir, append(append(slices.Clone(p.env), "CI_PROJECT_DIR="+dir), variables...)
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		for i := range 4 {
			out, err := run("train", fmt.Sprintf("CI_NODE_INDEX=%d", i+1), "CI_NODE_TOTAL=4")
			require.NoError(t, err, out)
		}
		out, err := run("judge")
		assert.Equal(t, c.ok, err == nil, out)
		assert.Equal(t, !c.ok, strings.Contains(out, "Claim does not hold"), out)
	}
}

// TestPipelineOnGitLabCILocal runs the pipeline by a program that runs GitLab's, where
// there is one.
func TestPipelineOnGitLabCILocal(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("gitlab-ci-local")
	if err != nil {
		t.Skip("gitlab-ci-local is not there")
	}
	p := newProject(t, map[string]string{".gitlab-ci.yml": recipes(t, "ci.md")[".gitlab-ci.yml"]})
	for _, ok := range []bool{true, false} {
		if !ok {
			p.plant(t)
		}
		cmd := exec.CommandContext(t.Context(), program, "--force-shell-executor")
		cmd.Dir, cmd.Env = p.dir, p.env
		out, err := cmd.CombinedOutput()
		assert.Equal(t, ok, err == nil, "%s", out)
		assert.Equal(t, !ok, strings.Contains(string(out), "Claim does not hold"), "%s", out)
		assert.Contains(t, string(out), "judge")
		p.git(t, "clean", "-fdxq")
	}
}
