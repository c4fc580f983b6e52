package learntest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/filecache"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A trialCache is a cache of trials, and a test that uses it again and again, as processes would.
type trialCache struct {
	*testing.T
	dir  string
	name string // of the test
	cfg  Config
	data Data[int, bool]
}

// newTrialCache makes the process one that may keep trials.
func newTrialCache(t *testing.T) *trialCache {
	t.Helper()
	trimmed, committed, least := isTrimmed, isCommitted, leastCached
	t.Cleanup(func() { isTrimmed, isCommitted, leastCached = trimmed, committed, least })
	isTrimmed, isCommitted, leastCached = func() bool { return true }, func() bool { return true }, 0
	c := &trialCache{T: t, dir: t.TempDir(), name: "TestCached", data: numbers(100)}
	c.cfg = Config{Protocol: split.CV(4, 5).WithSeed(59), NoClaim: true, Depends: []string{}}
	t.Setenv(envCache, c.dir)
	t.Chdir(t.TempDir()) // whose files are digested at each run
	return c
}

// A cachedRun is what came of a run.
type cachedRun struct {
	*Comparison
	*recorder
	calls map[string]int // trainings of each learner
	said  string         // of the cache
}

// run compares two learners as another process would.
func (c *trialCache) run(candidate, baseline Learner[int, bool]) cachedRun {
	c.Helper()
	forget("")
	return c.again(candidate, baseline)
}

// again compares two learners in this process.
func (c *trialCache) again(candidate, baseline Learner[int, bool]) cachedRun {
	c.Helper()
	count := counter{fits: make(map[string]int)}
	run := cachedRun{recorder: newRecorder(c.T), calls: make(map[string]int)}
	run.recorder.name = c.name
	run.Comparison = CompareWith(run.recorder, c.cfg, c.data, count.wrap(candidate),
		count.wrap(baseline))
	for fit, n := range count.fits {
		for _, name := range []string{candidate.Name, baseline.Name} {
			if strings.HasPrefix(fit, name) {
				run.calls[name] += n
			}
		}
	}
	for _, line := range run.logs {
		if strings.HasPrefix(line, "cache: ") {
			run.said += line + "\n"
		}
	}
	run.end()
	return run
}

// fine fails unless the run had no errors.
func (r cachedRun) fine(t *testing.T) cachedRun {
	t.Helper()
	require.Empty(t, r.fatal)
	require.Empty(t, r.errors)
	return r
}

