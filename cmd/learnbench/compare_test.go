package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/branch"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// builtDir is where learnstat is built, if a test needs it.
var builtDir = filepath.Join(os.TempDir(), "learnbench-test-"+strconv.Itoa(os.Getpid()))

// here is the directory of this package. Scripts beside one that calls learnbench see the working
// directory change.
var here = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// root is the directory of this module.
var root = filepath.Join(here, "..", "..")

// builtLearnstat returns a directory with learnstat.
var builtLearnstat = sync.OnceValues(func() (string, error) {
	if err := os.MkdirAll(builtDir, 0o777); err != nil {
		return "", err
	}
	return builtDir, usermod.Build(root, "cmd/learnstat", filepath.Join(builtDir, "learnstat"))
})

// environment returns variables for commands in repositories.
var environment = sync.OnceValues(func() ([]string, error) {
	bin, err := builtLearnstat()
	if err != nil {
		return nil, err
	}
	if !citest.Has(citest.Slow) {
		return usermod.Environment() // no test is built
	}
	return usermod.Repeated(root, bin, "-trimpath")
})

// newRepository makes a git repository in dir with the module in testdata/compare, on
// the branch main, and returns the variables that commands need there.
func newRepository(dir string) ([]string, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	for _, d := range []string{dir, filepath.Join(dir, "sum"), filepath.Join(dir, "tmp")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return nil, err
		}
	}
	if err := usermod.Write(dir, "example.com/model", root); err != nil {
		return nil, err
	}
	files := map[string]string{
		"sum/sum.go":      "package sum\n\nfunc Of(a, b int) int { return a + b }\n",
		"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Of(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
		".gitignore":      "/tmp\n",
	}
	for _, name := range []string{"model.go", "model_test.go"} {
		text, err := os.ReadFile(filepath.Join(here, "testdata", "compare", name))
		if err != nil {
			return nil, err
		}
		files[name] = string(text)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	bin, err := builtLearnstat()
	if err != nil {
		return nil, err
	}
	env = append(slices.Clip(env), "TMPDIR="+filepath.Join(dir, "tmp"),
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "-A"},
		{"commit", "-q", "-m", "a model"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		if err := cmd.Run(); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// repository makes a repository and changes to it. With the argument plain, the go command runs
// there with the flags of users; LINKED then has the flags that link equal programs once.
func repository(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs("repository")
	env, err := newRepository(dir)
	ts.Check(err)
	switch {
	case neg || len(args) > 1 || len(args) == 1 && args[0] != "plain":
		ts.Fatalf("usage: repository [plain]")
	case len(args) == 1:
		plain, err := usermod.Environment()
		ts.Check(err)
		for _, kv := range env {
			if flags, ok := strings.CutPrefix(kv, "GOFLAGS="); ok {
				ts.Setenv("LINKED", flags)
			}
		}
		env = append(env, plain...)
	}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if name != "PATH" {
			ts.Setenv(name, value)
		}
	}
	bin, err := builtLearnstat()
	ts.Check(err)
	ts.Setenv("PATH", bin+string(filepath.ListSeparator)+ts.Getenv("PATH"))
	ts.Check(ts.Chdir(dir))
}

// leftIn returns what commands have left: worktrees, and temporary files.
func leftIn(dir string, env []string) (string, error) {
	cmd := exec.Command("git", "worktree", "list")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	_, others, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	entries, err := os.ReadDir(filepath.Join(dir, "tmp"))
	for _, e := range entries {
		others += "\n" + e.Name()
	}
	return others, err
}

// nothingLeft checks that the repository has its own worktree only, and that there are
// no temporary files.
func nothingLeft(ts *testscript.TestScript, neg bool, args []string) {
	left, err := leftIn(ts.MkAbs(filepath.Join(ts.Getenv("WORK"), "repository")), nil)
	ts.Check(err)
	if left != "" {
		ts.Fatalf("left: %s", left)
	}
}

// TestCompareTakesTheFlagsOfLearnstat reads them in its documentation.
func TestCompareTakesTheFlagsOfLearnstat(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "learnstat", "doc.go"))
	require.NoError(t, err)
	want := make(map[string]bool) // whether it is a bool
	for _, m := range regexp.MustCompile(`(?m)^\t-([a-z-]+) (\S*)`).FindAllStringSubmatch(string(text),
		-1) {
		want[m[1]] = m[2] == ""
	}
	for _, name := range []string{
		"aa", "at-least", "at-most", "baseline", "col", "data-file", "flips", "from",
		"git", "history", "predictions", "reference", "slice", "textconv", "times",
	} {
		delete(want, name)
	}
	have := make(map[string]bool)
	for _, f := range statFlags {
		have[f.name] = f.bool
	}
	assert.Equal(t, want, have)
}

