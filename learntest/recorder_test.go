package learntest

import (
	"cmp"
	"fmt"
	"sync"
	"testing"
	"time"
)

var _ TB = testing.TB(nil)

// recorder is a TB that writes down what happens to it.
type recorder struct {
	*testing.T
	mu       sync.Mutex
	logs     []string
	errors   []string
	fatal    string
	attrs    map[string]string
	deadline time.Time
	name     string
	cleanups []func()
}

func newRecorder(t *testing.T) *recorder {
	r := &recorder{T: t, attrs: make(map[string]string)}
	t.Cleanup(r.end)
	return r
}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

// end ends the test that the recorder stands for.
func (r *recorder) end() {
	for len(r.cleanups) > 0 {
		last := len(r.cleanups) - 1
		f := r.cleanups[last]
		r.cleanups = r.cleanups[:last]
		f()
	}
}

func (r *recorder) Name() string { return cmp.Or(r.name, "TestModel/case (1)") }

func (r *recorder) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) { r.fatal = fmt.Sprintf(format, args...) }

func (r *recorder) Attr(key, value string) { r.attrs[key] = value }

func (r *recorder) Deadline() (time.Time, bool) { return r.deadline, !r.deadline.IsZero() }
