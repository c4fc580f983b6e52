package blockfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrNoLocks says that the file system has no locks.
var ErrNoLocks = errors.New("the file system has no locks, which a file for several writers needs; let it name a directory: then each experiment has a file of its own and no locks are needed")

// ErrChanged says that a file was written while it was read without a lock.
var ErrChanged = errors.New("the file was changed while it was read; read it again")

// lockSuffix makes the name of the file that is locked in place of another. The
// other one cannot be locked itself: a rewrite puts a new file in its place.
const lockSuffix = ".lock"

// Lock waits until this caller alone may write a file that is replaced as a whole, by the lock that
// a [File] takes. It locks a file beside it, with the name of the file and ".lock" appended.
func Lock(path string) (unlock func() error, err error) { return lockSide(osSystem{}, path) }

// lockSide takes the exclusive lock of a file. Whoever holds it removes the lock
// file before letting go, so that it does not stay behind. Others may then hold
// a lock on a file that is gone: they try again.
func lockSide(sys system, path string) (unlock func() error, err error) {
	name := path + lockSuffix
	for {
		l := flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o666))
		if err := retry(l.Lock); err != nil {
			return nil, lockError(name, err)
		}
		same, err := stillThere(l, name)
		if err != nil {
			return nil, errors.Join(err, l.Unlock())
		}
		if same {
			return func() error {
				// Where an open file cannot be removed, it stays.
				_ = sys.remove(name)
				return l.Unlock()
			}, nil
		}
		if err := l.Unlock(); err != nil {
			return nil, err
		}
	}
}

// stillThere reports whether the path names the file that is locked.
func stillThere(l *flock.Flock, path string) (bool, error) {
	held, err := l.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(held, there), err
}

// retry calls lock again when a signal has interrupted it.
func retry(lock func() error) error {
	for {
		if err := lock(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func lockError(path string, err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return fmt.Errorf("%s: %w: %w", path, err, ErrNoLocks)
	}
	return err
}

// Open opens a file for reading. While a writer has the lock, it waits; then no writer
// changes the file until it is closed. If nobody writes at the moment, or the lock file
// cannot be opened, it reads without a lock, and Read returns ErrChanged in place of
// io.EOF if the file was written in the meantime.
//
// The text may still hold what an interrupted write has left: see the package
// comment. Who has opened a file must close it before writing to it.
func Open(path string) (io.ReadCloser, error) { return open(path, lockShared) }

func open(path string, lockShared func(name string) (*flock.Flock, bool, error)) (io.ReadCloser,
	error,
) {
	real, err := resolve("open", path)
	if err != nil {
		return nil, err
	}
	for {
		l, none, err := lockShared(real + lockSuffix)
		if err != nil {
			return nil, err
		}
		f, err := os.Open(real)
		if err != nil {
			return nil, errors.Join(err, unlockShared(l))
		}
		if l != nil {
			return &reader{f: f, lock: l}, nil
		}
		info, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		// A writer that has come since then may be halfway.
		if _, err := os.Lstat(real + lockSuffix); none && err == nil {
			if err := f.Close(); err != nil {
				return nil, err
			}
			continue
		}
		return &reader{f: f, info: info}, nil
	}
}

// lockShared takes the shared lock of a file. It returns nil if it cannot be
// locked, and true besides if that is because there is no lock file.
func lockShared(name string) (l *flock.Flock, none bool, err error) {
	for {
		l := flock.New(name, flock.SetFlag(os.O_RDONLY))
		switch err := retry(l.RLock); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, true, nil
		case errors.Is(err, fs.ErrPermission), err != nil && errors.Is(lockError(name, err), ErrNoLocks):
			return nil, false, nil
		case err != nil:
			return nil, false, err
		}
		same, err := stillThere(l, name)
		if err == nil && same {
			return l, false, nil
		}
		if err := errors.Join(err, l.Unlock()); err != nil {
			return nil, false, err
		}
	}
}

func unlockShared(l *flock.Flock) error {
	if l == nil {
		return nil
	}
	return l.Unlock()
}

// A reader reads a file with the lock or, if that is nil, without.
type reader struct {
	f    *os.File
	lock *flock.Flock
	info fs.FileInfo // of the file when it was opened
}

func (r *reader) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	if !errors.Is(err, io.EOF) || r.lock != nil {
		return n, err
	}
	info, serr := r.f.Stat()
	if serr != nil {
		return n, serr
	}
	if info.Size() != r.info.Size() || !info.ModTime().Equal(r.info.ModTime()) {
		return n, &fs.PathError{Op: "read", Path: r.f.Name(), Err: ErrChanged}
	}
	return n, err
}

func (r *reader) Close() error { return errors.Join(r.f.Close(), unlockShared(r.lock)) }

// held keeps the locks of TryLock: a file that nobody refers to is closed by the
// garbage collector, which would give up the lock before the process ends.
var held sync.Map

// probe is longer than Locked holds a lock, and short for a caller of TryLock.
const probe = 20 * time.Millisecond

// TryLock locks an existing file for this process alone until unlock is called or the
// process ends, however it ends. It returns false if the file is locked
// already, in this process or another one. The lock does not keep anybody from
// reading or writing, except on Windows, where it is on the first byte.
func TryLock(path string) (unlock func() error, ok bool, err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "lock", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, false, err
	}
	l := flock.New(path, flock.SetFlag(os.O_RDWR))
	for deadline := time.Now().Add(probe); ; time.Sleep(time.Millisecond) {
		err := retry(func() error {
			ok, err = l.TryLock()
			return err
		})
		if err != nil {
			return nil, false, lockError(path, err)
		}
		if ok {
			break
		}
		// The holder may be Locked, which holds the file only for a moment.
		if time.Now().After(deadline) {
			return nil, false, nil
		}
	}
	held.Store(l, nil)
	return func() error {
		held.Delete(l)
		return l.Unlock()
	}, true, nil
}

// Locked reports whether somebody holds the lock of [TryLock] on an existing
// file.
func Locked(path string) (bool, error) {
	for {
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			err = &fs.PathError{Op: "lock", Path: path, Err: ErrNotRegular}
		}
		if err != nil {
			return false, err
		}
		l := flock.New(path, flock.SetFlag(os.O_RDONLY))
		var free bool
		err = retry(func() error {
			free, err = l.TryRLock()
			return err
		})
		if err != nil {
			return false, lockError(path, err)
		}
		if !free {
			return true, nil
		}
		// Whoever held it may just have removed it, and others have taken its name.
		same, err := stillThere(l, path)
		if err := errors.Join(err, l.Unlock()); err != nil || same {
			return false, err
		}
	}
}
