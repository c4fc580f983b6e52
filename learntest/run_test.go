package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbers is a data set of n numbers labelled by whether they are odd.
func numbers(n int) *ExampleSet[int, bool] {
	xs, ys := make([]int, n), make([]bool, n)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	return Examples("numbers", xs, ys)
}

// guesser predicts odd for a random part of the numbers, which depends on the
// seed.
func guesser(name string) Learner[int, bool] {
	return Func(name, func(_ context.Context, train Sample[int, bool], seed uint64) (func(int) bool, error) {
		r := rand.New(rand.NewPCG(seed, uint64(train.Len())))
		return func(int) bool { return r.IntN(3) > 0 }, nil
	})
}

func constant(name string, y bool) Learner[int, bool] {
	return Pretrained(name, func(int) bool { return y })
}

func mustRun[X any, Y comparable](t *testing.T, d Data[X, Y], cfg Config, learners ...Learner[X, Y]) *record.Block {
	t.Helper()
	f, err := Run(t.Context(), []Data[X, Y]{d}, learners, cfg)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 1)
	return f.Blocks()[0]
}

func trials(b *record.Block) []record.Trial { return slices.Collect(b.Trials()) }

// timeless returns the trials without their times.
func timeless(ts []record.Trial) []record.Trial {
	out := make([]record.Trial, len(ts))
	for i, t := range ts {
		t.FitSeconds, t.PredictSec = 0, 0
		out[i] = t
	}
	return out
}

func TestRunGivesTheSameResultsInParallel(t *testing.T) {
	t.Parallel()
	var want []record.Trial
	for _, parallel := range []int{1, 2, 8, 64} {
		s := mustRun(t, numbers(50), Config{Parallel: parallel}, guesser("a"), guesser("b"), constant("c", true))
		require.Equal(t, 300, s.Len())
		if want == nil {
			want = timeless(trials(s))
		}
		assert.Equal(t, want, timeless(trials(s)), "parallel %d", parallel)
	}
}

func TestRunRecordsEachCellInOrder(t *testing.T) {
	t.Parallel()
	s := mustRun(t, numbers(21), Config{Protocol: split.CV(2, 3), Metrics: []metric.Metric{metric.Error(), metric.Accuracy()}},
		constant("odd", true), constant("even", false))
	i := 0
	for run := 1; run <= 2; run++ {
		for fold := 1; fold <= 3; fold++ {
			for _, l := range []string{"odd", "even"} {
				tr := trials(s)[i]
				assert.Equal(t, record.Cell{Data: "numbers", Learner: l, Run: run, Fold: fold}, tr.Cell())
				assert.Equal(t, []int{14, 7}, []int{tr.TrainN, tr.TestN})
				require.Len(t, tr.Values, 2)
				assert.InDelta(t, 1, tr.Values[0]+tr.Values[1], 1e-12)
				i++
			}
		}
	}
	assert.Equal(t, 2, s.Runs())
	assert.Equal(t, 3, s.Folds())
	assert.Equal(t, "error", s.Units[0].Name)
	assert.Equal(t, "cv runs=2 folds=3 stratified seed=1 v1", s.Header.Protocol)
	assert.NoError(t, record.NewFile(s).Check())
}

func TestLearnersOfAFoldGetTheSameExamplesAndSeed(t *testing.T) {
	t.Parallel()
	type call struct {
		seed uint64
		rows string
	}
	seen := make(map[string][]call)
	spy := func(name string) Learner[int, bool] {
		return Func(name, func(_ context.Context, train Sample[int, bool], seed uint64) (func(int) bool, error) {
			seen[name] = append(seen[name], call{seed, fmt.Sprint(train.Rows())})
			return func(int) bool { return true }, nil
		})
	}
	mustRun(t, numbers(20), Config{Protocol: split.CV(3, 2), Parallel: 1}, spy("a"), spy("b"))
	require.Len(t, seen["a"], 7) // six trials and the determinism probe
	assert.Equal(t, seen["a"], seen["b"])
	assert.Equal(t, seen["a"][0], seen["a"][6])
	distinct := make(map[uint64]bool)
	for _, c := range seen["a"] {
		distinct[c.seed] = true
	}
	assert.Len(t, distinct, 6)
}

