package branch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
)

// A Report says what go test has done.
type Report struct {
	Tests    int // that were run, subtests included
	Compared int // tests that compared learners

	// Failed are the tests that failed, other than by a subtest, as "TestName of package".
	Failed []string

	// Trained is how many trials were trained, if there is a cache of trials.
	Trained gotest.Trained

	// Problems are the reasons why some tests have no results.
	Problems []error
}

// Flags returns the flags of go test that a comparison sets. With a cache of trials, the directory
// of a checkout must not make a program another one.
func Flags() []string {
	if os.Getenv("LEARNTEST_CACHE") != "" {
		return []string{"-count=1", "-trimpath"}
	}
	return []string{"-count=1"}
}

// Test runs go test with the arguments in a checkout, with results going to out, and
// writes to w what the tests that fail have printed, and the messages of the build.
//
// That an assertion fails is no problem: it may be what the other side mends. It is one
// if a package cannot be built, a test binary ends before its tests do, or a test
// fails before it has compared anything, since then nobody knows its comparisons. The error says
// why go test did not run to its end.
func Test(ctx context.Context, c *Checkout, out string, args []string, w io.Writer) (Report,
	error,
) {
	cmd := newCommand(ctx, c.Dir, []string{"LEARNTEST_OUT=" + out, "LEARNTEST_SETTLE=off"}, "go",
		slices.Concat([]string{"test", "-json"}, Flags(), args)...)
	events := newListener(w)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = events, io.MultiWriter(w, &stderr)
	err := cmd.run()
	events.flush()
	if ctx.Err() != nil {
		return Report{}, context.Cause(ctx)
	}
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return Report{}, errors.New("the go command is not to be found: install it, or put it on PATH")
	case err != nil && !exited:
		return Report{}, fmt.Errorf("go test: %w", err)
	case exited && events.packages == 0:
		text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if text == "" {
			text = exit.Error()
		}
		return Report{}, fmt.Errorf("go test: %s", text)
	}
	return events.report(exited), nil
}

// An event is a line of go test -json.
type event struct {
	Action      string
	Package     string
	Test        string
	Output      string
	Key, Value  string
	FailedBuild string
	ImportPath  string // the package being built
}

// A test is the state of a test that has not ended.
type test struct {
	output   []string
	compared bool // learners, be it in a subtest
	itself   bool // it did so itself
	child    bool // a subtest of it failed
}

type testID struct{ pkg, name string }

func (id testID) String() string { return id.name + " of " + id.pkg }

// A listener takes the output of go test -json.
type listener struct {
	w    io.Writer
	line []byte

	tests    map[testID]*test    // that are running
	own      map[string][]string // what packages have printed outside of their tests
	packages int                 // that have ended
	failed   int                 // of these
	counted  Report
}

func newListener(w io.Writer) *listener {
	return &listener{w: w, tests: make(map[testID]*test), own: make(map[string][]string)}
}

// Write takes some more of the output.
func (l *listener) Write(p []byte) (int, error) {
	for rest := p; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			l.line = append(l.line, rest...)
			return len(p), nil
		}
		l.take(append(l.line, rest[:i+1]...))
		l.line, rest = l.line[:0], rest[i+1:]
	}
}

// flush takes the rest of a last line.
func (l *listener) flush() {
	if len(l.line) > 0 {
		l.take(append(l.line, '\n'))
		l.line = nil
	}
}

// take takes a line.
func (l *listener) take(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
		l.print(string(line))
		return
	}
	switch {
	case e.Action == "build-output":
		l.print(e.Output)
	case e.Test != "":
		l.test(&e)
	case e.Action == "output":
		l.own[e.Package] = append(l.own[e.Package], e.Output)
	case e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
		l.end(&e)
	}
}

// print shows output. That it cannot be shown is no reason to stop.
func (l *listener) print(text string) { _, _ = io.WriteString(l.w, text) }

// test takes an event of a test.
func (l *listener) test(e *event) {
	id := testID{e.Package, e.Test}
	t := l.tests[id]
	if t == nil {
		t = &test{}
		l.tests[id] = t
	}
	switch e.Action {
	case "run":
		l.counted.Tests++
	case "output":
		l.counted.Trained.Add(e.Output)
		if !strings.HasPrefix(e.Output, "=== ") {
			t.output = append(t.output, e.Output)
		}
	case "attr":
		if strings.HasPrefix(e.Key, "learntest.") {
			l.compared(id, t)
		}
	case "pass", "skip":
		delete(l.tests, id)
	case "fail":
		l.fail(id, t)
		delete(l.tests, id)
	}
}

// compared takes note that a test has compared learners, for the tests that it is part
// of, too.
func (l *listener) compared(id testID, t *test) {
	if t.itself {
		return
	}
	t.itself = true
	l.counted.Compared++
	for ; t != nil && !t.compared; t = l.tests[id] {
		t.compared = true
		id.name = parentOf(id.name)
	}
}

// fail takes note that a test has failed.
func (l *listener) fail(id testID, t *test) {
	if parent, ok := l.tests[testID{id.pkg, parentOf(id.name)}]; ok {
		parent.child = true
	}
	if t.child && len(t.output) <= 1 {
		return // it says no more than that the subtest failed
	}
	l.counted.Failed = append(l.counted.Failed, id.String())
	l.print(strings.Join(t.output, ""))
	if !t.compared {
		l.problem("%s of %s failed before it compared any learners, so that its comparisons are unknown: mend it, or leave it out with -skip", id.name, id.pkg)
	}
}

func parentOf(name string) string {
	i := strings.LastIndexByte(name, '/')
	return name[:max(i, 0)]
}

func (l *listener) problem(format string, args ...any) {
	l.counted.Problems = append(l.counted.Problems, fmt.Errorf(format, args...))
}

// end takes note that a package has ended. One whose tests have failed and have all
// been run prints FAIL in a line of its own.
func (l *listener) end(e *event) {
	l.packages++
	own := l.own[e.Package]
	delete(l.own, e.Package)
	if e.Action != "fail" {
		return
	}
	l.failed++
	switch {
	case e.FailedBuild != "":
		l.problem("%s cannot be built: mend it, or leave it out", e.Package)
	case !slices.Contains(own, "FAIL\n"):
		l.print(strings.Join(own, ""))
		l.problem("%s ended before its tests did: mend it, or leave out what ends it with -skip",
			e.Package)
	}
}

// report returns the report of the run. A failure of go test must have a reason.
func (l *listener) report(failed bool) Report {
	r := l.counted
	for _, id := range slices.SortedFunc(maps.Keys(l.tests), func(a, b testID) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.name, b.name))
	}) {
		r.Problems = append(r.Problems, fmt.Errorf("%s of %s did not end", id.name, id.pkg))
	}
	if failed && l.failed == 0 {
		r.Problems = append(r.Problems, errors.New("go test failed, and no package did"))
	}
	switch {
	case len(r.Problems) > 0:
	case r.Tests == 0:
		r.Problems = append(r.Problems, errors.New("no tests were run: go test -list . ./... lists them"))
	case r.Compared == 0:
		what := "the test that was run"
		if r.Tests > 1 {
			what = fmt.Sprintf("the %d tests that were run", r.Tests)
		}
		r.Problems = append(r.Problems,
			fmt.Errorf("%s compared no learners: choose tests that call learntest.Compare", what))
	}
	return r
}
