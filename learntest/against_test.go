package learntest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// update writes a baseline, also of a learner that only guesses.
func update(t *testing.T, cfg Config, data Data[int, bool], l Learner[int, bool], path string) {
	t.Helper()
	t.Setenv("LEARNTEST_UPDATE", "force")
	t.Setenv("CI", "")
	r := newRecorder(t)
	c := AgainstWith(r, cfg, data, l, path)
	require.Empty(t, r.fatal)
	require.Empty(t, r.errors)
	v := c.Judge(verdict.Claim{Kind: verdict.NoRegression})
	require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
	require.Regexp(t, regexp.QuoteMeta("the baseline "+path)+" (was written, with |is left unchanged, with the same scores in )", v.Err)
	require.ErrorContains(t, v.Err, ": run the test again without LEARNTEST_UPDATE")
	r.end()
	require.NoError(t, os.Unsetenv("LEARNTEST_UPDATE"))
}

func TestAgainstComparesWithWhatIsStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{
		Pkg: "example.com/p", Test: "TestForest",
		Commit: "c0ffee", CommitTime: "2026-11-20T16:02:11Z",
	}}
	update(t, cfg, numbers(60), guesser("forest"), path)
	requireOnly(t, path)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, no := range []string{"sec/op", "Owner"} {
		assert.NotContains(t, string(text), no)
	}
	assert.Equal(t, 10, strings.Count(string(text), "\nBenchmarkCV/"))

	// The same test again: only the candidate is trained, and the verdict equals that
	// from a comparison with both.
	r := newRecorder(t)
	c := counter{fits: make(map[string]int)}
	other := cfg
	other.Results.Commit, other.Results.Test = "decade", "TestWood"
	now := c.wrap(constant("forest", false))
	got := AgainstWith(r, other, numbers(60), now, path)
	require.Empty(t, r.errors)
	require.Empty(t, r.fatal)
	assert.Len(t, c.fits, 10)
	assert.Contains(t, r.logs[0], "baseline "+path+": forest at c0ffee, 2026-11-20T16:02:11Z, 2 runs, TestForest, example.com/p, go")
	assert.Equal(t, "forest now vs forest at c0ffee on numbers", r.attrs["learntest.1.comparison"])
	old := guesser("old")
	both := CompareWith(newRecorder(t), cfg, numbers(60), constant("forest", false), old)
	for _, claim := range []verdict.Claim{{}, {Kind: verdict.Improves}, {
		Kind:   verdict.NoRegression,
		Margin: 0.1,
	}} {
		want, have := both.Judge(claim), got.Judge(claim)
		assert.Equal(t, []float64{want.Difference.P, want.Difference.Lo, want.Difference.Hi},
			[]float64{have.Difference.P, have.Difference.Lo, have.Difference.Hi})
		assert.Equal(t, want.Holds, have.Holds)
		assert.Regexp(t, `^forest now is \S+ points better than forest at c0ffee on numbers in accuracy(, .* allowed)?: `+want.Outcome.String(), have.String())
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(after), "it changes by an update only")

	// An update of the same changes nothing, one of another learner leaves the first one.
	update(t, cfg, numbers(60), guesser("forest"), path)
	after, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(after))
	wood := cfg
	wood.Results.Test = "TestWood"
	update(t, wood, numbers(60), guesser("wood"), path)
	assert.Len(t, open(t, path).Experiments(), 2)

	// Several learners of one test, in one file.
	t.Setenv("LEARNTEST_UPDATE", "force")
	r = newRecorder(t)
	for _, name := range []string{"x", "y"} {
		AgainstWith(r, wood, numbers(60), guesser(name), path)
	}
	require.Empty(t, r.errors)
	r.end()
	assert.ElementsMatch(t, []string{"forest", "x", "y"}, open(t, path).Learners("numbers"))
}

