// Package refresh takes baselines over to new data.
//
// The learner of the commit that a baseline is of is trained again, on the data of now. So the
// baseline stays one of the same learner, and later losses still show.
//
//  1. The tests say which of their baselines are of other data, and which files these data are in.
//  2. A worktree of the baseline's commit gets these files, and its test writes the baseline.
//  3. A worktree of HEAD gets them and the baseline, and its test says what the present learner has lost.
//  4. The baselines are written, with a line each in a history beside them.
package refresh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/branch"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/learntest/record"
)

// A Refresh is about the baselines of some tests.
type Refresh struct {
	Reason   string
	Data     []string // files of data, beside the files that data sets of tests name
	Args     []string // of go test: packages first
	Date     time.Time
	Messages io.Writer

	repository *branch.Repository
	place      *branch.Place
	baselines  []*baseline
	files      map[string][]byte // data, by their paths from the root
	was, is    map[string][]byte // files of baselines and ledgers, until now and to be written
	dropped    []string          // results of tests that are gone
}

// Do refreshes baselines, and reports whether all claims about the present learners hold. Nothing
// is written if there is an error.
func (r *Refresh) Do(ctx context.Context, dir string) (report string, holds bool, err error) {
	if strings.TrimSpace(r.Reason) == "" || strings.ContainsAny(r.Reason, "\r\n") {
		return "", false, errors.New("-reason: a refresh has a reason, in one line, such as where the data come from")
	}
	if r.repository, err = branch.Open(ctx, dir); err != nil {
		return "", false, err
	}
	if err := r.find(ctx, dir); err != nil {
		return "", false, err
	}
	if len(r.baselines) == 0 {
		return "nothing to refresh: no test that was run has a baseline of other data\n", true, nil
	}
	if err := errors.Join(r.readData(), r.readBaselines(ctx)); err != nil {
		return "", false, err
	}
	if err := r.unchanged(ctx); err != nil {
		return "", false, err
	}
	if _, err := r.repository.Sweep(ctx); err != nil {
		return "", false, err
	}
	if r.place, err = r.repository.NewPlace(); err != nil {
		return "", false, err
	}
	defer func() { err = errors.Join(err, r.place.Remove()) }()
	byCommit := make(map[string][]*baseline)
	for _, b := range r.baselines {
		byCommit[b.full] = append(byCommit[b.full], b)
	}
	for _, commit := range slices.Sorted(maps.Keys(byCommit)) {
		if err := r.trainOld(ctx, commit, byCommit[commit]); err != nil {
			return "", false, err
		}
	}
	if err := r.moveLedgers(); err != nil {
		return "", false, err
	}
	if err := r.trainNew(ctx); err != nil {
		return "", false, err
	}
	histories, err := r.histories()
	if err == nil {
		err = r.write(ctx, histories)
	}
	if err != nil {
		return "", false, err
	}
	report, holds = r.report(slices.Sorted(maps.Keys(histories)))
	return report, holds, nil
}

// readBaselines reads the files of baselines, and finds their commits.
func (r *Refresh) readBaselines(ctx context.Context) error {
	r.was, r.is = make(map[string][]byte), make(map[string][]byte)
	var errs []error
	for _, b := range r.baselines {
		path := r.repository.Path(b.rel)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := record.Read(bytes.NewReader(text), b.rel)
		if err != nil {
			return err
		}
		if b.before = b.in(f, b.Was); b.before == nil {
			return fmt.Errorf("%s has changed since its test has read it", b.rel)
		}
		r.was[b.rel] = text
		if r.is[b.rel], err = r.withoutStale(f, b); err != nil {
			return err
		}
		pinned, err := ledger.Has(path)
		if err == nil && pinned {
			if err = ledger.Check(path); err == nil {
				b.ledger = ledger.Path(b.rel)
				r.was[b.ledger], err = os.ReadFile(ledger.Path(path))
			}
		}
		if err != nil {
			return err
		}
		_, errHistory := readHistory(r.repository.Path(historyOf(b)))
		errs = append(errs, errHistory, r.findCommit(ctx, b))
	}
	return errors.Join(errs...)
}

