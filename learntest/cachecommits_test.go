package learntest_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/learnbench/learnbench/learntest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A history is a repository with a model, of which a test is run at each commit with a cache of
// trials.
type history struct {
	t          testing.TB
	dir, cache string
	env        []string
}

// modelFiles are a module whose learner takes 60 ms for a training, and reads a file that its test
// declares.
var modelFiles = map[string]string{
	"README.md":  "# Model\n",
	"weight.txt": "0.25\n",
	"model/model.go": `package model

import "time"

// Limit is where the classes part.
const Limit = 0.5

func Predict(x, weight float64) string {
	if x*weight > Limit*weight+shift {
		return "b"
	}
	return "a"
}

func Train() { time.Sleep(60 * time.Millisecond) }
`,
	"model/shift.go":       "//go:build !shifted\n\npackage model\n\nconst shift = 0.0\n",
	"model/shifted.go":     "//go:build shifted\n\npackage model\n\nconst shift = 0.1\n",
	"model/data/points.go": "// Package data has points.\npackage data\n\nvar Points = []float64{0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6, 0.45, 0.55, 0.15, 0.95, 0.25, 0.85, 0.35, 0.75, 0.05, 0.65, 0.49, 0.51}\n",
	"model/model_test.go": `package model

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.com/model/model/data"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

func TestModel(t *testing.T) {
	ys := make([]string, len(data.Points))
	for i, x := range data.Points {
		ys[i] = map[bool]string{false: "a", true: "b"}[x > 0.5]
	}
	text, err := os.ReadFile("../weight.txt")
	if err != nil {
		t.Fatal(err)
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil {
		t.Fatal(err)
	}
	model := learntest.Func("model", func(context.Context, learntest.Sample[float64, string], uint64) (func(float64) string, error) {
		Train()
		return func(x float64) string { return Predict(x, weight) }, nil
	})
	constant := learntest.Func("constant", func(context.Context, learntest.Sample[float64, string], uint64) (func(float64) string, error) {
		Train()
		return func(float64) string { return "a" }, nil
	})
	cfg := learntest.Config{NoClaim: true, Protocol: split.CV(4, 5), Parallel: 20, Depends: []string{"../weight.txt", "$MODEL_THREADS"}}
	learntest.CompareWith(t, cfg, learntest.Examples("points", data.Points, ys), model, constant)
}
`,
}

func newHistory(t testing.TB) *history {
	t.Helper()
	citest.Need(t, citest.Slow)
	h := &history{t: t, dir: filepath.Join(t.TempDir(), "module"), cache: t.TempDir()}
	require.NoError(t, os.Mkdir(h.dir, 0o777))
	require.NoError(t, usermod.Write(h.dir, "example.com/model", ".."))
	var err error
	h.env, err = learntest.LinkedOnce()
	require.NoError(t, err)
	for name, text := range modelFiles {
		h.write(name, text)
	}
	h.command("git", "init", "-q", "-b", "main")
	h.commit()
	return h
}

func (h *history) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	require.NoError(h.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(h.t, os.WriteFile(path, []byte(text), 0o666))
}

// edit replaces a text that a file has.
func (h *history) edit(name, before, after string) {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.dir, name))
	require.NoError(h.t, err)
	require.Contains(h.t, string(text), before)
	h.write(name, strings.Replace(string(text), before, after, 1))
}

func (h *history) prepare(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = h.dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "LEARNTEST_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(append(cmd.Env, h.env...), "LEARNTEST_CACHE="+h.cache)
	return cmd
}

func (h *history) command(args ...string) string {
	h.t.Helper()
	out, err := h.prepare(h.t.Context(), args...).CombinedOutput()
	require.NoError(h.t, err, "%v: %s", args, out)
	return string(out)
}

func (h *history) commit() {
	h.t.Helper()
	h.command("git", "add", "-A")
	h.command("git", "commit", "-q", "--allow-empty", "-m", "a change")
}

// test runs the test, and returns its line about the cache.
func (h *history) test(args ...string) string {
	h.t.Helper()
	out := h.command(append([]string{"go", "test", "-v", "-count=1", "-trimpath"},
		append(args, "./...")...)...)
	found := regexp.MustCompile(`cache: (.*)\n`).FindStringSubmatch(out)
	require.NotNil(h.t, found, out)
	return found[1]
}

const (
	trainsAll  = "40 of 40 trained, 4 trained again to check"
	trainsNone = "0 of 40 trained, 2 trained again to check"
)

