package blockfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
)

func TestLockIsExclusiveAndLeavesNoFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	var wg sync.WaitGroup
	var inside, entered atomic.Int64
	rounds := int64(15) // somebody waits in each of them
	if citest.Has(citest.Slow) {
		rounds = 50
	}
	for range 16 {
		wg.Go(func() {
			for range rounds {
				unlock, err := lockSide(osSystem{}, path)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two have the lock")
				}
				entered.Add(1)
				runtime.Gosched()
				inside.Add(-1)
				if err := unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, 16*rounds, entered.Load())
	if runtime.GOOS != "windows" {
		require.NoFileExists(t, path+lockSuffix)
	}
}

func TestNoLocksNamesTheRemedy(t *testing.T) {
	t.Parallel()
	for _, errno := range []error{syscall.ENOTSUP, syscall.ENOLCK, syscall.ENOSYS} {
		err := lockError("f.lock", &os.PathError{Op: "flock", Path: "f", Err: errno})
		require.ErrorIs(t, err, ErrNoLocks)
		require.ErrorContains(t, err, "let it name a directory: then each experiment has a file of its own and no locks are needed")
	}
	require.NotErrorIs(t, lockError("f", syscall.EACCES), ErrNoLocks)
}

func TestRetryAfterSignals(t *testing.T) {
	t.Parallel()
	n := 0
	require.NoError(t, retry(func() error {
		n++
		if n < 3 {
			return fmt.Errorf("lock: %w", syscall.EINTR)
		}
		return nil
	}))
	require.Equal(t, 3, n)
	require.ErrorIs(t, retry(func() error { return errDisk }), errDisk)
}

func TestOpenWaitsForWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	put(t, f, blockOf("a", 1, 50))
	unlock, err := lockSide(osSystem{}, path)
	require.NoError(t, err)
	opened := make(chan string)
	go func() {
		r, err := Open(path)
		if err != nil {
			opened <- err.Error()
			return
		}
		data, err := io.ReadAll(r)
		opened <- fmt.Sprint(string(data), err, r.Close())
	}()
	select {
	case got := <-opened:
		t.Fatal("did not wait: ", got)
	case <-time.After(50 * time.Millisecond):
	}
	write2(t, path, "new\n")
	require.NoError(t, unlock())
	require.Equal(t, "new\n<nil> <nil>", <-opened)
}

func TestOpenKeepsWritersOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	put(t, f, blockOf("a", 1, 50))
	write2(t, path+lockSuffix, "") // a killed writer has left it
	r, err := Open(path)
	require.NoError(t, err)
	done := make(chan error)
	go func() {
		_, err := f.Put(blockOf("b", 1, 50))
		done <- err
	}()
	select {
	case <-done:
		t.Fatal("wrote while it was read")
	case <-time.After(50 * time.Millisecond):
	}
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, textOf("a", 1, 50), string(data))
	require.NoError(t, r.Close())
	require.NoError(t, <-done)
	requireAlone(t, path)
}

func TestOpenSeesChangesWithoutLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	f := newFile(t, path)
	put(t, f, blockOf("a", 1, 50))
	for _, changed := range []bool{false, true} {
		r, err := Open(path)
		require.NoError(t, err)
		require.NoFileExists(t, path+lockSuffix)
		if changed {
			put(t, f, blockOf("b", 1, 50))
		}
		data, err := io.ReadAll(r)
		if changed {
			require.ErrorIs(t, err, ErrChanged)
		} else {
			require.NoError(t, err)
			require.Equal(t, textOf("a", 1, 50), string(data))
		}
		require.NoError(t, r.Close())
	}
}

// TestOpenSeesChangesOfTheSameSize checks that a change that leaves the size unchanged is seen.
func TestOpenSeesChangesOfTheSameSize(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	write2(t, path, "old\n")
	r, err := Open(path)
	require.NoError(t, err)
	write2(t, path, "new\n")
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0))) // clocks of file systems are coarse
	_, err = io.ReadAll(r)
	require.ErrorIs(t, err, ErrChanged)
	require.NoError(t, r.Close())
}

// A writer that comes after Open has looked for its lock, and before the file is open, may be
// halfway: Open looks again.
func TestOpenWaitsForWritersThatComeLate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	write2(t, path, "old\n")
	looked := 0
	r, err := open(path, func(name string) (*flock.Flock, bool, error) {
		if looked++; looked > 1 {
			return lockShared(name)
		}
		l, none, err := lockShared(name)
		require.True(t, none)
		unlock, uerr := lockSide(osSystem{}, path)
		require.NoError(t, uerr)
		write2(t, path, "ha")
		time.AfterFunc(20*time.Millisecond, func() {
			write2(t, path, "half and half\n")
			if err := unlock(); err != nil {
				t.Error(err)
			}
		})
		return l, none, err
	})
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.Equal(t, "half and half\n", string(data))
}

func TestOpenInReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f.txt")
	write2(t, path, "text\n")
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	r, err := Open(path)
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "text\n", string(data))
	require.NoError(t, r.Close())
}

func TestTryLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.txt")
	_, _, err := TryLock(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Locked(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, _, err = TryLock(filepath.Dir(path))
	require.ErrorIs(t, err, ErrNotRegular)
	_, err = Locked(filepath.Dir(path))
	require.ErrorIs(t, err, ErrNotRegular)
	require.NoFileExists(t, path)

	write2(t, path, "text\n")
	requireLocked := func(want bool) {
		t.Helper()
		got, err := Locked(path)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	requireLocked(false)
	unlock, ok, err := TryLock(path)
	require.NoError(t, err)
	require.True(t, ok)
	requireLocked(true)
	_, ok, err = TryLock(path)
	require.NoError(t, err)
	require.False(t, ok)
	require.NoError(t, unlock())
	requireLocked(false)

	// A lock without references is still held.
	_, ok, err = TryLock(path)
	require.NoError(t, err)
	require.True(t, ok)
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	requireLocked(true)
}

func TestTryLockOutlastsProbes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.txt")
	write2(t, path, "")
	// On a busy machine the probe may end late: one of many is in time.
	for range 50 {
		l := flock.New(path, flock.SetFlag(os.O_RDONLY))
		ok, err := l.TryRLock()
		require.NoError(t, err)
		require.True(t, ok)
		time.AfterFunc(probe/4, func() { _ = l.Unlock() })
		unlock, ok, err := TryLock(path)
		require.NoError(t, err)
		if ok {
			require.NoError(t, unlock())
			return
		}
	}
	t.Fatal("no lock was free in time")
}
