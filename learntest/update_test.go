package learntest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// wrongBelow predicts the parity of numbers, wrongly for those below a bound.
func wrongBelow(name string, bound int) Learner[int, bool] {
	return Pretrained(name, func(i int) bool { return (i%2 == 1) != (i < bound) })
}

// updated returns what an update says, and with which error it ends.
func updated(t *testing.T, how string, cfg Config, data Data[int, bool], l Learner[int, bool],
	path string,
) (said []string, err error) {
	t.Helper()
	t.Setenv("LEARNTEST_UPDATE", how)
	t.Setenv("CI", "")
	defer os.Unsetenv("LEARNTEST_UPDATE")
	r := newRecorder(t)
	c := AgainstWith(r, cfg, data, l, path)
	defer r.end()
	require.Empty(t, r.fatal)
	for _, line := range r.logs {
		if s, ok := strings.CutPrefix(line, path+": "); ok {
			said = append(said, s)
		}
	}
	return said, c.Judge(verdict.Claim{}).Err
}

// An update says how the scores change, so that a loss cannot be hidden.
func TestUpdatesSayWhatTheyChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{
		Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"},
		Metrics: []metric.Metric{metric.Accuracy(), metric.Error(), metric.Kappa()},
	}
	for _, c := range []struct {
		name   string
		change func(c *Config)
		l      Learner[int, bool]
		n      int
		want   []string
	}{
		{"first", nil, wrongBelow("forest", 6), 60, []string{
			"accuracy 90.00% (new)",
			"error 10.00% (new)", "kappa 0.8015 (new)",
		}},
		{
			"a loss", nil, wrongBelow("forest", 9), 60,
			[]string{
				"accuracy 90.00% -> 85.00% (-5.00 points, worse)",
				"error 10.00% -> 15.00% (+5.00 points, worse)", "kappa 0.8015 -> 0.6989 (-0.1026, worse)",
			},
		},
		{
			"no change", nil, wrongBelow("forest", 9), 60,
			[]string{
				"accuracy 85.00% -> 85.00% (no score has changed)",
				"error 15.00% -> 15.00% (no score has changed)",
				"kappa 0.6989 -> 0.6989 (no score has changed)",
			},
		},
		{
			"a gain", func(c *Config) { c.Metrics = c.Metrics[:1] }, wrongBelow("forest", 3), 60,
			[]string{"accuracy 85.00% -> 95.00% (+10.00 points, better)"},
		},
		{
			"a metric more", func(c *Config) { c.Metrics = c.Metrics[:2] }, wrongBelow("forest", 3), 60,
			[]string{"accuracy 95.00% -> 95.00% (no score has changed)", "error 5.00% (new)"},
		},
		{
			"another test", func(c *Config) { c.Results.Test, c.Metrics = "Renamed", c.Metrics[:1] },
			wrongBelow("forest", 6), 60,
			[]string{"accuracy 95.00% -> 90.00% (-5.00 points, worse)"},
		},
		{
			"other data", func(c *Config) { c.Results.Test, c.Metrics = "Renamed", c.Metrics[:1] },
			wrongBelow("forest", 6), 120,
			[]string{"accuracy 90.00% -> 95.00% (on other data or partitions, which says nothing of the model)"},
		},
		{
			"another learner", func(c *Config) { c.Results.Test, c.Metrics = "Wood", c.Metrics[:1] },
			wrongBelow("wood", 3), 60,
			[]string{"accuracy 95.00% (new)"},
		},
		{
			"a renamed learner", func(c *Config) { c.Results.Test, c.Metrics = "Wood", c.Metrics[:2] },
			wrongBelow("birch", 6), 60,
			[]string{
				"accuracy 90.00% (new; replaces wood, 95.00%)",
				"error 10.00% (new)",
			},
		},
		{
			"its old name", func(c *Config) { c.Results.Test, c.Metrics = "Wood", c.Metrics[:1] },
			wrongBelow("wood", 3), 60,
			[]string{"accuracy 95.00% (new; replaces birch, 90.00%)"},
		},
		{"another protocol", func(c *Config) {
			c.Results.Test, c.Metrics, c.Protocol = "Wood",
				c.Metrics[:1], split.CV(1, 2)
		}, wrongBelow("wood", 6), 60, []string{"accuracy 95.00% -> 90.00% (on other data or partitions, which says nothing of the model)"}},
		{"another test, of two protocols", func(c *Config) {
			c.Results.Test, c.Metrics = "Oak",
				c.Metrics[:1]
		}, wrongBelow("wood", 3), 60, []string{"accuracy 95.00% -> 95.00% (no score has changed)"}},
	} {
		own, learner := cfg, c.l
		if c.change != nil {
			c.change(&own)
		}
		for i := range c.want {
			c.want[i] = learner.Name + " on numbers: " + c.want[i]
		}
		said, err := updated(t, "1", own, numbers(c.n), learner, path)
		require.ErrorIs(t, err, verdict.ErrNotJudged, c.name)
		require.Equal(t, c.want, said, c.name)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text),
		"\nMeans: forest/accuracy=0.9500000000000001 forest/error=0.05\n",
		"the difference of a commit shows it")
	require.Contains(t, string(text), "\nMeans: wood/accuracy=0.9\n")
}