// TestLearnstatIsMissedBeforeTestsAreRun has no learnstat anywhere.
func TestLearnstatIsMissedBeforeTestsAreRun(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := checkLearnstat(t.Context(), nil)
	require.EqualError(t, err, "learnstat is neither beside learnbench, nor a tool of go.mod, nor on PATH: go get -tool github.com/learnbench/learnbench/cmd/learnstat makes it the second, go install github.com/learnbench/learnbench/cmd/learnstat@latest the others")
}

// hanging is a test that starts a process and waits for something that does not come.
const hanging = `package model

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
)

func TestHanging(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := strconv.Itoa(os.Getpid()) + " " + strconv.Itoa(cmd.Process.Pid)
	if err := os.WriteFile(os.Getenv("HANGING_PIDS"), []byte(pids), 0o666); err != nil {
		t.Fatal(err)
	}
	select {}
}
`

// TestInterruptOfCompareLeavesNothing interrupts it while the tests of either side run.
func TestInterruptOfCompareLeavesNothing(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted there")
	}
	if testing.Short() {
		t.Skip("it builds tests")
	}
	dir := t.TempDir()
	env, err := newRepository(dir)
	require.NoError(t, err)
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("checkout", "-q", "-b", "hanging")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hanging_test.go"), []byte(hanging), 0o666))
	git("add", "-A")
	git("commit", "-q", "-m", "hang")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for _, revisions := range []string{"hanging..main", "main..hanging", "main"} {
			pids := filepath.Join(t.TempDir(), "pids")
			cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "learnbench", "compare",
				revisions)
			cmd.Dir, cmd.Env = dir, append(append(os.Environ(), env...), "HANGING_PIDS="+pids)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			require.NoError(t, cmd.Start())
			require.Eventually(t, func() bool {
				text, _ := os.ReadFile(pids)
				return len(text) > 0
			}, time.Minute, 5*time.Millisecond)
			require.NoError(t, cmd.Process.Signal(signal))
			start := time.Now()
			require.Error(t, cmd.Wait())
			assert.Less(t, time.Since(start), 40*time.Second)
			assert.Equal(t, 2, cmd.ProcessState.ExitCode(), revisions)
			assert.Regexp(t, `(?m)^learnbench: compare: interrupted$`, stderr.String())
			left, err := leftIn(dir, env)
			require.NoError(t, err)
			assert.Empty(t, left, revisions)
			text, err := os.ReadFile(pids)
			require.NoError(t, err)
			for pid := range strings.FieldsSeq(string(text)) {
				n, err := strconv.Atoi(pid)
				require.NoError(t, err)
				assert.Eventually(t, func() bool { return !alive(n) }, 20*time.Second, 10*time.Millisecond,
					"process %d of %s", n, revisions)
			}
		}
	}
}

// hangingModel has a baseline, and a learner that starts to train only on other data.
const hangingModel = `package model

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

type number struct {
	X     int  §csv:"x"§
	Large bool §csv:"large,label"§
}

func TestModel(t *testing.T) {
	data, err := learntest.CSV[number, bool]("numbers.csv")
	if err != nil {
		t.Fatal(err)
	}
	c := learntest.Against(t, data, learntest.Func("constant", func(ctx context.Context, _ learntest.Sample[number, bool], _ uint64) (func(number) bool, error) {
		if pids := os.Getenv("HANGING_PIDS"); pids != "" {
			if err := os.WriteFile(pids, []byte(strconv.Itoa(os.Getpid())), 0o666); err != nil {
				return nil, err
			}
			select {}
		}
		return func(n number) bool { return n.X > 50 }, nil
	}), "baseline.txt")
	assert.NoRegression(t, c, assert.Margin(0.1))
}
`

// TestInterruptOfRefreshWritesNothing interrupts it while the old learner is trained.
func TestInterruptOfRefreshWritesNothing(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted there")
	}
	dir := t.TempDir()
	env, err := newRepository(dir)
	require.NoError(t, err)
	env = append(env, "CI=")
	run := func(settings []string, name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, append(append(os.Environ(), env...), settings...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	numbers := func(n int) {
		var b strings.Builder
		b.WriteString("x,large\n")
		for i := range n {
			b.WriteString(strconv.Itoa(i) + "," + strconv.FormatBool(i > 55) + "\n")
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "numbers.csv"), []byte(b.String()), 0o666))
	}
	numbers(100)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model_test.go"),
		[]byte(strings.ReplaceAll(hangingModel, "§", "`")), 0o666))
	run(nil, "git", "add", "-A")
	run(nil, "git", "commit", "-q", "-m", "a model of numbers")
	run([]string{"LEARNTEST_UPDATE=1"}, "go", "test", "-count=1", ".")
	run(nil, "git", "add", "-A")
	run(nil, "git", "commit", "-q", "-m", "its baseline")
	numbers(110)
	pids := filepath.Join(t.TempDir(), "pids")
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "learnbench", "refresh", "-reason",
		"more numbers", ".")
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), env...), "HANGING_PIDS="+pids)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(pids)
		return len(text) > 0
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	assert.Equal(t, 2, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `(?m)^learnbench: refresh: interrupted$`, stderr.String())
	assert.Equal(t, " M numbers.csv\n", run(nil, "git", "status", "--porcelain"))
	left, err := leftIn(dir, env)
	require.NoError(t, err)
	assert.Empty(t, left)
	text, err := os.ReadFile(pids)
	require.NoError(t, err)
	pid, err := strconv.Atoi(string(text))
	require.NoError(t, err)
	assert.Eventually(t, func() bool { return !alive(pid) }, 20*time.Second, 10*time.Millisecond)
	run(nil, "learnbench", "refresh", "-reason", "more numbers", ".")
	run(nil, "go", "test", ".")
}

