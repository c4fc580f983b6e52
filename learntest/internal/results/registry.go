package results

import (
	"strings"
	"sync"
	"time"

	"github.com/learnbench/learnbench/internal/storage"
)

// A Registry holds all that a process knows of the files that it writes and reads, and of the tests
// that are running. Its knowledge of a file makes adding to the file cheap, whatever its size. The
// zero value knows nothing. Its methods may be called by several goroutines at once.
type Registry struct {
	mu        sync.Mutex
	stores    map[string]*storage.Store // by path
	files     map[string]*experiments   // by the patterns of their names
	instances map[any]*Instance         // by the test
	programs  map[string]string         // digests of the running program, by the path that is left out
	kept      map[string]bool           // keys of the trials that this process has kept in a cache
	spent     time.Duration             // on trainings

	measurements map[*measurement]bool // that go on
	running      int                   // greatest number of trials that they run at the same time
}

// entry returns the value of a key, which create makes if there is none yet.
func entry[K comparable, V any](m *map[K]V, key K, create func() (V, error)) (v V, isNew bool,
	err error,
) {
	v, ok := (*m)[key]
	if ok {
		return v, false, nil
	}
	if v, err = create(); err != nil {
		return v, false, err
	}
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = v
	return v, true, nil
}

// storeAt returns the store at a path, or why nothing can be written there.
func (r *Registry) storeAt(path string) (*storage.Store, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, _, err := entry(&r.stores, path,
		func() (*storage.Store, error) { return storage.NewStore(path) })
	if err != nil {
		return nil, err
	}
	return s, s.CheckDestination()
}

// Forget forgets the file at a path, as if another process went on from here.
func (r *Registry) Forget(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.stores, path)
	clear(r.kept)
}

// read reads the files that patterns match, once.
func (r *Registry) read(patterns []string) *experiments {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, _, _ := entry(&r.files, strings.Join(patterns, "\x00"), func() (*experiments, error) {
		e := new(experiments)
		e.err = e.read(patterns)
		return e, nil
	})
	return e
}

// Instance returns the instance of a running test, and whether it is new. Then [Registry.End] is
// to be called when the test ends.
func (r *Registry) Instance(test any) (in *Instance, isNew bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in, isNew, _ = entry(&r.instances, test, func() (*Instance, error) {
		return &Instance{open: true},
			nil
	})
	return in, isNew
}

// End says that a test has ended.
func (r *Registry) End(test any) error {
	r.mu.Lock()
	in := r.instances[test]
	delete(r.instances, test)
	r.mu.Unlock()
	if in == nil {
		return nil
	}
	return in.close()
}

// Spent adds a time to the time that this process has spent on trainings, and returns the sum.
func (r *Registry) Spent(d time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spent += d
	return r.spent
}

// keep takes note that this process has kept trials under a key.
func (r *Registry) keep(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = make(map[string]bool)
	}
	r.kept[key] = true
}

// hasKept reports whether this process has kept trials under a key.
func (r *Registry) hasKept(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept[key]
}