func TestBaselinesThatCannotBeComparedWith(t *testing.T) {
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{
		Pkg: "p", Test: "T",
		Reproduce: "go test -count=1 -run '^T$' p",
	}}
	dir := t.TempDir()
	good := filepath.Join(dir, "good.txt")
	update(t, cfg, numbers(60), guesser("forest"), good)
	text, err := os.ReadFile(good)
	require.NoError(t, err)
	edited := func(name string, edit func(string) string) string {
		path := filepath.Join(dir, name)
		changed := edit(string(text))
		require.NotEqual(t, string(text), changed)
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o666))
		return path
	}
	ambiguous := filepath.Join(dir, "ambiguous.txt")
	for _, test := range []string{"T1", "T2"} {
		c := cfg
		c.Results.Test = test
		update(t, c, numbers(60), guesser("forest"), ambiguous)
	}
	shuffled := numbers(60)
	shuffled.xs[0], shuffled.xs[2] = shuffled.xs[2], shuffled.xs[0]
	protocol := cfg
	protocol.Protocol = split.CV(2, 4)
	metrics := cfg
	metrics.Metrics = []metric.Metric{metric.Accuracy(), metric.Kappa()}
	for _, c := range []struct {
		path string
		cfg  Config
		data Data[int, bool]
		name string
		want string
	}{
		{
			good, cfg, numbers(62), "forest",
			"data set numbers has changed: 2 examples more (62, not 60); its digest is ",
		},
		{
			good, cfg, numbers(50), "forest",
			"data set numbers has changed: 10 examples fewer (50, not 60); its digest is ",
		},
		{
			good, cfg, shuffled, "forest",
			"data set numbers has changed: the same number of examples (60) with other values or in another order; its digest is ",
		},
		{
			good, cfg, Examples("others", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []bool{9: true}), "forest",
			"it has no results on data set others; there are: numbers",
		},
		{
			good, cfg, numbers(60), "wood",
			"it has no results of wood on data set numbers; there are: forest",
		},
		{
			good, protocol, numbers(60), "forest",
			`it has forest on data set numbers under "cv runs=2 folds=5 stratified seed=1 v1", not under "cv runs=2 folds=4 stratified seed=1 v1"`,
		},
		{good, metrics, numbers(60), "forest", "it has no metric kappa"},
		{
			ambiguous, cfg, numbers(60), "forest",
			"several tests have stored forest on data set numbers, and none of them is this one: ",
		},
		{edited("score.txt", func(s string) string {
			return strings.Replace(s, " accuracy 48",
				"1 accuracy 48", 1)
		}), cfg, numbers(60), "forest", "checksum"},
		{
			edited("bare.txt", func(s string) string { return withoutChecksum(t, s) }), cfg, numbers(60),
			"forest", "bare.txt:1: the block has no checksum, so that nothing shows whether its scores were edited",
		},
		{
			edited("means.txt", func(s string) string {
				return strings.Replace(withoutChecksum(t, s), " 0.4166666666666667 accuracy 48",
					" 0.5 accuracy 48", 1)
			}), cfg, numbers(60), "forest",
			"means.txt:13: key Means says forest/accuracy=0.4916666666666666, and the mean of the trials is 0.4999999999999999: one of them was edited",
		},
		{
			edited("conflict.txt", func(s string) string {
				return strings.Replace(s, "Means: ", "<<<<<<< HEAD\nMeans: a\n=======\nMeans: ", 1)
			}), cfg, numbers(60), "forest",
			`conflict.txt:13: a merge conflict is left: "<<<<<<< HEAD": git checkout --ours ` + dir +
				"/conflict.txt, or --theirs, takes one side",
		},
		{edited("rest.txt", func(s string) string {
			return strings.Replace(s, "BenchmarkCV", "=======\nBenchmarkCV", 1)
		}), cfg, numbers(60), "forest", `a merge conflict is left: "=======": git checkout --ours `},
		{
			edited("cut.txt", func(s string) string { return s[:len(s)-1] }), cfg, numbers(60),
			"forest", "truncated",
		},
		{edited("missing.txt", func(s string) string {
			head, _, _ := strings.Cut(s, "\nChecksum: ")
			_, rest, _ := strings.Cut(s, "\nUnit ")
			return head + "\nUnit " + rest[:strings.LastIndex(rest, "BenchmarkCV")]
		}), cfg, numbers(60), "forest", "missing: data set numbers, learner forest, run 2, fold 5"},
		{
			edited("failed.txt", func(s string) string {
				b := mustRead(t, s)
				failed, err := record.NewBlock(b.Header, b.Learners, b.Units, 0)
				require.NoError(t, err)
				failed.Timeless = true
				for tr := range b.Trials() {
					if tr.Run == 2 && tr.Fold == 3 {
						tr.Values, tr.Err = nil, "no memory"
					}
					require.NoError(t, failed.Add(tr))
				}
				failed.Header.Means = ""
				return textOfBlock(t, failed)
			}), cfg, numbers(60), "forest",
			"trial failed: data set numbers, learner forest, run 2, fold 3: no memory",
		},
		{edited("format.txt", func(s string) string {
			return strings.Replace(s, "format: 2", "format: 1",
				1)
		}), cfg, numbers(60), "forest", "version 1 of the format is no longer read"},
		{
			edited("split.txt", func(s string) string {
				b := mustRead(t, s)
				b.Header.SplitDigest = strings.Repeat("a", 64)
				return textOfBlock(t, b)
			}), cfg, numbers(60), "forest",
			`the partitions of "cv runs=2 folds=5 stratified seed=1 v1" on data set numbers have changed: their digest is `,
		},
		{edited("range.txt", func(s string) string {
			b := mustRead(t, s)
			b.Columns = []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 2}}
			return textOfBlock(t, b)
		}), cfg, numbers(60), "forest", "metric accuracy has another direction or range there"},
	} {
		fits := counter{fits: make(map[string]int)}
		r := newRecorder(t)
		AgainstWith(r, c.cfg, c.data, fits.wrap(guesser(c.name)), c.path)
		assert.Contains(t, r.fatal, "learntest.Against: invalid configuration: baseline "+c.path+": ",
			c.want)
		assert.Contains(t, r.fatal, c.want)
		remedy := "; LEARNTEST_UPDATE=1 go test -count=1 -run '^T$' p writes it anew"
		switch { // that would remove the guard
		case strings.Contains(c.want, "conflict"):
			remedy = "; run the test again then: if the merged change is accepted, " + remedy[2:]
		case strings.Contains(c.want, "checksum"), strings.Contains(c.want, "Means"):
			remedy = "; it was edited, or merged by hand: git checkout HEAD -- " + c.path +
				" brings back the committed file; if the commit has the edit, too, then with the learner of that commit " + remedy[2:]
		case strings.Contains(c.want, "has changed"):
			remedy = "; learnbench refresh -reason TEXT p -run '^T$' trains the learner of its commit on these data, and writes it anew"
		}
		assert.True(t, strings.HasSuffix(r.fatal, remedy), r.fatal)
		assert.Empty(t, fits.fits, c.want)
	}
	partial := good + ".partial-1"
	require.NoError(t, os.WriteFile(partial, []byte("\n\n"), 0o666))
	r := newRecorder(t)
	AgainstWith(r, cfg, numbers(60), guesser("forest"), good)
	assert.Contains(t, r.fatal, partial+": a run that writes to ")

	// Of several tests' results, a test's own are its baseline.
	own := cfg
	own.Results.Test = "T2"
	r = newRecorder(t)
	c := AgainstWith(r, own, numbers(60), guesser("forest"), ambiguous)
	require.Empty(t, r.fatal)
	assert.Equal(t, "T2", c.stored.Header.Test)

	// Below a file there is no telling whether it is a pinned reference.
	below := filepath.Join(good, "baseline.txt")
	r = newRecorder(t)
	AgainstWith(r, cfg, numbers(60), guesser("forest"), below)
	assert.Contains(t, r.fatal, "learntest.Against: invalid configuration: the ledger of "+below+": ")
}

