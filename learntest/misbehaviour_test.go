package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFailedTrialsNameTheirCauseAndOthersGoOn(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	t.Cleanup(func() { close(gate) })
	failing := func(name string, fit func(ctx context.Context, train Sample[int, bool]) (Model[int,
		bool], error),
	) Learner[int, bool] {
		return Learner[int, bool]{Name: name, Fit: func(ctx context.Context, train Sample[int, bool],
			_ uint64,
		) (Model[int, bool], error) {
			if train.Example(0) == 0 { // in all folds but one of each run
				return allOdd(), nil
			}
			return fit(ctx, train)
		}}
	}
	probabilities := func(p ...float64) func(context.Context, Sample[int, bool]) (Model[int, bool],
		error) {
		return func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return ProbabilityModel[int, bool](func(_ context.Context, xs []int, out []float64) error {
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
		{
			"panic: runtime error: index out of range [5] with length 0 (misbehaviour_test.go:",
			func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
				var xs []int
				return LabelModel(func(context.Context, []int) ([]bool,
					error,
				) {
					return []bool{xs[len(xs)+5] > 0}, nil
				}), nil
			},
		},
		{"did it call t.FailNow?", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			runtime.Goexit()
			return Model[int, bool]{}, nil
		}},
		{"timed out after 20ms", func(ctx context.Context, _ Sample[int, bool]) (Model[int, bool],
			error,
		) {
			<-ctx.Done()
			return Model[int, bool]{}, ctx.Err()
		}},
		{
			"timed out after 20ms: the learner did not return",
			func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
				<-gate
				return Model[int, bool]{}, nil
			},
		},
		{"1 predictions for 5 test examples", func(context.Context, Sample[int, bool]) (Model[int, bool],
			error,
		) {
			return LabelModel(func(context.Context, []int) ([]bool, error) { return []bool{true}, nil }), nil
		}},
		{"the model has no function that predicts", func(context.Context, Sample[int, bool]) (Model[int,
			bool], error,
		) {
			return Model[int, bool]{}, nil
		}},
		{"the model has no function that predicts", func(context.Context, Sample[int, bool]) (Model[int,
			bool], error,
		) {
			return LabelModel[int, bool](nil), nil
		}},
		{
			"the model has no function that predicts: make it with",
			func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
				return ProbabilityModel[int, bool](nil), nil
			},
		},
		{"fit: the model has no function that predicts", func(ctx context.Context,
			train Sample[int, bool],
		) (Model[int, bool], error) {
			return Func("", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
				error,
			) {
				return nil, nil
			}).Fit(ctx, train, 0)
		}},
		{"fit: the model has no function that predicts", func(ctx context.Context,
			train Sample[int, bool],
		) (Model[int, bool], error) {
			return ProbFunc("", func(context.Context, Sample[int, bool], uint64) (func(int, []float64),
				error,
			) {
				return nil, nil
			}).Fit(ctx, train, 0)
		}},
		{"predict: out of memory", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
				return make([]bool, len(xs)), errors.New("out of memory")
			}).WithClose(func() error { return errors.New("disk full") }), nil
		}},
		{"predict: out of memory", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return ProbabilityModel[int, bool](func(context.Context, []int,
				[]float64,
			) error {
				return errors.New("out of memory")
			}), nil
		}},
		{"close: disk full", func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
			return allOdd().WithClose(func() error { return errors.New("disk full") }), nil
		}},
		{
			"fit: the model has no function that predicts",
			func(context.Context, Sample[int, bool]) (Model[int, bool], error) {
				return Model[int, bool]{}.WithClose(func() error { return errors.New("disk full") }), nil
			},
		},
		{"class 0: NaN is not a probability", func(context.Context, Sample[int, bool]) (Model[int, bool],
			error,
		) {
			return ProbabilityModel[int, bool](func(_ context.Context, xs []int, p []float64) error {
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

func TestModelsAreClosedWhateverComesOfThem(t *testing.T) {
	t.Parallel()
	for name, predict := range map[string]func(context.Context, []int) ([]bool, error){
		"predicts": func(_ context.Context, xs []int) ([]bool, error) {
			return make([]bool, len(xs)),
				nil
		},
		"fails":  func(context.Context, []int) ([]bool, error) { return nil, errors.New("no") },
		"panics": func(context.Context, []int) ([]bool, error) { panic("no") },
		"none":   nil,
	} {
		var fits, closes atomic.Int64
		l := Learner[int, bool]{Name: name, Fit: func(context.Context, Sample[int, bool],
			uint64,
		) (Model[int, bool], error) {
			fits.Add(1)
			return LabelModel(predict).WithClose(func() error { closes.Add(1); return nil }), nil
		}}
		mustRun(t, numbers(20), Config{Protocol: split.CV(1, 2)}, l)
		assert.GreaterOrEqual(t, fits.Load(), int64(2), name)
		assert.Equal(t, fits.Load(), closes.Load(), name)
	}
}

func TestMetricOutsideOfItsRangeFails(t *testing.T) {
	t.Parallel()
	eval := 0.0
	m := metric.Metric{
		Unit: unit.Unit{Name: "mine", Better: unit.Higher, Min: 0, Max: 1},
		Eval: func(*metric.Predictions) (float64, error) { return eval, nil },
	}
	for eval = range map[float64]bool{-0.5: true, 1.5: true, math.NaN(): true, math.Inf(1): true} {
		s := mustRun(t, numbers(10), Config{Protocol: split.CV(1, 2), Metrics: []metric.Metric{m}},
			constant("a", true))
		assert.Contains(t, trials(s)[0].Err, "metric mine is ")
	}
}

func TestDeadlineEndsHangingAndWaitingTrials(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		t.Cleanup(func() { close(gate) })
		var fits atomic.Int64
		hang := Func("hang", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
			if fits.Add(1) > 4 {
				<-gate
			}
			return func(int) bool { return true }, nil
		})
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("time is up"))
		defer cancel()
		f, err := Run(ctx, []Data[int, bool]{numbers(20)}, []Learner[int, bool]{hang}, Config{Parallel: 2})
		e, ok := errors.AsType[*interruptedError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, []int{4, 100, 2}, []int{e.Done, e.Total, len(e.Stuck)})
		assert.EqualError(t, e.Cause, "time is up")
		assert.Contains(t, err.Error(),
			"interrupted: time is up: 4 of 100 trials were run; the learner did not return: data set numbers, learner hang, run 1, fold ")
		assert.Equal(t, 4, f.Blocks()[0].Len())
		assert.Empty(t, f.Failures(), "an interruption is not the learner's failure")
	})
}

