package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
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

// allOdd is a model that predicts odd for all numbers.
func allOdd() Model[int, bool] {
	return Labels(func(_ context.Context, xs []int) ([]bool, error) {
		ys := make([]bool, len(xs))
		for i := range ys {
			ys[i] = true
		}
		return ys, nil
	})
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
	require.Len(t, seen["a"], 7) // the first trial twice, five others
	assert.Equal(t, seen["a"], seen["b"])
	assert.Equal(t, seen["a"][0], seen["a"][1])
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
				return allOdd(), nil
			}
			return fit(ctx, train)
		}}
	}
	probabilities := func(p ...float64) func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
		return func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Probabilities[int, bool](func(_ context.Context, xs []int, out []float64) error {
				for i := range xs {
					copy(out[2*i:], p)
				}
				return nil
			}), nil
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
			return Labels(func(context.Context, []int) ([]bool, error) { return []bool{xs[len(xs)+5] > 0}, nil }), nil
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
			return Labels(func(context.Context, []int) ([]bool, error) { return []bool{true}, nil }), nil
		}},
		{"the model has no function that predicts", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Model[int, bool]{}, nil
		}},
		{"the model has no function that predicts", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Labels[int, bool](nil), nil
		}},
		{"the model has no function that predicts: make it with", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Probabilities[int, bool](nil), nil
		}},
		{"predict: out of memory", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Labels(func(_ context.Context, xs []int) ([]bool, error) {
				return make([]bool, len(xs)), errors.New("out of memory")
			}), nil
		}},
		{"predict: out of memory", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Probabilities[int, bool](func(context.Context, []int, []float64) error { return errors.New("out of memory") }), nil
		}},
		{"close: disk full", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return allOdd().WithClose(func() error { return errors.New("disk full") }), nil
		}},
		{"class 0: NaN is not a probability", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return Probabilities[int, bool](func(_ context.Context, xs []int, p []float64) error {
				for i := range p[:2*(len(xs)-1)] { // all but the last
					p[i] = 0.5
				}
				return nil
			}), nil
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
		if fits.Add(1) > 4 { // the first trial was run twice
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
		switch fits.Add(1) { // the first trial was run twice
		case 5:
			cancel(errors.New("stopped"))
			return nil, errors.New("gave up")
		case 6:
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
	cfg := Config{Protocol: split.CV(1, 2), AllowNondeterminism: true}
	s := mustRun(t, numbers(20), cfg, guesser("fair"), moody, broken)
	assert.Equal(t, record.Deterministic, s.Header.DeterminismOf("fair"))
	assert.Equal(t, record.NotDeterministic, s.Header.DeterminismOf("moody"))
	assert.Equal(t, record.NotProbed, s.Header.DeterminismOf("broken"))
}

func TestLearnerThatItsSeedDoesNotFix(t *testing.T) {
	t.Parallel()
	var fits atomic.Int64
	moody := Func("moody", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		k := fits.Add(1)
		return func(x int) bool { return x%3 == int(k%3) }, nil
	})
	out := filepath.Join(t.TempDir(), "r.txt")
	_, err := Run(t.Context(), []Data[int, bool]{numbers(20)}, []Learner[int, bool]{guesser("fair"), moody}, Config{Out: out})
	require.ErrorIs(t, err, ErrLearner)
	require.EqualError(t, err, "unusable learner: its seed does not fix moody: trained twice on data set numbers, learner moody, run 1, fold 1, it predicted differently; "+
		"draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ")
	assert.Equal(t, int64(2), fits.Load(), "nothing else is trained")
	assert.NoFileExists(t, out)
}

func TestLearnerThatChangesTheData(t *testing.T) {
	t.Parallel()
	rows := func() *ExampleSet[[]float64, bool] {
		xs, ys := make([][]float64, 40), make([]bool, 40)
		for i := range xs {
			xs[i], ys[i] = []float64{float64(i), 1}, i%2 == 1
		}
		return Examples("rows", xs, ys)
	}
	innocent := Pretrained("innocent", func(x []float64) bool { return x[0] > 20 })
	scaling := func(from int64) Learner[[]float64, bool] {
		var fits atomic.Int64
		return Func("scaling", func(_ context.Context, train Sample[[]float64, bool], _ uint64) (func([]float64) bool, error) {
			if fits.Add(1) > from {
				train.Example(0)[0]++
			}
			return func(x []float64) bool { return x[0] > 20 }, nil
		})
	}
	_, err := Run(t.Context(), []Data[[]float64, bool]{rows()}, []Learner[[]float64, bool]{innocent, scaling(0)}, Config{})
	require.ErrorIs(t, err, ErrLearner)
	require.Regexp(t, `^unusable learner: scaling changes the examples that it is given: the digest of data set rows was [0-9a-f]{12} and is [0-9a-f]{12} after its first trial: let it work on a copy$`, err)
	_, err = Run(t.Context(), []Data[[]float64, bool]{rows()}, []Learner[[]float64, bool]{innocent, scaling(7)}, Config{Parallel: 1})
	require.ErrorIs(t, err, ErrLearner)
	require.Regexp(t, `^unusable learner: one of innocent, scaling changes the examples .* after all trials: let it work on a copy$`, err)

	// The slices of a table are its own as well.
	table := Func("table", func(_ context.Context, train Sample[dataset.Row, int], _ uint64) (func(dataset.Row) int, error) {
		train.Example(0).Table.Numbers(0)[3]++
		return func(dataset.Row) int { return 0 }, nil
	})
	petals, err := dataset.ReadCSV(strings.NewReader("x,class\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n"), "petals.csv", dataset.ReadOptions{})
	require.NoError(t, err)
	_, err = Run(t.Context(), []Data[dataset.Row, int]{petals}, []Learner[dataset.Row, int]{table}, Config{Protocol: split.CV(1, 2)})
	require.ErrorContains(t, err, "table changes the examples that it is given")
}

func TestMetricThatDoesNotApplyIsOneMessage(t *testing.T) {
	t.Parallel()
	var fits atomic.Int64
	counting := Func("labels", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		fits.Add(1)
		return func(int) bool { return true }, nil
	})
	_, err := Run(t.Context(), []Data[int, bool]{numbers(20)}, []Learner[int, bool]{counting}, Config{Metrics: []metric.Metric{metric.LogLoss()}})
	require.ErrorIs(t, err, ErrConfig)
	require.EqualError(t, err, "invalid configuration: labels on data set numbers: logloss: metric does not apply to these predictions: it needs class probabilities, the learner gives labels only")
	assert.Equal(t, int64(1), fits.Load())
}

