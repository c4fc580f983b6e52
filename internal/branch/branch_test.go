package branch

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// files are the files of a module whose tests say by attributes that they compare learners, as
// learntest does.
var files = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26.0\n",
	"m_test.go": `package m

import (
	"os"
	"testing"
)

func compare(t *testing.T) { t.Attr("learntest.1.verdict", "improved") }

func TestHolds(t *testing.T) { compare(t) }

func TestFails(t *testing.T) {
	compare(t)
	t.Error("it is worse")
}

func TestSub(t *testing.T) {
	t.Run("holds", compare)
	t.Run("fails", func(t *testing.T) {
		compare(t)
		t.Error("this one is worse")
	})
	t.Run("skips", func(t *testing.T) { t.Skip("no data") })
}

func TestSummary(t *testing.T) {
	t.Run("holds", compare)
	t.Error("not all is well")
}

func TestNothing(t *testing.T) {}

func TestOther(t *testing.T) { t.Attr("owner", "learntest.") }

func TestEarly(t *testing.T) { t.Fatal("cannot open") }

func TestPanic(t *testing.T) { panic("no model") }

func TestExit(t *testing.T) { os.Exit(1) }

func TestVariables(t *testing.T) {
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE"} {
		if v, ok := os.LookupEnv(name); ok {
			t.Errorf("%s=%s", name, v)
		}
	}
	if os.Getenv("LEARNTEST_OUT") == "" {
		t.Error("no results")
	}
	compare(t)
}
`,
	"other/main_test.go": "package other\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(3) }\n\nfunc TestPasses(t *testing.T) {}\n",
	"bad/bad_test.go":    "package bad\n\nfunc TestX() { return 1 }\n",
	"bad2/bad2.go":       "package bad2\n\nimport _ \"example.com/m/gone\"\n",
	"quick/quick.go":     "package quick\n",
}

// newRepository makes a repository with the module in a directory of it.
func newRepository(t *testing.T) *Repository {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	dir := filepath.Join(root, "models")
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	git(t, root, "init", "-q", "-b", "main", "--template=")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "models")
	r, err := Open(t.Context(), dir)
	require.NoError(t, err)
	return r
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	env, err := usermod.Environment()
	require.NoError(t, err)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// TestReports runs tests that end in every way.
func TestReports(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	r := newRepository(t)
	c := &Checkout{Dir: r.dir, repository: r}
	for name, want := range map[string]struct {
		args     []string
		report   Report
		problems string // parts, separated by |
		output   string
		not      string
	}{
		"one that holds": {
			args:   []string{"-run", "TestHolds"},
			report: Report{Tests: 1, Compared: 1}, not: ".",
		},
		"assertion": {
			args:   []string{"-run", "TestHolds|TestFails"},
			report: Report{Tests: 2, Compared: 2, Failed: []string{"TestFails of example.com/m"}},
			output: "it is worse", not: "===",
		},
		"subtests": {
			args:   []string{"-run", "TestSub"},
			report: Report{Tests: 4, Compared: 2, Failed: []string{"TestSub/fails of example.com/m"}},
			output: "this one is worse", not: "--- FAIL: TestSub (",
		},
		"assertion after subtests": {
			args:   []string{"-run", "TestSummary"},
			report: Report{Tests: 2, Compared: 1, Failed: []string{"TestSummary of example.com/m"}},
			output: "not all is well",
		},
		"before it compares": {
			args: []string{"-run", "TestHolds|TestEarly"}, report: Report{
				Tests: 2, Compared: 1,
				Failed: []string{"TestEarly of example.com/m"},
			}, output: "cannot open",
			problems: "TestEarly of example.com/m failed before it compared any learners, so that its comparisons are unknown: mend it, or leave it out with -skip",
		},
		"panic": {
			args: []string{"-run", "TestHolds|TestPanic"}, report: Report{
				Tests: 2, Compared: 1,
				Failed: []string{"TestPanic of example.com/m"},
			}, output: "panic: no model",
			problems: "TestPanic of example.com/m failed before|example.com/m ended before its tests did: mend it, or leave out what ends it with -skip",
		},
		"exit": {
			args: []string{"-run", "TestHolds|TestExit"}, report: Report{Tests: 2, Compared: 1},
			problems: "example.com/m ended before its tests did: mend it, or leave out what ends it with -skip|TestExit of example.com/m did not end",
		},
		"exit after all tests": {
			args:     []string{"-run", "TestHolds|TestPasses", ".", "./other"},
			report:   Report{Tests: 2, Compared: 1},
			problems: "example.com/m/other ended before its tests did: mend it, or leave out what ends it with -skip",
		},
		"nothing": {
			args:     []string{"-run", "Nowhere"},
			problems: "no tests were run: go test -list . ./... lists them",
		},
		"no tests": {args: []string{"./quick"}, problems: "no tests were run"},
		"no comparison": {
			args: []string{"-run", "TestNothing"}, report: Report{Tests: 1},
			problems: "the test that was run compared no learners: choose tests that call learntest.Compare",
		},
		"other attributes": {
			args: []string{"-run", "TestNothing|TestOther"}, report: Report{Tests: 2},
			problems: "the 2 tests that were run compared no learners",
		},
		"one package of 3": {
			args:     []string{"-run", "TestHolds", "./bad", ".", "./quick"},
			report:   Report{Tests: 1, Compared: 1},
			problems: "example.com/m/bad cannot be built: mend it, or leave it out",
			output:   "bad_test.go:3:",
		},
		"no such import": {
			args:     []string{"-run", "TestHolds", "./bad2", "."},
			report:   Report{Tests: 1, Compared: 1},
			problems: "example.com/m/bad2 cannot be built: mend it, or leave it out", output: "gone",
		},
		"no such directory": {args: []string{"./gone"}, problems: "cannot be built", output: "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w bytes.Buffer
			got, err := Test(t.Context(), c, filepath.Join(t.TempDir(), "out.txt"),
				append([]string{"-vet=off"}, want.args...), &w)
			require.NoError(t, err)
			var problems []string
			if want.problems != "" {
				problems = strings.Split(want.problems, "|")
			}
			require.Len(t, got.Problems, len(problems), "%v", got.Problems)
			for i, p := range problems {
				assert.ErrorContains(t, got.Problems[i], p)
			}
			got.Problems = nil
			assert.Equal(t, want.report, got)
			assert.Contains(t, w.String(), want.output)
			if want.not != "" {
				assert.NotContains(t, w.String(), want.not)
			}
		})
	}
	_, err := Test(t.Context(), c, "out.txt", []string{"-mod=nonsense"}, &bytes.Buffer{})
	assert.ErrorContains(t, err, "-mod=nonsense")
}

