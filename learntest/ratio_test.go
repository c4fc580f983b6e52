package learntest

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slow is a learner that takes so long to train, and to predict.
func slow(name string, fit, predict time.Duration) Learner[int, bool] {
	return Func(name, func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		time.Sleep(fit)
		waited := sync.OnceFunc(func() { time.Sleep(predict) })
		return func(x int) bool { waited(); return x%2 == 0 }, nil
	})
}

const ms = time.Millisecond

func ratioOf(limit float64) verdict.Claim {
	return verdict.Claim{Kind: verdict.RatioAtMost, Threshold: limit}
}

func TestRatiosOfTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := filepath.Join(t.TempDir(), "r.txt")
		r := newRecorder(t)
		cfg := Config{Protocol: split.CV(2, 5), Parallel: 1, Results: Results{Out: out}}
		c := CompareWith(r, cfg, numbers(60), slow("new", 2*ms, 8*ms), slow("old", 8*ms, 2*ms))
		require.Empty(t, r.errors)
		v := c.Judge(ratioOf(1.2))
		require.NoError(t, v.Err)
		assert.True(t, v.Holds, v.String())
		slower := ratioOf(1.2)
		slower.Metric = record.PredictTime
		v = c.Judge(slower)
		require.NoError(t, v.Err)
		assert.Equal(t, verdict.Regressed, v.Outcome, v.String())
		assert.False(t, v.Holds)

		// The file has the same ratio over all runs, and none once its head does not say where it was
		// measured.
		f := open(t, out)
		stored := judged(f, "numbers", "new", "old", ratioOf(1.2))
		assert.Equal(t, c.Judge(ratioOf(1.2)).String(), stored.String())
		rewrite(t, out, func(h *record.Header) { h.Machine = "" })
		stored = judged(open(t, out), "numbers", "new", "old", ratioOf(1.2))
		require.ErrorIs(t, stored.Err, record.ErrTimes)
		assert.False(t, stored.Holds)
	})
}

// Trials side by side slow each other down, be they of one comparison or of two.
func TestTimesOfParallelTrialsAreNotClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder(t)
		c := CompareWith(r, Config{Protocol: split.CV(2, 5), Parallel: 2}, numbers(60), slow("new", ms, 0),
			slow("old", 5*ms, 0))
		v := c.Judge(ratioOf(1.2))
		require.ErrorIs(t, v.Err, record.ErrTimes)
		require.ErrorContains(t, v.Err, "up to 2 trials ran at the same time")
		require.ErrorContains(t, v.Err, "set Config.Parallel to 1")
		assert.False(t, v.Holds)

		var beside sync.WaitGroup
		var both [2]verdict.Verdict
		for i := range both {
			beside.Go(func() {
				c := CompareWith(newRecorder(t), Config{Protocol: split.CV(2, 5), Parallel: 1}, numbers(60),
					slow("new", 10*ms, 0), slow("old", 20*ms, 0))
				both[i] = c.Judge(ratioOf(1.2))
			})
		}
		beside.Wait()
		for _, v := range both {
			require.ErrorIs(t, v.Err, record.ErrTimes)
			assert.False(t, v.Holds)
		}
	})
}

// Both learners of a fold are trained one after the other, and each is first in about half of the
// folds: in all cells that a ratio is claimed of, also if the runs are trained bit by bit.
func TestLearnersOfRatiosTakeTurns(t *testing.T) {
	for name, settle := range map[string]float64{"at once": 0, "settled": 0.01} {
		t.Run(name, func(t *testing.T) {
			var order []string
			note := func(name string) Learner[int, bool] {
				return Func(name, func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
					order = append(order, name)
					time.Sleep(ms / 2)
					return func(x int) bool { return x%2 == 0 }, nil
				})
			}
			cfg := Config{Protocol: split.CV(4, 5), Parallel: 1, Settle: settle}
			c := CompareWith(newRecorder(t), cfg, numbers(60), note("new"), note("old"))
			v := c.Judge(ratioOf(2))
			require.NoError(t, v.Err)
			require.Equal(t, 20, v.Ratio.N)
			trained := 0
			first := map[string]int{}
			for i := 0; trained < 20 && i+1 < len(order); {
				if order[i] == order[i+1] { // a learner that is trained again, after all trials
					i++
					continue
				}
				first[order[i]]++
				trained++
				i += 2
			}
			require.Equal(t, 20, trained)
			assert.InDelta(t, 10, first["new"], 2, "%v", order)
		})
	}
}

func TestRatiosThatAreNotJudged(t *testing.T) {
	cfg := Config{Protocol: split.CV(2, 5), Parallel: 1}
	fast, old := slow("new", ms, 0), slow("old", 2*ms, 0)

	t.Run("off", func(t *testing.T) {
		for _, name := range []string{
			"CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION",
			"CODEBUILD_BUILD_ID",
		} {
			t.Setenv(name, "")
		}
		t.Setenv("LEARNTEST_RATIO", "off")
		c := CompareWith(newRecorder(t), cfg, numbers(60), fast, old)
		v := c.Judge(ratioOf(1.2))
		require.ErrorIs(t, v.Err, verdict.ErrNotJudged)
		require.False(t, v.Holds)
		require.Equal(t, "new takes at most ×1.2 the training time of old on numbers", v.Statement())
		require.NoError(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Err, "other claims are judged")
		for value, ci := range map[string]string{"off": "true", "1": "", "on": ""} {
			t.Setenv("LEARNTEST_RATIO", value)
			t.Setenv("CI", ci)
			r := newRecorder(t)
			CompareWith(r, cfg, numbers(60), fast, old)
			require.Contains(t, r.fatal, "LEARNTEST_RATIO="+value)
		}
	})
	t.Run("a stored baseline", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "baseline.txt")
		cfg := cfg
		cfg.Results = Results{Pkg: "example.com/p", Test: "TestForest"}
		update(t, cfg, numbers(60), slow("new", 2*ms, 0), path)
		v := AgainstWith(newRecorder(t), cfg, numbers(60), fast, path).Judge(ratioOf(1.2))
		require.ErrorIs(t, v.Err, record.ErrTimes)
		require.ErrorContains(t, v.Err, "it has no times: stored baselines")
	})
	t.Run("one learner", func(t *testing.T) {
		v := MeasureWith(newRecorder(t), cfg, numbers(60), fast).Judge(ratioOf(1.2))
		require.ErrorIs(t, v.Err, verdict.ErrClaim)
	})
	t.Run("resumed trials", func(t *testing.T) {
		cfg := cfg
		cfg.Results.Out = filepath.Join(t.TempDir(), "r.txt")
		interruptAfter(t, 9, []Data[int, bool]{numbers(60)}, []Learner[int, bool]{fast, old}, cfg)
		forget(cfg.Results.Out)
		cfg.Results.Resume = true
		f, err := Run(t.Context(), []Data[int, bool]{numbers(60)}, []Learner[int, bool]{fast, old}, cfg)
		require.NoError(t, err)
		v := judged(f, "numbers", "new", "old", ratioOf(1.2))
		require.ErrorIs(t, v.Err, record.ErrTimes)
		require.ErrorContains(t, v.Err, "nobody knows on which machine")
	})
	t.Run("nothing else is claimed", func(t *testing.T) {
		r := newRecorder(t)
		CompareWith(r, cfg, numbers(60), fast, old).Judge(ratioOf(1.2))
		r.end()
		require.Len(t, r.errors, 1, "a learner that learns nothing is fast")
		require.Contains(t, r.errors[0], "it passes whatever the scores are")
	})
}
