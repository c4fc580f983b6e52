package learntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In these tests time stands still while anything is computed, so that it is known to
// the nanosecond.

func TestTimesOfATrial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := Learner[int, bool]{Name: "slow", Fit: func(context.Context, Sample[int, bool],
			uint64,
		) (Model[int, bool], error) {
			time.Sleep(3 * time.Second)
			return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
				time.Sleep(2 * time.Second)
				return make([]bool, len(xs)), nil
			}).WithClose(func() error { time.Sleep(time.Second); return nil }), nil
		}}
		broken := Func("broken", func(context.Context, Sample[int, bool], uint64) (func(int) bool,
			error,
		) {
			time.Sleep(time.Second)
			return nil, errors.New("no")
		})
		b := mustRun(t, numbers(20), Config{Protocol: split.CV(1, 2), Parallel: 1}, slow, broken)
		for i, tr := range trials(b) {
			assert.Equal(t, [][]float64{{3, 2}, {1, 0}}[i%2], []float64{tr.FitSeconds, tr.PredictSec})
		}
	})
}

func TestTrialMayTakeAllOfItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for took, want := range map[time.Duration]string{
			time.Second:     "",
			time.Second + 1: "trial timed out after 1s: it took 1s",
		} {
			slow := Learner[int, bool]{Name: "slow", Fit: func(context.Context, Sample[int, bool],
				uint64,
			) (Model[int, bool], error) {
				return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
					time.Sleep(took)
					return make([]bool, len(xs)), nil
				}), nil
			}}
			for _, tr := range trials(mustRun(t, numbers(20), Config{
				Protocol:     split.CV(1, 2),
				TrialTimeout: time.Second,
			}, slow)) {
				assert.Equal(t, want, tr.Err)
			}
		}
	})
}

// A worker whose learner does not return is replaced. When it returns after all, there are
// not more trials at a time than before.
func TestTrialsAtATimeAreNotMoreThanAllowed(t *testing.T) {
	t.Parallel()
	for _, parallel := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			var now, most atomic.Int64
			l := Func("deaf", func(_ context.Context, train Sample[int, bool], _ uint64) (func(int) bool,
				error,
			) {
				if train.Example(0) != 0 { // in one fold of each run
					time.Sleep(5 * time.Second)
					return nil, nil
				}
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(800 * time.Millisecond)
				now.Add(-1)
				return func(int) bool { return true }, nil
			})
			b := mustRun(t, numbers(20), Config{
				Protocol: split.CV(5, 10), Parallel: parallel,
				TrialTimeout: time.Second,
			}, l)
			assert.Equal(t, int64(parallel), most.Load())
			failed := 0
			for _, tr := range trials(b) {
				if tr.Err != "" {
					failed++
					assert.Equal(t, "trial timed out after 1s: the learner did not return", tr.Err)
				}
			}
			assert.Equal(t, 5, failed)
			time.Sleep(time.Minute) // until the last of them has returned
		})
	}
}

// Models that predict one example after another look whether the time of the trial is over
// before every 32nd.
func TestPredictionStopsWhenTheTimeIsOver(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	ask := func() { asked.Add(1); time.Sleep(10 * time.Millisecond) }
	cfg := Config{Protocol: split.CV(1, 2), TrialTimeout: time.Second, Parallel: 1}
	check := func(t *testing.T, b *record.Block) {
		t.Helper()
		for _, tr := range trials(b) {
			assert.Equal(t, "trial timed out after 1s: it took 1.28s", tr.Err)
		}
		assert.Equal(t, int64(2*128), asked.Swap(0))
	}
	rows := Func("rows", func(context.Context, Sample[[]float64, int], uint64) (func([]float64) int,
		error,
	) {
		return func([]float64) int { ask(); return 0 }, nil
	})
	for name, run := range map[string]func(t *testing.T) *record.Block{
		"labels": func(t *testing.T) *record.Block {
			return mustRun(t, numbers(600), cfg, Pretrained("labels", func(int) bool { ask(); return true }))
		},
		"probabilities": func(t *testing.T) *record.Block {
			return mustRun(t, numbers(600), cfg, ProbFunc("p", func(context.Context, Sample[int, bool],
				uint64,
			) (func(int, []float64), error) {
				return func(_ int, p []float64) { ask(); p[0] = 1 }, nil
			}))
		},
		"numbers": func(t *testing.T) *record.Block {
			return mustRun(t, Examples("line", make([]int, 600), []float64{599: 1}), cfg,
				Pretrained("numbers", func(int) float64 { ask(); return 1 }))
		},
		"encoded rows": func(t *testing.T) *record.Block {
			return mustRun[dataset.Row, int](t, uci.Vehicle(), cfg, Encode(dataset.Encoding{}, rows))
		},
		"regressor": func(t *testing.T) *record.Block {
			return mustRun[dataset.Row, float64](t, targets(t, 600), cfg,
				FromRegressor(regressingAide{aide{ask: ask}}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(t, run(t)) })
		})
	}
}

// Data sets are trained one after the other on the same folds of the same runs: each has
// partitions of its own.
func TestSeveralDataSetsAreWhatEachIsAlone(t *testing.T) {
	t.Parallel()
	var data []Data[int, bool]
	for _, n := range []int{20, 30, 25} {
		d := numbers(n)
		d.name = fmt.Sprint("to ", n)
		data = append(data, d)
	}
	third := Pretrained("third", func(x int) bool { return x%3 == 0 })
	cfg := Config{Protocol: split.Subsample(3, 0.5), Parallel: 1}
	tested := make(map[record.Cell][]int)
	cfg.Predicted = func(c record.Cell, test []int,
		_ *metric.Predictions,
	) {
		tested[c] = slices.Clone(test)
	}
	f, err := Run(t.Context(), data, []Learner[int, bool]{third, guesser("a")}, cfg)
	require.NoError(t, err)
	require.Len(t, f.Blocks(), 3)
	for i, d := range data {
		plan, err := cfg.Protocol.Plan(split.Examples{N: d.Len()})
		require.NoError(t, err)
		for tr := range f.Blocks()[i].Trials() {
			_, want := plan.Trial(tr.Run, tr.Fold, nil, nil)
			assert.Equal(t, want, tested[tr.Cell()])
		}
		alone := mustRun(t, d, cfg, third, guesser("a"))
		assert.Equal(t, timeless(trials(alone)), timeless(trials(f.Blocks()[i])))
		assert.Equal(t, elsewhere(alone.Header), elsewhere(f.Blocks()[i].Header))
	}
}
