package refresh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/internal/branch"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

// checkout checks a commit out, with the data and the baselines of now.
func (r *Refresh) checkout(ctx context.Context, name, commit string) (*branch.Checkout, error) {
	c, err := r.repository.Checkout(ctx, branch.Side{Name: name, Commit: commit},
		filepath.Join(r.place.Dir, fmt.Sprintf("%s-%.12s", name, commit)))
	if err != nil {
		return nil, err
	}
	for rel, text := range r.files {
		err = errors.Join(err, c.Overlay(ctx, rel, text))
	}
	for rel, text := range r.is {
		err = errors.Join(err, c.Overlay(ctx, rel, text))
	}
	if err != nil {
		return nil, errors.Join(err, c.Remove(ctx))
	}
	return c, nil
}

// test runs a test in a checkout.
func (r *Refresh) test(ctx context.Context, c *branch.Checkout, settings string,
	id testID,
) ([]*branch.TestRun, error) {
	args := r.goTest(id)
	fmt.Fprintf(r.Messages, "learnbench: %v: %s\n", c.Side,
		cli.Quote(slices.Concat([]string{"go", "test", "-count=1"}, args)))
	return branch.Tests(ctx, c.Dir, []string{settings, "LEARNTEST_SETTLE=off"}, args, r.Messages)
}

// show writes the output of tests that have failed.
func show(w io.Writer, runs []*branch.TestRun) {
	for _, run := range runs {
		if run.Outcome == "fail" {
			fmt.Fprint(w, said(run))
		}
	}
}

