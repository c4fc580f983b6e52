package learntest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func open(t *testing.T, path string) *record.File {
	t.Helper()
	f, err := record.Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Check())
	return f
}

// judged judges a claim about two learners of a file, whose training may have been stopped.
func judged(f *record.File, data, candidate, baseline string, c verdict.Claim) verdict.Verdict {
	a, b := f.Of(data, candidate), f.Of(data, baseline)
	a.Stopped, b.Stopped = true, true
	return verdict.Of(a, b, c)
}

// Two candidates against one baseline are one experiment, in which the baseline
// is stored once.
func TestComparisonsOfATestShareLearners(t *testing.T) {
	for _, where := range []string{"file", "directory"} {
		t.Run(where, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "r.txt")
			if where == "directory" {
				out = t.TempDir()
			}
			cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
			for range 3 { // a rerun replaces the results before it
				r := newRecorder(t)
				// appends checks that new results are added behind the text that was there before.
				appends := func(add func()) {
					t.Helper()
					if where == "directory" {
						add()
						return
					}
					before, err := os.ReadFile(out)
					require.NoError(t, err)
					file, err := os.Stat(out)
					require.NoError(t, err)
					add()
					after, err := os.ReadFile(out)
					require.NoError(t, err)
					require.True(t, bytes.HasPrefix(after, before))
					now, err := os.Stat(out)
					require.NoError(t, err)
					require.True(t, os.SameFile(file, now), "it was written anew")
				}
				compare := func(name string) *Comparison {
					return CompareWith(r, cfg, numbers(60), guesser(name), constant("odd", true))
				}
				c := compare("a")
				appends(func() { compare("b") })
				assert.Empty(t, r.errors)
				f := open(t, out)
				require.Len(t, f.Experiments(), 1)
				e := f.Experiments()[0]
				assert.Equal(t, []string{"a", "odd", "b"}, e.Learners)
				assert.Equal(t, 30, e.Len())
				assert.Equal(t, "TestModel/case (1)", e.Header.Test)

				// More runs are stored beside the results that are there.
				appends(func() { c.Judge(verdict.Claim{Repeats: 3}) })
				e = open(t, out).Experiments()[0]
				assert.Equal(t, 30+40, e.Len())
				appends(func() { compare("c") })
				assert.Equal(t, 30+40+10, open(t, out).Experiments()[0].Len())
				for _, claim := range []verdict.Claim{{}, {Kind: verdict.NoRegression}, {Repeats: 3}} {
					assert.Equal(t, c.Judge(claim).String(), judged(open(t, out), "numbers", "a", "odd",
						claim).String())
				}

				// Further runs of another comparison find the baseline's runs there already.
				d := compare("d")
				appends(func() { d.Judge(verdict.Claim{Repeats: 4}) })
				assert.Equal(t, 30+40+10+10+30+10, open(t, out).Experiments()[0].Len())

				// Stored results are not stored again.
				before := blockTexts(t, out)
				compare("a").Judge(verdict.Claim{Repeats: 2})
				assert.Equal(t, before, blockTexts(t, out))
				assert.Empty(t, r.errors)
			}
		})
	}
}

// A run reports any change to a file that it writes to, and mends the file if it can.
func TestResultFileThatChangesDuringATest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	r := newRecorder(t)
	c := CompareWith(r, cfg, numbers(60), guesser("a"), constant("odd", true))
	before, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, []byte("my diary\n"), 0o666))
	v := c.Judge(verdict.Claim{Repeats: 3})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Regexp(t, `^result file: .*\(finished trials are in .*r\.txt\.partial-2\)$`, v.Reason)
	left, err := storage.ReadJournal(out + ".partial-2")
	require.NoError(t, err)
	assert.Equal(t, 40, left.Experiments()[0].Len())

	// The same file again, by somebody else: all of the test is stored anew.
	require.NoError(t, os.WriteFile(out, before, 0o666))
	CompareWith(r, cfg, numbers(60), guesser("b"), constant("odd", true))
	assert.Empty(t, r.errors)
	assert.Equal(t, 20+40+10, open(t, out).Experiments()[0].Len())
	assert.NoFileExists(t, out+".partial-2", "all of it is stored")

	// What a run leaves that cannot be stored is not lost.
	spoiling := Func("c", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return func(int) bool { return true }, os.WriteFile(out, []byte("my diary\n"), 0o666)
	})
	_, err = Run(t.Context(), []Data[int, bool]{numbers(60)}, []Learner[int, bool]{spoiling},
		Config{Protocol: split.CV(2, 5), Results: Results{Out: out}})
	require.ErrorContains(t, err, "result file: ")
	require.ErrorContains(t, err, "(finished trials are in "+out+".partial-")

	// One that cannot be read, or begun, fails before the first trial.
	damaged := filepath.Join(t.TempDir(), "r.txt")
	require.NoError(t, os.WriteFile(damaged, []byte("learnbench-format: 2\nprotocol: none\n"), 0o666))
	f, err := Run(t.Context(), []Data[int, bool]{numbers(60)},
		[]Learner[int, bool]{constant("a", true)}, Config{Results: Results{Out: damaged}})
	require.ErrorContains(t, err, "result file: "+damaged+":")
	assert.Nil(t, f)
	require.NoError(t, os.RemoveAll(filepath.Dir(out)))
	v = c.Judge(verdict.Claim{Repeats: 5})
	assert.Equal(t, verdict.Invalid, v.Outcome)
	assert.Regexp(t, `^result file: .*no such file or directory`, v.Reason)
	r.end()
	require.Len(t, r.errors, 1, "the journal that says that the test has not ended is gone")
	assert.Regexp(t, `^learntest: remove .*no such file or directory`, r.errors[0])
}

