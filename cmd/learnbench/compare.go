package main

import (
	"context"
	"errors"
	"flag"
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
	"github.com/learnbench/learnbench/learntest/unit"
)

// A compareConfig holds the arguments of the compare command.
type compareConfig struct {
	revisions branch.Range
	tests     []string     // arguments of go test
	stat      []string     // flags of learnstat
	margins   unit.Margins // that are among them
	out       string       // directory for the result files; "" for none

	left error // why something temporary could not be removed
}

// statFlags are the flags of learnstat that compare takes as well: all but flags that select the
// compared results or judge one file. Boolean flags are marked.
var statFlags = []struct {
	name string
	bool bool
}{
	{"across", false},
	{"adjust", false},
	{"allow-majority", true},
	{"alpha", false},
	{"bayes", true},
	{"common", true},
	{"data", false},
	{"fail-on", false},
	{"filter", false},
	{"format", false},
	{"html", false},
	{"ignore", false},
	{"items", true},
	{"learner", false},
	{"lenient", true},
	{"margin", false},
	{"metric", false},
	{"plot", false},
	{"plot-format", false},
	{"over", false},
	{"posthoc", false},
	{"repeats", false},
	{"replicability", false},
	{"require", false},
	{"rope", false},
	{"row", false},
	{"slices", true},
	{"table", false},
	{"tail", false},
	{"test", false},
	{"v", true},
	{"waivers", false},
	{"width", false},
}

// parseCompare takes the flags, the revisions and the arguments of go test. A
// comparison of branches is a gate: unless told otherwise it fails on a regression, and with a
// margin also on a learner that is not shown to lose less than the margin.
func parseCompare(args []string) (*compareConfig, error) {
	c := &compareConfig{}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	gate := false
	for _, f := range statFlags {
		pass := func(value string) error {
			gate = gate || f.name == "fail-on" || f.name == "require"
			if f.name == "margin" {
				if err := c.margins.Set(value); err != nil {
					return err
				}
			}
			c.stat = append(c.stat, "-"+f.name+"="+value)
			return nil
		}
		if f.bool {
			fs.BoolFunc(f.name, "", pass)
		} else {
			fs.Func(f.name, "", pass)
		}
	}
	fs.Func("o", "", func(dir string) error {
		if dir == "" {
			return errors.New("name a directory")
		}
		abs, err := filepath.Abs(dir)
		c.out = abs
		return err
	})
	switch _, err := parseFlags(fs, args); {
	case err != nil:
		return nil, err
	case fs.NArg() == 0:
		return nil, errors.New("no revisions: write OLD..NEW, as in main..HEAD, or OLD alone to compare it with the working tree")
	}
	if !gate {
		c.stat = append(c.stat, "-fail-on=regressed")
		for _, metric := range c.margins.Metrics() {
			require := "-require=non-inferior"
			if metric != "" {
				require += ":" + metric
			}
			c.stat = append(c.stat, require)
		}
	}
	var err error
	c.revisions, err = branch.ParseRange(fs.Arg(0))
	c.tests = fs.Args()[1:]
	return c, err
}

// unusable are the variables that must not hold for both sides alike.
var unusable = []string{"LEARNTEST_OUT", "LEARNTEST_IN", "LEARNTEST_SHARD", "LEARNTEST_RESUME", "LEARNTEST_UPDATE"}

func checkVariables(lookup func(string) (string, bool)) error {
	for _, name := range unusable {
		if value, _ := lookup(name); value != "" {
			return fmt.Errorf("environment variable %s is set, and both sides would follow it: unset it (-o DIR keeps the results of both)", name)
		}
	}
	return nil
}