// said returns what a test has printed, without what go test says of it.
func said(run *branch.TestRun) string {
	var b strings.Builder
	for line := range strings.Lines(run.Output) {
		if !strings.HasPrefix(line, "=== ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// trainOld trains the learners of a commit on the data of now, and writes their baselines.
func (r *Refresh) trainOld(ctx context.Context, commit string, baselines []*baseline) (err error) {
	c, err := r.checkout(ctx, "baseline", commit)
	if err != nil {
		return baselines[0].lost("%v", err)
	}
	defer func() { err = errors.Join(err, c.Remove(ctx)) }()
	for _, b := range baselines {
		if b.ledger == "" {
			continue
		}
		if err := c.Overlay(ctx, b.ledger, nil); err != nil { // an update refuses references that are pinned
			return err
		}
	}
	var done []testID
	for _, b := range baselines {
		id := testID{b.Pkg, b.Test}
		if slices.Contains(done, id) {
			continue
		}
		done = append(done, id)
		runs, err := r.test(ctx, c, "LEARNTEST_UPDATE=1", id)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			err = r.take(c, slices.DeleteFunc(slices.Clone(baselines),
				func(o *baseline) bool { return o.Pkg != id.pkg || o.Test != id.name }))
		}
		if err != nil {
			show(r.Messages, runs)
			return b.lost("its test at %.12s, on the data of now: %v", commit, err)
		}
	}
	return nil
}

// take takes the baselines that a test has written in a checkout, and nothing else of their files.
func (r *Refresh) take(c *branch.Checkout, written []*baseline) error {
	for _, b := range written {
		text, err := os.ReadFile(c.Path(b.rel))
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("it did not write %s: its output is above", b.rel)
		}
		if err != nil {
			return err
		}
		f, err := record.Read(bytes.NewReader(text), b.rel)
		if err == nil {
			err = f.Check()
		}
		if err != nil {
			return err
		}
		if b.after = b.in(f, b.Is); b.after == nil {
			return missed(f, b, r.named())
		}
		if err := record.Verify(b.after); err != nil {
			return err
		}
		if !strings.HasPrefix(b.full, b.after.Header.Commit) {
			return fmt.Errorf("it has written results of %s", b.after.Header.Commit)
		}
		if err := sameUnits(b.before, b.after); err != nil {
			return err
		}
		if err := keepsOthers(f, r.is[b.rel], b, written); err != nil {
			return err
		}
	}
	for _, b := range written {
		text, err := os.ReadFile(c.Path(b.rel))
		if err != nil {
			return err
		}
		r.is[b.rel] = text
	}
	return nil
}

// missed says what a test has done other than write a baseline on the data of now.
func missed(f *record.File, b *baseline, files string) error {
	for _, e := range f.Experiments() {
		if e.Header.Identity() != b.id() {
			continue
		}
		if e.Header.DataDigest == b.Was {
			return fmt.Errorf("it reads the same examples as before. Either only columns have changed that it does not read, or files of the data are missing there: name them with -data (there are: %s)", files)
		}
		return fmt.Errorf("it reads other examples than %s does now: their digest is %.12s there and %.12s here. Either it reads columns that were changed since, or files of the data are missing there: name them with -data (there are: %s)",
			b.tests[0].name, e.Header.DataDigest, b.Is, files)
	}
	return errors.New("it did not write the baseline: its output is above")
}

// named lists the files of data.
func (r *Refresh) named() string {
	var names []string
	for rel := range r.files {
		names = append(names, filepath.ToSlash(rel))
	}
	if names == nil {
		return "none"
	}
	return some(names)
}

// sameUnits returns an error unless two blocks have the same metrics.
func sameUnits(a, b *record.Block) error {
	if !slices.Equal(a.Units, b.Units) {
		return errors.New("its metrics are not the ones that the baseline has")
	}
	return nil
}

// keepsOthers returns an error if a test has changed what the file has of others: it may be of
// another commit.
func keepsOthers(f *record.File, text []byte, b *baseline, written []*baseline) error {
	if text == nil {
		return nil
	}
	before, err := record.Read(bytes.NewReader(text), b.rel)
	if err != nil {
		return err
	}
	sums := make(map[record.Identity]string)
	for _, e := range f.Experiments() {
		sums[e.Header.Identity()] = e.Checksum()
	}
	for _, e := range before.Experiments() {
		id := e.Header.Identity()
		if slices.ContainsFunc(written, func(o *baseline) bool {
			return o.rel == b.rel &&
				o.id() == id
		}) {
			continue
		}
		if sums[id] != e.Checksum() {
			return fmt.Errorf("it has changed the results of %v, too, whose data have not changed", id)
		}
	}
	return nil
}

// trainNew trains the learners of HEAD on the data of now, against the new baselines.
func (r *Refresh) trainNew(ctx context.Context) (err error) {
	head, err := r.repository.Head(ctx)
	if err != nil {
		return err
	}
	c, err := r.checkout(ctx, "HEAD", head)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Remove(ctx)) }()
	out := filepath.Join(r.place.Dir, "now.txt")
	done := make(map[testID][]*branch.TestRun)
	for _, b := range r.baselines {
		for _, id := range b.tests {
			if done[id] == nil {
				runs, err := r.test(ctx, c, "LEARNTEST_OUT="+out, id)
				if err != nil {
					show(r.Messages, runs)
					return fmt.Errorf("HEAD: %w", err)
				}
				show(r.Messages, runs)
				done[id] = runs
			}
			b.failed = append(b.failed, failedOf(done[id], id)...)
		}
		if err := r.readNow(out, b); err != nil {
			return err
		}
	}
	return nil
}

// failedOf returns what failed of a test.
func failedOf(runs []*branch.TestRun, id testID) (failed []string) {
	for _, run := range runs {
		if run.Outcome == "pass" || run.Pkg != id.pkg || run.Name != id.name {
			continue
		}
		at := len(failed)
		for _, c := range run.Claims {
			if !c.Holds {
				failed = append(failed, c.Text)
			}
		}
		if len(failed) == at {
			failed = append(failed, map[string]string{
				"skip": "it is skipped",
				"fail": "the test fails for another reason",
			}[run.Outcome])
		}
	}
	return failed
}

// readNow reads the results of the present learner.
func (r *Refresh) readNow(out string, b *baseline) error {
	id := b.id()
	id.Pkg, id.Test = b.tests[0].pkg, b.tests[0].name
	f, err := record.Open(out)
	if err != nil {
		return fmt.Errorf("HEAD: %s has stored no results: %w", id.Test, err)
	}
	for _, e := range f.Experiments() {
		if e.Header.Identity() == id && e.Header.DataDigest == b.Is &&
			slices.Contains(e.Learners, b.Learner) {
			b.now = e
			return nil
		}
	}
	return fmt.Errorf("HEAD: %s of %s has stored no results of %s on the data of now: its output is above", id.Test, id.Pkg, b.Learner)
}