// files returns the files in the cache.
func (c *trialCache) files() (files []string) {
	c.Helper()
	require.NoError(c, filepath.WalkDir(c.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	return files
}

const (
	trainedSaid = "cache: 40 of 40 trained, 4 trained again to check"
	cachedSaid  = "cache: 0 of 40 trained, 2 trained again to check\n"
)

// TestTrialsOfTheCacheAreNotTrainedAgain trains again some of the cells that another process has
// trained, and compares all results.
func TestTrialsOfTheCacheAreNotTrainedAgain(t *testing.T) {
	c := newTrialCache(t)
	for _, out := range []string{"", filepath.Join(t.TempDir(), "r.txt")} {
		c.cfg.Results.Out = out
		c.dir = t.TempDir()
		t.Setenv(envCache, c.dir)
		first := c.run(better, worse).fine(t)
		assert.Equal(t, map[string]int{"better": 22, "worse.": 22}, first.calls)
		assert.Equal(t, trainedSaid+"\n", first.said)
		assert.Len(t, c.files(), 2)

		second := c.run(better, worse).fine(t)
		assert.Equal(t, map[string]int{"better": 1, "worse.": 1}, second.calls)
		assert.Equal(t, cachedSaid, second.said)
		a, b := first.Records().Blocks()[0], second.Records().Blocks()[0]
		assert.Equal(t, a.Checksum(), b.Checksum())
		assert.Equal(t, elsewhere(a.Header), b.Header, "whose times nobody has measured")
		assert.Equal(t, first.Comparison.judge(verdict.Claim{}).Summary(),
			second.Comparison.judge(verdict.Claim{}).Summary())
		assert.False(t, a.Timeless)
		assert.True(t, b.Timeless, "this process has not taken that time")
		assert.Len(t, c.files(), 2)

		// Of another learner, the baseline is taken.
		third := c.run(knows("other", 0.9), worse).fine(t)
		assert.Equal(t, map[string]int{"other": 22, "worse.": 1}, third.calls)
		assert.Equal(t, "cache: 20 of 40 trained, 3 trained again to check\n", third.said)
	}
}

func TestTenTimesTenRunsFromTheCache(t *testing.T) {
	c := newTrialCache(t)
	c.cfg.Protocol = split.CV(10, 10)
	c.run(better, worse).fine(t)
	assert.Equal(t, "cache: 0 of 200 trained, 4 trained again to check\n",
		c.run(better, worse).fine(t).said)
}

// A process does not take its own trials: another learner of the same test may have the name.
func TestTrialsOfThisProcessAreTrained(t *testing.T) {
	c := newTrialCache(t)
	c.run(better, worse).fine(t)
	assert.Equal(t, trainedSaid+"\n", c.again(better, worse).fine(t).said)
}

// Two learners of one name in one test are an error, with a cache or without.
func TestTwoLearnersOfANameAreNotTakenForOne(t *testing.T) {
	c := newTrialCache(t)
	one, other := better, knows("better", 0.5)
	for range 3 {
		forget("")
		r := newRecorder(t)
		r.name = c.name
		CompareWith(r, c.cfg, c.data, one, worse)
		require.Empty(t, r.errors)
		CompareWith(r, c.cfg, c.data, other, worse)
		require.Len(t, r.errors, 1)
		require.Contains(t, r.errors[0], "better")
		r.end()
	}
}

// Anything that a training may depend on makes it another one.
func TestTrialsOfAnythingElseAreTrained(t *testing.T) {
	file := filepath.Join(t.TempDir(), "weights.json")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o666)) }
	procs := runtime.GOMAXPROCS(0)
	wider := metric.Accuracy()
	wider.Max = 2
	accuracy := metric.Accuracy()
	accuracy.Eval = func(p *metric.Predictions) (float64, error) {
		v, err := metric.Accuracy().Eval(p)
		return v / 2, err
	}
	same := newTrialCache(t)
	write("[1]")
	t.Setenv("CACHED_THREADS", "1")
	same.cfg.Depends = []string{file, "$CACHED_THREADS", "$CACHED_UNSET"}
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.com/m\n"), 0o666))
	same.run(better, worse).fine(t)
	for name, change := range map[string]func(t *testing.T, c *trialCache){
		"an example": func(_ *testing.T, c *trialCache) {
			c.data = Examples("numbers",
				append(xsOf(99), 101), ysOf(100))
		},
		"a label": func(_ *testing.T, c *trialCache) {
			c.data = Examples("numbers", xsOf(100), append([]bool{true}, ysOf(100)[1:]...))
		},
		"the name of the data": func(_ *testing.T, c *trialCache) {
			c.data = Examples("digits", xsOf(100),
				ysOf(100))
		},
		"groups": func(_ *testing.T, c *trialCache) {
			c.data = numbers(100).WithGroups(strings.Split(strings.Repeat("a b c d ", 25), " ")[:100])
			c.cfg.IgnoreGroups = true
		},
		"a slice": func(_ *testing.T, c *trialCache) {
			c.data = numbers(100).WithSlice("few", func(x int) bool { return x < 50 })
		},
		"a file":                   func(*testing.T, *trialCache) { write("[2]") },
		"a variable":               func(t *testing.T, _ *trialCache) { t.Setenv("CACHED_THREADS", "2") },
		"a variable that is empty": func(t *testing.T, _ *trialCache) { t.Setenv("CACHED_UNSET", "") },
		"one more file": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Depends = append(c.cfg.Depends, "go.mod")
		},
		"the seed": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Protocol = c.cfg.Protocol.WithSeed(60)
		},
		"the folds": func(_ *testing.T, c *trialCache) {
			c.cfg.Protocol = split.CV(5,
				4).WithSeed(59)
		},
		"the strata": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Protocol = c.cfg.Protocol.Stratified(false)
		},
		"another metric": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Metrics = []metric.Metric{metric.Kappa()}
		},
		"one more metric": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Metrics = []metric.Metric{metric.Accuracy(), metric.Kappa()}
		},
		"the formula of a metric": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Metrics = []metric.Metric{accuracy}
		},
		"the range of a metric": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Metrics = []metric.Metric{wider}
		},
		"the time of a trial": func(_ *testing.T, c *trialCache) { c.cfg.TrialTimeout = time.Hour },
		"the test":            func(_ *testing.T, c *trialCache) { c.name = "TestOther" },
		"the package": func(_ *testing.T,
			c *trialCache,
		) {
			c.cfg.Results.Pkg = "example.com/other"
		},
		"GODEBUG": func(t *testing.T, _ *trialCache) {
			t.Setenv("GODEBUG",
				"cpu.fma=off")
		},
		"GOMAXPROCS":  func(*testing.T, *trialCache) { runtime.GOMAXPROCS(procs + 1) },
		"an argument": func(*testing.T, *trialCache) { os.Args = append(os.Args, "-k=5") },
	} {
		t.Run(name, func(t *testing.T) {
			c, args := *same, os.Args
			c.T = t
			write("[1]")
			defer func() {
				os.Args = args
				runtime.GOMAXPROCS(procs)
			}()
			require.Equal(t, cachedSaid, c.run(better, worse).fine(t).said)
			change(t, &c)
			assert.Equal(t, trainedSaid+"\n", c.run(better, worse).fine(t).said)
		})
	}
}