func TestTrialSeedIsAsSpecified(t *testing.T) {
	t.Parallel()
	// printf 'learnbench trial v1\0abc\0' followed by the three integers as
	// 64-bit big-endian, through sha256sum: the first 16 digits.
	assert.Equal(t, uint64(0x5b3a2ff4bb435251), TrialSeed(1, "abc", 2, 3))
}

func TestFailedTrialsNameTheirCauseAndOthersGoOn(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	t.Cleanup(func() { close(gate) })
	failing := func(name string, fit func(ctx context.Context, train Sample[int, bool]) (Model[int, bool], error)) Learner[int, bool] {
		return Learner[int, bool]{name, func(ctx context.Context, train Sample[int, bool], _ uint64) (Model[int, bool], error) {
			if train.Example(0) == 0 { // in all folds but one of each run
				return Model[int, bool]{Label: func(int) bool { return true }}, nil
			}
			return fit(ctx, train)
		}}
	}
	probabilities := func(p ...float64) func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
		return func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{Probabilities: func(_ int, out []float64) { copy(out, p) }}, nil
		}
	}
	for _, c := range []struct {
		cause string
		fit   func(ctx context.Context, train Sample[int, bool]) (Model[int, bool], error)
	}{
		{"fit: no memory left", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{}, errors.New("no memory left")
		}},
		{"panic: runtime error: index out of range [5] with length 0 (run_test.go:", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			var xs []int
			return Model[int, bool]{Label: func(int) bool { return xs[len(xs)+5] > 0 }}, nil
		}},
		{"did it call t.FailNow?", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			runtime.Goexit()
			return Model[int, bool]{}, nil
		}},
		{"timed out after 20ms", func(ctx context.Context, _ Sample[int, bool]) (Model[int, bool], error) {
			<-ctx.Done()
			return Model[int, bool]{}, ctx.Err()
		}},
		{"timed out after 20ms: the learner did not return", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			<-gate
			return Model[int, bool]{}, nil
		}},
		{"1 predictions for 5 test examples", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{Labels: func([]int) ([]bool, error) { return []bool{true}, nil }}, nil
		}},
		{"the model has no function that predicts", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{}, nil
		}},
		{"set one", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{Label: func(int) bool { return true }, Labels: func([]int) ([]bool, error) { return nil, nil }}, nil
		}},
		{"close: disk full", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{Label: func(int) bool { return true }, Close: func() error { return errors.New("disk full") }}, nil
		}},
		{"class 1: NaN is not a probability", probabilities(0.5, math.NaN())},
		{"class 0: -0.1 is not a probability", probabilities(-0.1, 1.1)},
		{"class probabilities sum to 0.9, not 1", probabilities(0.5, 0.4)},
		{"invalid prediction: example ", probabilities(0.5, 0.4)},
	} {
		t.Run(c.cause, func(t *testing.T) {
			t.Parallel()
			cfg := Config{Protocol: split.CV(2, 4), Parallel: 2}
			if strings.Contains(c.cause, "timed out") {
				cfg.TrialTimeout = 20 * time.Millisecond
			}
			s := mustRun(t, numbers(20), cfg, failing("bad", c.fit), constant("good", true))
			failed := 0
			for _, tr := range trials(s) {
				if tr.Err == "" {
					assert.Len(t, tr.Values, 1)
					continue
				}
				failed++
				assert.Equal(t, "bad", tr.Learner)
				assert.Contains(t, tr.Err, c.cause)
				assert.Empty(t, tr.Values)
			}
			assert.Equal(t, 2, failed, "one fold of each run")
		})
	}
}

func TestRegressionThatPredictsNaNFails(t *testing.T) {
	t.Parallel()
	d := Examples("line", []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4})
	s := mustRun(t, d, Config{Protocol: split.CV(1, 2)},
		Pretrained("nan", func(x float64) float64 { return math.Sqrt(2.5 - x) }),
		Pretrained("self", func(x float64) float64 { return x }))
	for _, tr := range trials(s) {
		if tr.Learner == "nan" {
			assert.Contains(t, tr.Err, "invalid prediction: example ")
			assert.Contains(t, tr.Err, "NaN")
		} else {
			assert.Equal(t, []float64{0}, tr.Values)
		}
	}
}

