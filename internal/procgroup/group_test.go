//go:build unix

package procgroup

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// master is the variable that makes the test binary a process that watches over a group, and waits.
const master = "PROCGROUP_MASTER"

func TestMain(m *testing.M) {
	if os.Getenv(master) == "" {
		os.Exit(m.Run())
	}
	cmd := exec.Command("sh", "-c", breeds)
	cmd.Stdout = os.Stdout
	g := New(cmd, false)
	g.watched = true // as macOS has it
	if err := g.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	select {}
}

// breeds is a script that starts a process, prints both numbers, and waits.
const breeds = `sleep 60 & echo $$ $!; wait`

// read returns the numbers that a script has printed.
func read(t *testing.T, r *bufio.Reader) (pids []int) {
	t.Helper()
	line, err := r.ReadString('\n')
	require.NoError(t, err)
	for _, word := range strings.Fields(line) {
		pid, err := strconv.Atoi(word)
		require.NoError(t, err, "%s", line)
		pids = append(pids, pid)
	}
	return pids
}

// runs reports whether a process runs: one that nobody has waited for does not.
func runs(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

func gone(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		assert.Eventually(t, func() bool { return !runs(pid) }, 5*time.Second, 10*time.Millisecond,
			"process %d is left", pid)
	}
}

// started returns a group that runs a script, and the numbers of its processes.
func started(t *testing.T, script string, bound bool) (*Group, []int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	g := New(cmd, bound)
	require.NoError(t, g.Start())
	return g, read(t, bufio.NewReader(out))
}

func TestGroupsAreKilled(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(g *Group){
		"kill":      (*Group).Kill,
		"interrupt": func(g *Group) { assert.NoError(t, g.Interrupt()) },
	} {
		// Background processes of a shell ignore interrupts, unless the shell has job control.
		g, pids := started(t, "set -m 2>/dev/null; set +m; trap 'kill $!; exit 1' INT; "+breeds, false)
		require.Len(t, pids, 2)
		assert.True(t, runs(pids[1]), name)
		end(g)
		require.Error(t, g.cmd.Wait(), name)
		gone(t, pids...)
		g.End()
	}
}

// Processes that a command leaves behind end with it.
func TestGroupsLeaveNothing(t *testing.T) {
	t.Parallel()
	g, pids := started(t, `sleep 60 >/dev/null 2>&1 & echo $!`, false)
	require.NoError(t, g.cmd.Wait())
	assert.True(t, runs(pids[0]))
	g.End()
	gone(t, pids...)
}

// TestWatchdog kills a process that watches over a group.
func TestWatchdog(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), master+"=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	pids := read(t, bufio.NewReader(out))
	require.Len(t, pids, 2)
	time.Sleep(200 * time.Millisecond) // in which the watchdog begins
	assert.True(t, runs(pids[0]))
	assert.True(t, runs(pids[1]))
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	gone(t, pids...)
}

// A watchdog that is called off kills nobody.
func TestWatchdogIsCalledOff(t *testing.T) {
	t.Parallel()
	g, pids := started(t, breeds, false)
	stop, err := watch(pids[0])
	require.NoError(t, err)
	stop()
	time.Sleep(100 * time.Millisecond)
	assert.True(t, runs(pids[0]))
	assert.True(t, runs(pids[1]))
	g.Kill()
	require.Error(t, g.cmd.Wait())
	gone(t, pids...)
}

// A group that ends is watched no more.
func TestWatchedGroupsEnd(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("true")
	g := New(cmd, true)
	g.watched = true
	require.NoError(t, g.Start())
	require.NoError(t, cmd.Wait())
	require.NotNil(t, g.stop)
	g.End()
}

// A group of no command, or of the first process, is everybody.
func TestNobodyElseIsKilled(t *testing.T) {
	t.Parallel()
	g := New(new(exec.Cmd), false)
	for _, pid := range []int{0, 1} {
		g.cmd.Process = &os.Process{Pid: pid}
		assert.ErrorIs(t, g.Interrupt(), syscall.ESRCH)
	}
	assert.Error(t, New(exec.Command("/nowhere/to/be/found"), true).Start())
}