func xsOf(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

func ysOf(n int) []bool {
	ys := make([]bool, n)
	for i := range ys {
		ys[i] = i%2 == 1
	}
	return ys
}

// A seed that changes no partition reaches the learners nevertheless.
func TestSeedsOfFixedPartitions(t *testing.T) {
	c := newTrialCache(t)
	c.cfg.Protocol = split.TimeSeries(5, split.Window{})
	c.run(better, worse).fine(t)
	require.Contains(t, c.run(better, worse).fine(t).said, "cache: 0 of ")
	c.cfg.Protocol = c.cfg.Protocol.WithSeed(7)
	assert.NotContains(t, c.run(better, worse).fine(t).said, "cache: 0 of ")
}

// A file in the test's directory counts although nobody has declared it.
func TestFilesOfTheTestCountAsInputsOfTraining(t *testing.T) {
	c := newTrialCache(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("weights.json", []byte("[1]"), 0o666))
	c.run(better, worse).fine(t)
	require.NoError(t, os.WriteFile("weights.json", []byte("[2]"), 0o666))
	assert.Equal(t, trainedSaid+"\n", c.run(better, worse).fine(t).said)
	require.NoError(t, os.WriteFile("README.md", []byte("# Read me\n"), 0o666))
	assert.Equal(t, cachedSaid, c.run(better, worse).fine(t).said)

	// One that changes while the learners train.
	meddling := Func("meddling", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		return func(int) bool { return true }, os.WriteFile("weights.json", []byte("[3]"), 0o666)
	})
	r := c.run(meddling, worse).fine(t)
	assert.Equal(t, "cache: 20 of 40 trained, 3 trained again to check; not kept: a file that may be read has changed meanwhile\n", r.said)
}

// A learner with fields is another one when they change.
func TestParametersTellLearnersApart(t *testing.T) {
	c := newTrialCache(t)
	type guess struct{ p float64 }
	of := func(g guess) Learner[int, bool] {
		l := knows("better", g.p)
		l.describe = parameters(g)
		return l
	}
	c.run(of(guess{0.92}), worse).fine(t)
	r := c.run(of(guess{0.5}), worse).fine(t)
	assert.Equal(t, map[string]int{"better": 22, "worse.": 1}, r.calls)
	assert.Equal(t, map[string]int{"better": 1, "worse.": 1},
		c.run(of(guess{0.5}), worse).fine(t).calls)

	type threshold struct{ at int }
	one, err := parameters(&threshold{1})()
	require.NoError(t, err)
	two, err := parameters(&threshold{2})()
	require.NoError(t, err)
	assert.NotEqual(t, one, two)

	// So do the parameters of an encoding, and its learner.
	said := func(l Learner[dataset.Row, bool]) string {
		text, err := l.describe()
		require.NoError(t, err)
		return text
	}
	fit := Func("mine", func(context.Context, Sample[[]float64, bool], uint64) (func([]float64) bool,
		error,
	) {
		return nil, nil
	})
	plain, scaled := Encode(dataset.Encoding{}, fit), Encode(dataset.Encoding{Scale: true}, fit)
	assert.NotEqual(t, said(plain), said(scaled))
	assert.Equal(t, said(plain), said(Encode(dataset.Encoding{}, fit)))
	fit.describe = parameters(threshold{1})
	assert.NotEqual(t, said(plain), said(Encode(dataset.Encoding{}, fit)))
	fit.describe = func() (string, error) { return "", os.ErrInvalid }
	_, err = Map(Encode(dataset.Encoding{}, fit),
		func(dataset.Row) dataset.Row { return dataset.Row{} }).describe()
	assert.ErrorIs(t, err, os.ErrInvalid)
	numbers := FromClassifier(neighbor.New(neighbor.Config{}))
	text, err := Tabulate[int, bool](numbers).describe()
	require.NoError(t, err)
	assert.Contains(t, text, "neighbor")
}

