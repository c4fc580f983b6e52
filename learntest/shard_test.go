package learntest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sharded runs learners in shards, each with a file of its own, and returns the pattern of
// the files.
func sharded(t *testing.T, n int, data []Data[int, bool], learners []Learner[int, bool],
	cfg Config,
) string {
	t.Helper()
	dir := t.TempDir()
	for i := n; i >= 1; i-- {
		cfg.Results.Shard, cfg.Results.Out = split.Shard{Index: i, Count: n},
			filepath.Join(dir, fmt.Sprintf("%d.txt", i))
		_, err := Run(t.Context(), data, learners, cfg)
		require.NoError(t, err)
	}
	return filepath.Join(dir, "*.txt")
}

func twoDataSets() []Data[int, bool] {
	return []Data[int, bool]{numbers(60), Examples("others", []int{1, 2, 3, 4, 5, 6},
		[]bool{true, false, true, false, true, false})}
}

// uncounted leaves out in how many cells learners were trained again, since each shard does so in
// its own first one.
func uncounted(text string) string {
	return regexp.MustCompile(`(Checksum: .*|(=yes)/\d+)`).ReplaceAllString(text, "$2")
}

// The shards of a run, however many there are, come to the same file as the run.
func TestShardsAreTheWhole(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets(), []Learner[int, bool]{guesser("a"), guesser("b")}
	cfg := Config{
		Protocol: split.CV(2, 3), Repeats: 2,
		Results: Results{Out: filepath.Join(t.TempDir(), "r.txt")},
	}
	_, err := Run(t.Context(), data, learners, cfg)
	require.NoError(t, err)
	want := textWithoutTimes(t, cfg.Results.Out)
	counts := []int{1, 3, 30}
	if citest.Has(citest.Slow) {
		counts = []int{1, 2, 3, 5, 8, 24, 30}
	}
	for _, n := range counts {
		pattern := sharded(t, n, data, learners, cfg)
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.Len(t, paths, n)
		least, most := 1000, 0
		for _, path := range paths {
			f, err := record.Open(path)
			require.NoError(t, err)
			trials := 0
			for _, b := range f.Blocks() {
				trials += b.Len()
			}
			least, most = min(least, trials), max(most, trials)
		}
		assert.LessOrEqual(t, most-least, 2, "a fold with two learners is dealt out at once")
		in := cfg
		in.Results.In, in.Results.Out = []string{pattern}, filepath.Join(t.TempDir(), "r.txt")
		c := counter{fits: make(map[string]int)}
		_, err = Run(t.Context(), data, []Learner[int, bool]{c.wrap(learners[0]), c.wrap(learners[1])},
			in)
		require.NoError(t, err)
		assert.Empty(t, c.fits)
		require.Equal(t, uncounted(want), uncounted(textWithoutTimes(t, in.Results.Out)))
	}
}