// withoutChecksum returns the text of a file without the lines of checksums.
func withoutChecksum(t *testing.T, text string) string {
	t.Helper()
	head, rest, ok := strings.Cut(text, "\nChecksum: ")
	require.True(t, ok)
	_, rest, ok = strings.Cut(rest, "\n")
	require.True(t, ok)
	return head + "\n" + rest
}

func mustRead(t *testing.T, text string) *record.Block {
	t.Helper()
	f, err := record.Read(strings.NewReader(text), "x")
	require.NoError(t, err)
	return f.Blocks()[0].Clone()
}

func textOfBlock(t *testing.T, b *record.Block) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, record.Write(&text, b))
	return text.String()
}

// A baseline is not written silently, nor from trials that failed.
func TestUpdatesThatAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{Pkg: "p", Test: "T"}}
	bad := Func("forest", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return nil, errors.New("no memory")
	})
	against := func(cfg Config, l Learner[int, bool], settings ...string) *recorder {
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			t.Setenv(name, value)
			defer os.Unsetenv(name)
		}
		r := newRecorder(t)
		AgainstWith(r, cfg, numbers(60), l, path)
		r.end()
		return r
	}
	r := against(cfg, guesser("forest"), "CI=true", "LEARNTEST_UPDATE=1")
	assert.Contains(t, r.fatal, "LEARNTEST_UPDATE=1 where CI is set, as in continuous integration: a baseline changes in a commit that somebody reviews; LEARNTEST_UPDATE=force writes it nevertheless")
	r = against(cfg, guesser("forest"), "CI=", "LEARNTEST_UPDATE=yes")
	assert.Contains(t, r.fatal, "LEARNTEST_UPDATE=yes: it must be 1, force or not set")
	r = against(cfg, guesser("forest"), "CI=", "LEARNTEST_UPDATE=1", "LEARNTEST_SHARD=1/2",
		"LEARNTEST_OUT="+filepath.Join(t.TempDir(), "r.txt"))
	assert.Contains(t, r.fatal, "LEARNTEST_UPDATE and LEARNTEST_SHARD exclude each other")
	r = against(cfg, bad, "CI=", "LEARNTEST_UPDATE=1")
	assert.Contains(t, strings.Join(r.errors, "\n"),
		"the baseline "+path+" was not written: trial failed: data set numbers, learner forest, run 1, fold 1: fit: no memory")
	assert.NoFileExists(t, path)
	r = against(cfg, guesser("forest"), "CI=true", "LEARNTEST_UPDATE=force")
	assert.Empty(t, r.errors)
	assert.Empty(t, r.fatal)
	assert.FileExists(t, path)

	// A file in which one metric means two things cannot be read.
	own := cfg
	own.Results.Test, own.Metrics = "T2", []metric.Metric{metric.Accuracy()}
	own.Metrics[0].Max = 2
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	r = against(own, guesser("forest"), "CI=", "LEARNTEST_UPDATE=1")
	assert.Contains(t, strings.Join(r.errors, "\n"),
		"metric accuracy has another direction or range for data set numbers under \"cv runs=2 folds=5 stratified seed=1 v1\", test T of p: give it another name")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