// A degraded candidate is another learner.
func TestDegradedLearnersAreOthers(t *testing.T) {
	c := newTrialCache(t)
	c.run(better, worse).fine(t)
	t.Setenv(envDegrade, "0.5")
	assert.Equal(t, map[string]int{"better": 22, "worse.": 1}, c.run(better, worse).fine(t).calls)
	assert.Equal(t, map[string]int{"better": 1, "worse.": 1}, c.run(better, worse).fine(t).calls)
}

// Where something is not known, nothing is kept and nothing taken, and the log says why.
func TestWhatTheCacheDoesNotKeep(t *testing.T) {
	var calls atomic.Int64
	random := Func("better", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return func(int) bool { return rand.IntN(2) == 0 }, nil
	})
	fails := Func("better", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		calls.Add(1)
		return func(int) bool { return true }, nil
	})
	for name, x := range map[string]struct {
		change    func(c *trialCache)
		candidate Learner[int, bool]
		why       string
		kept      int
		reads     bool // the trials that are there
	}{
		"nothing is declared": {
			change: func(c *trialCache) { c.cfg.Depends = nil },
			why:    "Config.Depends does not say what training depends on: []string{} is nothing else",
		},
		"no -trimpath": {
			change: func(*trialCache) { isTrimmed = func() bool { return false } },
			why:    "the test was built without -trimpath, so that another directory makes it another program",
		},
		"predictions are wanted": {
			change: func(c *trialCache) {
				c.cfg.Predicted = func(record.Cell, []int,
					*metric.Predictions) {
				}
			},
			why: "the predictions of all trials are wanted",
		},
		"changes that nobody has committed": {
			change: func(*trialCache) { isCommitted = func() bool { return false } },
			why:    "the code has changes that are not committed, or there is no git", reads: true,
		},
		"quick trainings": {
			change: func(*trialCache) { leastCached = time.Hour },
			why:    "trainings of less than 1h0m0s are not worth it", reads: true,
		},
		"a learner that its seed does not fix": {
			change: func(c *trialCache) { c.cfg.AllowNondeterminism = true }, candidate: random,
			why: "better was not seen to repeat its predictions", kept: 1,
		},
		"a learner of which something is unknown": {
			change: func(*trialCache) {},
			candidate: Learner[int, bool]{Name: "better", Fit: fails.Fit, describe: func() (string,
				error,
			) {
				return "", fmt.Errorf("nobody knows")
			}},
			why: "nobody knows", kept: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrialCache(t)
			if x.candidate.Name == "" {
				x.candidate = better
			}
			restore := c.cfg
			x.change(c)
			r := c.run(x.candidate, worse).fine(t)
			assert.Equal(t, trainedSaid+"; not kept: "+x.why+"\n", r.said)
			assert.Len(t, c.files(), x.kept)

			// Nor is anything taken, but by a tree with changes.
			changed := c.cfg
			trimmed, committed, least := isTrimmed, isCommitted, leastCached
			c.cfg, isTrimmed, isCommitted, leastCached = restore, func() bool { return true },
				func() bool { return true }, 0
			c.run(better, worse).fine(t)
			c.cfg, isTrimmed, isCommitted, leastCached = changed, trimmed, committed, least
			r = c.run(x.candidate, worse)
			if x.reads {
				assert.Equal(t, cachedSaid, r.fine(t).said)
			} else if x.kept == 0 {
				assert.Equal(t, trainedSaid+"; not kept: "+x.why+"\n", r.fine(t).said)
			}
		})
	}
}