// Other scores with the same mean are no "no score has changed".
func TestUpdateOfOtherScoresWithTheSameMean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"}}
	for i, wrong := range []int{4, 7} {
		l := Pretrained("forest", func(i int) bool { return (i%2 == 1) != (i == wrong) })
		said, err := updated(t, "1", cfg, numbers(60), l, path)
		require.ErrorIs(t, err, verdict.ErrNotJudged)
		require.ErrorContains(t, err, "was written, with 1 run of forest: ")
		require.Equal(t, []string{[]string{
			"forest on numbers: accuracy 98.33% (new)",
			"forest on numbers: accuracy 98.33% -> 98.33% (+0.00 points)",
		}[i]}, said)
	}
}

// A baseline that has learned nothing guards nothing: it takes a person's word.
func TestUpdateOfABaselineThatHasLearnedNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{
		Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"},
		Metrics: []metric.Metric{metric.Accuracy(), metric.Kappa()},
	}
	said, err := updated(t, "1", cfg, numbers(60), constant("never", false), path)
	require.NotErrorIs(t, err, verdict.ErrNotJudged)
	require.EqualError(t, err, "the baseline "+path+` was not written: never is no better than always "false" (accuracy 50.00%, kappa 0): what the next version is compared with has learned nothing that shows: see to the learner, or choose a metric in which that scores low, such as balanced-accuracy; LEARNTEST_UPDATE=force writes it nevertheless`)
	require.Empty(t, said)
	require.NoFileExists(t, path)

	said, err = updated(t, "force", cfg, numbers(60), constant("never", false), path)
	require.ErrorIs(t, err, verdict.ErrNotJudged)
	require.FileExists(t, path)
	require.Equal(t, []string{
		"never on numbers: accuracy 50.00% (new)",
		"never on numbers: kappa 0 (new)",
		`warning: never is no better than always "false" (accuracy 50.00%, kappa 0)`,
	}, said)

	// A learner may be better in one metric only, which may be the judged one, and so may a metric
	// without a score of the majority class.
	xs, labels := make([]int, 60), make([]bool, 60)
	for i := range xs {
		xs[i], labels[i] = i, i%3 == 0
	}
	some := Pretrained("some", func(i int) bool { return i%3 == 0 || i < 34 })
	brave := Config{
		Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T2"},
		Metrics: cfg.Metrics,
	}
	_, err = updated(t, "1", brave, Examples("thirds", xs, labels), some, path)
	require.ErrorIs(t, err, verdict.ErrNotJudged)
	brave.Metrics = cfg.Metrics[:1]
	_, err = updated(t, "1", brave, Examples("thirds", xs, labels), some, path)
	require.ErrorContains(t, err, `some is no better than always "false" (accuracy 66.67%)`)
	own := metric.Accuracy()
	own.Name = "hits"
	brave.Results.Test, brave.Metrics = "T3", []metric.Metric{metric.Accuracy(), own}
	_, err = updated(t, "1", brave, Examples("thirds", xs, labels), some, path)
	require.ErrorIs(t, err, verdict.ErrNotJudged)
}

// Without -v, it is printed, since a test that passes logs nothing.
func TestWhatAnUpdateSaysIsPrinted(t *testing.T) {
	was, stdout := isVerbose, os.Stdout
	defer func() { isVerbose, os.Stdout = was, stdout }()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	isVerbose, os.Stdout = func() bool { return false }, out
	r := newRecorder(t)
	tell(r, []string{"100% new"})
	text, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	assert.Equal(t, "100% new\n", string(text))
	assert.Empty(t, r.logs)
}

