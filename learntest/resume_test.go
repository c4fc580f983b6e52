package learntest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forget makes the next run look at the result file as another process would.
func forget(path string) {
	registry.Forget(path)
}

// A counter counts the trainings of learners on each fold.
type counter struct {
	mu   sync.Mutex
	fits map[string]int
}

func (c *counter) wrap(l Learner[int, bool]) Learner[int, bool] {
	fit := l.Fit
	l.Fit = func(ctx context.Context, train Sample[int, bool], seed uint64) (Model[int, bool], error) {
		c.mu.Lock()
		c.fits[fmt.Sprint(l.Name, seed)]++
		c.mu.Unlock()
		return fit(ctx, train, seed)
	}
	return l
}

// interruptAfter runs learners until some trials are done.
func interruptAfter[X any, Y comparable](t *testing.T, done int, data []Data[X, Y],
	learners []Learner[X, Y], cfg Config,
) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := 0
	cfg.Progress = func(int, int) {
		if ended++; ended >= done {
			cancel()
		}
	}
	_, err := Run(ctx, data, learners, cfg)
	_, ok := errors.AsType[*interruptedError](err)
	require.True(t, ok, "%v", err)
}

func textWithoutTimes(t *testing.T, path string) string {
	t.Helper()
	var blocks []*record.Block
	for _, b := range open(t, path).Blocks() {
		c := b.Clone()
		c.Timeless = true
		blocks = append(blocks, c)
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, blocks...))
	return text.String()
}

func TestResumedRunsTrainWhatIsMissing(t *testing.T) {
	cfg := Config{
		Protocol: split.CV(2, 5), Parallel: 1,
		Results: Results{Out: filepath.Join(t.TempDir(), "whole.txt")},
	}
	data := []Data[int, bool]{numbers(60), Examples("others", []int{1, 2, 3, 4, 5, 6},
		[]bool{true, false, true, false, true, false})}
	cfg.Protocol = split.CV(2, 3)
	learners := []Learner[int, bool]{guesser("a"), guesser("b")}
	_, err := Run(t.Context(), data, learners, cfg)
	require.NoError(t, err)
	want := textWithoutTimes(t, cfg.Results.Out)

	step := 4
	if citest.Has(citest.Slow) {
		step = 1
	}
	for first := 1; first < 24; first += step {
		for _, second := range []int{0, 1, 5} {
			cfg.Results.Out = filepath.Join(t.TempDir(), "r.txt")
			c := counter{fits: make(map[string]int)}
			counted := []Learner[int, bool]{c.wrap(learners[0]), c.wrap(learners[1])}
			interruptAfter(t, first, data, counted, cfg)
			resumed := cfg
			resumed.Results.Resume = true
			if second > 0 && first+second < 24 {
				forget(cfg.Results.Out)
				interruptAfter(t, second, data, counted, resumed)
			}
			forget(cfg.Results.Out)
			_, err := Run(t.Context(), data, counted, resumed)
			require.NoError(t, err)
			requireOnly(t, cfg.Results.Out)
			require.Equal(t, want, textWithoutTimes(t, cfg.Results.Out),
				"interrupted after %d and %d trials", first, second)
			again, twice := 0, 0
			for _, n := range c.fits {
				require.LessOrEqual(t, n, 3)
				again += n - 1
				if n == 3 {
					twice++
				}
			}
			require.Len(t, c.fits, 24)
			// Each learner is trained twice on its first fold of each data set, on another one that
			// is drawn, and on the first one after an interruption; no other trial was in flight.
			require.LessOrEqual(t, again, 12, "%d, %d: %v", first, second, c.fits)
			require.Zero(t, twice)
		}
	}
}

