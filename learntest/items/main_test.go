package items

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
)

var _ TB = testing.TB(nil)

// The tests write result files, which runs that go test may cache must not.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.testlogfile", ""); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// recorder is a TB that writes down what happens to it. Fatalf does not end it.
type recorder struct {
	*testing.T
	mu       sync.Mutex
	name     string
	logs     []string
	errors   []string
	fatal    string
	cleanups []func()
}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

// end ends the test that the recorder stands for.
func (r *recorder) end() {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	r.cleanups = nil
}

func (r *recorder) Name() string { return cmp.Or(r.name, "TestAgent") }

func (r *recorder) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) { r.fatal = fmt.Sprintf(format, args...) }