// TestKillOfCompareIsClearedUp kills compare while tests run: the next compare removes the
// directories of the killed process, and leaves those in use.
func TestKillOfCompareIsClearedUp(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	if runtime.GOOS == "windows" {
		t.Skip("no process can be killed there with its group")
	}
	if testing.Short() {
		t.Skip("it builds tests")
	}
	dir := t.TempDir()
	env, err := newRepository(dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hanging_test.go"), []byte(hanging), 0o666))
	for _, args := range [][]string{
		{"checkout", "-q", "-b", "hanging"},
		{"add", "-A"},
		{"commit", "-q", "-m", "hang"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	// start begins a comparison, and returns when its tests hang.
	start := func() *exec.Cmd {
		pids := filepath.Join(t.TempDir(), "pids")
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "learnbench", "compare",
			"hanging..main", "-run", "Hanging")
		cmd.Dir, cmd.Env = dir, append(append(os.Environ(), env...), "HANGING_PIDS="+pids)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			text, _ := os.ReadFile(pids)
			return len(text) > 0
		}, time.Minute, 5*time.Millisecond)
		t.Cleanup(func() { // the tests outlive it
			text, err := os.ReadFile(pids)
			require.NoError(t, err)
			for pid := range strings.FieldsSeq(string(text)) {
				n, err := strconv.Atoi(pid)
				require.NoError(t, err)
				if p, err := os.FindProcess(n); err == nil {
					_ = p.Kill()
				}
			}
		})
		return cmd
	}
	killed, running := start(), start()
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())
	left, err := leftIn(dir, env)
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(left, "learnbench-compare-"), "worktrees and places of two: %s",
		left)

	cmd := exec.CommandContext(t.Context(), "learnbench", "compare", "main..hanging",
		"-run", "Hanging")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "there is no such test")
	assert.Regexp(t, `(?m)^learnbench: removed what a comparison that was killed had left in \S+/learnbench-compare-\d+$`, string(out))
	left, err = leftIn(dir, env)
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(left, "learnbench-compare-"),
		"the running process keeps its place: %s", left)
	require.NoError(t, running.Process.Signal(os.Interrupt))
	require.Error(t, running.Wait())
	left, err = leftIn(dir, env)
	require.NoError(t, err)
	assert.NotContains(t, left, "learnbench-compare-",
		"go test, which was not killed, may still be there")
}

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	if stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")); err == nil {
		_, state, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(state, "Z")
	}
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// TestGateOfCompare is about the default gate of a comparison of branches.
func TestGateOfCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want []string }{
		{[]string{"main.."}, []string{"-fail-on=regressed"}},
		{[]string{"-margin", "2pp", "main.."}, []string{
			"-margin=2pp", "-fail-on=regressed",
			"-require=non-inferior",
		}},
		{
			[]string{"-margin", "accuracy=2pp,logloss=0.1", "-margin", "rmse=2%", "main.."},
			[]string{
				"-margin=accuracy=2pp,logloss=0.1", "-margin=rmse=2%", "-fail-on=regressed",
				"-require=non-inferior:accuracy", "-require=non-inferior:logloss",
				"-require=non-inferior:rmse",
			},
		},
		{
			[]string{"-margin", "2pp", "-fail-on", "improved", "main.."},
			[]string{"-margin=2pp", "-fail-on=improved"},
		},
		{[]string{"-require", "improved", "-margin", "2pp", "main.."}, []string{
			"-require=improved",
			"-margin=2pp",
		}},
	} {
		got, err := parseCompare(c.args)
		require.NoError(t, err)
		assert.Equal(t, c.want, got.stat, "%v", c.args)
	}
}

func TestNewlyFailed(t *testing.T) {
	t.Parallel()
	before, after := branch.Report{Failed: []string{"TestA of m", "TestB of m"}},
		branch.Report{Failed: []string{"TestB of m", "TestC of m", "TestB of n"}}
	assert.Equal(t, []string{"TestC of m", "TestB of n"}, newlyFailed(before, after))
	assert.Equal(t, []string{"TestA of m"}, newlyFailed(after, before))
	assert.Empty(t, newlyFailed(after, after))
	assert.Len(t, after.Failed, 3)
}