// The same program does not train the trials of a complete run again.
func TestCompleteResultsAreResumed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	learners := []Learner[int, bool]{guesser("a"), guesser("b")}
	mustRun(t, numbers(60), cfg, learners...)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Regexp(t, `\nBinary: [0-9a-f]{64}\n`, string(text))

	run := func() int {
		forget(out)
		c := counter{fits: make(map[string]int)}
		cfg.Results.Resume = true
		mustRun(t, numbers(60), cfg, c.wrap(learners[0]), c.wrap(learners[1]))
		return len(c.fits)
	}
	assert.Zero(t, run())
	again, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(again))

	// Results of another program or of another commit are replaced.
	for _, change := range []func(h *record.Header){
		func(h *record.Header) { h.Binary = strings.Repeat("a", 64) },
		func(h *record.Header) { h.Binary = "" },
		func(h *record.Header) { h.Toolchain = "go1.0 plan9/mips" },
		func(h *record.Header) { h.Commit = "c0ffee" },
		func(h *record.Header) { h.DataDigest = strings.Repeat("a", 64) },
		func(h *record.Header) { h.SplitDigest = strings.Repeat("a", 64) },
	} {
		b := open(t, out).Blocks()[0].Clone()
		change(&b.Header)
		require.NoError(t, storage.Merge(out, b))
		assert.Equal(t, 20, run())
	}
}

// So it is on each of several data sets.
func TestCompleteResultsOfSeveralDataSetsAreResumed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	other := numbers(40)
	other.name = "other"
	data := []Data[int, bool]{numbers(60), other}
	_, err := Run(t.Context(), data, []Learner[int, bool]{guesser("a")}, cfg)
	require.NoError(t, err)
	forget(out)
	c := counter{fits: make(map[string]int)}
	cfg.Results.Resume = true
	f, err := Run(t.Context(), data, []Learner[int, bool]{c.wrap(guesser("a"))}, cfg)
	require.NoError(t, err)
	assert.Empty(t, c.fits)
	for _, b := range f.Blocks() {
		assert.Equal(t, 10, b.Len())
	}
}

// A trial that failed is run again, and so is what an interrupted run was not sure of.
func TestFailedTrialsAreRunAgain(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}, Parallel: 1}
	n := 0
	flaky := Func("flaky", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		if n++; n == 4 {
			return nil, errors.New("no memory")
		}
		return func(int) bool { return true }, nil
	})
	data, learners := []Data[int, bool]{numbers(60)}, []Learner[int, bool]{flaky, constant("b", false)}
	interruptAfter(t, 12, data, learners, cfg)
	left, err := storage.ReadJournal(out + ".partial-1")
	require.NoError(t, err)
	require.Len(t, left.Failures(), 1)
	assert.Equal(t, record.NotProbed, left.Experiments()[0].Header.Of("flaky").Determinism(),
		"that comes last")
	forget(out)
	cfg.Results.Resume = true
	mustRun(t, numbers(60), cfg, learners...)
	assert.Empty(t, open(t, out).Failures())
	assert.Equal(t, record.Deterministic,
		open(t, out).Experiments()[0].Header.Of("flaky").Determinism())
	assert.Equal(t, 20/2+1+2, n, "all trials, the one that failed and second trainings")
}