// TestListenerNeedsTheEnd has output that stops in the middle.
func TestListenerNeedsTheEnd(t *testing.T) {
	t.Parallel()
	var w bytes.Buffer
	l := newListener(&w)
	for _, text := range []string{
		`{"Action":"run","Package":"p","Test":"TestB"}` + "\n" + `{"Action":"run","Pack`,
		`age":"p","Test":"TestA"}` + "\n", "plain text\n",
		`{"Action":"attr","Package":"p","Test":"TestA","Key":"learntest.1.p","Value":"1"}`,
	} {
		n, err := l.Write([]byte(text))
		require.NoError(t, err)
		require.Len(t, text, n)
	}
	l.flush()
	r := l.report(true)
	assert.Equal(t, 1, r.Compared)
	assert.Equal(t, "plain text\n", w.String())
	require.Len(t, r.Problems, 3)
	assert.EqualError(t, r.Problems[0], "TestA of p did not end")
	assert.EqualError(t, r.Problems[1], "TestB of p did not end")
	assert.EqualError(t, r.Problems[2], "go test failed, and no package did")
}

// TestCheckouts looks at the files that a checkout has, and at the files it leaves.
func TestCheckouts(t *testing.T) {
	t.Setenv("GIT_DIR", "/nowhere") // as in a hook
	t.Setenv("GIT_INDEX_FILE", "/nowhere/index")
	r := newRepositoryDespite(t)
	ctx := t.Context()
	before, after, err := r.Sides(ctx, Range{Old: "main", New: "HEAD"})
	require.NoError(t, err)
	assert.Equal(t, before.Commit, after.Commit)
	path := filepath.Join(t.TempDir(), "w")
	c, err := r.Checkout(ctx, before, path)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(path, "models"), c.Dir)
	assert.FileExists(t, filepath.Join(c.Dir, "m_test.go"))
	if !citest.Has(citest.Slow) {
		replaceGo(t)
	}
	report, err := Test(ctx, c, filepath.Join(t.TempDir(), "out.txt"),
		[]string{"-run", "TestVariables"}, os.Stderr)
	require.NoError(t, err)
	assert.Equal(t, Report{Tests: 1, Compared: 1}, report)

	// Tests leave files that nobody may write to; the worktree is removed nevertheless, whether or
	// not the context has ended.
	require.NoError(t, os.MkdirAll(filepath.Join(c.Dir, "locked", "in"), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(c.Dir, "locked"), 0o555))
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.NoError(t, c.Remove(ended))
	assert.NoDirExists(t, path)
	list, err := r.git(ctx, "worktree", "list")
	require.NoError(t, err)
	assert.NotContains(t, list, "\n")

	_, err = r.Checkout(ended, before, path)
	require.ErrorIs(t, err, context.Canceled)
	assert.NoDirExists(t, path)

	// The working tree is where it is, and stays.
	before, after, err = r.Sides(ctx, Range{Old: "main", Tree: true})
	require.NoError(t, err)
	assert.Equal(t, "working tree", after.String())
	assert.Equal(t, "main ("+before.Commit[:12]+")", before.String())
	c, err = r.Checkout(ctx, after, path)
	require.NoError(t, err)
	assert.Equal(t, r.dir, c.Dir)
	require.NoError(t, c.Remove(ctx))
	assert.DirExists(t, r.dir)
}