// A claim that is made when the test has ended is stored like any other, and leaves
// nothing beside the file; the next instance of the test begins anew.
func TestClaimsAfterTheEndOfATest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	r := newRecorder(t)
	c := CompareWith(r, cfg, numbers(60), guesser("a"), constant("odd", true))
	r.end()
	other, err := storage.CreateJournal(out) // under the name that the test's had
	require.NoError(t, err)
	require.Equal(t, out+".partial-1", other.Path())
	c.Judge(verdict.Claim{Repeats: 2})
	assert.Equal(t, 40, open(t, out).Experiments()[0].Len())
	assert.FileExists(t, other.Path())
	require.NoError(t, other.Remove())
	requireOnly(t, out)
	clear(r.attrs)
	CompareWith(r, cfg, numbers(60), guesser("b"), constant("odd", false))
	assert.Empty(t, r.errors)
	assert.Equal(t, "b vs odd on numbers", r.attrs["learntest.1.comparison"])
}

// The first results of a test that is run again take the place of all that it had:
// if it is interrupted before the others are there, that must be seen.
func TestTestThatIsInterruptedBetweenComparisonsLeavesItsJournal(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	for i := range 2 {
		r := newRecorder(t)
		CompareWith(r, cfg, numbers(60), guesser("a"), constant("odd", true))
		partials, err := storage.Partials(out)
		require.NoError(t, err)
		require.Len(t, partials, 1, "after the first comparison")
		assert.True(t, partials[0].Live)
		CompareWith(r, cfg, numbers(60), guesser("b"), constant("odd", true))
		partials, err = storage.Partials(out)
		require.NoError(t, err)
		require.Len(t, partials, 1, "after the second, in run %d", i)
		r.end()
		requireOnly(t, out)
		assert.Empty(t, r.errors)
	}
	assert.Equal(t, 30, open(t, out).Experiments()[0].Len())
}

func TestComparisonsThatDoNotAgreeNameBothPlaces(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	r := newRecorder(t)
	CompareWith(r, cfg, numbers(60), guesser("a"), guesser("base"))
	before, err := os.ReadFile(out)
	require.NoError(t, err)
	c := CompareWith(r, cfg, numbers(60), guesser("b"), constant("base", false))
	require.Len(t, r.errors, 1)
	assert.Regexp(t, `^learntest.CompareWith: the comparisons at output_test.go:\d+ and output_test.go:\d+ of this test are both of data set numbers .* and do not agree: results do not belong together: accuracy of data set numbers, learner base, run 1, fold \d is ".*" .*\(give the learners different names, or use subtests\)$`, r.errors[0])
	assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome)
	after, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "nothing is replaced")
	assert.FileExists(t, out+".partial-1", "the result file lacks findings of the test")

	// Without a file it is an error as well, and so is other data under one name.
	r = newRecorder(t)
	cfg.Results.Out = ""
	CompareWith(r, cfg, numbers(60), guesser("a"), guesser("base"))
	CompareWith(r, cfg, numbers(60), guesser("b"), constant("base", false))
	CompareWith(r, cfg, numbers(62), guesser("x"), constant("y", false))
	require.Len(t, r.errors, 2)
	assert.Contains(t, r.errors[1], "data-sha256")

	// So it is where nobody knows the places.
	one, err := newExperiment(new(results.Registry), []Data[int, bool]{numbers(60)},
		[]Learner[int, bool]{guesser("base")}, Config{Protocol: cfg.Protocol})
	require.NoError(t, err)
	other, err := newExperiment(new(results.Registry), []Data[int, bool]{numbers(60)},
		[]Learner[int, bool]{constant("base", false)}, Config{Protocol: cfg.Protocol})
	require.NoError(t, err)
	require.NoError(t, other.run(t.Context(), 2))
	require.NoError(t, one.run(t.Context(), 2))
	for _, site := range []string{"", "x_test.go:1"} {
		require.NoError(t, other.there.Within(results.Test{Instance: one.there.Instance, Site: site}))
		rec, err := other.there.Record(other.there.Sets()...)
		require.NoError(t, err)
		assert.Regexp(t, `^results do not belong together: accuracy of data set numbers, learner base, `,
			rec.Finish())
	}

	// Another test may do as it likes.
	r = newRecorder(t)
	CompareWith(r, cfg, numbers(62), guesser("b"), constant("base", false))
	assert.Empty(t, r.errors)
}

