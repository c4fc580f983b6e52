//go:build linux

package main

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const behave = "WEKABENCH_BEHAVE"

// TestMain lets the test binary be the program that is measured.
func TestMain(m *testing.M) {
	switch os.Getenv(behave) {
	case "":
		os.Exit(m.Run())
	case "busy":
		memory := make([]byte, 64<<20)
		for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
			for i := range memory {
				memory[i]++
			}
		}
	case "idle":
		time.Sleep(300 * time.Millisecond)
	case "fail":
		os.Stderr.WriteString("broken\n")
		os.Exit(3)
	}
}

func program(behaviour string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), behave+"="+behaviour)
	return cmd
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	busy, err := measure(program("busy"))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, busy.wall, 0.3)
	assert.Positive(t, busy.cpu)
	assert.Greater(t, busy.memory, 64.)
	idle, err := measure(program("idle"))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, idle.wall, 0.3)
	assert.Less(t, idle.cpu, idle.wall)
	assert.Less(t, idle.memory, busy.memory)
	_, err = measure(program("fail"))
	assert.ErrorContains(t, err, "exit status 3\nbroken")
}

func TestMedian(t *testing.T) {
	t.Parallel()
	assert.Equal(t, usage{2, 20, 5}, medians([]usage{{3, 10, 5}, {1, 20, 5}, {2, 30, 5}}))
	assert.Equal(t, usage{2, 3, 4}, medians([]usage{{1, 2, 3}, {3, 4, 5}}))
}

func TestTable(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `       │     learnbench     │        Weka        │       ratio        │
pair   │ wall s  CPU s  MiB │ wall s  CPU s  MiB │ wall   CPU  memory │
1          1.00   2.00   50    20.00  30.00  500   20.0  15.0    10.0
2          3.00   2.00   70    30.00  30.00  700   10.0  15.0    10.0
median     2.00   2.00   60    25.00  30.00  600   12.5  15.0    10.0
`, table("Weka", []usage{{1, 2, 50}, {3, 2, 70}}, []usage{{20, 30, 500}, {30, 30, 700}}))
}
