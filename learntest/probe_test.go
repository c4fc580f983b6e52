package learntest

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// unseeded returns data and a linear classifier of them whose weights get a little noise by a seed
// of its own, such as a clock's, so that few predictions differ from one training to the next.
func unseeded(start uint64) (*ExampleSet[[]float64, bool], Learner[[]float64, bool]) {
	r := rand.New(rand.NewPCG(9, 9))
	xs, ys := make([][]float64, 300), make([]bool, 300)
	for i := range xs {
		xs[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		ys[i] = xs[i][0]+xs[i][1]-xs[i][2]+r.NormFloat64() > 0.5
	}
	var clock atomic.Uint64
	clock.Store(1000 * start)
	return Examples("payments", xs, ys),
		Func("unseeded", func(context.Context, Sample[[]float64, bool], uint64) (func([]float64) bool,
			error,
		) {
			r := rand.New(rand.NewPCG(clock.Add(1), 7))
			w := []float64{1 + 0.05*r.NormFloat64(), 1 + 0.05*r.NormFloat64(), -1 + 0.05*r.NormFloat64()}
			return func(x []float64) bool { return w[0]*x[0]+w[1]*x[1]+w[2]*x[2] > 0.5 }, nil
		})
}

// A learner that its seed does not fix is found although it shows on one fold in a third of
// cases only: 36 of these 100.
func TestProbeFindsWhatSeldomShowsOnOneFold(t *testing.T) {
	t.Parallel()
	found, named := 0, 0
	for i := range uint64(100) {
		data, l := unseeded(i)
		_, err := Run(t.Context(), []Data[[]float64, bool]{data}, []Learner[[]float64, bool]{l},
			Config{Protocol: split.CV(1, 10)})
		if err != nil {
			require.ErrorIs(t, err, learner.ErrUnusable)
			found++
			if strings.Contains(err.Error(), "its seed does not fix unseeded") {
				named++
			}
		}
	}
	assert.GreaterOrEqual(t, found, 95)
	assert.GreaterOrEqual(t, named, 90, "two trainings may agree by chance")

	data, l := unseeded(0)
	b := mustRun(t, data, Config{Protocol: split.CV(1, 10), AllowNondeterminism: true}, l)
	assert.Equal(t, record.NotDeterministic, b.Header.Of("unseeded").Determinism())
}

// A model that cannot predict examples beyond its fold does not fail the trial.
func TestModelsMayBeMadeForTheirFoldOnly(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"fails":    func() error { return errors.New("I have seen it") },
		"panics":   func() error { panic("I have seen it") },
		"is short": nil,
	} {
		l := Learner[int, bool]{Name: "model", Fit: func(_ context.Context, train Sample[int, bool],
			_ uint64,
		) (Model[int, bool], error) {
			seen := make(map[int]bool)
			for x := range train.All() {
				seen[x] = true
			}
			return LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
				for _, x := range xs {
					if seen[x] && fail != nil {
						return nil, fail()
					}
				}
				if seen[xs[0]] {
					return nil, nil
				}
				return make([]bool, len(xs)), nil
			}), nil
		}}
		b := mustRun(t, numbers(20), Config{Protocol: split.CV(1, 5)}, l)
		for _, trial := range trials(b) {
			require.Empty(t, trial.Err, name)
		}
		require.Equal(t, record.Deterministic, b.Header.Of("model").Determinism(), name)
	}
}

// As many examples are predicted further as there is time for.
func TestProbeKeepsWithinTheTimeOfATrial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit time.Duration
		want  int // examples that are predicted in 10 trials of 100 and two probes
	}{
		{0, 1000 + 100 + 2*300},
		{time.Hour, 1000 + 100 + 2*300},
		{300 * time.Millisecond, 1000 + 100 + 2*100},
		{110 * time.Millisecond, 1000 + 100 + 2*5},
		{101 * time.Millisecond, 1000 + 100},
	} {
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Int64
			slow := Pretrained("slow", func(int) bool {
				n.Add(1)
				time.Sleep(time.Millisecond)
				return true
			})
			b := mustRun(t, numbers(1000), Config{
				Protocol: split.CV(1, 10), TrialTimeout: c.limit,
				Parallel: 1,
			}, slow)
			for _, trial := range trials(b) {
				require.Empty(t, trial.Err)
			}
			require.EqualValues(t, c.want, n.Load(), "%v", c.limit)
		})
	}
}

// A trial that was in time remains so, however long the model takes with other examples.
func TestProbeIsNotPartOfTheTimeOfATrial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		slow := Pretrained("slow", func(int) bool {
			time.Sleep(time.Millisecond)
			if n.Add(1) > 100 && n.Load() <= 110 { // the first ones beyond the fold
				time.Sleep(40 * time.Millisecond)
			}
			return true
		})
		b := mustRun(t, numbers(1000), Config{
			Protocol:     split.CV(1, 10),
			TrialTimeout: 300 * time.Millisecond, Parallel: 1,
		}, slow)
		for _, trial := range trials(b) {
			require.Empty(t, trial.Err)
		}
	})
}
