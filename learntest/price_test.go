package learntest

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sketches returns trials on samples whose times are a function of the examples.
func sketches(seconds func(n float64) float64, sizes ...int) []trial.Sketch {
	var all []trial.Sketch
	for _, n := range sizes {
		all = append(all, trial.Sketch{
			Examples: n,
			Took:     time.Duration(seconds(float64(n)) * float64(time.Second)), Bytes: uint64(8 * n),
		})
	}
	return all
}

func TestPowersAndLinesAreExtrapolated(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.Float64Range(0.001, 10).Draw(t, "level")
		power := rapid.Float64Range(1.001, steepest).Draw(t, "power")
		constant := rapid.Float64Range(0, 10).Draw(t, "constant")
		sizes := []int{500, 500, 1000, 2000, 4000, 4000}[:rapid.SampledFrom([]int{4, 6}).Draw(t,
			"samples")]
		sizes[len(sizes)-1] = sizes[len(sizes)-2]
		p := extrapolate(sketches(func(n float64) float64 { return level * math.Pow(n/500, power) },
			sizes...))
		assert.InEpsilon(t, level*math.Pow(2000, power), p.seconds(1e6), 1e-4)
		assert.Equal(t, sizes[len(sizes)-1], p.largest)
		assert.InDelta(t, 8e6, p.bytes(1e6), 1)
		assert.Zero(t, p.once)
		p = extrapolate(sketches(func(n float64) float64 { return constant + level*n/500 }, sizes...))
		assert.InEpsilon(t, constant+2000*level, p.seconds(1e6), 1e-4)
	})
}

func TestExtrapolationOfOddTimes(t *testing.T) {
	t.Parallel()
	seconds := func(seconds ...float64) price {
		sizes := []int{500, 500, 1000, 2000, 4000, 8000, 8000}
		s := sketches(func(float64) float64 { return 0 }, append(sizes[:len(seconds)-1:len(seconds)-1],
			sizes[len(seconds)-2])...)
		for i, x := range seconds {
			s[i].Took = time.Duration(x * float64(time.Second))
		}
		return extrapolate(s)
	}
	p := seconds(9, 1)
	assert.InDelta(t, 8, p.once, 1e-9, "a cache is filled once")
	assert.InDelta(t, 20, p.seconds(10000), 1e-9, "one size tells no growth")
	assert.InDelta(t, 16, seconds(1, 1, 2, 4, 8, 90, 16).seconds(8000), 1e-9, "an interrupted trial")
	assert.InDelta(t, 74, seconds(1, 1, 2, 4, 8, 90, 16).once, 1e-9)
	assert.InDelta(t, 40, seconds(1, 1, 2, 4, 9, 4, 4).seconds(80000), 1e-9,
		"shorter on more examples")
	assert.InDelta(t, 1e3, seconds(0.0001, 0.0001, 0.1, 10, 1000, 1000).seconds(4000), 1e-6,
		"steeper than anything")
	assert.InEpsilon(t, 1e6, seconds(1e-9, 1e-9, 1e-3, 1, 1e3, 1e3).seconds(40000), 1e-6)
	for _, p := range []price{seconds(0, 0), seconds(0, 0, 0, 0), seconds(0, 0, 0, 1, 1, 1)} {
		x := p.seconds(1e6)
		assert.False(t, x < 0 || math.IsNaN(x), "%v", x)
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]time.Duration{
		"less than 1ms": time.Microsecond, "15ms": 15 * time.Millisecond,
		"3.241s": 3241 * time.Millisecond, "1m15s": 75 * time.Second, "26h0m0s": 26 * time.Hour,
		"13 days":    312 * time.Hour,
		"36500 days": duration(math.Inf(1)),
	} {
		assert.Equal(t, want, span(d))
	}
	assert.Equal(t, "0s", span(0))
	assert.Equal(t, 1500*time.Millisecond, duration(1.5))
}

type fitting = func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error)

// quadratic returns a learner whose trainings take ten nanoseconds and allocate 8 KiB for each pair
// of examples and each example, and the sizes that it was trained on.
func quadratic(name string) (Learner[int, bool], *[]int) {
	sizes, wasted := new([]int), []byte(nil)
	l := knows(name, 0.9)
	fit := l.Fit
	l.Fit = func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error) {
		*sizes = append(*sizes, s.Len())
		wasted = make([]byte, s.Len()<<13)
		select {
		case <-time.After(time.Duration(s.Len()) * time.Duration(s.Len()) * 10 * time.Nanosecond):
		case <-ctx.Done():
			return Model[int, bool]{}, ctx.Err()
		}
		clear(wasted)
		return fit(ctx, s, seed)
	}
	return l, sizes
}