// compareCommand runs the tests of two revisions and compares their stored results.
func compareCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (status int, err error) {
	c, err := parseCompare(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpOn(stdout, "compare")
	}
	if err == nil {
		err = checkVariables(os.LookupEnv)
	}
	if err == nil {
		err = checkLearnstat(ctx, c.stat)
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("compare: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return cli.Unjudged, err
	}
	defer func() {
		if ctx.Err() != nil { // whichever error came first
			status, err = cli.Unjudged, errors.New("compare: interrupted")
		}
		err = errors.Join(err, c.left)
	}()
	repository, err := branch.Open(ctx, dir)
	if err != nil {
		return cli.Unjudged, fmt.Errorf("compare: %w", err)
	}
	before, after, err := repository.Sides(ctx, c.revisions)
	if err != nil {
		return cli.Unjudged, fmt.Errorf("compare: %w", err)
	}
	if err := mentionChanges(ctx, repository, c.revisions, before, after, stderr); err != nil {
		return cli.Unjudged, fmt.Errorf("compare: %w", err)
	}
	if equal, err := c.sameFiles(ctx, repository, before, after, stderr); equal || err != nil {
		return map[bool]int{true: cli.Clean, false: cli.Unjudged}[err == nil], err
	}
	return c.compare(ctx, repository, before, after, stdout, stderr)
}

// sameFiles reports whether nothing could differ, and says so. One commit that is compared with
// itself is a mistake, and other commits or a working tree with the same files are none.
func (c *compareConfig) sameFiles(ctx context.Context, r *branch.Repository, before, after branch.Side, stderr io.Writer) (bool, error) {
	of := c.revisions
	switch {
	case after.Tree || before.Commit != after.Commit:
	case of.Base:
		return false, fmt.Errorf("compare: %s has no commit that %s has not, so that nothing could differ: name another one", of.New, of.Old)
	default:
		return false, fmt.Errorf("compare: %s and %s are one commit, %.12s, so that nothing could differ: name two, as in HEAD^..HEAD", of.Old, of.New, before.Commit)
	}
	equal, err := r.Equal(ctx, before, after)
	if err != nil {
		return false, fmt.Errorf("compare: %w", err)
	}
	if equal {
		cli.Report(stderr, "learnbench", fmt.Errorf("compare: nothing was changed: %s and %s have the same files, and no tests are run", before, after))
	}
	return equal, nil
}

// mentionChanges says that changes which are not committed are left out, where the
// user may think that they are not.
func mentionChanges(ctx context.Context, r *branch.Repository, of branch.Range, before, after branch.Side, stderr io.Writer) error {
	if of.Tree || of.New != "HEAD" {
		return nil
	}
	changed, err := r.Changed(ctx)
	if changed {
		cli.Report(stderr, "learnbench", fmt.Errorf("the working tree has changes that are not in HEAD and are left out: learnbench compare %s compares them", of.Old))
	}
	return err
}

// compare runs the tests of both sides in a temporary directory.
func (c *compareConfig) compare(ctx context.Context, r *branch.Repository, before, after branch.Side, stdout, stderr io.Writer) (int, error) {
	removed, err := r.Sweep(ctx)
	for _, dir := range removed {
		cli.Report(stderr, "learnbench", fmt.Errorf("removed what a comparison that was killed had left in %s", dir))
	}
	if err != nil { // which does not concern this one
		cli.Report(stderr, "learnbench", err)
	}
	place, err := r.NewPlace()
	if err != nil {
		return cli.Unjudged, err
	}
	defer func() { c.left = errors.Join(c.left, place.Remove()) }()
	out := c.out
	if out == "" {
		out = filepath.Join(place.Dir, "results")
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return cli.Unjudged, fmt.Errorf("compare: -o: %w", err)
	}
	var problems []error
	var sources []string
	var reports []branch.Report
	for i, side := range []branch.Side{before, after} {
		name := []string{"old", "new"}[i]
		results := filepath.Join(out, name+".txt")
		if _, err := os.Lstat(results); !errors.Is(err, fs.ErrNotExist) {
			return cli.Unjudged, fmt.Errorf("compare: -o: %s may be there already, and its files would be compared, too: name another directory", results)
		}
		report, err := c.side(ctx, r, side, filepath.Join(place.Dir, name), results, stderr)
		if err != nil {
			return cli.Unjudged, fmt.Errorf("%s: %w", side, err)
		}
		for _, p := range report.Problems {
			problems = append(problems, fmt.Errorf("%s: %w", side, p))
		}
		reports = append(reports, report)
		sources = append(sources, label(side.Name)+"="+results)
	}
	var said strings.Builder // with the labels of the sides in place of files that will be gone
	status, err := learnstat(ctx, slices.Concat(c.stat, sources), stdout, &said)
	fmt.Fprint(stderr, c.named(said.String(), sources))
	for _, name := range newlyFailed(reports[0], reports[1]) {
		cli.Report(stderr, "learnbench", fmt.Errorf("%s failed on %s and not on %s: its claims are no part of this gate; its output is above", name, after.Name, before.Name))
	}
	if err = errors.Join(append(problems, err)...); err != nil {
		return cli.Unjudged, err
	}
	return status, nil
}

// named returns a text with the labels of sources, LABEL=PATH, for their paths, unless the files
// are kept.
func (c *compareConfig) named(text string, sources []string) string {
	if c.out != "" {
		return text
	}
	for _, s := range sources {
		label, path, _ := strings.Cut(s, "=")
		text = strings.ReplaceAll(text, path, label)
	}
	return text
}

// side runs the tests of a side. The error says why there are no results.
func (c *compareConfig) side(ctx context.Context, r *branch.Repository, side branch.Side, worktree, results string, stderr io.Writer) (report branch.Report, err error) {
	checkout, err := r.Checkout(ctx, side, worktree)
	if err != nil {
		return report, err
	}
	defer func() { c.left = errors.Join(c.left, checkout.Remove(ctx)) }()
	fmt.Fprintf(stderr, "learnbench: %s: %s\n", side, cli.Quote(slices.Concat([]string{"go", "test"}, branch.Flags(), c.tests)))
	if report, err = branch.Test(ctx, checkout, results, c.tests, stderr); err != nil {
		return report, err
	}
	if report.Compared == 0 {
		return report, errors.Join(report.Problems...)
	}
	if _, err := record.Open(results); err != nil {
		return report, errors.Join(append(report.Problems, fmt.Errorf("its results cannot be read, be it that its learntest is of another version: %w", err))...)
	}
	fmt.Fprintf(stderr, "learnbench: %s: %s\n", side, count(report))
	return report, nil
}

// count says what the tests of a side have done.
func count(r branch.Report) string {
	tests, failed := "1 test", "none failed"
	if r.Tests > 1 {
		tests = fmt.Sprintf("%d tests", r.Tests)
	}
	switch n := len(r.Failed); {
	case n == 1:
		failed = "1 failed: its own claims are not asked here, what counts is the comparison of the branches"
	case n > 1:
		failed = fmt.Sprintf("%d failed: their own claims are not asked here, what counts is the comparison of the branches", n)
	}
	text := fmt.Sprintf("%s, %d with comparisons, %s", tests, r.Compared, failed)
	if r.Trained.All > 0 {
		text += "; " + r.Trained.String()
	}
	return text
}

// newlyFailed returns the tests that failed on the new side alone.
func newlyFailed(before, after branch.Report) []string {
	return slices.DeleteFunc(slices.Clone(after.Failed), func(name string) bool { return slices.Contains(before.Failed, name) })
}

// label returns the title of a side's columns, without the characters that end the
// title in an argument of learnstat.
func label(name string) string {
	return strings.NewReplacer("=", "-", "/", "-", `\`, "-").Replace(name)
}