// An edited baseline guards nothing: an update mends it, and does not call it a beginning.
func TestUpdateMendsABaselineThatWasEdited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"}}
	_, err := updated(t, "1", cfg, numbers(60), wrongBelow("forest", 6), path)
	require.ErrorIs(t, err, verdict.ErrNotJudged)
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	bare := withoutChecksum(t, string(good))
	for name, c := range map[string]struct{ text, why string }{
		"no checksum": {bare, ":1: the block has no checksum, so that nothing shows whether its scores were edited"},
		"scores": {
			strings.ReplaceAll(bare, " 1 accuracy", " 0.5 accuracy"),
			": key Means says forest/accuracy=0.9, and the mean of the trials is ",
		},
		"checksum": {
			strings.Replace(string(good), " 1 accuracy", " 0.5 accuracy", 1),
			"the checksum is wrong",
		},
		"a mean less": {
			strings.Replace(bare, "Means: forest/accuracy=0.9\n",
				"Means: tree/accuracy=0.9\n", 1),
			": key Means has no forest/accuracy, whose trials have the mean 0.9",
		},
		"a mean more": {
			strings.Replace(bare, "Means: forest/accuracy=0.9\n",
				"Means: forest/accuracy=0.9 tree/accuracy=0.9\n", 1),
			": key Means says tree/accuracy=0.9, of which there are no trials",
		},
	} {
		require.NotEqual(t, string(good), c.text, name)
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		said, err := updated(t, "1", cfg, numbers(60), wrongBelow("forest", 6), path)
		require.ErrorIs(t, err, verdict.ErrNotJudged, name)
		require.Len(t, said, 2, name)
		require.Equal(t, "forest on numbers: accuracy 90.00% (new)", said[0], name)
		require.True(t, strings.HasPrefix(said[1],
			"warning: the replaced results cannot be compared with: "+path), said[1])
		require.Contains(t, said[1], c.why, name)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(good), string(after), name)
	}
}

// An update would leave the conflict in the file, beside the new results.
func TestUpdateLeavesMergeConflictsToPeople(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{
		Pkg: "p", Test: "T",
		Reproduce: "go test p",
	}}
	update(t, cfg, numbers(60), wrongBelow("forest", 6), path)
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	conflict := strings.Replace(string(good), "Means: ", "<<<<<<< HEAD\nMeans: a\n=======\nMeans: ", 1)
	require.NoError(t, os.WriteFile(path, []byte(conflict), 0o666))
	for _, how := range []string{"1", "force"} {
		t.Setenv("LEARNTEST_UPDATE", how)
		t.Setenv("CI", "")
		fits := counter{fits: make(map[string]int)}
		r := newRecorder(t)
		AgainstWith(r, cfg, numbers(60), fits.wrap(wrongBelow("forest", 9)), path)
		require.Equal(t, "learntest.Against: invalid configuration: the baseline is not written: "+path+`:13: a merge conflict is left: "<<<<<<< HEAD": git checkout --ours `+path+", or --theirs, takes one side; run the test again then: if the merged change is accepted, LEARNTEST_UPDATE=1 go test p writes it anew", r.fatal)
		require.Empty(t, fits.fits)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, conflict, string(after))
	}
}

// An update without another score leaves the file alone, whatever its head would say now.
func TestUpdateThatChangesNoScoreWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T", Commit: "c0ffee"}}
	update(t, cfg, numbers(60), wrongBelow("forest", 6), path)
	long := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	untouched := func(own Config, l Learner[int, bool], want bool) {
		t.Helper()
		require.NoError(t, os.Chtimes(path, long, long))
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		_, err = updated(t, "1", own, numbers(60), l, path)
		require.ErrorIs(t, err, verdict.ErrNotJudged)
		require.Equal(t, want, strings.Contains(err.Error(),
			path+" is left unchanged, with the same scores in "), err)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, want, info.ModTime().Equal(long))
		require.Equal(t, want, string(before) == string(after))
	}
	later := cfg
	later.Results.Commit, later.Results.CommitTime = "decade", "2026-11-20T16:02:11Z"
	untouched(later, wrongBelow("forest", 6), true)
	more := later
	more.MinRuns = 2
	untouched(more, wrongBelow("forest", 6), false) // further runs are scores, too
	untouched(more, wrongBelow("forest", 6), true)
	metrics := more
	metrics.Metrics = []metric.Metric{metric.Accuracy(), metric.Kappa()}
	untouched(metrics, wrongBelow("forest", 6), false)
	renamed := metrics
	renamed.Results.Test = "Renamed" // which the results of another test are not
	untouched(renamed, wrongBelow("forest", 6), false)
	untouched(metrics, wrongBelow("forest", 7), false)
}