// A learner that has changed without any declaration fails the test, and its trials go.
func TestChangesThatNobodyDeclaredAreFound(t *testing.T) {
	c := newTrialCache(t)
	c.run(better, worse).fine(t)
	changed := knows("better", 0.85)
	r := c.run(changed, worse)
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0],
		"data set numbers, learner better, run 1, fold 1 is from LEARNTEST_CACHE: trained again, it predicted something else; all trials of better were removed from there: name in Config.Depends what its training depends on")
	assert.Equal(t, cachedSaid, r.said)
	assert.Equal(t, verdict.Invalid, r.Comparison.judge(verdict.Claim{}).Outcome)
	assert.Len(t, c.files(), 1)
	assert.Equal(t, map[string]int{"better": 22, "worse.": 1}, c.run(changed, worse).fine(t).calls)

	// One that fails now, and one with equal scores of other predictions.
	fails := Func("better", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		return nil, os.ErrInvalid
	})
	r = c.run(fails, worse)
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0],
		"trained again, it failed: fit: invalid argument; all trials of better were removed")
	even := Pretrained("better", func(x int) bool { return x%4 == 0 })
	odd := Pretrained("better", func(x int) bool { return x%4 == 2 })
	c.cfg.Metrics = []metric.Metric{{
		Unit: metric.Accuracy().Unit,
		Eval: func(*metric.Predictions) (float64, error) { return 0.5, nil },
	}}
	c.run(even, worse).fine(t)
	require.Len(t, c.run(odd, worse).errors, 1)
}

// A learner that keeps something between trainings is not kept.
func TestLearnersWithStateAreNotKept(t *testing.T) {
	c := newTrialCache(t)
	var n atomic.Int64
	state := Func("state", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		k := int(n.Add(1))
		return func(x int) bool { return x%k == 0 }, nil
	})
	r := c.run(state, worse)
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0], "state")
	assert.Empty(t, c.files())
}

// Files that no process has kept are not taken.
func TestFilesThatAreNotOfTheCache(t *testing.T) {
	for name, x := range map[string]struct {
		damage func(t *testing.T, path string, text []byte)
		note   string
	}{
		"torn": {
			func(t *testing.T, path string, text []byte) { overwrite(t, path, text[:len(text)/2]) },
			"it was changed, or not written to its end: it is left out, and removed",
		},
		"empty": {
			func(t *testing.T, path string, _ []byte) { overwrite(t, path, nil) },
			"it was changed, or not written to its end",
		},
		"changed": {func(t *testing.T, path string, text []byte) {
			overwrite(t, path, []byte(strings.Replace(string(text), `"values":[`, `"values":[0.`, 1)))
		}, "it was changed, or not written to its end"},
		"of the other learner": {func(t *testing.T, path string, _ []byte) {
			others, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(path)), "*", "*"))
			require.NoError(t, err)
			for _, other := range others {
				text, err := os.ReadFile(other)
				require.NoError(t, err)
				if other != path {
					overwrite(t, path, text)
				}
			}
		}, "it was changed, or not written to its end"},
		"a directory": {func(t *testing.T, path string, _ []byte) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o777))
		}, "is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrialCache(t)
			first := c.run(better, worse).fine(t)
			path := c.files()[0]
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			x.damage(t, path, text)
			r := c.run(better, worse).fine(t)
			assert.Contains(t, r.said, x.note)
			assert.Contains(t, r.said, "cache: 20 of 40 trained, 3 trained again to check\n")
			assert.Equal(t, first.Records().Blocks()[0].Checksum(), r.Records().Blocks()[0].Checksum())
			assert.Equal(t, cachedSaid, c.run(better, worse).fine(t).said)
		})
	}
}

func overwrite(t *testing.T, path string, text []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, text, 0o666))
}