func TestPredictionThatIsNoClassFails(t *testing.T) {
	t.Parallel()
	colours := Examples("colours", []int{0, 1, 2, 3, 4, 5}, []string{"red", "blue", "red", "blue", "red", "blue"})
	s := mustRun(t, colours, Config{Protocol: split.CV(1, 2)},
		Pretrained("label", func(int) string { return "green" }),
		Learner[int, string]{"labels", func(context.Context, Sample[int, string], uint64) (Model[int, string], error) {
			return Labels(func(_ context.Context, xs []int) ([]string, error) { return make([]string, len(xs)), nil }), nil
		}})
	for _, tr := range trials(s) {
		label := map[string]string{"label": "green", "labels": ""}[tr.Learner]
		assert.Regexp(t, fmt.Sprintf(`^predict: invalid prediction: example \d: the label %q is no class; the classes are \["blue" "red"\]$`, label), tr.Err)
	}
}

func TestNumbersAsClassesAreRefused(t *testing.T) {
	t.Parallel()
	set := func(n, classes int) *ExampleSet[int, int] {
		xs, ys := make([]int, n), make([]int, n)
		for i := range xs {
			xs[i], ys[i] = i, i%classes
		}
		return Examples("prices", xs, ys)
	}
	one := Pretrained("one", func(int) int { return 1 })
	for _, c := range []struct {
		n, classes int
		ok         bool
	}{{100, 20, true}, {100, 21, false}, {210, 21, true}, {209, 21, false}} {
		_, err := Run(t.Context(), []Data[int, int]{set(c.n, c.classes)}, []Learner[int, int]{one}, Config{Protocol: split.CV(1, 2)})
		if c.ok {
			require.NoError(t, err, "%v", c)
			continue
		}
		require.ErrorIs(t, err, ErrData)
		require.EqualError(t, err, fmt.Sprintf(`unusable data: data set "prices": 21 different labels of type int on %d examples: convert them to float64 if they are numbers to be predicted, to strings if they are classes`, c.n))
	}
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

func TestModelsGetTheContextOfTheTrial(t *testing.T) {
	t.Parallel()
	slow := Func("slow", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		return func(int) bool { time.Sleep(time.Millisecond); return true }, nil
	})
	batch := Learner[int, bool]{"batch", func(fit context.Context, _ Sample[int, bool], _ uint64) (Model[int, bool], error) {
		return Labels(func(ctx context.Context, xs []int) ([]bool, error) {
			assert.Same(t, fit, ctx)
			_, limited := ctx.Deadline()
			assert.True(t, limited)
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}), nil
	}}
	cfg := Config{Protocol: split.CV(1, 2), Parallel: 1, TrialTimeout: 40 * time.Millisecond}
	start := time.Now()
	b := mustRun(t, numbers(4000), cfg, slow, batch)
	assert.Less(t, time.Since(start), 2*time.Second, "predictions stop when the time is over")
	for tr := range b.Trials() {
		assert.Contains(t, tr.Err, "trial timed out after 40ms")
	}
}