// replaceGo puts a go command on PATH that says of TestVariables what the real one would, without
// building it.
func replaceGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell runs scripts")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(`#!/bin/sh
test "$*" = "test -json -count=1 -run TestVariables" -a -z "$GIT_DIR$GIT_INDEX_FILE" || exit 2
test -n "$LEARNTEST_OUT" -a -f m_test.go || exit 3
cat <<end
{"Action":"run","Package":"example.com/m","Test":"TestVariables"}
{"Action":"attr","Package":"example.com/m","Test":"TestVariables","Key":"learntest.1.verdict","Value":"improved"}
{"Action":"pass","Package":"example.com/m","Test":"TestVariables"}
{"Action":"pass","Package":"example.com/m"}
end
`), 0o777))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// newRepositoryDespite makes a repository although the variables of a hook are set.
func newRepositoryDespite(t *testing.T) *Repository {
	t.Helper()
	saved := make(map[string]string)
	for _, name := range repositoryVariables {
		if v, ok := os.LookupEnv(name); ok {
			saved[name] = v
			require.NoError(t, os.Unsetenv(name))
		}
	}
	r := newRepository(t)
	for name, v := range saved {
		require.NoError(t, os.Setenv(name, v))
	}
	again, err := Open(t.Context(), r.dir)
	require.NoError(t, err)
	return again
}

// TestWorktreesOfOthersStay has a worktree whose disk is away.
func TestWorktreesOfOthersStay(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	away := filepath.Join(t.TempDir(), "away")
	git(t, r.dir, "worktree", "add", "--quiet", "--detach", away, "HEAD")
	require.NoError(t, os.Rename(away, away+".gone"))
	_, after, err := r.Sides(t.Context(), Range{Old: "main", New: "HEAD"})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "w")
	c, err := r.Checkout(t.Context(), after, path)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(path)) // somebody cleans up temporary files
	require.NoError(t, c.Remove(t.Context()))
	list := git(t, r.dir, "worktree", "list")
	assert.Contains(t, list, away)
	assert.NotContains(t, list, path)
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	base := git(t, r.dir, "rev-parse", "HEAD")
	git(t, r.dir, "checkout", "-q", "-b", "topic")
	git(t, r.dir, "commit", "-q", "--allow-empty", "-m", "topic")
	git(t, r.dir, "checkout", "-q", "main")
	git(t, r.dir, "commit", "-q", "--allow-empty", "-m", "main")
	before, after, err := r.Sides(t.Context(), Range{Old: "main", New: "topic", Base: true})
	require.NoError(t, err)
	assert.Equal(t, Side{Name: "main...topic", Commit: base}, before)
	assert.Equal(t, git(t, r.dir, "rev-parse", "topic"), after.Commit)
	git(t, r.dir, "checkout", "-q", "--orphan", "alone")
	git(t, r.dir, "commit", "-q", "-m", "alone")
	_, _, err = r.Sides(t.Context(), Range{Old: "main", New: "alone", Base: true})
	require.EqualError(t, err, "main and alone have no common ancestor: write main..alone to compare the two themselves")
	_, _, err = r.Sides(t.Context(), Range{Old: "gone", New: "none"})
	require.EqualError(t, err, "no revision is called \"gone\": git branch -a lists branches\nno revision is called \"none\": git branch -a lists branches")

	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, r.dir, "clone", "-q", "--depth=1", "file://"+r.root, shallow)
	s, err := Open(t.Context(), shallow)
	require.NoError(t, err)
	_, _, err = s.Sides(t.Context(), Range{Old: base, New: "HEAD"})
	require.ErrorContains(t, err, "this clone is shallow: git fetch --unshallow, or fetch-depth: 0 in CI, gets the rest")
}

// TestGroupsEndWithTheirCommand has a command that leaves a process behind.
func TestGroupsEndWithTheirCommand(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	marker := filepath.Join(t.TempDir(), "marker")
	cmd := newCommand(t.Context(), t.TempDir(), []string{"MARKER=" + marker}, "sh", "-c",
		`(sleep 1; touch "$MARKER") >/dev/null 2>&1 &`)
	require.NoError(t, cmd.run())
	time.Sleep(1500 * time.Millisecond)
	assert.NoFileExists(t, marker)
}