// findCommit finds the commit whose learner is to be trained.
func (r *Refresh) findCommit(ctx context.Context, b *baseline) error {
	switch {
	case b.Commit == "" || b.Pkg == "" || b.Test == "":
		return b.lost("it does not say of which test and commit it is")
	case strings.HasSuffix(b.Commit, "-dirty"):
		return b.lost("it is of %s, changes that no commit has", b.Commit)
	}
	var err error
	if b.full, err = r.repository.Commit(ctx, b.Commit); err != nil {
		return b.lost("its commit cannot be checked out, as after a squash or a rebase: %v", err)
	}
	return nil
}

// unchanged returns an error if something else than data is to be committed: it would be trained
// as if it were the present learner, or hide behind the data.
func (r *Refresh) unchanged(ctx context.Context) error {
	tracked, unknown, err := r.repository.Edited(ctx)
	if err != nil {
		return err
	}
	code := slices.DeleteFunc(tracked, func(rel string) bool {
		if _, ok := r.files[rel]; ok || filepath.Base(rel) == historyName ||
			filepath.Ext(rel) == ".ledger" {
			return true
		}
		_, err := record.Open(r.repository.Path(rel)) // a baseline that was refreshed just now
		return err == nil
	})
	for _, rel := range unknown {
		if filepath.Ext(rel) == ".go" && !slices.Contains(strings.Split(filepath.ToSlash(rel), "/"),
			"testdata") {
			code = append(code, rel)
		}
	}
	if len(code) == 0 {
		return nil
	}
	return fmt.Errorf("changes other than data are not committed: %s: commit or stash them, so that the data alone have changed; if it is a file of the data, name it with -data", some(code))
}

// some lists the first of some files.
func some(files []string) string {
	slices.Sort(files)
	list := strings.Join(files[:min(len(files), 5)], ", ")
	if n := len(files) - 5; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// moveLedgers writes entries for the pinned references among the baselines.
func (r *Refresh) moveLedgers() error {
	for _, b := range r.baselines {
		if b.ledger == "" || r.is[b.ledger] != nil {
			continue
		}
		f, err := record.Read(bytes.NewReader(r.is[b.rel]), b.rel)
		if err != nil {
			return err
		}
		var means []ledger.Mean
		for _, e := range f.Experiments() {
			other := slices.ContainsFunc(r.baselines, func(o *baseline) bool {
				return o.rel == b.rel &&
					o.after.Header.Identity() == e.Header.Identity()
			})
			for _, l := range e.Learners {
				for _, u := range e.Units {
					mean, _ := e.Mean(l, u.Name)
					means = append(means, ledger.Mean{
						Name:  ledger.Name(e.Header.Data, l, u),
						Score: u.FormatScore(mean), Other: other,
					})
				}
			}
		}
		text, err := ledger.Refreshed(string(r.was[b.ledger]), string(r.is[b.rel]), r.Reason,
			r.Date, means)
		if err != nil {
			return fmt.Errorf("%s: %w", b.ledger, err)
		}
		r.is[b.ledger] = []byte(text)
	}
	return nil
}

// flagsIn returns the flags among arguments of go test that do not choose tests.
func flagsIn(args []string) []string {
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if at < 0 {
		return nil
	}
	var flags []string
	for rest := args[at:]; len(rest) > 0; rest = rest[1:] {
		name, _, given := strings.Cut(strings.TrimPrefix(strings.TrimLeft(rest[0], "-"), "test."), "=")
		switch {
		case name == "args" && strings.HasPrefix(rest[0], "-"):
			return append(flags, rest...)
		case (name == "run" || name == "skip") && strings.HasPrefix(rest[0], "-"):
			if !given && len(rest) > 1 {
				rest = rest[1:]
			}
		default:
			flags = append(flags, rest[0])
		}
	}
	return flags
}

// goTest returns the arguments of go test that run one test.
func (r *Refresh) goTest(id testID) []string {
	return append([]string{id.pkg, "-run", gotest.Pattern(id.name)}, flagsIn(r.Args)...)
}

type testID struct{ pkg, name string }