// A trial that is under way when the context ends is not a failure, whatever the
// learner makes of it.
func TestInterruptedTrialsAreNotRecorded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	var fits atomic.Int64
	l := Func("polite", func(ctx context.Context, _ Sample[int, bool], _ uint64) (func(int) bool,
		error,
	) {
		switch fits.Add(1) {
		case 5:
			cancel(errors.New("stopped"))
			return nil, errors.New("gave up")
		case 6:
			panic("torn away")
		}
		return func(int) bool { return true }, nil
	})
	f, err := Run(ctx, []Data[int, bool]{numbers(20)}, []Learner[int, bool]{l}, Config{Parallel: 1})
	require.ErrorContains(t, err, "interrupted: stopped: 4 of 100 trials were run")
	assert.Equal(t, 4, f.Blocks()[0].Len())
	assert.Empty(t, f.Failures())
}

func TestTrialThatOverrunsItsTimeFails(t *testing.T) {
	t.Parallel()
	slow := Func("slow", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		time.Sleep(30 * time.Millisecond)
		return func(int) bool { return true }, nil
	})
	s := mustRun(t, numbers(20), Config{Protocol: split.CV(1, 2), TrialTimeout: 20 * time.Millisecond},
		slow)
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
	var p atomic.Int64
	wavering := ProbFunc("wavering", func(context.Context, Sample[int, bool],
		uint64,
	) (func(int, []float64), error) {
		q := 0.9 + float64(p.Add(1))/1000
		return func(_ int, p []float64) { p[0], p[1] = q, 1-q }, nil
	})
	s := mustRun(t, numbers(20), cfg, guesser("fair"), moody, broken, wavering)
	assert.Equal(t, record.Deterministic, s.Header.Of("fair").Determinism())
	assert.Equal(t, record.NotDeterministic, s.Header.Of("moody").Determinism())
	assert.Equal(t, record.NotProbed, s.Header.Of("broken").Determinism())
	assert.Equal(t, record.NotDeterministic, s.Header.Of("wavering").Determinism(),
		"its labels are equal, the probabilities are not")

	drifting := Func("drifting", func(context.Context, Sample[int, float64],
		uint64,
	) (func(int) float64, error) {
		y := float64(n.Add(1))
		return func(int) float64 { return y }, nil
	})
	s = mustRun(t, Examples("line", []int{1, 2, 3, 4}, []float64{1, 2, 3, 4}), cfg, drifting,
		Pretrained("one", func(int) float64 { return 1 }))
	assert.Equal(t, record.NotDeterministic, s.Header.Of("drifting").Determinism())
	assert.Equal(t, record.Deterministic, s.Header.Of("one").Determinism())
}