// A trial takes about 3 s, 200 of them minutes, and the deadline is in 20 seconds.
func TestLargeDataHaveAPriceBeforeTheFirstTrial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fast := slow("fast", 2*ms, 0)
		slow, sizes := quadratic("slow")
		r := newRecorder(t)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		slow.Fit = func(fit fitting) fitting {
			return func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error) {
				if s.Len() > 10000 {
					cancel()
				}
				return fit(ctx, s, seed)
			}
		}(slow.Fit)
		x, err := newExperiment(&registry, []Data[int, bool]{numbers(20001)}, []Learner[int, bool]{
			slow,
			fast,
		}, Config{Parallel: 2})
		require.NoError(t, err)
		x.inTest = true
		x.there.Note = r.Logf
		err = x.run(ctx, 10)
		const price = `a trial on numbers takes about \d\S*s with slow( \(\d+ times that on ten times the examples\))?, (less than )?\d+ms with fast, and at most about \d+\.\d GiB of memory beside the data, by trials on up to 4000 examples; it takes about \S+s more, and the deadline is in \d+s: give go test -timeout \d+m, or run \d+ shards, as in LEARNTEST_SHARD=1/\d+`
		require.NotEmpty(t, r.logs)
		require.Regexp(t, `^price: `+price+`$`, r.logs[0])
		require.Regexp(t, `^plan: 21\d trainings, about \S+s, 2 at a time`, r.logs[1])
		require.Regexp(t, `^interrupted: .*; `+price+`$`, err.Error())
		require.Equal(t, []int{500, 500, 1000, 2000, 4000, 4000}, (*sizes)[:6])
		require.Len(t, *sizes, 7, "the first trial")
	})
}

// The error comes before the first trial on all examples, which is longer than the budget.
func TestTrialsOnLargeDataThatNoBudgetAffords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, sizes := quadratic("slow")
		afresh()
		_, err := Run(t.Context(), []Data[int, bool]{numbers(20001)}, []Learner[int, bool]{slow},
			Config{Parallel: 2, Minutes: 0.3}) // the samples take half a second
		require.ErrorIs(t, err, errMinutes)
		require.Regexp(t, `^too few minutes: 10\d trainings, about \S+s, take more than the .* that are left of -minutes 0.3: \d+ shards fit`, err.Error())
		require.Equal(t, []int{500, 500, 1000, 2000, 4000, 4000}, *sizes)
	})
}

func TestNoPriceWhereNoneIsNeeded(t *testing.T) {
	t.Parallel()
	run := func(n int, l Learner[int, bool]) []string {
		var notes []string
		_, err := Run(t.Context(), []Data[int, bool]{numbers(n)}, []Learner[int, bool]{l},
			Config{
				Protocol: split.CV(1, 2),
				Results:  Results{Note: func(line string) { notes = append(notes, line) }},
			})
		require.NoError(t, err)
		return notes
	}
	small, fits := countingFits(knows("a", 0.9))
	require.Empty(t, run(20000, small))
	require.Equal(t, int64(3), fits.Load(), "no samples of so few examples")
	large, fits := countingFits(knows("a", 0.9))
	require.Empty(t, run(20001, large), "a fast learner")
	require.Greater(t, fits.Load(), int64(6))
}

// Trials that fail on samples have no price; the trials on all examples report their errors.
func TestLearnersThatFailOnSamples(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"error": func() error { return assert.AnError },
		"panic": func() error { panic("oh") },
		"end":   func() error { runtime.Goexit(); return nil },
	} {
		l := knows("a", 0.9)
		fit := l.Fit
		var failed atomic.Int64
		l.Fit = func(ctx context.Context, s Sample[int, bool], seed uint64) (Model[int, bool], error) {
			if s.Len() < 10000 {
				failed.Add(1)
				if err := fail(); err != nil {
					return Model[int, bool]{}, err
				}
			}
			return fit(ctx, s, seed)
		}
		f, err := Run(t.Context(), []Data[int, bool]{numbers(20001)}, []Learner[int, bool]{l},
			Config{Protocol: split.CV(1, 2)})
		require.NoError(t, err, name)
		require.Empty(t, f.Failures())
		require.Equal(t, int64(1), failed.Load(), name)
	}
}

// A learner that does not return is left behind when the context ends.
func TestSamplesEndWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		l := knows("a", 0.9)
		l.Fit = func(context.Context, Sample[int, bool], uint64) (Model[int, bool], error) {
			<-release
			return Model[int, bool]{}, assert.AnError
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := Run(ctx, []Data[int, bool]{numbers(20001)}, []Learner[int, bool]{l},
			Config{Protocol: split.CV(1, 2)})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Less(t, time.Since(began), 20*time.Second)
	})
}

func TestThinnedIndicesAreSpread(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{10, 30, 50}, thinned([]int{10, 20, 30, 40, 50, 60}, 3, 0))
	require.Equal(t, []int{20, 40, 60}, thinned([]int{10, 20, 30, 40, 50, 60}, 3, 0.5))
	require.Equal(t, []int{10}, thinned([]int{10}, 1, 0.5))
}
