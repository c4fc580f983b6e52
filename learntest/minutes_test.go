package learntest

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sleeping returns a learner whose trainings take a time: the first one another time than the
// others.
func sleeping(name string, first, then time.Duration) (Learner[int, bool], *atomic.Int64) {
	l, n := countingFits(knows(name, 0.9))
	fit := l.Fit
	l.Fit = func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error) {
		m, err := fit(ctx, s, seed)
		wait := then
		if n.Load() == 1 {
			wait = first
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
		return m, err
	}
	return l, n
}

// afresh makes the process one that has trained nothing.
func afresh() { registry.Spent(-registry.Spent(0)) }

// A budget is kept before training, by what the first trainings took. What the error names then
// fits.
func TestTrainingsAboveTheMinutesDoNotBegin(t *testing.T) {
	t.Setenv(envMinutes, "0.02") // 1.2 s
	synctest.Test(t, testTrainingsAboveTheMinutes)
}

func testTrainingsAboveTheMinutes(t *testing.T) {
	const each = 20 * time.Millisecond
	cfg := Config{Parallel: 2, NoClaim: true}
	compare := func(cfg Config) (*recorder, int) {
		afresh()
		r := newRecorder(t)
		a, n := sleeping("a", each, each)
		b, m := sleeping("b", each, each)
		c := CompareWith(r, cfg, numbers(100), a, b)
		if r.errors != nil {
			assert.Equal(t, verdict.Invalid, c.Judge(verdict.Claim{}).Outcome, "no claim holds")
		}
		return r, int(n.Load() + m.Load())
	}
	r, fits := compare(cfg)
	require.Len(t, r.errors, 1)
	assert.Equal(t, 2, fits, "the first training of each learner")
	assert.Regexp(t, `^learntest.CompareWith: too few minutes: 208 trainings, about \d+\.\d+s, take more than the 1\.2s that are left of LEARNTEST_MINUTES=0.02: \d shards fit \(LEARNTEST_SHARD=1/\d\), or \d of 10 runs \(LEARNTEST_RUNS=\d\)$`, r.errors[0])
	assert.Regexp(t, `plan: 208 trainings, about \d+\.\d+s, 2 at a time; in 4 shards 52 trainings, about [\d.]+m?s each; 42 trainings, about [\d.]+m?s, if 2 runs settle the claims \(LEARNTEST_SETTLE=0.01\); 5 trainings, about [\d.]+m?s, from a cache of trials where nothing has changed \(LEARNTEST_CACHE\)`, strings.Join(r.logs, "\n"))

	var shards, runs int
	_, err := fmt.Sscanf(regexp.MustCompile(`1/\d+`).FindString(r.errors[0]), "1/%d", &shards)
	require.NoError(t, err)
	_, err = fmt.Sscanf(regexp.MustCompile(`RUNS=\d+`).FindString(r.errors[0]), "RUNS=%d", &runs)
	require.NoError(t, err)
	fit := func(cfg Config) int {
		t.Helper()
		r, fits := compare(cfg)
		assert.Empty(t, r.errors)
		return fits
	}
	sharded := cfg
	sharded.Results = Results{Out: filepath.Join(t.TempDir(), "s.txt"), Shard: split.Shard{
		Index: 1,
		Count: shards,
	}}
	fit(sharded)
	fewer := cfg
	fewer.Protocol = split.CV(runs, 10)
	fit(fewer)
	assert.Less(t, fit(Config{Parallel: 2, Settle: 0.01}), 60, "two runs are affordable")

	// What one test has spent, the next one of the process has not.
	registry.Spent(1300 * time.Millisecond)
	a, n := sleeping("a", each, each)
	again := newRecorder(t)
	CompareWith(again, fewer, numbers(100), a, knows("b", 0.9))
	require.Len(t, again.errors, 1)
	assert.LessOrEqual(t, n.Load(), int64(1))
}

// A budget is kept while training, too: trainings that take longer than the first one are ended.
func TestTrainingsEndWithTheMinutes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new.txt")
	t.Setenv(envOut, out)
	t.Setenv(envMinutes, "0.01") // 600 ms
	synctest.Test(t, testTrainingsEndWithTheMinutes)

	// Another job goes on.
	t.Setenv(envResume, "1")
	t.Setenv(envMinutes, "")
	forget(out)
	r := newRecorder(t)
	CompareWith(r, Config{Parallel: 8, NoClaim: true}, numbers(100), knows("a", 0.9), knows("b", 0.6))
	require.Empty(t, r.errors)
	assert.Contains(t, strings.Join(r.logs, "\n"), "trials taken over")
}

func testTrainingsEndWithTheMinutes(t *testing.T) {
	afresh()
	r := newRecorder(t)
	a, n := sleeping("a", time.Microsecond, 30*time.Millisecond)
	c := CompareWith(r, Config{Parallel: 2, NoClaim: true}, numbers(100), a, knows("b", 0.6))
	assert.Less(t, n.Load(), int64(50)) // of 100; two workers have time for 40
	require.NotEmpty(t, r.errors)
	assert.Contains(t, r.errors[0],
		"interrupted: too few minutes: LEARNTEST_MINUTES=0.01 are used up: ")
	assert.Contains(t, r.errors[0], "LEARNTEST_RESUME=1 goes on from there")
	assert.False(t, c.Judge(verdict.Claim{}).Holds)
	r.end()
}

func TestMinutesThatMakeNoSense(t *testing.T) {
	for _, value := range []string{"0", "-1", "NaN", "Inf", "5m", "1e9"} {
		t.Setenv(envMinutes, value)
		r := newRecorder(t)
		Compare(r, numbers(100), knows("a", 0.9), knows("b", 0.6))
		assert.Contains(t, r.fatal, "environment variable LEARNTEST_MINUTES="+value, value)
	}
	t.Setenv(envMinutes, "")
	r := newRecorder(t)
	CompareWith(r, Config{Minutes: -1}, numbers(100), knows("a", 0.9), knows("b", 0.6))
	assert.Contains(t, r.fatal, "-1 minutes are not a time from 0 to 525600")
	r = newRecorder(t)
	CompareWith(r, Config{NoClaim: true}, numbers(100), knows("a", 0.9), knows("b", 0.6))
	assert.NotContains(t, strings.Join(r.logs, "\n"), "plan: ", "so few seconds are not worth a line")
}