// Shards that do not make one whole are refused, with the reason.
func TestShardsThatAreNotTheWholeAreRefused(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets()[:1], []Learner[int, bool]{guesser("a"), guesser("b")}
	cfg := Config{Protocol: split.CV(2, 3), Results: Results{Pkg: "p", Test: "T", Commit: "c0ffee"}}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string)
		judge  func(cfg *Config)
		want   []string
	}{
		{"one is missing", func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "2.txt")))
		}, nil, []string{"trials are missing: ", "learner a, run 1, fold 2", "learner b, run 1, fold 2"}},
		{"one is double", func(t *testing.T, dir string) {
			text, err := os.ReadFile(filepath.Join(dir, "2.txt"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "copy.txt"), text, 0o666))
		}, nil, []string{
			"trials occur more than once: ", "learner a, run 1, fold 2", "2.txt:",
			"copy.txt:",
		}},
		{"one has another protocol", func(t *testing.T, dir string) {
			cfg := cfg
			cfg.Protocol, cfg.Results.Shard, cfg.Results.Out = split.CV(2, 3).WithSeed(2),
				split.Shard{Index: 2, Count: 3}, filepath.Join(dir, "2.txt")
			require.NoError(t, os.Remove(cfg.Results.Out))
			mustRun(t, data[0], cfg, learners...)
		}, nil, []string{
			"those on data set numbers are of two protocols: \"cv runs=2 folds=3 stratified seed=1 v1\" in ",
			"\"cv runs=2 folds=3 stratified seed=2 v1\" in ", "2.txt:1",
			"trials are missing: ", "learner a, run 1, fold 2",
		}},
		{"one is of another commit", func(t *testing.T, dir string) {
			cfg := cfg
			cfg.Results.Commit, cfg.Results.Shard, cfg.Results.Out = "decade",
				split.Shard{Index: 2, Count: 3}, filepath.Join(dir, "2.txt")
			require.NoError(t, os.Remove(cfg.Results.Out))
			mustRun(t, data[0], cfg, learners...)
			ofProgram(t, cfg.Results.Out, strings.Repeat("a", 64))
		}, nil, []string{
			"1.txt:1 and ",
			"2.txt:1 are not of one model: it was written by another build of the program, whose learners may differ, and is not of the same commit without changes",
		}},
		{
			"all are of another commit", func(t *testing.T, dir string) {
				for _, name := range []string{"1.txt", "2.txt", "3.txt"} {
					ofProgram(t, filepath.Join(dir, name), strings.Repeat("a", 64))
				}
			}, func(cfg *Config) { cfg.Results.Commit = "decade" },
			[]string{`are of commit "c0ffee", and this is "decade": it was written by another build`},
		},
		{
			"the protocol is another", nil, func(cfg *Config) { cfg.Protocol = split.CV(2, 3).WithSeed(2) },
			[]string{"there are none on data set numbers under \"cv runs=2 folds=3 stratified seed=2 v1\""},
		},
		{"a run has not ended", func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "3.txt.partial-1"), []byte("\n\n"), 0o666))
		}, nil, []string{"3.txt.partial-1: a run that writes to ", "was interrupted"}},
		{"there are none", func(t *testing.T, dir string) {
			require.NoError(t, os.RemoveAll(dir))
		}, nil, []string{"there is no file ", "*.txt"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pattern := sharded(t, 3, data, learners, cfg)
			if c.change != nil {
				c.change(t, filepath.Dir(pattern))
			}
			in := cfg
			in.Results.In = []string{pattern}
			if c.judge != nil {
				c.judge(&in)
			}
			_, err := Run(t.Context(), data, learners, in)
			require.ErrorIs(t, err, ErrConfig)
			for _, want := range append(c.want, "invalid configuration: results to be judged") {
				require.ErrorContains(t, err, want)
			}
		})
	}
	pattern := sharded(t, 3, data, learners, cfg)
	in := cfg
	in.Results.In = []string{pattern}
	_, err := Run(t.Context(), data, []Learner[int, bool]{guesser("a"), guesser("c")}, in)
	require.ErrorContains(t, err, "there are none of c on data set numbers")
	_, err = Run(t.Context(), twoDataSets()[1:], learners, in)
	require.ErrorContains(t, err, "there are none on data set others")
	in.Repeats = 2
	_, err = Run(t.Context(), data, learners, in)
	require.EqualError(t, err, "invalid configuration: 12 trials of runs 1 to 4 are not in "+pattern)
}

// ofProgram has a result file say that another program has written it.
func ofProgram(t *testing.T, path, binary string) {
	t.Helper()
	f, err := record.Open(path)
	require.NoError(t, err)
	var blocks []*record.Block
	for _, b := range f.Blocks() {
		b = b.Clone()
		b.Header.Binary = binary
		blocks = append(blocks, b)
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, blocks...))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
}