// Trials that do not belong to the run are refused, whoever wrote them.
func TestForeignPartialsAreRefused(t *testing.T) {
	cfg := Config{Protocol: split.CV(2, 5), Parallel: 1}
	data, learners := []Data[int, bool]{numbers(60)}, []Learner[int, bool]{guesser("a"), guesser("b")}
	for _, c := range []struct {
		name    string
		edit    func(text string) string
		data    Data[int, bool]
		learner string
		want    string
	}{
		{
			name: "binary",
			edit: func(s string) string {
				return regexp.MustCompile("Binary: [0-9a-f]{64}").ReplaceAllString(s, "Binary: ")
			},
			want: "it was written by another build of the program, whose learners may differ",
		},
		{
			name: "toolchain",
			edit: func(s string) string {
				return strings.ReplaceAll(s, "Toolchain: "+runtime.Version(), "Toolchain: go1.0")
			},
			want: "it was written under go1.0 ",
		},
		{name: "data", data: numbers(62), want: "data-sha256"},
		{
			name: "score",
			edit: func(s string) string {
				head, trial, _ := strings.Cut(s, "\nBenchmarkCV/data=numbers/learner=a/run=1/fold=1 ")
				return head + "\nBenchmarkCV/data=numbers/learner=a/run=1/fold=1 1 x" + trial
			},
			want: "partial-1:",
		},
		{name: "learners", learner: "c", want: "it has trials of b, which is not among the learners"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := cfg
			cfg.Results.Out = filepath.Join(t.TempDir(), "r.txt")
			partial := cfg.Results.Out + ".partial-1"
			interruptAfter(t, 7, data, learners, cfg)
			if c.edit != nil {
				text, err := os.ReadFile(partial)
				require.NoError(t, err)
				edited := c.edit(string(text))
				require.NotEqual(t, string(text), edited)
				require.NoError(t, os.WriteFile(partial, []byte(edited), 0o666))
			}
			forget(cfg.Results.Out)
			cfg.Results.Resume = true
			d := data
			if c.data != nil {
				d = []Data[int, bool]{c.data}
			}
			l := learners
			if c.learner != "" {
				l = []Learner[int, bool]{guesser("a"), guesser(c.learner)}
			}
			_, err := Run(t.Context(), d, l, cfg)
			require.ErrorIs(t, err, ErrConfig)
			assert.ErrorContains(t, err, partial+" cannot be resumed: ")
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, ": remove it to start anew")
			assert.FileExists(t, partial)
			assert.NoFileExists(t, cfg.Results.Out)
		})
	}
	_, err := Run(t.Context(), data, learners, Config{Results: Results{Resume: true}})
	require.EqualError(t, err, "invalid configuration: Resume without a result file: name the file of the interrupted run in LEARNTEST_OUT or Config.Results.Out")
}

// A learner that its seed does not fix is found out again after an interruption.
func TestNondeterminismIsSeenAfterAnInterruption(t *testing.T) {
	cfg := Config{
		Protocol: split.CV(2, 5), Parallel: 1, AllowNondeterminism: true,
		Results: Results{Out: filepath.Join(t.TempDir(), "r.txt")},
	}
	var fits atomic.Int64
	random := Func("random", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		odd := fits.Add(1)%2 == 0 // so that no two agree by chance
		return func(int) bool { return odd }, nil
	})
	data, learners := []Data[int, bool]{numbers(60)}, []Learner[int, bool]{
		random,
		constant("b", false),
	}
	interruptAfter(t, 7, data, learners, cfg)
	for _, allowed := range []bool{false, true} {
		forget(cfg.Results.Out)
		cfg.Results.Resume, cfg.AllowNondeterminism = true, allowed
		f, err := Run(t.Context(), data, learners, cfg)
		if !allowed {
			require.ErrorIs(t, err, learner.ErrUnusable)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, record.NotDeterministic, f.Blocks()[0].Header.Of("random").Determinism())
	}
}