func TestMetricOutsideOfItsRangeFails(t *testing.T) {
	t.Parallel()
	eval := 0.0
	m := metric.Metric{
		Unit: record.Unit{Name: "mine", Better: record.Higher, Min: 0, Max: 1},
		Eval: func(*metric.Predictions) (float64, error) { return eval, nil },
	}
	for eval = range map[float64]bool{-0.5: true, 1.5: true, math.NaN(): true, math.Inf(1): true} {
		s := mustRun(t, numbers(10), Config{Protocol: split.CV(1, 2), Metrics: []metric.Metric{m}}, constant("a", true))
		assert.Contains(t, trials(s)[0].Err, "metric mine is ")
	}
}

func TestDeadlineEndsHangingAndWaitingTrials(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	t.Cleanup(func() { close(gate) })
	var fits atomic.Int64
	hang := Func("hang", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		if fits.Add(1) > 3 {
			<-gate
		}
		return func(int) bool { return true }, nil
	})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("time is up"))
	defer cancel()
	f, err := Run(ctx, []Data[int, bool]{numbers(20)}, []Learner[int, bool]{hang}, Config{Parallel: 2})
	e, ok := errors.AsType[*InterruptedError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, []int{3, 100, 2}, []int{e.Done, e.Total, len(e.Stuck)})
	assert.EqualError(t, e.Cause, "time is up")
	assert.Contains(t, err.Error(), "interrupted: time is up: 3 of 100 trials were run; the learner did not return: data set numbers, learner hang, run 1, fold ")
	assert.Equal(t, 3, f.Blocks()[0].Len())
	assert.Empty(t, f.Failures(), "an interruption is not the learner's failure")
}

// A trial that is under way when the context ends is not a failure, whatever the
// learner makes of it.
func TestInterruptedTrialsAreNotRecorded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	var fits atomic.Int64
	l := Func("polite", func(ctx context.Context, _ Sample[int, bool], _ uint64) (func(int) bool, error) {
		switch fits.Add(1) {
		case 4:
			cancel(errors.New("stopped"))
			return nil, errors.New("gave up")
		case 5:
			panic("torn away")
		}
		return func(int) bool { return true }, nil
	})
	f, err := Run(ctx, []Data[int, bool]{numbers(20)}, []Learner[int, bool]{l}, Config{Parallel: 1})
	require.ErrorContains(t, err, "interrupted: stopped: 3 of 100 trials were run")
	assert.Equal(t, 3, f.Blocks()[0].Len())
	assert.Empty(t, f.Failures())
}

func TestTrialThatOverrunsItsTimeFails(t *testing.T) {
	t.Parallel()
	slow := Func("slow", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		time.Sleep(30 * time.Millisecond)
		return func(int) bool { return true }, nil
	})
	s := mustRun(t, numbers(20), Config{Protocol: split.CV(1, 2), TrialTimeout: 20 * time.Millisecond}, slow)
	for _, tr := range trials(s) {
		assert.Contains(t, tr.Err, "trial timed out after 20ms: it took ")
	}
}

func TestDeterminismProbe(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	moody := Func("moody", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		k := n.Add(1)
		return func(x int) bool { return x%3 == int(k%3) }, nil
	})
	broken := Func("broken", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return nil, errors.New("no")
	})
	s := mustRun(t, numbers(20), Config{Protocol: split.CV(1, 2), Parallel: 1}, guesser("fair"), moody, broken)
	assert.Equal(t, record.Deterministic, s.Header.DeterminismOf("fair"))
	assert.Equal(t, record.NotDeterministic, s.Header.DeterminismOf("moody"))
	assert.Equal(t, record.NotProbed, s.Header.DeterminismOf("broken"))
}

func TestRepeatsStartWithTheRunsOfTheProtocol(t *testing.T) {
	t.Parallel()
	once := mustRun(t, numbers(30), Config{Protocol: split.CV(2, 5)}, guesser("a"))
	thrice := mustRun(t, numbers(30), Config{Protocol: split.CV(2, 5), Repeats: 3}, guesser("a"))
	assert.Equal(t, 30, thrice.Len())
	assert.Equal(t, timeless(trials(once)), timeless(trials(thrice)[:10]))
	assert.Equal(t, once.Header, thrice.Header, "it does not say which runs there are")
	assert.Equal(t, 2, thrice.Runs())
}