// Shards are of one model if the same program has made them, or the same commit without changes.
// Two commits of one program are no difference, and an equal commit with changes proves nothing.
func TestShardsOfOneModel(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets()[:1], []Learner[int, bool]{guesser("a"), guesser("b")}
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	for _, c := range []struct {
		name    string
		commits [2]string
		program string // of the second shard; empty if both have one program
		want    string // of the error; none if it is empty
	}{
		{"a note was edited between two tasks", [2]string{"c0ffee", "c0ffee-dirty"}, "", ""},
		{"a commit between two tasks", [2]string{"c0ffee", "decade"}, "", ""},
		{"no commit", [2]string{"", ""}, "", ""},
		{"two builds of a commit", [2]string{"c0ffee", "c0ffee"}, a, ""},
		{"a program that nobody knows, of a commit", [2]string{"c0ffee", "c0ffee"}, "-", ""},
		{
			"two programs, the same commit with changes",
			[2]string{"c0ffee-dirty", "c0ffee-dirty"},
			a,
			"are not of one model: it was written by another build",
		},
		{
			"two programs without a commit",
			[2]string{"", ""},
			a,
			"are not of one model: it was written by another build",
		},
		{
			"nobody knows, and there is no commit",
			[2]string{"", ""},
			"-",
			"are not of one model: it was written by another build",
		},
		{
			"a program in another language that names no file",
			[2]string{"c0ffee", "c0ffee"},
			"unknown",
			"nothing says whether that program has changed: name its files among its arguments, or in Depends",
		},
		{
			"other files of a learner",
			[2]string{"c0ffee", "c0ffee"},
			"+" + b,
			"the files that its learners depend on have changed",
		},
	} {
		dir := t.TempDir()
		var notes []string
		cfg := Config{Protocol: split.CV(2, 3), Results: Results{Pkg: "p", Test: "T"}}
		for i, commit := range c.commits {
			cfg.Results.Commit, cfg.Results.Shard, cfg.Results.Out = commit, split.Shard{
				Index: i + 1,
				Count: 2,
			}, filepath.Join(dir, fmt.Sprintf("%d.txt", i+1))
			mustRun(t, data[0], cfg, learners...)
		}
		switch second := filepath.Join(dir, "2.txt"); {
		case c.program == "-":
			ofProgram(t, second, "")
		case strings.HasPrefix(c.program, "+"):
			f, err := record.Open(second)
			require.NoError(t, err)
			ofProgram(t, second, f.Blocks()[0].Header.Binary+c.program)
		case c.program != "":
			ofProgram(t, second, c.program)
		}
		in := Config{Protocol: split.CV(2, 3), Results: Results{
			Pkg: "p", Test: "T", Commit: c.commits[0],
			In:   []string{filepath.Join(dir, "*.txt")},
			Note: func(line string) { notes = append(notes, line) },
		}}
		f, err := Run(t.Context(), data, learners, in)
		if c.want != "" {
			require.ErrorContains(t, err, c.want, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, 12, f.Blocks()[0].Len())
		if c.commits[0] == c.commits[1] {
			require.Empty(t, notes, c.name)
			continue
		}
		require.Len(t, notes, 1, c.name)
		require.Contains(t, notes[0], fmt.Sprintf("1.txt:1 is of commit %q, and ", c.commits[0]))
		require.Contains(t, notes[0], fmt.Sprintf("2.txt:1 of %q: they are of the same program",
			c.commits[1]))
	}
}

// A command judges shards of any commit and program, and its results name the shards' commit; a
// test judges shards of its own program only.
func TestCommandsJudgeShardsOfAnyCommit(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets()[:1], []Learner[int, bool]{guesser("a"), guesser("b")}
	for _, pkg := range []string{"", "p"} {
		dir := t.TempDir()
		cfg := Config{Protocol: split.CV(2, 3), Results: Results{Pkg: pkg, Commit: "c0ffee"}}
		for i := range 2 {
			cfg.Results.Shard, cfg.Results.Out = split.Shard{Index: i + 1, Count: 2},
				filepath.Join(dir, fmt.Sprintf("%d.txt", i+1))
			mustRun(t, data[0], cfg, learners...)
			ofProgram(t, cfg.Results.Out, strings.Repeat("a", 64))
		}
		for _, commit := range []string{"", "decade", "c0ffee-dirty"} {
			f, err := Run(t.Context(), data, learners, Config{
				Protocol: split.CV(2, 3),
				Results:  Results{Pkg: pkg, Commit: commit, In: []string{filepath.Join(dir, "*.txt")}},
			})
			if pkg != "" {
				require.ErrorContains(t, err, fmt.Sprintf(`results to be judged are of commit "c0ffee", and this is %q`, commit))
				continue
			}
			require.NoError(t, err)
			require.Equal(t, "c0ffee", f.Blocks()[0].Header.Commit)
		}
	}
}

// A shard does not take the place of another one.
func TestShardsKeepEachOther(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets(), []Learner[int, bool]{guesser("a"), guesser("b")}
	cfg := Config{Protocol: split.CV(2, 3), Results: Results{
		Out:   filepath.Join(t.TempDir(), "r.txt"),
		Shard: split.Shard{Index: 1, Count: 2},
	}}
	run := func() error {
		forget(cfg.Results.Out)
		_, err := Run(t.Context(), data, learners, cfg)
		return err
	}
	require.NoError(t, run())
	require.NoError(t, run(), "the same shard again")
	before, err := os.ReadFile(cfg.Results.Out)
	require.NoError(t, err)
	cfg.Results.Shard.Index = 2
	err = run()
	require.ErrorIs(t, err, ErrConfig)
	require.ErrorContains(t, err, "r.txt has data set numbers, learner a, run 1, fold 1 of data set numbers under \"cv runs=2 folds=3 stratified seed=1 v1\", which is not in shard 2/2: let each shard write a file of its own")
	after, err := os.ReadFile(cfg.Results.Out)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{
			Config{Results: Results{Shard: split.Shard{Index: 1, Count: 2}}},
			"a shard without a result file: name one in LEARNTEST_OUT or Config.Results.Out",
		},
		{
			Config{Results: Results{Shard: split.Shard{Index: 3, Count: 2}}},
			"there is no shard 3 of 2: they count from 1",
		},
		{Config{Results: Results{
			Shard: split.Shard{Index: 1, Count: 2}, Out: cfg.Results.Out,
			In: []string{"x"},
		}}, "results to be judged (LEARNTEST_IN, Config.Results.In) and trials to be run (Shard, Resume) exclude each other"},
		{
			Config{Results: Results{Resume: true, Out: cfg.Results.Out, In: []string{"x"}}},
			"results to be judged (LEARNTEST_IN, Config.Results.In) and trials to be run (Shard, Resume) exclude each other",
		},
	} {
		_, err := Run(t.Context(), data, learners, c.cfg)
		require.EqualError(t, err, "invalid configuration: "+c.want)
	}
}