// Further runs and second opinions are taken from the cache as well.
func TestFurtherRunsAndSecondOpinionsFromTheCache(t *testing.T) {
	c := newTrialCache(t)
	c.cfg.NoClaim = false
	judge := func(claim verdict.Claim) (string, verdict.Verdict) {
		forget("")
		r := newRecorder(t)
		r.name = c.name
		v := CompareWith(r, c.cfg, c.data, knows("better", 0.99), knows("worse.", 0.6)).Judge(claim)
		require.Empty(t, r.errors)
		var said []string
		for _, line := range r.logs {
			if strings.HasPrefix(line, "cache: ") {
				said = append(said, line)
			}
		}
		r.end()
		return strings.Join(said, "\n"), v
	}
	for name, claim := range map[string]verdict.Claim{
		"further runs":   {Kind: verdict.Improves, Repeats: 3},
		"second opinion": {Kind: verdict.Improves, Halvings: halvings},
	} {
		t.Run(name, func(t *testing.T) {
			c.name = "Test" + name
			cold, v := judge(claim)
			assert.Regexp(t, `^cache: \d+ of 40 trained, .*\ncache: [1-9]\d* of \d+ trained, 0 trained again to check`, cold)
			warm, w := judge(claim)
			assert.Regexp(t, `^cache: 0 of 40 trained, 2 trained again to check\ncache: 0 of \d+ trained, [1-9]\d* trained again to check`, warm)
			assert.Equal(t, v.Summary(), w.Summary())
			assert.Equal(t, v.Holds, w.Holds)
		})
	}
}

// A longer protocol takes the runs that are there, and trains its learners again as without a
// cache.
func TestMoreRunsThanTheCacheHas(t *testing.T) {
	c := newTrialCache(t)
	c.run(better, worse).fine(t)
	c.cfg.Protocol = c.cfg.Protocol.WithRuns(6)
	r := c.run(better, worse).fine(t)
	assert.Equal(t, "cache: 20 of 60 trained, 6 trained again to check\n", r.said)
	c.dir = t.TempDir()
	t.Setenv(envCache, c.dir)
	assert.Equal(t, elsewhere(c.run(better, worse).fine(t).Records().Blocks()[0].Header),
		r.Records().Blocks()[0].Header)
}

// A shard takes its own cells only.
func TestShardsTakeTheirCellsFromTheCache(t *testing.T) {
	c := newTrialCache(t)
	c.cfg.Results.Out = filepath.Join(t.TempDir(), "1.txt")
	c.run(better, worse).fine(t)
	c.cfg.Results.Out = filepath.Join(t.TempDir(), "2.txt")
	c.cfg.Results.Shard = split.Shard{Index: 1, Count: 2}
	r := c.run(better, worse).fine(t)
	assert.Equal(t, "cache: 0 of 20 trained, 2 trained again to check\n", r.said)
	c.cfg.Results.Shard = split.Shard{Index: 2, Count: 2}
	c.cfg.Results.Out = filepath.Join(t.TempDir(), "3.txt")
	assert.Equal(t, "cache: 0 of 20 trained, 2 trained again to check\n",
		c.run(better, worse).fine(t).said, "without the very first cell")
}

// Where there is no time to train again, trials from the cache are worth nothing.
func TestTrialsOfTheCacheAreCheckedInTime(t *testing.T) {
	c := newTrialCache(t)
	c.run(better, worse).fine(t)
	hangs := Func("better", func(ctx context.Context, _ Sample[int, bool], _ uint64) (func(int) bool,
		error,
	) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	forget("")
	r := newRecorder(t)
	r.name, r.deadline = c.name, time.Now().Add(1200*time.Millisecond)
	CompareWith(r, c.cfg, c.data, hangs, worse)
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0],
		"data set numbers, learner better, run 1, fold 1 is from LEARNTEST_CACHE, and there was no time left to train it again: the test's deadline is near")
	assert.Len(t, c.files(), 2, "nothing speaks against them")
}

func TestCachesThatAreRefused(t *testing.T) {
	inside, err := filepath.Abs("testdata")
	require.NoError(t, err)
	for setting, want := range map[string]string{
		envCache + "=cache":     "a relative path would be another directory in each package: use an absolute one, as LEARNTEST_CACHE=$HOME/.cache/learntest",
		envCache + "=" + inside: "it lies inside of the module",
		envCacheMB + "=0":       "it must be at least 1",
		envCacheMB + "=2GB":     "invalid syntax",
	} {
		name, value, _ := strings.Cut(setting, "=")
		t.Run(setting, func(t *testing.T) {
			t.Setenv(name, value)
			r := newRecorder(t)
			CompareWith(r, Config{NoClaim: true, Protocol: split.CV(1, 2)}, numbers(10), better, worse)
			assert.Contains(t, r.fatal, "environment variable "+setting+": ")
			assert.Contains(t, r.fatal, want)
		})
	}
}

