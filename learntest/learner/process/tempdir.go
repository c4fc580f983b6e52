package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
)

// placePrefix begins the names of the temporary directories in which processes keep training data
// for programs that read files. While a process uses its directory, it holds a lock in it: whoever
// gets the lock finds the directory of a process that was killed, and removes it.
const placePrefix = "learnbench-files-"

const placeLock = "lock"

// place is the directory of this process, which is there while someone uses it.
var place struct {
	sync.Mutex
	users int
	dir   string
	lock  *flock.Flock
}

// tempDir makes a directory, and returns it with a function that removes it.
func tempDir() (dir string, remove func() error, err error) {
	place.Lock()
	defer place.Unlock()
	if place.users == 0 {
		if err := openPlace(); err != nil {
			return "", nil, err
		}
	}
	place.users++
	dir, err = os.MkdirTemp(place.dir, "")
	if err != nil {
		return "", nil, errors.Join(err, leavePlace())
	}
	return dir, func() error {
		err := os.RemoveAll(dir)
		place.Lock()
		defer place.Unlock()
		return errors.Join(err, leavePlace())
	}, nil
}

// openPlace sweeps, and makes the directory of this process.
func openPlace() error {
	sweepPlaces()
	for range 3 { // another process may take a directory for one that was left before it is locked
		dir, err := os.MkdirTemp("", placePrefix)
		if err != nil {
			return err
		}
		lock := flock.New(filepath.Join(dir, placeLock))
		if locked, err := lock.TryLock(); err == nil && locked {
			place.dir, place.lock = dir, lock
			return nil
		}
		if err := errors.Join(lock.Close(), os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return errors.New("the directory of temporary files can be locked by no process")
}

// leavePlace removes the directory of this process when nobody uses it any more.
func leavePlace() error {
	if place.users--; place.users > 0 {
		return nil
	}
	return errors.Join(place.lock.Close(), os.RemoveAll(place.dir))
}

// sweepPlaces removes the directories of processes that were killed, as far as it may. One without
// a lock is about to be locked, or was left before it had any file.
func sweepPlaces() {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), placePrefix+"*"))
	if err != nil {
		return // the pattern is well-formed, or TempDir has a name that no pattern can have
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, placeLock)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		lock := flock.New(path)
		if locked, err := lock.TryLock(); err == nil && locked {
			_ = lock.Close()
			_ = os.RemoveAll(dir) // it may belong to somebody else
		}
	}
}