// The runs that a baseline has are the budget of a required replicability.
func TestBudgetOfABaseline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(2, 5), Results: Results{
		Pkg: "p", Test: "T",
		Reproduce: "go test p",
	}}
	update(t, cfg, numbers(60), guesser("forest"), path)
	r := newRecorder(t)
	fits := counter{fits: make(map[string]int)}
	c := AgainstWith(r, cfg, numbers(60), fits.wrap(constant("forest", true)), path)
	nearly := Pretrained("forest", func(i int) bool { return (i%2 == 1) != (i < 13) })
	v := AgainstWith(newRecorder(t), cfg, numbers(60), nearly,
		path).Judge(verdict.Claim{Kind: verdict.Improves, Replicability: 0.9})
	assert.False(t, v.Holds)
	assert.Equal(t, 2, v.Rerun.Runs)
	assert.Contains(t, v.Reason, "undecided at the budget of 2 runs")
	assert.Regexp(t, `LEARNTEST_RUNS_MIN=\d+ LEARNTEST_UPDATE=1 go test p stores them`, v.String())
	v = c.Judge(verdict.Claim{Repeats: 3})
	assert.ErrorContains(t, v.Err,
		"the claim takes 6 runs, and 2 are stored: LEARNTEST_RUNS_MIN=6 LEARNTEST_UPDATE=1 go test p stores them")
	assert.Len(t, fits.fits, 10, "no further run is trained for nothing")

	t.Setenv("LEARNTEST_RUNS_MIN", "6")
	update(t, cfg, numbers(60), guesser("forest"), path)
	t.Setenv("LEARNTEST_RUNS_MIN", "")
	c = AgainstWith(newRecorder(t), cfg, numbers(60), constant("forest", true), path)
	v = c.Judge(verdict.Claim{Repeats: 3})
	require.NoError(t, v.Err)
	assert.Equal(t, 3, v.Rerun.Repeats)

	// A claim may have a smaller budget, and no larger one.
	for asked, want := range map[int]int{0: 6, 2: 2, 4: 4, 6: 6, 9: 6} {
		settled, err := c.asConfigured(verdict.Claim{
			Kind: verdict.Improves, Replicability: 0.9,
			MaxRuns: asked,
		})
		require.NoError(t, err)
		assert.Equal(t, want, settled.MaxRuns, asked)
		settled, err = c.asConfigured(verdict.Claim{
			Kind: verdict.Improves, Replicability: 0.9,
			Repeats: 3,
		})
		require.NoError(t, err)
		assert.Zero(t, settled.MaxRuns, "a counted one has no budget")
		settled, err = c.asConfigured(verdict.Claim{Kind: verdict.Improves})
		require.NoError(t, err)
		assert.Zero(t, settled.MaxRuns)
	}
	// So it is of results that are taken from files.
	out := filepath.Join(t.TempDir(), "r.txt")
	stored := cfg
	stored.Results.Out, stored.MinRuns = out, 4
	mustRun(t, numbers(60), stored, guesser("a"), guesser("b"))
	stored.Results.Out, stored.Results.In = "", []string{out}
	two := CompareWith(newRecorder(t), stored, numbers(60), guesser("a"), guesser("b"))
	settled, err := two.asConfigured(verdict.Claim{
		Kind: verdict.Improves, Replicability: 0.9,
		MaxRuns: 9,
	})
	require.NoError(t, err)
	assert.Equal(t, 4, settled.MaxRuns)
}

