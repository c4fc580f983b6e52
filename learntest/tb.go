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
	end := gotest.Deadline(t)
	warned := false
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= every && done < total {
			last = now
			took := now.Sub(start)
			left := time.Duration(float64(took) / float64(done) * float64(total-done))
			t.Logf("%s: %d of %d trials after %v, %v left", what, done, total, took.Round(time.Second),
				left.Round(time.Second))
			if doubt := tooLong(took, left, end.Sub(now)); doubt != "" && !warned && !end.IsZero() {
				warned = true
				tell(t, []string{what + ": " + doubt})
			}
		}
	}
}

// tooLong returns what helps if trials will not end before the deadline, by the time that trials
// have taken; "" if they will.
func tooLong(took, left, until time.Duration) string {
	if left <= until {
		return ""
	}
	all, may := took+left, (took+until)*9/10 // the test has to report, too
	shards := int((all + may - 1) / max(may, 1))
	timeout := (all + all/4).Round(time.Minute) + time.Minute
	return fmt.Sprintf("it takes about %v more, and the deadline is in %v: give go test -timeout %.0fm, or run %d shards, as in LEARNTEST_SHARD=1/%[4]d", left.Round(time.Second), until.Round(time.Second), timeout.Minutes(), shards)
}