// A torn line is left out, and the test says so.
func TestTornLinesAreDroppedWithANotice(t *testing.T) {
	cfg := Config{
		Protocol: split.CV(2, 5), Parallel: 1,
		Results: Results{
			Out: filepath.Join(t.TempDir(), "r.txt"), Pkg: "p", Test: "TestTorn",
			Commit: "c",
		},
	}
	data, learners := []Data[int, bool]{numbers(60)}, []Learner[int, bool]{guesser("a"), guesser("b")}
	interruptAfter(t, 7, data, learners, cfg)
	f, err := os.OpenFile(cfg.Results.Out+".partial-1", os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.WriteString("=== RUN   data=numbers/learner=b/run=2/fold=5\nBenchmarkCV/data=numbers/learner=b/run=2/fo")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	forget(cfg.Results.Out)
	t.Setenv("LEARNTEST_RESUME", "1")
	r := newRecorder(t)
	CompareWith(r, cfg, numbers(60), learners[0], learners[1])
	r.end()
	require.Empty(t, r.errors)
	require.Empty(t, r.fatal)
	logs := strings.Join(r.logs, "\n")
	assert.Contains(t, logs, `.partial-1: dropped what follows the last whole trial: "BenchmarkCV/data=numbers/learner=b/run=2/fo"`)
	assert.Contains(t, logs, ".partial-1: resumed 7 trials")
	assert.Contains(t, logs, ".partial-1: data set numbers, learner b, run 2, fold 5 was running when the process ended")
	requireOnly(t, cfg.Results.Out)
}

var resumptions = flag.Int("resumptions", 10,
	"number of times that TestKilledRunsResume kills each program")

// TestKilledRunsResume kills programs at random moments, and has them go on until they
// reach their end: the result equals the result of a program that was never killed.
func TestKilledRunsResume(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files that a killed process had open cannot be removed at once")
	}
	p := built(t)
	for _, v := range []struct {
		name    string
		trials  int
		command func(ctx context.Context, out, trace string, resume bool) *exec.Cmd
	}{
		{"learnbench", 0, func(ctx context.Context, out, _ string, resume bool) *exec.Cmd {
			args := []string{
				"run", "-data", "uci:iris", "-data", "uci:glass", "-runs", "3", "-folds", "5",
				"-o", "r.txt",
			}
			if resume {
				args = append(args, "-resume")
			}
			cmd := exec.CommandContext(ctx, p.learnbench, append(args, "nn", "naivebayes")...)
			cmd.Dir = filepath.Dir(out)
			return cmd
		}},
		{"test", 50, func(ctx context.Context, out, trace string, resume bool) *exec.Cmd {
			cmd := p.test(ctx, out, "-test.run=^TestTraced$")
			cmd.Env = append(cmd.Env, "SYSTEM_TRACE="+trace)
			if resume {
				cmd.Env = append(cmd.Env, "LEARNTEST_RESUME=1")
			}
			return cmd
		}},
	} {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			whole, wholeTrace := filepath.Join(dir, "r.txt"), filepath.Join(dir, "trace")
			start := time.Now()
			mustSucceed(t, v.command(t.Context(), whole, wholeTrace, false))
			took := time.Since(start)
			want := textWithoutTimes(t, whole)
			again := 0 // second trainings of one process
			if v.trials > 0 {
				text, err := os.ReadFile(wholeTrace)
				require.NoError(t, err)
				again = bytes.Count(text, []byte("\n")) - v.trials
			}
			killed, all := 0, 0
			for all < *resumptions {
				dir := t.TempDir()
				out, trace := filepath.Join(dir, "r.txt"), filepath.Join(t.TempDir(), "trace")
				processes := 0
				for resume := false; ; resume = true {
					processes++
					ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()),
						time.Duration(rand.Int64N(int64(took))))
					cmd := v.command(ctx, out, trace, resume)
					if all++; all >= *resumptions {
						cmd = v.command(t.Context(), out, trace, resume)
					}
					text, err := cmd.CombinedOutput()
					cancel()
					if cmd.ProcessState.ExitCode() == 0 {
						break
					}
					require.Error(t, err)
					require.Equal(t, -1, cmd.ProcessState.ExitCode(), "%s", text)
					killed++
				}
				requireOnly(t, out)
				require.Equal(t, want, textWithoutTimes(t, out))
				if v.trials > 0 {
					// A kill costs the four trials in flight, and at most all second trainings.
					requireTrace(t, trace, v.trials, processes*again+(processes-1)*4)
				}
			}
			t.Logf("%d runs were killed", killed)
		})
	}
}

// requireTrace checks that all trials were run, and no more of them twice than can be.
func requireTrace(t *testing.T, path string, trials, again int) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Fields(strings.ReplaceAll(string(text), " ", "/"))
	seen := make(map[string]bool)
	for _, l := range lines {
		seen[l] = true
	}
	require.Len(t, seen, trials)
	require.LessOrEqual(t, len(lines), trials+again, "%s", text)
}