func TestLearnerThatItsSeedDoesNotFix(t *testing.T) {
	t.Parallel()
	var fits atomic.Int64
	moody := Func("moody", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		r := rand.New(rand.NewPCG(uint64(fits.Add(1)), 1))
		return func(int) bool { return r.IntN(2) == 0 }, nil
	})
	out := filepath.Join(t.TempDir(), "r.txt")
	_, err := Run(t.Context(), []Data[int, bool]{numbers(20)}, []Learner[int, bool]{
		guesser("fair"),
		moody,
	}, Config{Results: Results{Out: out}})
	require.ErrorIs(t, err, learner.ErrUnusable)
	require.EqualError(t, err, "unusable learner: its seed does not fix moody: trained again on data set numbers, learner moody, run 1, fold 1, it predicted differently each time; "+
		"draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ")
	assert.Equal(t, int64(100+6+2), fits.Load(),
		"each cell, six again, and the first that differs twice more")
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
		return Func("scaling", func(_ context.Context, train Sample[[]float64, bool],
			_ uint64,
		) (func([]float64) bool, error) {
			if fits.Add(1) > from {
				train.Example(0)[0]++
			}
			return func(x []float64) bool { return x[0] > 20 }, nil
		})
	}
	_, err := Run(t.Context(), []Data[[]float64, bool]{rows()}, []Learner[[]float64, bool]{
		innocent,
		scaling(0),
	}, Config{})
	require.ErrorIs(t, err, learner.ErrUnusable)
	require.Regexp(t, `^unusable learner: scaling changes the examples that it is given: the digest of data set rows was [0-9a-f]{12} and is [0-9a-f]{12} after its first trial: let it work on a copy$`, err)
	_, err = Run(t.Context(), []Data[[]float64, bool]{rows()}, []Learner[[]float64, bool]{
		innocent,
		scaling(7),
	}, Config{Parallel: 1})
	require.ErrorIs(t, err, learner.ErrUnusable)
	require.Regexp(t, `^unusable learner: one of innocent, scaling changes the examples .* after all trials: let it work on a copy$`, err)

	// The slices of a table are its own as well.
	table := Func("table", func(_ context.Context, train Sample[dataset.Row, int],
		_ uint64,
	) (func(dataset.Row) int, error) {
		train.Example(0).Table.Numbers(0)[3]++
		return func(dataset.Row) int { return 0 }, nil
	})
	petals, err := dataset.ReadCSV(strings.NewReader("x,class\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n"), "petals.csv", dataset.ReadOptions{})
	require.NoError(t, err)
	_, err = Run(t.Context(), []Data[dataset.Row, int]{petals}, []Learner[dataset.Row, int]{table},
		Config{Protocol: split.CV(1, 2)})
	require.ErrorContains(t, err, "table changes the examples that it is given")
}

func TestMetricThatDoesNotApplyIsOneMessage(t *testing.T) {
	t.Parallel()
	var fits atomic.Int64
	counting := Func("labels", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
		error,
	) {
		fits.Add(1)
		return func(int) bool { return true }, nil
	})
	_, err := Run(t.Context(), []Data[int, bool]{numbers(20)}, []Learner[int, bool]{counting},
		Config{Metrics: []metric.Metric{metric.LogLoss()}})
	require.ErrorIs(t, err, ErrConfig)
	require.EqualError(t, err, "invalid configuration: labels on data set numbers: logloss: metric does not apply to these predictions: it needs class probabilities, the learner gives labels only")
	assert.Equal(t, int64(1), fits.Load())
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
	_, err := newSource(Examples("prices", make([]int, 100), manyLabels[uint64](100)))
	require.ErrorContains(t, err, "100 different labels of type uint64 on 100 examples")
	_, err = newSource(Examples("prices", make([]int, 100), manyLabels[int64](100)))
	require.ErrorContains(t, err, "100 different labels of type int64 on 100 examples")
	for _, c := range []struct {
		n, classes int
		ok         bool
	}{{100, 20, true}, {100, 21, false}, {210, 21, true}, {209, 21, false}} {
		_, err := Run(t.Context(), []Data[int, int]{set(c.n, c.classes)}, []Learner[int, int]{one},
			Config{Protocol: split.CV(1, 2)})
		if c.ok {
			require.NoError(t, err, "%v", c)
			continue
		}
		require.ErrorIs(t, err, dataset.ErrUnusable)
		require.EqualError(t, err, fmt.Sprintf(`unusable data: data set "prices": 21 different labels of type int on %d examples: convert them to float64 if they are numbers to be predicted, to strings if they are classes`, c.n))
	}
}

// manyLabels returns n different ones.
func manyLabels[Y int64 | uint64](n int) []Y {
	ys := make([]Y, n)
	for i := range ys {
		ys[i] = Y(i)
	}
	return ys
}

// A broken set cannot be digested again.
type brokenSet struct {
	*ExampleSet[int, bool]
	digests *atomic.Int64
}

func (b brokenSet) Digest() (string, error) {
	if b.digests.Add(1) > 1 {
		return "", errors.New("out of paper")
	}
	return b.ExampleSet.Digest()
}

func TestDataThatCannotBeDigestedAgain(t *testing.T) {
	t.Parallel()
	_, err := Run(t.Context(), []Data[int, bool]{brokenSet{numbers(20), new(atomic.Int64)}},
		[]Learner[int, bool]{constant("a", true)}, Config{})
	require.ErrorIs(t, err, learner.ErrUnusable)
	require.ErrorContains(t, err, "a changes the examples that it is given: out of paper after its first trial")
}
