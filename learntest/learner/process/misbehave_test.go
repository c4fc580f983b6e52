//go:build unix

package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// alive reports whether a process is there, and has not only not been buried.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil && runtime.GOOS != "linux" || err == nil &&
		!regexp.MustCompile(`\) Z `).Match(stat)
}

func gone(t *testing.T, pid int) {
	t.Helper()
	assert.Eventually(t, func() bool { return !alive(pid) }, 10*time.Second, 5*time.Millisecond,
		"process %d is still there", pid)
}

// pids returns the numbers behind a word in a text.
func pids(t *testing.T, text, word string) []int {
	t.Helper()
	var out []int
	for _, m := range regexp.MustCompile(word+` (\d+)`).FindAllStringSubmatch(text, -1) {
		pid, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		out = append(out, pid)
	}
	return out
}

// TestMisbehaviour has programs misbehave in their first trial: it fails with the
// reason, no process is left, and the second trial is served by a new one.
func TestMisbehaviour(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string
		is   error
	}{
		{"crashes at the start", []string{"mute"}, "hello: the program ended: exit status 3", ErrEnded},
		{
			"crashes at hello",
			[]string{"crash=hello"},
			"hello: the program ended: exit status 7: its last words: about to crash", ErrEnded,
		},
		{
			"crashes at a table",
			[]string{"crash=table"},
			"table: the program ended: exit status 7: its last words: about to crash", ErrEnded,
		},
		{
			"crashes in training",
			[]string{"crash=fit", "trial=1"},
			"the program ended: exit status 7: its last words: about to crash", ErrEnded,
		},
		{
			"crashes predicting",
			[]string{"crash=predict", "trial=1"},
			"the program ended: exit status 7",
			ErrEnded,
		},
		{
			"ends in the midst",
			[]string{"half=fit", "trial=1"},
			`the program ended: exit status 0, in the midst of the line "{\"id\":3"`, ErrEnded,
		},
		{
			"prints on standard output",
			[]string{"garbage=fit", "trial=1"},
			`the program broke the protocol: "Training 100%" is no answer: invalid character 'T' looking for beginning of value (print on standard error: standard output is for answers)`, ErrProtocol,
		},
		{
			"prints before hello",
			[]string{"garbage=hello"},
			`hello: the program broke the protocol: "Training 100%" is no answer`, ErrProtocol,
		},
		{
			"prints without end",
			[]string{"endless=fit", "trial=1"},
			"the program broke the protocol: a line on its standard output is longer than any answer could be", ErrProtocol,
		},
		{
			"answers twice",
			[]string{"twice=fit", "trial=1"},
			`the program broke the protocol: its answer does not say what the model "gives"`, ErrProtocol,
		},
		{
			"answers twice at the end",
			[]string{"twice=table"},
			`the program broke the protocol: "{\"id\":2}" answers message 2, not 3: each message has one answer`, ErrProtocol,
		},
		{
			"has the wrong id",
			[]string{"id=predict"},
			"answers message 9, not 4: each message has one answer", ErrProtocol,
		},
		{
			"closes its output",
			[]string{"closes=fit", "trial=1"},
			"the program broke the protocol: it closed its standard input or output", ErrProtocol,
		},
		{
			"predicts too few",
			[]string{"short"},
			"the program broke the protocol: 49 probabilities for 50 examples", ErrProtocol,
		},
		{
			"predicts too few labels",
			[]string{"short", "labels"},
			"49 labels for 50 examples",
			ErrProtocol,
		},
		{
			"loses digits",
			[]string{"digits"},
			"hello: the program broke the protocol: it repeats 0.1 as 0.10000000149011612: write numbers with 17 digits", ErrProtocol,
		},
		{
			"predicts NaN",
			[]string{"raw=predict", `text={"id":ID,"probabilities":[[NaN]]}`},
			"JSON has no NaN", ErrProtocol,
		},
		{
			"predicts no class",
			[]string{"labels", "raw=predict", `text={"id":ID,"labels":[` +
				strings.Repeat("0,", 49) + `3]}`},
			"labels[49] is 3, which is no index of 3 classes",
			ErrProtocol,
		},
		{"predicts null", []string{"labels", "raw=predict", `text={"id":ID,"labels":[` +
			strings.Repeat("0,", 49) + `null]}`}, "labels[49] is null", ErrProtocol},
		{
			"leaves out a class",
			[]string{"raw=predict", `text={"id":ID,"probabilities":[` +
				strings.Repeat("[0,1],", 49) + `[0,1]]}`},
			"probabilities[0] has 2 numbers for 3 classes",
			ErrProtocol,
		},
		{"leaves out a probability", []string{"raw=predict", `text={"id":ID,"probabilities":[` +
			strings.Repeat("[0,1,0],", 49) + `[0,null,1]]}`}, "probabilities[49][1] is null", ErrProtocol},
		{
			"gives something else",
			[]string{"raw=fit", `text={"id":ID,"gives":"values"}`},
			"its model gives values for a target that is not of that kind", ErrProtocol,
		},
		{
			"gives nothing known",
			[]string{"raw=fit", `text={"id":ID,"gives":"hope"}`},
			`its model gives "hope", which is none of ["labels" "probabilities" "values"]`, ErrProtocol,
		},
		{
			"speaks another protocol",
			[]string{"raw=hello", `text={"id":ID,"protocol":2}`},
			"hello: the program broke the protocol: its answer has not the protocol 1", ErrProtocol,
		},
		{
			"predicts nothing",
			[]string{"raw=hello", `text={"id":ID,"protocol":1}`},
			"it does not say whether it predicts classes, numbers or answers", ErrProtocol,
		},
		{
			"predicts what nobody knows",
			[]string{"raw=hello", `text={"id":ID,"protocol":1,"predicts":["ranks"]}`},
			`it predicts "ranks", which is neither classes nor numbers`, ErrProtocol,
		},
		{
			"repeats no numbers",
			[]string{
				"raw=hello",
				`text={"id":ID,"protocol":1,"predicts":["classes"]}`,
			},
			"its answer repeats 0 of 8 numbers",
			ErrProtocol,
		},
		{
			"loses a missing value",
			[]string{
				"raw=hello",
				`text={"id":ID,"protocol":1,"predicts":["classes"],"numbers":[null,0,0,0,0,0,0,0]}`,
			},
			"it does not repeat null", ErrProtocol,
		},
		{
			"could not read it",
			[]string{"raw=fit", `text={"id":null,"error":"what?"}`},
			"it could not read message 3: what?", ErrProtocol,
		},
		{"has no id", []string{"raw=fit", `text={}`}, `"{}" is no answer: it has no id`, ErrProtocol},
		{"refuses", []string{"refuse"}, "the program says: I will not learn that", ErrProgram},
		{"predicts numbers only", []string{
			"raw=hello",
			`text={"id":ID,"protocol":1,"predicts":["numbers"],"numbers":[0.1,-0.3333333333333333,123456789.12345679,9007199254740991,1e22,2.2250738585072014e-308,1.7976931348623157e308,null]}`,
		}, "the program says: it predicts numbers, and the data have classes", ErrProgram},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := served(t, c.args...)
			start := time.Now()
			_, err := trial(t.Context(), l, uci.Iris(), 1)
			assert.ErrorIs(t, err, c.is)
			assert.ErrorContains(t, err, c.want)
			assert.Less(t, time.Since(start), 20*time.Second)
			_, again := trial(t.Context(), l, uci.Iris(), 1)
			if errors.Is(c.is, ErrProgram) {
				assert.Len(t, processes(l), 1, "it lives on")
				assert.EqualError(t, again, err.Error())
				return
			}
			if again != nil {
				assert.EqualError(t, again, err.Error(), "the next one fails alike")
			}
			assert.Eventually(t, func() bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				return len(l.running) == len(l.free)
			}, 20*time.Second, time.Millisecond)
		})
	}
}

