package refresh

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/require"
)

// customersModel is a learner of a threshold, which a shift makes worse. § stands for a backquote.
const customersModel = `package model

import (
	"context"

	"github.com/learnbench/learnbench/learntest"
)

type customer struct {
	X       int  §csv:"x"§
	Churned bool §csv:"churned,label"§
}

const shift = %d

func threshold() learntest.Learner[customer, bool] {
	return learntest.Func("threshold", func(_ context.Context, train learntest.Sample[customer, bool], _ uint64) (func(customer) bool, error) {
		sum, n := 0, 0
		for c := range train.All() {
			sum, n = sum+c.X, n+1
		}
		return func(c customer) bool { return c.X >= sum/n+shift }, nil
	})
}
`

const customersTest = `package model

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

func TestModel(t *testing.T) {
	data, err := learntest.CSV[customer, bool]("testdata/churn.csv")
	if err != nil {
		t.Fatal(err)
	}
	c := learntest.Against(t, data, threshold(), "testdata/baseline.txt")
	assert.NoRegression(t, c, assert.Margin(0.02))
}
`

// customers returns the rows of a file that grows: of the numbers up to 9999, those from 5000 on
// churn, but for one of ten.
func customers(n int) string {
	var b strings.Builder
	b.WriteString("x,churned\n")
	for i := range n {
		x := i * 3701 % 10000
		fmt.Fprintf(&b, "%d,%t\n", x, (x >= 5000) != (i*i%10 == 4))
	}
	return b.String()
}

// A year has 52 weeks; the first 10 show an improvement, a loss and what follows them.
var weeks = flag.Int("weeks", 10, "deliveries in TestYearOfDeliveries")

// Each week brings new rows, and in two weeks the model gets worse in the same commit: both are
// caught in the week they come, and nothing else fails.
func TestYearOfDeliveries(t *testing.T) {
	citest.Need(t, citest.Slow)
	dir, root := t.TempDir(), filepath.Join("..", "..")
	env, err := usermod.Repeated(root, t.TempDir(), "-trimpath")
	require.NoError(t, err)
	for _, kv := range append(env, "CI=") {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	require.NoError(t, usermod.Write(dir, "example.com/model", root))
	run := func(settings []string, name string, args ...string) (string, int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), settings...)
		out, err := cmd.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return string(out), exit.ExitCode()
		}
		require.NoError(t, err, "%s", out)
		return string(out), 0
	}
	must := func(name string, args ...string) string {
		t.Helper()
		out, status := run(nil, name, args...)
		require.Zero(t, status, "%s %v: %s", name, args, out)
		return out
	}
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	commit := func(why string) {
		t.Helper()
		must("git", "add", "-A")
		must("git", "commit", "-q", "-m", why)
	}
	shift := func(n int) {
		t.Helper()
		write("model.go", strings.ReplaceAll(fmt.Sprintf(customersModel, n), "§", "`"))
	}
	update := func() {
		t.Helper()
		out, status := run([]string{"LEARNTEST_UPDATE=1"}, "go", "test", "-count=1", ".")
		require.Zero(t, status, "%s", out)
	}
	must("git", "init", "-q", "-b", "main")
	rows := 600
	write("testdata/churn.csv", customers(rows))
	write("model_test.go", customersTest)
	shift(300)
	commit("a model")
	update()
	commit("its baseline")

	// Changes of the model, by the week.
	worse := map[int]int{7: 1300, 38: 1000} // hidden in the commit of the delivery
	better := map[int]int{4: 200, 26: 0}    // committed in the week before, with its baseline
	now, taken := 300, 0
	begin := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for week := 1; week <= *weeks; week++ {
		rows += 10 + week%7
		write("testdata/churn.csv", customers(rows))
		why := fmt.Sprintf("delivery of week %d", week)
		if n, ok := worse[week]; ok {
			shift(n)
			commit(why)
		}
		var messages strings.Builder
		r := Refresh{
			Reason: why, Args: []string{"./..."}, Date: begin.AddDate(0, 0, 7*week),
			Messages: &messages,
		}
		out, holds, err := r.Do(t.Context(), dir)
		require.NoError(t, err, "week %d: %s", week, messages.String())
		require.Contains(t, out, fmt.Sprintf("-> %d examples, the first ", rows), out)
		require.NotContains(t, out, "dirty", out)
		if _, ok := worse[week]; ok {
			require.False(t, holds, "week %d: %s", week, out)
			require.Contains(t, out, "claim      does not hold: threshold now does not regress", out)
			out, status := run(nil, "go", "test", ".")
			require.Equal(t, 1, status, "week %d: %s", week, out)
			require.Regexp(t, `Claim does not hold: threshold now is .* points worse than threshold at`, out)
			shift(now)
			must("go", "test", ".")
		} else {
			require.True(t, holds, "week %d: %s", week, out)
			require.Contains(t, out, "%, the same scores\n", out)
		}
		commit(why)
		if n, ok := better[week]; ok {
			now = n
			shift(now)
			commit("a better model")
			must("go", "test", ".")
			update()
			commit("its baseline")
			taken++
		}
	}
	must("go", "test", ".")
	text, err := os.ReadFile(filepath.Join(dir, "testdata", "refresh.txt"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 1+*weeks)
	require.Equal(t, "How baselines were taken over to new data, by learnbench refresh: the latest line is the last.", lines[0])
	commits := make(map[string]bool)
	for i, line := range lines[1:] {
		week := i + 1
		require.Regexp(t, fmt.Sprintf(`^%s baseline\.txt: threshold at [0-9a-f]{12} on churn, (\d+) -> \d+ examples, the first \d+ as before, sha256 [0-9a-f]{12} -> [0-9a-f]{12}; accuracy \d\d\.\d\d%% -> \d\d\.\d\d%%, now \d\d\.\d\d%% \([+-]\d+\.\d\d points\): delivery of week %d$`, begin.AddDate(0, 0, 7*week).Format(time.DateOnly), week), line)
		_, lost := worse[week]
		require.Equal(t, lost, !strings.Contains(line, "(+0.00 points)"), line)
		commits[strings.Fields(line)[4]] = true
	}
	require.Len(t, commits, 1+taken, "the first model, and each improvement")
	require.NotContains(t, must("git", "worktree", "list"), "learnbench-compare")
	require.Empty(t, must("git", "status", "--porcelain"))
	for _, week := range []int{1, 4, 5, 7, 8, 38, 52} {
		if week <= *weeks {
			t.Log(lines[week])
		}
	}
}
