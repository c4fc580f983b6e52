package branch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/learnbench/learnbench/internal/gotest"
)

// A TestRun has the outcome, the claims and the output of a test.
type TestRun struct {
	Pkg, Name string
	Outcome   string // pass, fail or skip; "" if it did not end
	Claims    []gotest.Claim
	Stale     []gotest.Stale // baselines of other data
	Output    string
}

// Tests runs go test with the arguments in a directory, with some more variables, and returns
// the tests in the order in which they began. The messages of the build go to w.
// The error says why not all tests were run to their end.
func Tests(ctx context.Context, dir string, settings, args []string, w io.Writer) ([]*TestRun,
	error,
) {
	return runTests(ctx, dir, settings, append([]string{"-count=1"}, args...), w)
}

// Remembered is Tests without -count=1: go test repeats the cached output of tests that pass.
func Remembered(ctx context.Context, dir string, args []string, w io.Writer) ([]*TestRun, error) {
	return runTests(ctx, dir, nil, args, w)
}

func runTests(ctx context.Context, dir string, settings, args []string, w io.Writer) ([]*TestRun,
	error,
) {
	cmd := newCommand(ctx, dir, settings, "go", append([]string{"test", "-json"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, io.MultiWriter(w, &errs)
	err := cmd.run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return nil, fmt.Errorf("go test: %w", err)
	}
	r := &testRuns{index: make(map[testID]*TestRun), w: w}
	for line := range bytes.Lines(out.Bytes()) {
		r.take(line)
	}
	for _, t := range r.all {
		if t.Outcome == "" && t.Claims != nil {
			r.problem("%s of %s did not end", t.Name, t.Pkg)
		}
	}
	switch {
	case r.problems == nil && err != nil && r.failed == 0:
		text, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		r.problem("go test: %s", text)
	case r.problems == nil && len(r.index) == 0:
		r.problem("no tests were run: go test -list . ./... lists them")
	}
	return r.all, errors.Join(r.problems...)
}

// testRuns collects what go test -json prints.
type testRuns struct {
	w        io.Writer
	index    map[testID]*TestRun
	all      []*TestRun
	own      map[string]string // what packages print outside of their tests
	failed   int               // tests
	problems []error
}

func (r *testRuns) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf(format, args...))
}

func (r *testRuns) take(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
		_, _ = r.w.Write(line) // that it cannot be shown is no reason to stop
		return
	}
	if e.Test == "" {
		r.pkg(&e)
		return
	}
	id := testID{e.Package, e.Test}
	t := r.index[id]
	if t == nil {
		t = &TestRun{Pkg: e.Package, Name: e.Test}
		r.index[id] = t
		r.all = append(r.all, t)
	}
	switch e.Action {
	case "output":
		t.Output += e.Output
	case "attr":
		if err := t.attribute(&e); err != nil {
			r.problem("%s of %s: %w", e.Test, e.Package, err)
		}
	case "pass", "fail", "skip":
		t.Outcome = e.Action
		if e.Action == "fail" {
			r.failed++
		}
	}
}

// attribute takes an attribute of the test.
func (t *TestRun) attribute(e *event) error {
	switch e.Key {
	case gotest.ClaimKey:
		c, err := gotest.ParseClaim(e.Value)
		if err != nil {
			return err
		}
		t.Claims = append(t.Claims, c)
	case gotest.StaleKey:
		s, err := gotest.ParseStale(e.Value)
		if err != nil {
			return err
		}
		t.Stale = append(t.Stale, s)
	}
	return nil
}

// pkg takes an event of a package. One that fails although each of its tests passes, or that
// cannot be built, is a problem.
func (r *testRuns) pkg(e *event) {
	if r.own == nil {
		r.own = make(map[string]string)
	}
	switch e.Action {
	case "build-output":
		_, _ = io.WriteString(r.w, e.Output)
	case "output":
		r.own[e.Package] += e.Output
	case "fail":
		switch {
		case e.FailedBuild != "":
			r.problem("%s cannot be built: mend it, or leave it out", e.Package)
		case !strings.Contains("\n"+r.own[e.Package], "\nFAIL\n"):
			_, _ = io.WriteString(r.w, r.own[e.Package])
			r.problem("%s ended before its tests did: mend it, or leave out what ends it with -skip",
				e.Package)
		}
	}
}