// A crash fails a trial, and another process serves the next one as if nothing
// had been.
func TestCrashFailsOneTrial(t *testing.T) {
	t.Parallel()
	want, err := trial(t.Context(), served(t), uci.Iris(), 5)
	require.NoError(t, err)
	l := served(t, "crash=predict", "trial=3")
	for i := range 9 {
		got, err := trial(t.Context(), l, uci.Iris(), 5)
		if i%3 == 2 {
			assert.ErrorContains(t, err, "the program ended: exit status 7: its last words: about to crash")
			continue
		}
		require.NoError(t, err, "trial %d", i)
		assert.Equal(t, want, got)
	}
}

// A program that ends when it has answered fails the trial that it was to serve next.
func TestProgramThatDoesNotStay(t *testing.T) {
	t.Parallel()
	l := served(t, "quit=predict")
	_, err := trial(t.Context(), l, uci.Iris(), 1)
	require.NoError(t, err)
	_, err = trial(t.Context(), l, uci.Iris(), 1)
	assert.ErrorIs(t, err, ErrEnded)
	_, err = trial(t.Context(), l, uci.Iris(), 1)
	assert.NoError(t, err)
}

// TestDeadlineKillsTheProcessGroup has programs hang at each message.
func TestDeadlineKillsTheProcessGroup(t *testing.T) {
	t.Parallel()
	late := errors.New("too late")
	for _, op := range []string{"hello", "table", "fit", "predict"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			out := new(log)
			l := started(t, Config{Args: []string{self(t), "serve", "hang=" + op}, Stderr: out})
			ctx, cancel := context.WithTimeoutCause(t.Context(), 700*time.Millisecond, late)
			defer cancel()
			start := time.Now()
			_, err := trial(ctx, l, uci.Iris(), 1)
			assert.ErrorIs(t, err, late)
			assert.Less(t, time.Since(start), 20*time.Second)
			require.Eventually(t, func() bool { return len(pids(t, out.String(), "as")) == 1 },
				20*time.Second, time.Millisecond)
			gone(t, pids(t, out.String(), "as")[0])
		})
	}
	t.Run("already over", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(late)
		_, err := trial(ctx, served(t), uci.Iris(), 1)
		assert.ErrorIs(t, err, late)
	})
}

