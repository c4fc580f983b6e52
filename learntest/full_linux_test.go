package learntest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// fill makes the open files with a prefix full: the next write to them fails.
func fill(prefix string) error {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer full.Close()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, e := range open {
		var fd int
		target, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name()))
		if _, errFD := fmt.Sscan(e.Name(), &fd); err != nil || errFD != nil ||
			!strings.HasPrefix(target, prefix) {
			continue
		}
		if err := syscall.Dup3(int(full.Fd()), fd, 0); err != nil {
			return err
		}
	}
	return nil
}

// Where the disk is full, the first trial that cannot be stored is the last that is trained.
func TestFullDiskStopsTheRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	var fits atomic.Int64
	l := Func("counting", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		if fits.Add(1) == 7 {
			if err := fill(path + ".partial-"); err != nil {
				return nil, err
			}
		}
		return func(x int) bool { return x%2 == 1 }, nil
	})
	cfg := Config{Protocol: split.CV(10, 10), Parallel: 1, Results: Results{Out: path}}
	r := newRecorder(t)
	CompareWith(r, cfg, numbers(60), l, constant("odd", true))
	require.LessOrEqual(t, fits.Load(), int64(8))
	require.NotEmpty(t, r.errors)
	require.Contains(t, r.errors[0], "no space left on device")
	require.Equal(t, 1, strings.Count(r.errors[0], "no space left"), r.errors[0])
	_, err := os.Stat(path)
	require.ErrorIs(t, err, os.ErrNotExist)
}
