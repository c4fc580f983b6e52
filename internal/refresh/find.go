package refresh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/branch"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/record"
)

// A baseline is one of other data than its test.
type baseline struct {
	gotest.Stale
	rel    string   // its file, from the root
	ledger string   // beside it; "" if it is no pinned reference
	full   string   // digest of its commit
	tests  []testID // that compare with it now

	before, after *record.Block // on the old data, and on the new
	now           *record.Block // of the present learner
	failed        []string      // claims about the present learner that do not hold
}

// find runs the tests, and finds the baselines of other data.
func (r *Refresh) find(ctx context.Context, dir string) error {
	runs, err := branch.Remembered(ctx, dir, r.Args, r.Messages)
	if err != nil {
		return err
	}
	var errs []error
	for _, run := range runs {
		for _, s := range run.Stale {
			errs = append(errs, r.add(s, testID{run.Pkg, run.Name}))
		}
		if run.Outcome == "fail" && run.Stale == nil && run.Claims == nil && !failsByPart(runs, run) {
			fmt.Fprint(r.Messages, said(run))
			errs = append(errs, fmt.Errorf("%s of %s fails, and not because its baseline is of other data: mend it, or leave it out with -skip", run.Name, run.Pkg))
		}
	}
	return errors.Join(errs...)
}

// failsByPart reports whether a subtest has failed.
func failsByPart(runs []*branch.TestRun, of *branch.TestRun) bool {
	return slices.ContainsFunc(runs, func(r *branch.TestRun) bool {
		return r.Pkg == of.Pkg && strings.HasPrefix(r.Name, of.Name+"/") && r.Outcome == "fail"
	})
}

// add records a baseline that a test has found to be of other data.
func (r *Refresh) add(s gotest.Stale, test testID) error {
	path := s.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Dir, path)
	}
	b := &baseline{Stale: s, tests: []testID{test}}
	var ok bool
	if b.rel, ok = r.repository.Inside(path); !ok {
		return fmt.Errorf("%s lies outside of the repository: nobody could see who has changed it", path)
	}
	for _, known := range r.baselines {
		if known.rel != b.rel || known.id() != b.id() || known.Learner != b.Learner {
			continue
		}
		if known.Is != b.Is {
			return fmt.Errorf("%s has other examples of %s than %s", test.name, b.Data, known.tests[0].name)
		}
		known.tests = append(known.tests, test)
		return nil
	}
	r.baselines = append(r.baselines, b)
	return nil
}

func (b *baseline) id() record.Identity {
	return record.Identity{Pkg: b.Pkg, Test: b.Test, Data: b.Data, Protocol: b.Protocol}
}

// in returns what a file has of the baseline, on data with a digest; nil if it has nothing.
func (b *baseline) in(f *record.File, digest string) *record.Block {
	for _, e := range f.Experiments() {
		if e.Header.Identity() == b.id() && e.Header.DataDigest == digest &&
			slices.Contains(e.Learners, b.Learner) {
			return e
		}
	}
	return nil
}

// lost returns the error about a baseline that cannot be refreshed. It names the loss.
func (b *baseline) lost(format string, args ...any) error {
	var commit string
	if b.Commit != "" {
		commit = " since " + b.Commit
	}
	return fmt.Errorf("%s cannot be refreshed: %s. Lost is the comparison of the new data with what the model was: losses%s, if there are any, would not show any more. See that there are none on the old data (learnbench compare), then LEARNTEST_UPDATE=1 go test -count=1 -run '%s' %s begins anew",
		b.rel, fmt.Sprintf(format, args...), commit, gotest.Pattern(b.tests[0].name), b.tests[0].pkg)
}

// codeOf are the endings of files that are no data.
var codeOf = []string{
	".go", ".mod", ".sum", ".work", ".s", ".c", ".cc", ".cpp", ".h", ".py", ".r",
	".jl", ".java", ".js", ".sh",
}

// readData reads the files that the data of now are in.
func (r *Refresh) readData() error {
	r.files = make(map[string][]byte)
	named := slices.Clone(r.Data)
	for _, path := range named {
		if slices.Contains(codeOf, strings.ToLower(filepath.Ext(path))) {
			return fmt.Errorf("-data %s: this is code: a refresh trains the code of the baseline's commit",
				path)
		}
	}
	for _, b := range r.baselines {
		named = append(named, b.Files...)
	}
	for i, path := range named {
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		rel, inside := r.repository.Inside(abs)
		if !inside && i >= len(r.Data) {
			continue // any commit reads it there
		}
		if !inside {
			return fmt.Errorf("-data %s: it lies outside of the repository, where any commit reads it", path)
		}
		text, err := os.ReadFile(abs)
		if err != nil {
			return fmt.Errorf("data: %w", err)
		}
		if bytes.HasPrefix(text, []byte("learnbench-format: ")) {
			return fmt.Errorf("-data %s: this is a baseline", path)
		}
		r.files[rel] = text
	}
	return nil
}
