package learntest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var kills = flag.Int("kills", 6,
	"number of times that TestKilledRunsLoseNothing kills each program")

// A victim is a program that stores results and is killed.
type victim struct {
	name    string
	command func(ctx context.Context, out string) *exec.Cmd
	data    []string
}

func victims(p programs) []victim {
	return []victim{
		{"learnbench", func(ctx context.Context, out string) *exec.Cmd {
			return exec.CommandContext(ctx, p.learnbench, "run", "-data", "uci:iris", "-data", "uci:glass",
				"-runs", "2", "-repeats", "2", "-folds", "5",
				"-metric", "accuracy,logloss", "-o", out, "-predictions", keptBeside(out), "nn", "naivebayes")
		}, []string{"iris", "glass"}},
		{"test", func(ctx context.Context, out string) *exec.Cmd {
			return p.test(ctx, out, "-test.run=^TestShared$")
		}, []string{"numbers"}},
	}
}

// keptBeside returns a file for predictions outside of the directory of results.
func keptBeside(out string) string { return strings.TrimSuffix(out, "/results.txt") + ".pred.gz" }

// TestKilledRunsLoseNothing kills programs at random times. Results that they have not
// touched stay, begun results are never taken for complete ones, and the next run puts
// everything in order.
func TestKilledRunsLoseNothing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files that a killed process had open cannot be removed at once")
	}
	p := built(t)
	places := []struct {
		name string
		runs int // of the earlier experiments
		dir  bool
	}{{"small file", 5, false}, {"large file", 500, false}, {"directory", 5, true}}
	for _, v := range victims(p) {
		for i, place := range places {
			t.Run(v.name+"/"+place.name, func(t *testing.T) {
				t.Parallel()
				k := &killing{victim: v, programs: p, out: filepath.Join(t.TempDir(), "results.txt")}
				if place.dir {
					k.out = t.TempDir()
				}
				k.fill(t, place.runs)
				for n := i; n < *kills; n += len(places) {
					k.kill(t)
					if n+len(places) >= *kills || rand.IntN(3) > 0 { // else it is killed again
						k.repair(t)
					}
				}
				t.Logf("%+v", k.seen)
			})
		}
	}
}

// A killing is a result file and a program that is killed while it writes to it.
type killing struct {
	victim
	programs
	out     string
	took    time.Duration // an uninterrupted run
	earlier []string
	own     map[string][]string
	seen    struct{ ended, partials, unfinished, damaged, partly, temporary int }
}

// fill stores results before and behind the program's own.
func (k *killing) fill(t *testing.T, runs int) {
	earlier(t, k.out, runs, "e1", "e2")
	start := time.Now()
	mustSucceed(t, k.command(t.Context(), k.out))
	k.took = time.Since(start)
	k.earlier = earlier(t, k.out, runs, "e3")
	require.Len(t, k.earlier, 3)
	if runs > 100 { // a small file is written anew whenever something is replaced
		require.Greater(t, len(strings.Join(k.earlier, "")), 400<<10)
	}
	k.own = checksums(open(t, k.out), k.data...)
	require.Len(t, k.own, len(k.data))
	status, text := k.stat(t)
	require.Zero(t, status, text)
}

// stat compares the file with itself.
func (k *killing) stat(t *testing.T) (status int, text string) {
	cmd := exec.CommandContext(t.Context(), k.learnstat, "-metric", "accuracy", k.out, k.out)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// kill runs the program, kills it and looks at the files then.
func (k *killing) kill(t *testing.T) {
	cmd := k.command(context.WithoutCancel(t.Context()), k.out)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	require.NoError(t, cmd.Start())
	done := make(chan error)
	go func() { done <- cmd.Wait() }()
	ended := make(chan struct{})
	go func() {
		k.await(ended)
		_ = cmd.Process.Kill()
	}()
	err := <-done
	close(ended)
	if err == nil {
		k.seen.ended++
	} else {
		require.Equal(t, -1, cmd.ProcessState.ExitCode(), text.String())
	}
	k.inspect(t)
}

// await waits for a random time, or until a file is there and a moment more.
func (k *killing) await(ended <-chan struct{}) {
	awaited := []string{"", ".partial-", ".lock", ".rewrite", ".tmp", ".learnbench-"}[rand.IntN(6)]
	if awaited == "" {
		time.Sleep(time.Duration(rand.Int64N(int64(k.took * 6 / 5))))
		return
	}
	dir := filepath.Dir(k.out)
	if filepath.Base(k.out) != "results.txt" {
		dir = k.out
	}
	for {
		select {
		case <-ended:
			return
		case <-time.After(20 * time.Microsecond):
		}
		entries, _ := os.ReadDir(dir) // it may change meanwhile
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return strings.Contains(e.Name(),
				awaited)
		}) {
			time.Sleep(time.Duration(rand.Int64N(int64([]time.Duration{
				1, 200 * time.Microsecond,
				5 * time.Millisecond,
			}[rand.IntN(3)]))))
			return
		}
	}
}