func TestExtendedSessionEqualsOneRunAtOnce(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(2, 5)}
	s, err := newSession([]Data[int, bool]{numbers(30)}, []Learner[int, bool]{guesser("a"), guesser("b")}, cfg)
	require.NoError(t, err)
	var progress []string
	s.cfg.Progress = func(done, total int) { progress = append(progress, fmt.Sprint(done, "/", total)) }
	require.NoError(t, s.run(t.Context(), 2))
	first := s.file()
	require.NoError(t, s.run(t.Context(), 6))
	require.NoError(t, s.run(t.Context(), 4)) // nothing is left to do
	cfg.Repeats = 3
	want := mustRun(t, numbers(30), cfg, guesser("a"), guesser("b"))
	got := s.file().Blocks()[0]
	assert.Equal(t, timeless(trials(want)), timeless(trials(got)))
	assert.Equal(t, want.Header, got.Header)
	assert.Equal(t, 20, first.Blocks()[0].Len(), "records that were handed out do not change")
	require.Len(t, progress, 60)
	assert.Equal(t, []string{"20/20", "1/40", "40/40"}, []string{progress[19], progress[20], progress[59]})
}

func TestRunRefusesWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	one := []Data[int, bool]{numbers(20)}
	a, b := constant("a", true), constant("b", true)
	nameless := constant("", true)
	noDirection := metric.Accuracy()
	noDirection.Better = 0
	noRange := metric.Accuracy()
	noRange.Max = 0
	for _, c := range []struct {
		name     string
		data     []Data[int, bool]
		learners []Learner[int, bool]
		cfg      Config
		want     error
		text     string
	}{
		{"no data", nil, []Learner[int, bool]{a}, Config{}, ErrConfig, "0 data sets"},
		{"no learners", one, nil, Config{}, ErrConfig, "0 learners"},
		{"same name", one, []Learner[int, bool]{a, b, a}, Config{}, ErrConfig, `two learners are named "a"`},
		{"no name", one, []Learner[int, bool]{a, nameless}, Config{}, ErrConfig, "learner 1 has no name"},
		{"no fit", one, []Learner[int, bool]{{Name: "x"}}, Config{}, ErrConfig, "no Fit"},
		{"two data sets of one name", append(one, one...), []Learner[int, bool]{a}, Config{}, ErrConfig, "two data sets"},
		{"negative", one, []Learner[int, bool]{a}, Config{Repeats: -1}, ErrConfig, "Repeats"},
		{"protocol", one, []Learner[int, bool]{a}, Config{Protocol: split.CV(0, 10)}, ErrConfig, "runs"},
		{"too many folds", one, []Learner[int, bool]{a}, Config{Protocol: split.CV(1, 30)}, split.ErrTooFew, "numbers"},
		{"no examples", []Data[int, bool]{numbers(0)}, []Learner[int, bool]{a}, Config{}, ErrData, "no examples"},
		{"lengths", []Data[int, bool]{Examples("d", []int{1, 2}, []bool{true})}, []Learner[int, bool]{a}, Config{}, ErrData, "2 examples with 1 labels"},
		{"groups", []Data[int, bool]{numbers(20).WithGroups([]string{"x"})}, []Learner[int, bool]{a}, Config{}, ErrData, "20 examples with 1 groups"},
		{"metric direction", one, []Learner[int, bool]{a}, Config{Metrics: []metric.Metric{noDirection}}, ErrConfig, "no direction"},
		{"metric range", one, []Learner[int, bool]{a}, Config{Metrics: []metric.Metric{noRange}}, ErrConfig, "range"},
		{"metric twice", one, []Learner[int, bool]{a}, Config{Metrics: []metric.Metric{metric.Kappa(), metric.Kappa()}}, ErrConfig, "twice"},
		{"empty metric", one, []Learner[int, bool]{a}, Config{Metrics: []metric.Metric{{}}}, ErrConfig, "metric 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := Run(t.Context(), c.data, c.learners, c.cfg)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.text)
			assert.Nil(t, f)
		})
	}
}

func TestGroupsAreKeptTogether(t *testing.T) {
	t.Parallel()
	groups := make([]string, 30)
	for i := range groups {
		groups[i] = fmt.Sprint("g", i%6)
	}
	checker := Func("checker", func(_ context.Context, train Sample[int, bool], _ uint64) (func(int) bool, error) {
		in := make(map[int]bool)
		for x := range train.All() {
			in[x%6] = true
		}
		return func(x int) bool {
			if in[x%6] {
				panic("group in training and test set")
			}
			return true
		}, nil
	})
	s := mustRun(t, numbers(30).WithGroups(groups), Config{Protocol: split.Groups(2, 3)}, checker)
	for _, tr := range trials(s) {
		assert.Empty(t, tr.Err)
	}
}