// skipped is a test that was skipped.
type skipped struct{ *recorder }

func (skipped) Skipped() bool { return true }

// A test that compares a learner with its baseline and claims nothing would pass whatever the
// learner scores: it fails when it ends.
func TestAgainstWithoutAClaimFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 5), Results: Results{Pkg: "example.com/p", Test: "TestForest"}}
	update(t, cfg, numbers(60), guesser("forest"), path) // asks for no claim itself
	r := newRecorder(t)
	AgainstWith(r, cfg, numbers(60), constant("forest", false), path)
	require.Empty(t, r.errors)
	r.end()
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0], "learntest.Against: nothing was claimed of forest against "+path)

	for name, claim := range map[string]func(c *Comparison){
		"judged":   func(c *Comparison) { c.Judge(verdict.Claim{}) },
		"verdicts": func(c *Comparison) { c.Verdicts(verdict.Claim{Kind: verdict.NoRegression}) },
	} {
		r := newRecorder(t)
		claim(AgainstWith(r, cfg, numbers(60), guesser("forest"), path))
		r.end()
		require.Empty(t, r.errors, name)
	}
	r = newRecorder(t)
	AgainstWith(skipped{r}, cfg, numbers(60), guesser("forest"), path)
	r.end()
	require.Empty(t, r.errors)

	// One that could not be compared says so and no more.
	r = newRecorder(t)
	AgainstWith(r, cfg, numbers(62), guesser("forest"), path)
	r.end()
	require.NotEmpty(t, r.fatal)
	require.Empty(t, r.errors)
	r = newRecorder(t)
	AgainstWith(r, cfg, numbers(60), guesser("forest"), path+".none")
	r.end()
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0],
		"learntest.Against: invalid configuration: baseline "+path+".none: there is no such file; LEARNTEST_UPDATE=1 ")

	// That may be meant.
	r = newRecorder(t)
	cfg.NoClaim = true
	AgainstWith(r, cfg, numbers(60), constant("forest", false), path)
	r.end()
	require.Empty(t, r.errors)
}
