package learntest_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gateTest has a test that passes and one that fails. The margins are met and missed clearly, so
// that claims are settled.
const gateTest = `package model

import (
	"context"
	"testing"
	"time"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
)

func noisy(name string, worse int) learntest.Learner[int, bool] {
	return learntest.Func(name, func(context.Context, learntest.Sample[int, bool], uint64) (func(int) bool, error) {
		time.Sleep(3 * time.Millisecond)
		return func(x int) bool { return x%2 == 0 != (x*7919%100 < worse) }, nil
	})
}

func compare(t *testing.T, candidate, baseline learntest.Learner[int, bool]) {
	xs, ys := make([]int, 300), make([]bool, 300)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 0
	}
	data := learntest.Examples("numbers", xs, ys)
	c := learntest.CompareWith(t, learntest.Config{Depends: []string{}, Parallel: 4}, data, candidate, baseline)
	assert.NoRegression(t, c, assert.Margin(0.05))
}

func TestBetter(t *testing.T) { compare(t, noisy("new", 10), noisy("old", 40)) }

func TestWorse(t *testing.T) { compare(t, noisy("new", 40), noisy("old", 10)) }
`

var gateKills = flag.Int("gate-kills", 24,
	"number of times that TestKilledRunsTurnNoGate kills its program")

// Runs that are killed, with a cache, settling claims and files of results, turn no test from red
// to green or back.
func TestKilledRunsTurnNoGate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files that a killed process had open cannot be removed at once")
	}
	h := newHistory(t)
	h.edit("model/model_test.go", modelFiles["model/model_test.go"], gateTest)
	h.commit()
	tests := filepath.Join(t.TempDir(), "model.test")
	h.command("go", "test", "-trimpath", "-c", "-o", tests, "./model")

	type setting struct {
		name string
		env  []string
	}
	out := filepath.Join(t.TempDir(), "r.txt")
	settings := []setting{
		{"whole", nil},
		{"settling", []string{"LEARNTEST_SETTLE=0.01"}},
		{"resumed", []string{"LEARNTEST_OUT=" + out, "LEARNTEST_RESUME=1"}},
		{"settling and resumed", []string{
			"LEARNTEST_SETTLE=0.01", "LEARNTEST_OUT=" + out,
			"LEARNTEST_RESUME=1",
		}},
	}
	run := func(s setting) *exec.Cmd {
		cmd := h.prepare(context.WithoutCancel(t.Context()), tests, "-test.v")
		cmd.Dir, cmd.Env = filepath.Join(h.dir, "model"), append(cmd.Env, s.env...)
		return cmd
	}
	killed := 0
	for n := range *gateKills {
		s := settings[n%len(settings)]
		if rand.IntN(3) == 0 {
			require.NoError(t, os.RemoveAll(h.cache))
		}
		cmd := run(s)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(250)) * time.Millisecond)
		_ = cmd.Process.Kill()
		if _ = cmd.Wait(); cmd.ProcessState.ExitCode() == -1 {
			killed++
		}
		if n%8 < 4 && n%3 > 0 {
			continue // the next one is killed, too
		}
		text, err := run(s).CombinedOutput()
		require.Error(t, err, "%s: %s", s.name, text)
		require.Equal(t, 1, strings.Count(string(text), "--- PASS: TestBetter"), "%s: %s", s.name, text)
		require.Equal(t, 1, strings.Count(string(text), "--- FAIL: TestWorse"), "%s: %s", s.name, text)
		require.Contains(t, string(text), "Claim does not hold: new is ", s.name)
		_ = os.Remove(out)
	}
	assert.Positive(t, killed)
	t.Logf("%d runs were killed", killed)
}
