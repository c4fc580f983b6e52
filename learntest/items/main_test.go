package items

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

var _ TB = testing.TB(nil)

// The tests write result files, which runs that go test may cache must not. They expect whole
// suites under -short, too: tests of -short set isShort.
func TestMain(m *testing.M) {
	flag.Parse()
	isShort = func() bool { return false }
	if err := flag.Set("test.testlogfile", ""); err != nil {
		panic(err)
	}
	if os.Getenv(envVictim) != "" {
		os.Exit(m.Run()) // in the environment of the test that kills it
	}
	os.Exit(runWithCache(m))
}

// runWithCache runs the tests with a directory of the user's cache that goes with them.
func runWithCache(m *testing.M) int {
	dir, err := os.MkdirTemp("", "items")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output(); err == nil {
		build, modules, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		os.Setenv("GOCACHE", build)
		os.Setenv("GOMODCACHE", modules)
	}
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		os.Setenv(name, dir)
	}
	return m.Run()
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

	skipped, failed bool // the test, before it ends
}

func (r *recorder) Skipped() bool { return r.skipped || r.T.Skipped() }
func (r *recorder) Failed() bool  { return r.failed || r.T.Failed() }

func (r *recorder) Cleanup(f func()) {
	if r.cleanups == nil {
		r.T.Cleanup(r.end)
	}
	r.cleanups = append(r.cleanups, f)
}

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
