package items

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/stretchr/testify/require"
)

// envVictim names the directory of a process that is killed. It gets a line in the file asked for
// each answer that is asked for, and the verdict in the file verdict.
const envVictim = "ITEMS_VICTIM"

func TestVictim(t *testing.T) {
	dir := os.Getenv(envVictim)
	if dir == "" {
		t.Skip("it is run by TestKilledRunsLoseNoAnswer")
	}
	asked, err := os.OpenFile(filepath.Join(dir, "asked"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	require.NoError(t, err)
	system := func(name string, right int) System[question] {
		return NewSystem(name, func(_ context.Context, q question, repeat int) (Scores, error) {
			if _, err := asked.WriteString("learner=" + name + "/item=" + q.ID + "/repeat=" +
				string(rune('0'+repeat)) + "\n"); err != nil {
				return nil, err
			}
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			s := Scores{"correct": 0, "usd": 0.5}
			if (q.N*7+repeat)%60 < right {
				s["correct"] = 1
			}
			return s, nil
		})
	}
	v := judge(t, Compare(t, priced, questions(60), system("agent", 40), system("before", 45)),
		noRegression)
	require.NoError(t, v.Err)
	require.NoError(t, atomicfile.Write(filepath.Join(dir, "verdict"), strings.NewReader(v.String())))
}

// TestKilledRunsLoseNoAnswer kills processes at random times. The next one goes on, asks for no
// answer that the journal has, and the verdict is the one without any interruption.
func TestKilledRunsLoseNoAnswer(t *testing.T) {
	citest.Need(t, citest.Slow)
	if runtime.GOOS == "windows" {
		t.Skip("files that a killed process had open cannot be removed at once")
	}
	want := strings.ReplaceAll(uninterrupted(t, noRegression), "TestWhole", "TestVictim")
	for name, stored := range map[string]bool{"file": true, "cache": false} {
		t.Run(name, func(t *testing.T) {
			const most = 30
			for kills, ends := 0, 0; kills < most; ends++ {
				n := killed(t, want, stored, most-kills)
				kills += n
				t.Logf("%d kills", n)
			}
		})
	}
}

// killed kills a comparison until it ends, and returns how often.
func killed(t *testing.T, want string, stored bool, most int) (kills int) {
	dir := t.TempDir()
	asked := 0
	kept := make(map[string]bool)
	for {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestVictim$", "-test.count=1")
		cmd.Env = append(os.Environ(), envVictim+"="+dir, "XDG_CACHE_HOME="+dir, "HOME="+dir,
			"LEARNTEST_RESUME=1")
		if stored {
			cmd.Env = append(cmd.Env, "LEARNTEST_OUT="+filepath.Join(dir, "out.txt"))
		}
		var text strings.Builder
		cmd.Stdout, cmd.Stderr = &text, &text
		require.NoError(t, cmd.Start())
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		if kills < most {
			select {
			case <-time.After(time.Duration(rand.IntN(250)) * time.Millisecond):
				_ = cmd.Process.Kill()
			case err := <-done:
				done <- err
			}
		}
		err := <-done
		said, missing := os.ReadFile(filepath.Join(dir, "verdict"))
		ended := missing == nil // be it that the journal is still there
		if cmd.ProcessState.ExitCode() != -1 {
			require.NoError(t, err, text.String())
			require.True(t, ended)
			require.Empty(t, left(t, dir))
		}
		lines := calls(t, dir)
		for _, call := range lines[asked:] {
			require.False(t, kept[call], "%s was asked for again", call)
		}
		asked = len(lines)
		if ended {
			require.Equal(t, want, string(said))
			require.GreaterOrEqual(t, asked, 240)
			require.LessOrEqual(t, asked, 240+kills*priced.Parallel)
			return kills
		}
		kills++
		for _, path := range left(t, dir) {
			remains, err := storage.ReadJournal(path)
			require.NoError(t, err)
			for _, b := range remains.Blocks() {
				for tr := range b.Trials() {
					_, call, _ := strings.Cut(tr.Cell().Name(), "/")
					kept[call] = true
				}
			}
		}
		// Each answer that was asked for is kept, but the ones under way.
		require.GreaterOrEqual(t, len(kept), asked-kills*priced.Parallel)
	}
}

// left returns the journals in a directory.
func left(t *testing.T, dir string) (paths []string) {
	for _, pattern := range []string{
		"*.partial-*", "learnbench/answers/*",
		"Library/Caches/learnbench/answers/*",
	} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	return paths
}

// calls returns the answers that were asked for.
func calls(t *testing.T, dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, "asked"))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	return lines[:len(lines)-1]
}