// A shard that was interrupted goes on, and does not take what another one has left.
func TestShardsAreResumed(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets()[:1], []Learner[int, bool]{guesser("a"), guesser("b")}
	cfg := Config{
		Protocol: split.CV(2, 3), Parallel: 1,
		Results: Results{
			Out:   filepath.Join(t.TempDir(), "r.txt"),
			Shard: split.Shard{Index: 1, Count: 2},
		},
	}
	interruptAfter(t, 3, data, learners, cfg)
	forget(cfg.Results.Out)
	cfg.Results.Resume = true
	other := cfg
	other.Results.Shard.Index = 2
	_, err := Run(t.Context(), data, learners, other)
	require.ErrorContains(t, err, "r.txt.partial-1 cannot be resumed: data set numbers, learner a, run 1, fold 1 is not in shard 2/2: remove it to start anew")
	forget(cfg.Results.Out)
	require.Equal(t, 6, mustRun(t, data[0], cfg, learners...).Len())
	requireOnly(t, cfg.Results.Out)
}

// A test that runs a shard records it and judges nothing; one that has the results of
// all shards says what a test without shards says.
func TestShardsOfATest(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{Protocol: split.CV(2, 5)}
	whole := newRecorder(t)
	want := CompareWith(whole, cfg, numbers(60), guesser("a"),
		constant("b", true)).Judge(verdict.Claim{Kind: verdict.Improves})
	for i := range 3 {
		t.Setenv("LEARNTEST_SHARD", fmt.Sprintf("%d/3", i+1))
		t.Setenv("LEARNTEST_OUT", filepath.Join(dir, fmt.Sprintf("%d.txt", i+1)))
		r := newRecorder(t)
		c := CompareWith(r, cfg, numbers(60), guesser("a"), constant("b", true))
		require.Empty(t, r.errors)
		require.Empty(t, r.fatal)
		require.Empty(t, r.attrs, "no verdict")
		v := c.Judge(verdict.Claim{Kind: verdict.Improves})
		require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
		require.False(t, v.Holds)
		require.Contains(t, v.Err.Error(), fmt.Sprintf("not judged: this is shard %d/3 with ", i+1))
		require.Contains(t, v.Err.Error(),
			fmt.Sprintf("%d.txt: judge the trials of all shards with LEARNTEST_IN", i+1))
		require.Contains(t, strings.Join(r.logs, "\n"),
			fmt.Sprintf("a vs b on numbers: not judged: this is shard %d/3", i+1))
		r.end()
	}
	t.Setenv("LEARNTEST_SHARD", "")
	t.Setenv("LEARNTEST_OUT", "")
	t.Setenv("LEARNTEST_IN", filepath.Join(dir, "*.txt"))
	r := newRecorder(t)
	c := counter{fits: make(map[string]int)}
	got := CompareWith(r, cfg, numbers(60), c.wrap(guesser("a")),
		c.wrap(constant("b", true))).Judge(verdict.Claim{Kind: verdict.Improves})
	require.Empty(t, r.errors)
	require.Empty(t, r.fatal)
	assert.Empty(t, c.fits)
	assert.Equal(t, want.String(), got.String())
	assert.Equal(t, whole.attrs, r.attrs)
}