// Files and variables in Config.Depends must be there, and count for resumed runs, too.
func TestDeclaredInputs(t *testing.T) {
	for what, want := range map[string]string{
		"nowhere.json": "Config.Depends: open",
		"$":            `Config.Depends: "$" is no variable`,
		"$A=B":         `Config.Depends: "$A=B" is no variable`,
	} {
		r := newRecorder(t)
		CompareWith(r, Config{NoClaim: true, Protocol: split.CV(1, 2), Depends: []string{what}},
			numbers(10), better, worse)
		assert.Contains(t, r.fatal, strings.TrimSuffix(want, "open"))
	}
	t.Setenv("CACHED_THREADS", "1")
	binary := func(depends ...string) string {
		x, err := newExperiment(&registry, []Data[int, bool]{numbers(10)}, []Learner[int, bool]{better},
			Config{Protocol: split.CV(1, 2), Depends: depends})
		require.NoError(t, err)
		text, err := x.there.Program()
		require.NoError(t, err)
		return text
	}
	none, one := binary(), binary("$CACHED_THREADS")
	assert.NotEqual(t, none, one)
	t.Setenv("CACHED_THREADS", "2")
	assert.NotEqual(t, one, binary("$CACHED_THREADS"))
	assert.Equal(t, none, binary())
}

// Contents with the right sum that are no results of a run are not taken either, and go; made-up
// scores are found where the learner is trained again.
func TestContentsOfTheCacheThatAreNoTrials(t *testing.T) {
	first := regexp.MustCompile(`"values":\[([0-9.]+)\]`)
	for name, x := range map[string]struct {
		change func(text string) string
		said   string
	}{
		"no JSON": {func(string) string { return "\x7fELF" }, "its trials cannot be read"},
		"another format": {func(text string) string {
			return strings.Replace(text, `"run"`, `"round"`,
				1)
		}, `its trials cannot be read: json: unknown field "round"`},
		"no scores": {func(text string) string {
			return first.ReplaceAllString(text,
				`"values":[]`)
		}, "invalid"},
		"too many scores": {func(text string) string {
			return first.ReplaceAllString(text,
				`"values":[1,1]`)
		}, "invalid"},
		"sizes of no fold": {func(text string) string {
			return strings.Replace(text, `"train":80`,
				`"train":79`, 1)
		}, "invalid"},
		"two of the scores": {func(text string) string {
			return first.ReplaceAllString(text,
				`"values":[0.125]`) + "+"
		}, "it has two results of run 1, fold 1"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrialCache(t)
			c.run(better, worse).fine(t)
			path := c.files()[0]
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			changed, second := strings.CutSuffix(x.change(string(text)), "+")
			require.NotEqual(t, string(text), changed)
			if !second {
				require.NoError(t, os.Remove(path))
			}
			key, _, _ := strings.Cut(filepath.Base(path), "-")
			require.NoError(t, filecache.New(c.dir, 1<<20).Put(filepath.Base(filepath.Dir(path)), key,
				[]byte(changed)))
			r := c.run(better, worse).fine(t)
			assert.Contains(t, r.said, x.said)
			assert.Contains(t, r.said, "cache: 20 of 40 trained, 3 trained again to check\n")
			assert.Equal(t, cachedSaid, c.run(better, worse).fine(t).said)
		})
	}

	c := newTrialCache(t)
	c.run(better, worse).fine(t)
	path := c.files()[0]
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	key, _, _ := strings.Cut(filepath.Base(path), "-")
	require.NoError(t, os.Remove(path))
	require.NoError(t, filecache.New(c.dir, 1<<20).Put(filepath.Base(filepath.Dir(path)), key,
		[]byte(first.ReplaceAllString(string(text), `"values":[0.25]`))))
	r := c.run(better, worse)
	require.Len(t, r.errors, 1)
	assert.Contains(t, r.errors[0],
		"is from LEARNTEST_CACHE: trained again, it predicted something else")
}
