package learntest

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/learnbench/learnbench/internal/gotest"
)

// TB is the part of testing.TB that Compare needs. A *testing.T also has a
// deadline, attributes and a directory for artifacts, which Compare uses if they
// are there.
type TB interface {
	Helper()
	Name() string
	Context() context.Context
	Cleanup(f func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// tell tells the user what a test that passes or is skipped does not log without -v: it is printed
// then, which go test shows where it is given no packages.
func tell(t TB, lines []string) {
	t.Helper()
	for _, line := range lines {
		if isVerbose() {
			t.Logf("%s", line)
		} else {
			fmt.Fprintln(os.Stdout, line)
		}
	}
}

// isVerbose reports whether go test shows what tests log although they pass.
var isVerbose = gotest.Verbose

// logProgress returns a progress function that logs every few seconds.
func logProgress(t TB, what string) func(done, total int) {
	const every = 3 * time.Second
	start := time.Now()
	last := start
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= every && done < total {
			last = now
			took := now.Sub(start)
			left := time.Duration(float64(took) / float64(done) * float64(total-done))
			t.Logf("%s: %d of %d trials after %v, %v left", what, done, total, took.Round(time.Second), left.Round(time.Second))
		}
	}
}