// A commit trains the learners that it changes, and no others.
func TestCommitsTrainWhatTheyChange(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	require.Equal(t, trainsAll, h.test())
	require.Equal(t, trainsNone, h.test())
	comment := trainsAll // where the line numbers are in the digest of a program
	if runtime.GOOS == "linux" {
		comment = trainsNone
	}
	for _, c := range []struct {
		what, file, before, after string
		args                      []string
		want                      string
	}{
		{"a README", "README.md", "# Model", "# A model", nil, trainsNone},
		{
			"a comment", "model/model.go", "// Limit is where the classes part.",
			"// Limit parts the classes:\n// it is half of all.", nil, comment,
		},
		{
			"a comment of the test", "model/model_test.go", "\tys := make",
			"\t// The labels.\n\n\tys := make", nil, comment,
		},
		{"a file that the learner reads", "weight.txt", "0.25", "0.5", nil, trainsAll},
		{"a digit of the data", "model/data/points.go", "0.49", "0.48", nil, trainsAll},
		{"the model", "model/model.go", "Limit = 0.5", "Limit = 0.6", nil, trainsAll},
		{"the model, taken back", "model/model.go", "Limit = 0.6", "Limit = 0.5", nil, trainsNone},
		{"tags", "README.md", "# A", "# The", []string{"-tags=shifted"}, trainsAll},
		{
			"the flags of the compiler", "README.md", "# The", "# One",
			[]string{"-gcflags=-N -l"},
			trainsAll,
		},
	} {
		h.edit(c.file, c.before, c.after)
		h.commit()
		got := h.test(c.args...)
		// Where the table of lines grows across the end of a page, data have other addresses, and
		// so has the code that uses them: one comment in ten trains all, and the next one nothing.
		for tries := 0; strings.HasPrefix(c.what, "a comment") && got != c.want && tries < 3; tries++ {
			h.edit(c.file, c.after, "// Again.\n"+c.after)
			h.commit()
			got = h.test(c.args...)
		}
		assert.Equal(t, c.want, got, c.what)
		assert.Equal(t, trainsNone, h.test(c.args...), c.what)
	}

	// Variables of the environment, one that is declared and others that reach every learner.
	before := h.env
	for _, kv := range []string{
		"MODEL_THREADS=2", "GODEBUG=cpu.fma=off", "GOMAXPROCS=3",
		"GOAMD64=v3",
	} {
		if kv == "GOAMD64=v3" && runtime.GOARCH != "amd64" {
			continue
		}
		h.env = append(before[:len(before):len(before)], kv)
		assert.Equal(t, trainsAll, h.test(), kv)
		assert.Equal(t, trainsNone, h.test(), kv)
	}
	h.env = before
	require.Equal(t, trainsNone, h.test(), "all of them are there still")

	// Another directory has the same program, if it is built with -trimpath.
	clone := *h
	clone.dir = filepath.Join(t.TempDir(), "clone")
	h.command("git", "clone", "-q", h.dir, clone.dir)
	assert.Equal(t, trainsNone, clone.test())
	assert.Equal(t, trainsAll+"; not kept: the test was built without -trimpath, so that another directory makes it another program", clone.test("-trimpath=false"))

	// A tree with changes keeps nothing, and takes only trials of the same program.
	h.write("model/notes.txt", "not committed\n")
	h.edit("model/model.go", "Limit = 0.5", "Limit = 0.7")
	for range 2 {
		assert.Equal(t, trainsAll+"; not kept: the code has changes that are not committed, or there is no git", h.test())
	}
	require.NoError(t, os.Remove(filepath.Join(h.dir, "model/notes.txt")))
	h.edit("model/model.go", "Limit = 0.7", "Limit = 0.5")
	h.edit("README.md", "# One", "# Uncommitted")
	assert.Equal(t, trainsNone, h.test())

	// Trials that were not trained are stored, too.
	out := filepath.Join(t.TempDir(), "r.txt")
	h.env = append(before[:len(before):len(before)], "LEARNTEST_OUT="+out)
	assert.Equal(t, trainsNone, h.test())
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, 40, strings.Count(string(text), "/run="))
}

// Two toolchains make two programs, whose trials stay apart.
func TestToolchainsKeepTheirTrialsApart(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Install)
	other := "go1.26.0"
	if runtime.Version() == other {
		other = "go1.26.1"
	}
	h := newHistory(t)
	require.Equal(t, trainsAll, h.test())
	before := h.env
	h.env = append(before[:len(before):len(before)], "GOTOOLCHAIN="+other)
	if out, err := h.prepare(t.Context(), "go", "version").CombinedOutput(); err != nil {
		t.Skipf("%s cannot be had: %s", other, out)
	}
	require.Contains(t, h.command("go", "version"), other)
	assert.Equal(t, trainsAll, h.test())
	assert.Equal(t, trainsNone, h.test())
	h.env = before
	assert.Equal(t, trainsNone, h.test())
}

// go test may cache a run that uses the cache of trials.
func TestGoTestCachesRunsWithACacheOfTrials(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	past := time.Now().Add(-time.Hour)
	for _, path := range []string{"weight.txt", "model/model.go", "model"} {
		require.NoError(t, os.Chtimes(filepath.Join(h.dir, path), past, past))
	}
	h.command("go", "test", "-trimpath", "./model")
	assert.Contains(t, h.command("go", "test", "-trimpath", "./model"), "(cached)")
	h.write("weight.txt", "0.75\n")
	assert.NotContains(t, h.command("go", "test", "-trimpath", "./model"), "(cached)")
}

// Runs that are killed leave a cache that the next run can use.
func TestKilledRunsLeaveAWholeCache(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	tests := filepath.Join(t.TempDir(), "model.test")
	h.command("go", "test", "-trimpath", "-c", "-o", tests, "./model")
	run := func(ctx context.Context) *exec.Cmd {
		cmd := h.prepare(ctx, tests, "-test.v")
		cmd.Dir = filepath.Join(h.dir, "model")
		return cmd
	}
	for range 40 {
		cmd := run(context.WithoutCancel(t.Context()))
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if rand.IntN(4) == 0 {
			require.NoError(t, os.RemoveAll(h.cache))
		}
	}
	for range 2 {
		out, err := run(t.Context()).CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.NotContains(t, string(out), "removed")
		assert.Regexp(t, `cache: (0|20|40) of 40 trained`, string(out))
	}
	out, err := run(t.Context()).CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "cache: "+trainsNone)
}
