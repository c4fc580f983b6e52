package learntest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/stretchr/testify/require"
)

// A year is the history of a repository with a model, its baseline and a pinned reference. Two
// files in truth have the truth about the models of these, which the tests do not know: how many
// examples a model predicts wrongly, of how many.
type year struct {
	t       *testing.T
	dir     string
	p       programs
	commits int
	judged  map[string]int // how many verdicts of each kind the truth has decided
}

// try runs git, and returns its output, and whether it has succeeded.
func (y *year) try(args ...string) (text string, ok bool) {
	y.t.Helper()
	cmd := exec.CommandContext(y.t.Context(), "git",
		append([]string{
			"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.editor=true",
			"-c", "advice.detachedHead=false",
		}, args...)...)
	cmd.Dir = y.dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err == nil
}

func (y *year) git(args ...string) string {
	y.t.Helper()
	text, ok := y.try(args...)
	require.True(y.t, ok, "git %v: %s", args, text)
	return text
}

func (y *year) write(name, text string) {
	y.t.Helper()
	path := filepath.Join(y.dir, name)
	require.NoError(y.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(y.t, os.WriteFile(path, []byte(text), 0o666))
}

func (y *year) read(name string) string {
	y.t.Helper()
	text, err := os.ReadFile(filepath.Join(y.dir, name))
	require.NoError(y.t, err)
	return strings.TrimSpace(string(text))
}

func (y *year) number(name string) int {
	n, err := strconv.Atoi(y.read(name))
	require.NoError(y.t, err)
	return n
}

// run runs a test of the repository.
func (y *year) run(test string, settings ...string) (text string, ok bool) {
	y.t.Helper()
	cmd := exec.CommandContext(y.t.Context(), y.p.tests, "-test.v", "-test.run=^"+test+"$")
	cmd.Dir = y.dir
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "LEARNTEST_") &&
			!slices.Contains(gotest.CIVariables, name) {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, settings...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// wrong changes the model: so many examples more, or fewer, are predicted wrongly.
func (y *year) wrong(more int) { y.write("model.txt", fmt.Sprintln(y.number("model.txt")+more)) }

// commit commits all changes, and asks both tests.
func (y *year) commit(format string, args ...any) {
	y.t.Helper()
	y.git("add", ".")
	y.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf(format, args...))
	y.judge()
}

// judge demands of both tests the verdict that the truth deserves.
func (y *year) judge() {
	y.t.Helper()
	y.commits++
	where := fmt.Sprintf("commit %d, %s", y.commits, y.git("log", "-1", "--format=%s"))
	for _, c := range []struct {
		test, truth string
		decide      func(loss float64) (verdict string)
	}{
		{"TestModel", "truth/baseline", func(loss float64) string {
			switch {
			case loss >= 2:
				return "allowed: "
			case loss <= -2:
				return "points better than "
			case loss >= -0.5 && loss <= 0.5:
				return "ok"
			}
			return ""
		}},
		{"TestLosses", "truth/pinned", func(loss float64) string {
			switch {
			case loss >= 3:
				return "of a budget of "
			case loss <= 1:
				return "ok"
			}
			return ""
		}},
	} {
		var wrong, of int
		_, err := fmt.Sscan(y.read(c.truth), &wrong, &of)
		require.NoError(y.t, err, where)
		want := "has changed"
		if n := y.number("data.txt"); n == of {
			want = c.decide(100 * float64(y.number("model.txt")-wrong) / float64(n))
		}
		text, ok := y.run(c.test)
		switch want {
		case "": // so small a loss may be shown or not
			continue
		case "ok":
			require.True(y.t, ok, "%s: %s", where, text)
		case "has changed":
			require.False(y.t, ok, "%s: %s", where, text)
			require.Contains(y.t, text, want, where)
		default:
			require.False(y.t, ok, "%s: %s", where, text)
			require.Regexp(y.t, `Claim does not hold: model now is .*`+want, text, where)
		}
		y.judged[c.test+" "+want]++
	}
}

// truth says which model a file is of, from now on.
func (y *year) truth(name string) {
	y.write("truth/"+name, fmt.Sprintln(y.number("model.txt"), y.number("data.txt")))
}

// update stores the baseline of the model, and commits it.
func (y *year) update() {
	y.t.Helper()
	text, ok := y.run("TestModel", "LEARNTEST_UPDATE=1")
	require.True(y.t, ok, "%s", text)
	require.Contains(y.t, text, "--- SKIP: TestModel")
	y.truth("baseline")
	y.commit("its baseline")
}

// pin moves the reference, and commits it.
func (y *year) pin(reason string, args ...string) {
	y.t.Helper()
	out := filepath.Join(y.t.TempDir(), "new.txt")
	_, _ = y.run("TestLosses", "LEARNTEST_OUT="+out) // it may fail
	cmd := exec.CommandContext(y.t.Context(), y.p.learnbench,
		append(append([]string{"pin", "-reason", reason}, args...), out, "testdata/pinned.txt")...)
	cmd.Dir = y.dir
	mustSucceed(y.t, cmd)
	y.truth("pinned")
	y.commit("pin: %s", reason)
}

// refused tries to store a baseline or a reference by an update, which must not change it.
func (y *year) refused(test, why string, settings ...string) {
	y.t.Helper()
	text, ok := y.run(test, settings...)
	require.False(y.t, ok, "%s", text)
	require.Contains(y.t, text, why)
	require.Empty(y.t, y.git("status", "--porcelain"))
}

// merge merges a branch that has changed the same baseline, and takes a side of each conflict.
func (y *year) merge(branch, side string) {
	y.t.Helper()
	text, ok := y.try("merge", "-q", branch)
	require.False(y.t, ok, "%s", text)
	y.git("checkout", "--ours", "model.txt")
	text, ok = y.run("TestModel", "LEARNTEST_UPDATE=1")
	require.False(y.t, ok, "%s", text)
	require.Contains(y.t, text, "a merge conflict is left")
	text, ok = y.run("TestModel")
	require.False(y.t, ok, "%s", text)
	require.Contains(y.t, text, "git checkout --ours")
	y.git("checkout", side, "testdata/baseline.txt", "truth/baseline")
	y.commit("merge %s", branch)
}

// A repository lives through a year in which small losses add up, changes are taken back, branches
// are squashed, rebased and merged, and the data change: each commit has the verdict that its true
// losses deserve.
func TestYear(t *testing.T) {
	t.Parallel()
	y := &year{t: t, p: built(t), dir: t.TempDir(), judged: make(map[string]int)}
	y.git("init", "-q", "-b", "main")
	y.write("data.txt", "400\n")
	y.write("model.txt", "40\n")
	y.write("testdata/.keep", "")
	y.git("add", ".")
	y.git("commit", "-q", "-m", "a model")
	for name, how := range map[string]string{
		"TestModel":  "LEARNTEST_UPDATE=1",
		"TestLosses": "learnbench pin -reason TEXT -learner model",
	} {
		text, ok := y.run(name)
		require.False(t, ok, "%s", text)
		require.Contains(t, text, how)
	}
	y.truth("pinned") // about to be
	text, ok := y.run("TestModel", "LEARNTEST_UPDATE=1")
	require.True(t, ok, "%s", text)
	y.truth("baseline")
	y.git("add", ".")
	y.git("commit", "-q", "-m", "its baseline")
	y.pin("the beginning", "-learner", "model")

	// Small losses, each of which is within the noise and becomes the baseline: the budget adds
	// them up.
	for i := range 7 {
		y.wrong(+2)
		y.commit("small loss %d", i+1)
		y.update()
	}
	require.Positive(t, y.judged["TestLosses of a budget of "])
	for _, how := range []string{"1", "force"} {
		y.refused("TestLosses", "is a pinned reference", "LEARNTEST_UPDATE="+how)
	}
	y.pin("the losses are the price of speed")

	// A large loss, which is reverted; and one that is accepted, and reverted later, when its
	// baseline is forgotten.
	y.wrong(+12)
	y.commit("a large loss")
	for _, name := range gotest.CIVariables {
		y.refused("TestModel", "LEARNTEST_UPDATE=1 where "+name+" is set", "LEARNTEST_UPDATE=1",
			name+"=true")
	}
	y.git("revert", "--no-edit", "HEAD")
	y.judge()
	y.wrong(+12)
	y.commit("a loss that is accepted")
	accepted := y.git("rev-parse", "HEAD")
	y.update()
	y.git("revert", "--no-edit", accepted)
	y.judge()
	for range 8 {
		y.wrong(+1)
		y.commit("a loss that looks like a gain")
	}
	y.update()

	// A branch that is squashed: the commit of its baseline is gone.
	y.git("switch", "-q", "-c", "squashed")
	y.wrong(-10)
	y.commit("a gain")
	y.update()
	y.git("switch", "-q", "main")
	y.git("merge", "-q", "--squash", "squashed")
	y.git("branch", "-q", "-D", "squashed")
	y.commit("a squash")
	y.wrong(+10)
	y.commit("a loss after it")
	text, _ = y.run("TestModel")
	require.Contains(t, text, ", is not in the history of HEAD, as after a squash or a rebase")
	y.git("revert", "--no-edit", "HEAD")
	y.judge()

	// A branch that is rebased.
	y.git("switch", "-q", "-c", "rebased")
	y.wrong(-9)
	y.commit("another gain")
	y.update()
	y.git("switch", "-q", "main")
	for i := range 3 {
		y.write("notes.txt", fmt.Sprintln("line", i))
		y.commit("notes")
	}
	y.git("switch", "-q", "rebased")
	y.git("rebase", "-q", "main")
	y.judge()
	y.git("switch", "-q", "main")
	y.git("merge", "-q", "--ff-only", "rebased")
	y.wrong(+9)
	y.commit("a loss after the rebase")
	y.git("revert", "--no-edit", "HEAD")
	y.judge()
	y.pin("gains to be kept")

	// Two branches store a baseline each: whichever side is taken, the merged model is compared
	// with it.
	for i, side := range []string{"--ours", "--theirs"} {
		branch := fmt.Sprintf("branch%d", i)
		y.git("switch", "-q", "-c", branch)
		y.wrong(-8)
		y.commit("a gain on %s", branch)
		y.update()
		y.git("switch", "-q", "main")
		y.wrong(+1)
		y.commit("a small loss on main")
		y.update()
		y.merge(branch, side)
		if side == "--theirs" { // the model of main is worse
			require.Contains(t, y.git("log", "-1", "--format=%P"), " ")
			y.git("checkout", branch, "--", "model.txt")
			y.commit("the gain of %s, too", branch)
		}
	}

	// A merge by hand leaves scores that no checksum covers.
	good := y.read("testdata/baseline.txt")
	y.write("testdata/baseline.txt", strings.Replace(good, " 1 accuracy", " 0.5 accuracy", 1)+"\n")
	for _, how := range []string{"", "1"} {
		text, ok := y.run("TestModel", "LEARNTEST_UPDATE="+how)
		require.Equal(t, how == "1", ok, "%s", text)
		if how == "" {
			require.Contains(t, text, "git checkout HEAD -- testdata/baseline.txt brings back the committed file")
		}
	}
	y.git("checkout", "-q", "testdata/baseline.txt")

	// The data change: nothing is compared until baseline and reference are stored with the
	// unchanged learner.
	y.write("data.txt", "480\n")
	y.commit("more data")
	y.wrong(+15)
	y.commit("a loss that nothing would see")
	y.git("revert", "--no-edit", "HEAD")
	y.judge()
	y.update()
	y.git("rm", "-q", "testdata/pinned.txt")
	y.git("commit", "-q", "-m", "begin the reference anew")
	y.pin("more data", "-learner", "model")
	y.wrong(+15)
	y.commit("the loss again")

	t.Logf("%d commits: %v", y.commits, y.judged)
	require.GreaterOrEqual(t, y.commits, 60)
	for _, kind := range []string{
		"TestModel ok", "TestModel allowed: ",
		"TestModel points better than ", "TestModel has changed", "TestLosses ok",
		"TestLosses of a budget of ", "TestLosses has changed",
	} {
		require.GreaterOrEqual(t, y.judged[kind], 2, "%s: %v", kind, y.judged)
	}
}