// Learners of one test are updated one after the other: what each was is known.
func TestUpdatesOfSeveralLearnersOfOneTest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"}}
	t.Setenv("CI", "")
	all := func(ls ...Learner[int, bool]) []string {
		t.Setenv("LEARNTEST_UPDATE", "1")
		r := newRecorder(t)
		for _, l := range ls {
			AgainstWith(r, cfg, numbers(60), l, path)
		}
		r.end()
		require.Empty(t, r.errors)
		require.Empty(t, r.fatal)
		var said []string
		for _, line := range r.logs {
			if s, ok := strings.CutPrefix(line, path+": "); ok {
				said = append(said, s)
			}
		}
		return said
	}
	all(wrongBelow("x", 3), wrongBelow("y", 6))
	require.Equal(t, []string{
		"x on numbers: accuracy 95.00% -> 90.00% (-5.00 points, worse)",
		"y on numbers: accuracy 90.00% -> 85.00% (-5.00 points, worse)",
	}, all(wrongBelow("x", 6), wrongBelow("y", 9)))
	require.Equal(t, []string{
		"x on numbers: accuracy 90.00% -> 90.00% (no score has changed)",
		"y on numbers: accuracy 85.00% -> 90.00% (+5.00 points, better)",
	}, all(wrongBelow("x", 6), wrongBelow("y", 6)))
	require.Equal(t, []string{"x", "y"}, open(t, path).Learners("numbers"),
		"the one that has not changed is still there")
	require.Equal(t, []string{
		"z on numbers: accuracy 80.00% (new; replaces x, 90.00%, and y, 90.00%)",
		"y on numbers: accuracy 90.00% -> 90.00% (no score has changed)",
	}, all(wrongBelow("z", 12), wrongBelow("y", 6)))
	require.Equal(t, []string{"z", "y"}, open(t, path).Learners("numbers"))
}

// rewrite changes the header of a baseline as somebody else would have written it.
func rewrite(t *testing.T, path string, change func(h *record.Header)) {
	t.Helper()
	f, err := record.Open(path)
	require.NoError(t, err)
	b := f.Blocks()[0].Clone()
	change(&b.Header)
	var text strings.Builder
	require.NoError(t, record.Write(&text, b))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
}

// An update writes into no file that it cannot read, which may be somebody else's.
func TestUpdateLeavesForeignFilesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"}}
	update(t, cfg, numbers(60), wrongBelow("forest", 6), path)
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"an older format": strings.Replace(string(good), "format: 2", "format: 1", 1),
		"no results":      "Dear diary,\n",
		"half a block":    string(good[:len(good)/2]),
		"a wrong unit":    strings.Replace(string(good), "better=higher", "better=sideways", 1),
		"a wrong unit on another data set": string(good) +
			strings.Replace(strings.ReplaceAll(string(good), "numbers", "others"), "better=higher",
				"better=sideways", 1),
	} {
		require.NotEqual(t, string(good), text, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		t.Setenv(envUpdate, "1")
		t.Setenv("CI", "")
		r := newRecorder(t)
		c := AgainstWith(r, cfg, numbers(60), wrongBelow("forest", 9), path)
		r.end()
		require.Contains(t, r.fatal+strings.Join(r.errors, ""), "the baseline ", name)
		require.NotErrorIs(t, c.Judge(verdict.Claim{}).Err, verdict.ErrNotJudged, name)
		t.Setenv(envUpdate, "")
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(after), name)
	}
}

// Where nothing can be written, an update says so before anything is trained.
func TestUpdateWhereNothingCanBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "baseline.txt")
	cfg := Config{Protocol: split.CV(1, 4), Results: Results{Pkg: "p", Test: "T"}}
	t.Setenv(envUpdate, "1")
	t.Setenv("CI", "")
	fits := counter{fits: make(map[string]int)}
	r := newRecorder(t)
	v := AgainstWith(r, cfg, numbers(60), fits.wrap(wrongBelow("forest", 6)),
		path).Judge(verdict.Claim{Kind: verdict.NoRegression})
	r.end()
	require.Regexp(t, `^learntest.Against: invalid configuration: the baseline is not written: .*no such file or directory: make the directory first$`, r.fatal)
	require.Empty(t, fits.fits)
	require.Equal(t, verdict.Invalid, v.Outcome)
	require.Equal(t, "forest does not regress from forest on numbers", v.Statement())
}