// inspect checks what a kill has left.
func (k *killing) inspect(t *testing.T) {
	partials, err := storage.Partials(k.out)
	require.NoError(t, err)
	status, text := k.stat(t)
	if len(partials) > 0 {
		k.seen.partials++
		assert.Equal(t, 2, status)
		assert.Contains(t, text, partials[0].Path+": a run that writes to "+k.out+" was interrupted, and the results there may be from the run before")
		assert.False(t, partials[0].Live)
	}
	if kept := keptBeside(k.out); k.name == "learnbench" { // a whole file, before or after
		_, err := predictions.Open(kept)
		require.NoError(t, err)
	}
	texts := blockTexts(t, k.out)
	for _, e := range k.earlier {
		if !slices.Contains(texts, e) {
			k.seen.damaged++
		}
	}
	f, err := record.Open(k.out)
	if err != nil {
		k.seen.unfinished++
		require.ErrorIs(t, err, record.ErrUnfinished)
		assert.Equal(t, 2, status)
		return
	}
	// Readable results are complete, whether this run or the run before has written them.
	require.NoError(t, f.Check())
	for id, have := range checksums(f, k.data...) {
		require.Subset(t, k.own[id], have)
		if len(have) < len(k.own[id]) { // killed between two comparisons of a test
			require.NotEmpty(t, partials, "a comparison is lost and nothing says so")
			k.seen.partly++
		}
	}
	require.Len(t, checksums(f, k.data...), len(k.own))
	if k.name == "learnbench" {
		require.Equal(t, k.own, checksums(f, k.data...))
	}
}

// removeTemporary removes what a process has written in a directory and was about to give
// a name. Nobody else does: it may be of a process that is still writing it.
func (k *killing) removeTemporary(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(k.out, "*.txt.????????.tmp"))
	require.NoError(t, err)
	for _, name := range names {
		k.seen.temporary++
		require.NoError(t, os.Remove(name))
	}
}

// repair runs the program to its end.
func (k *killing) repair(t *testing.T) {
	mustSucceed(t, k.command(t.Context(), k.out))
	k.removeTemporary(t)
	requireNothingBeside(t, k.out)
	texts := blockTexts(t, k.out)
	for _, e := range k.earlier {
		require.Contains(t, texts, e, "an earlier result is lost")
	}
	f := open(t, k.out)
	require.Equal(t, k.own, checksums(f, k.data...))
	own := 0
	for _, sums := range k.own {
		own += len(sums)
	}
	require.Len(t, f.Blocks(), len(k.earlier)+own)
	status, text := k.stat(t)
	require.Zero(t, status, text)
	if k.name != "learnbench" {
		return
	}
	among, err := predictions.Open(keptBeside(k.out))
	require.NoError(t, err)
	require.Len(t, among, len(k.data))
	for _, b := range f.Experiments() {
		if slices.Contains(k.data, b.Header.Data) {
			_, _, err := predictions.Of(b, among)
			require.NoError(t, err)
		}
	}
}

// TestInterruptOfLearnbench interrupts it as a user does.
func TestInterruptOfLearnbench(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted there")
	}
	p := built(t)
	out := filepath.Join(t.TempDir(), "results.txt")
	earlier(t, out, 5, "e1")
	mustSucceed(t, exec.CommandContext(t.Context(), p.learnbench, "run", "-data", "uci:iris", "-runs",
		"2", "-folds", "3", "-o", out, "nn", "naivebayes"))
	before, err := os.ReadFile(out)
	require.NoError(t, err)

	// So many runs that they do not end before they are interrupted.
	cmd := exec.CommandContext(t.Context(), p.learnbench, "run", "-data", "uci:iris", "-runs", "2",
		"-folds", "3", "-repeats", "20000", "-o", out, "nn", "naivebayes")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Start())
	partial := out + ".partial-1"
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(partial) // it may not be there yet
		return bytes.Contains(text, []byte("\nBenchmarkCV/"))
	}, 20*time.Second, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	assert.Equal(t, 2, cmd.ProcessState.ExitCode())
	assert.Empty(t, stdout.String())
	assert.Regexp(t, `(?m)^learnbench: interrupted: .*: \d+ of 240000 trials were run and are in `+partial+`, which goes when that run is repeated to its end: -resume goes on from there\n$`, stderr.String())
	after, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	left, err := storage.ReadJournal(partial)
	require.NoError(t, err)
	require.Len(t, left.Experiments(), 1)
	assert.NotZero(t, left.Experiments()[0].Len())
	k := killing{programs: p, out: out}
	status, text := k.stat(t)
	assert.Equal(t, 2, status)
	assert.Contains(t, text, partial+": a run that writes to "+out+" was interrupted")

	mustSucceed(t, exec.CommandContext(t.Context(), p.learnbench, "run", "-data", "uci:iris", "-runs",
		"2", "-folds", "3", "-o", out, "nn", "naivebayes"))
	requireNothingBeside(t, out)
	open(t, out)
}