// An interruption leaves complete results, and names the file with the rest.
func TestInterruptionReplacesNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}, Parallel: 1}
	data, learners := []Data[int, bool]{numbers(60)}, []Learner[int, bool]{
		guesser("a"),
		constant("odd", true),
	}
	_, err := Run(t.Context(), data, learners, cfg)
	require.NoError(t, err)
	before, err := os.ReadFile(out)
	require.NoError(t, err)

	ctx, cancel := context.WithCancelCause(t.Context())
	var fits atomic.Int64
	interrupting := Func("odd", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		if fits.Add(1) == 5 {
			cancel(errors.New("interrupted by hand"))
		}
		return func(int) bool { return true }, nil
	})
	f, err := Run(ctx, data, []Learner[int, bool]{learners[0], interrupting}, cfg)
	e, ok := errors.AsType[*interruptedError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, out+".partial-1", e.Partial)
	assert.ErrorContains(t, err, "are in "+out+".partial-1, which goes when that run is repeated to its end: Config.Results.Resume goes on from there")
	assert.Equal(t, e.Done, f.Blocks()[0].Len())
	after, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	partials, err := storage.Partials(out)
	require.NoError(t, err)
	require.Equal(t, []storage.Partial{{Path: out + ".partial-1"}}, partials)
	left, err := storage.ReadJournal(out + ".partial-1")
	require.NoError(t, err)
	assert.Equal(t, e.Done, left.Experiments()[0].Len())
	assert.NotZero(t, e.Done)
	require.Len(t, left.Running, 1, "the one that interrupted it")
	assert.Equal(t, "odd", left.Running[0].Learner)
	assert.Equal(t, open(t, out).Blocks()[0].Header.SplitDigest,
		left.Experiments()[0].Header.SplitDigest)

	// The run of something else says so and leaves it; a run of the same lets it go.
	other := cfg
	other.Protocol = split.CV(1, 5)
	_, err = Run(t.Context(), data, learners, other)
	require.NoError(t, err)
	assert.FileExists(t, out+".partial-1")
	r := newRecorder(t)
	r.name = "TestOther"
	CompareWith(r, cfg, numbers(60), learners[0], learners[1])
	require.NotEmpty(t, r.logs)
	assert.Contains(t, r.logs[0], out+".partial-1 has the trials of a run that was interrupted: it goes when that run is repeated to its end, and LEARNTEST_RESUME=1 goes on from there; else remove it")
	_, err = Run(t.Context(), data, learners, cfg)
	require.NoError(t, err)
	r.end()
	requireOnly(t, out)
	assert.Len(t, open(t, out).Experiments(), 3)
}

func TestFailureOfALearnerReplacesWhatWasThere(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	mustRun(t, numbers(60), cfg, guesser("a"), constant("odd", true))
	bad := Func("a", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		return nil, errors.New("no")
	})
	mustRun(t, numbers(60), cfg, bad, constant("odd", true))
	assert.Len(t, open(t, out).Failures(), 10)
}

func TestRunDoesNotDropOtherLearners(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Out: out}}
	mustRun(t, numbers(60), cfg, guesser("a"), constant("odd", true))
	var fits atomic.Int64
	counting := Func("b", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		fits.Add(1)
		return func(int) bool { return true }, nil
	})
	_, err := Run(t.Context(), []Data[int, bool]{numbers(60)}, []Learner[int, bool]{
		counting,
		constant("odd", true),
	}, cfg)
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, out+" has results of a on data set numbers under \"cv runs=2 folds=5 stratified seed=1 v1\", which the results of this run would replace: run it as well, or write to another file")
	assert.Zero(t, fits.Load())
	mustRun(t, numbers(60), cfg, guesser("a"), counting, constant("odd", true))
}

func TestDestinationIsCheckedBeforeTheFirstTrial(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	dangling := filepath.Join(dir, "dangling.txt")
	require.NoError(t, os.Symlink(filepath.Join(dir, "nowhere"), dangling))
	var fits atomic.Int64
	counting := Func("a", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		fits.Add(1)
		return func(int) bool { return true }, nil
	})
	for path, want := range map[string]string{
		write("thesis.tex", "\\documentclass{article}\n"):  "is not a result file, and will not be changed: line 1 is",
		write("old.txt", "learnbench-format: 1\npkg: x\n"): "version 1 of the format is no longer read",
		write("cut.txt", "learnbench-format: 2"):           "no newline",
		dangling:                                           "symbolic link to nothing",
		os.DevNull:                                         "neither a file nor a directory",
		filepath.Join(dir, "missing", "r.txt"):             "no such file or directory",
		filepath.Join(write("file.txt", ""), "r.txt"):      "not a directory",
	} {
		_, err := Run(t.Context(), []Data[int, bool]{numbers(30)}, []Learner[int, bool]{counting},
			Config{Results: Results{Out: path}})
		require.ErrorContains(t, err, "result file: ", path)
		require.ErrorContains(t, err, want, path)
	}
	assert.Zero(t, fits.Load())
	assert.FileExists(t, write("empty.txt", ""))
	mustRun(t, numbers(30), Config{
		Results:  Results{Out: filepath.Join(dir, "empty.txt")},
		Protocol: split.CV(1, 2),
	}, counting)
	open(t, filepath.Join(dir, "empty.txt"))
}