func TestSlowStart(t *testing.T) {
	t.Parallel()
	l := started(t, Config{
		Args:         []string{self(t), "serve", "slow"},
		StartTimeout: 300 * time.Millisecond,
	})
	start := time.Now()
	_, err := trial(t.Context(), l, uci.Iris(), 1)
	assert.ErrorIs(t, err, ErrStart)
	assert.EqualError(t, err, "hello: the program did not start: no answer to hello within 300ms")
	assert.Less(t, time.Since(start), 20*time.Second)
}

// A killed program takes the other processes of its group with it. A process that has left the
// group is out of reach, and delays nothing although it holds the pipes.
func TestGrandchildren(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"orphan", "stray"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			out := new(log)
			l := started(t, Config{Args: []string{self(t), "serve", kind + "=fit"}, Stderr: out})
			start := time.Now()
			_, err := trial(t.Context(), l, uci.Iris(), 1)
			assert.ErrorIs(t, err, ErrEnded)
			assert.ErrorContains(t, err, "exit status 9")
			assert.Less(t, time.Since(start), 20*time.Second)
			require.NoError(t, l.Close())
			assert.Less(t, time.Since(start), 20*time.Second)
			children := pids(t, out.String(), "child")
			require.Len(t, children, 1)
			if kind == "orphan" {
				gone(t, children[0])
				return
			}
			assert.True(t, alive(children[0]))
			require.NoError(t, syscall.Kill(children[0], syscall.SIGKILL))
		})
	}
}

// A program that writes much to its standard error is read, and not all of it is
// passed on.
func TestChattyProgram(t *testing.T) {
	t.Parallel()
	out := new(log)
	l := started(t, Config{Args: []string{self(t), "serve", "chatty=fit"}, Stderr: out})
	_, err := trial(t.Context(), l, uci.Iris(), 1)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	assert.True(t, strings.HasPrefix(out.String(), "it: line 0\nit: line 1\n"))
	assert.True(t, strings.HasSuffix(out.String(), "the rest is left out)\n"))
	assert.Less(t, len(out.String()), 2<<20)
}

// Idle programs end with their standard input; programs in use, and programs that do not end,
// are killed.
func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   string
		killed bool
	}{{"ok", false}, {"stay", true}} {
		out := new(log)
		cfg := Config{Args: []string{self(t), "serve", c.args}, Stderr: out}
		if c.killed {
			cfg.endTime = 300 * time.Millisecond
		}
		l := started(t, cfg)
		used, err := l.Fit(t.Context(), uci.Iris(), []int{1, 2}, 1)
		require.NoError(t, err)
		_, err = trial(t.Context(), l, uci.Iris(), 1)
		require.NoError(t, err)
		running := processes(l)
		require.Len(t, running, 2)
		require.NoError(t, l.Close())
		for _, pid := range running {
			assert.False(t, alive(pid))
		}
		assert.Equal(t, c.killed, strings.Contains(out.String(),
			"it has not ended with its standard input, and is killed"))
		_, err = used.Predict(t.Context(), nil)
		assert.NoError(t, err, "there is nothing to predict")
		require.NoError(t, used.Close())
		require.NoError(t, l.Close())
	}
}

// TestKilledParentLeavesNoChild kills a process whose programs hang, which finds them at no
// end of their standard input.
func TestKilledParentLeavesNoChild(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux kills processes whose parent is gone")
	}
	for _, op := range []string{"hang=hello", "hang=predict"} {
		cmd := exec.CommandContext(t.Context(), self(t), "parent", op)
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(stdout)
		var children []int
		for len(children) < 3 && lines.Scan() {
			children = append(children, pids(t, lines.Text(), "as")...)
		}
		require.Len(t, children, 3)
		for _, pid := range children {
			assert.True(t, alive(pid))
		}
		time.Sleep(20 * time.Millisecond) // threads that have nothing to do may end
		for _, pid := range children {
			assert.True(t, alive(pid))
		}
		require.NoError(t, cmd.Process.Kill())
		for _, pid := range children {
			gone(t, pid)
		}
		assert.Error(t, cmd.Wait())
	}
}
