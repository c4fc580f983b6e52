package trial

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// guess predicts the first of two classes, of which each example in odd places is.
func guess(_ context.Context, a *Attempt, _ uint64) error {
	p := &a.Predictions
	p.Classes, p.Truth, p.Predicted = []string{"no", "yes"}, nil, nil
	for _, row := range a.Test {
		p.Truth, p.Predicted = append(p.Truth, row%2), append(p.Predicted, 0)
	}
	return nil
}

func batchOf(t *testing.T, funcs map[string]Func, names ...string) *Batch {
	t.Helper()
	plan, err := split.Subsample(2, 0.5).Plan(split.Examples{N: 10})
	require.NoError(t, err)
	b := &Batch{Data: &Data{Name: "d", Digest: "0"}, Plan: plan}
	for l, name := range names {
		b.Data.Learners, b.Data.Funcs = append(b.Data.Learners, name), append(b.Data.Funcs, funcs[name])
		b.Cells = append(b.Cells, Cell{Run: 1, Fold: 1, Learner: l}, Cell{Run: 2, Fold: 1, Learner: l})
	}
	return b
}

// Every other fold is run in the reverse order of learners, whichever cells are missing.
func TestLearnersTakeTurnsToBeFirst(t *testing.T) {
	t.Parallel()
	b := &Batch{Cells: []Cell{
		{1, 1, 0},
		{1, 1, 1},
		{1, 2, 0},
		{1, 2, 1},
		{1, 2, 2},
		{1, 3, 1},
		{2, 1, 0},
		{2, 1, 1},
		{2, 2, 0},
	}}
	require.Equal(t, []int{0, 1, 4, 3, 2, 5, 7, 6, 8}, slices.Collect(b.alternating()))
	for i := range b.alternating() {
		require.Zero(t, i)
		break
	}
	require.Empty(t, slices.Collect((&Batch{}).alternating()))
}

// Each cell has the outcome of its own learner, in the order of the cells, whoever has run it.
func TestEachCellHasItsOutcome(t *testing.T) {
	t.Parallel()
	funcs := map[string]Func{
		"guess":  guess,
		"fails":  func(context.Context, *Attempt, uint64) error { return errors.New("no") },
		"panics": func(context.Context, *Attempt, uint64) error { panic("oh") },
	}
	for _, parallel := range []int{1, 4} {
		b := batchOf(t, funcs, "guess", "fails", "panics")
		stuck := Engine{Metrics: []metric.Metric{metric.Accuracy()}, Parallel: parallel}.Run(t.Context(),
			b)
		require.Empty(t, stuck)
		for i, tr := range b.Trials {
			require.Equal(t, b.Record(i), tr.Cell())
			require.Equal(t, 5, tr.TestN)
			switch tr.Learner {
			case "guess":
				require.Empty(t, tr.Err)
				require.Len(t, tr.Values, 1)
			case "fails":
				require.Equal(t, "no", tr.Err)
			default:
				require.Regexp(t, `^panic: oh \(trial_test.go:\d+\)$`, tr.Err)
			}
		}
	}
}

// A cell that was not run because the context had ended is no trial.
func TestEndedContextRunsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := batchOf(t, map[string]Func{"guess": guess}, "guess")
	require.Empty(t, Engine{Metrics: []metric.Metric{metric.Accuracy()}, Parallel: 2}.Run(ctx, b))
	for _, tr := range b.Trials {
		require.Zero(t, tr.Run)
	}
}

// twice trains in the first cell twice and returns the prints of the predictions.
func twice(t *testing.T, name string, f Func) (p, q *Print) {
	b := batchOf(t, map[string]Func{name: f}, name)
	p = NewPrint()
	b.Cells, b.Prints = b.Cells[:1], []*Print{p}
	Engine{Metrics: []metric.Metric{metric.Accuracy()}, Parallel: 1}.Run(t.Context(), b)
	q = p.Again()
	b.Prints[0] = q
	Engine{Metrics: []metric.Metric{metric.Accuracy()}, Parallel: 1}.Run(t.Context(), b)
	return p, q
}

func TestPrints(t *testing.T) {
	t.Parallel()
	n := 0
	counting := func(ctx context.Context, a *Attempt, seed uint64) error {
		n++
		err := guess(ctx, a, seed)
		a.Predictions.Predicted[0] = n % 2
		return err
	}
	failing := func(context.Context, *Attempt, uint64) error { return errors.New("no") }
	p, q := twice(t, "guess", guess)
	assert.True(t, p.Taken() && q.Taken() && p.Same(q))
	assert.NoError(t, p.Err)
	p, q = twice(t, "counting", counting)
	assert.False(t, p.Same(q))
	p, q = twice(t, "failing", failing)
	assert.False(t, p.Taken() || q.Taken())
	assert.EqualError(t, p.Err, "no")
}

// A model that predicts something else only beyond its fold has another print.
func TestPrintsLookBeyondTheFold(t *testing.T) {
	t.Parallel()
	n := 0
	p, q := twice(t, "l", func(ctx context.Context, a *Attempt, seed uint64) error {
		require.NoError(t, guess(ctx, a, seed))
		n++
		a.PredictFurther(ctx, 1000, func(ctx context.Context, all *Attempt) error {
			require.Len(t, all.Test, mostFurther)
			err := guess(ctx, all, seed)
			all.Predictions.Predicted[0] = n % 2
			return err
		})
		return nil
	})
	assert.False(t, p.Same(q))
}

func TestReferenceLearnersPredictLessBeyondTheFold(t *testing.T) {
	t.Parallel()
	p, q := twice(t, "l", func(ctx context.Context, a *Attempt, seed uint64) error {
		a.Reference = true
		require.NoError(t, guess(ctx, a, seed))
		a.PredictFurther(ctx, 1000, func(ctx context.Context, all *Attempt) error {
			require.Len(t, all.Test, mostFurtherReference)
			return guess(ctx, all, seed)
		})
		return nil
	})
	assert.True(t, p.Taken() && q.Taken() && p.Wide() && p.Same(q))
}

// Of each 20 cells one is drawn, by seed, data and learner, and never the first of all.
func TestDrawnCells(t *testing.T) {
	t.Parallel()
	places := make(map[int]int)
	for seed := range uint64(500) {
		for _, learner := range []string{"a", "b"} {
			drawn := 0
			for run := 1; run <= 10; run++ {
				for fold := 1; fold <= 10; fold++ {
					if Drawn(OneInTrained, seed, "0", learner, run, fold, 10) {
						drawn++
						places[(run-1)*10+fold-1]++
					}
				}
			}
			require.Equal(t, 5, drawn)
		}
	}
	assert.Zero(t, places[0])
	for at := 1; at < 100; at++ {
		assert.InDelta(t, 51, places[at], 35, at)
	}
	// Python's hashlib has found these.
	assert.True(t, Drawn(OneInTrained, 1, "0", "a", 2, 8, 10))
	assert.True(t, Drawn(OneInTrained, 1, "0", "a", 4, 9, 10))
}

// Cells of one learner are drawn as each by itself is, in whatever order they come.
func TestDrawsHashOnce(t *testing.T) {
	t.Parallel()
	var d Draws
	for _, run := range []int{1, 2, 3, 10, 1, 4, 3} {
		for fold := 10; fold >= 1; fold-- {
			require.Equal(t, Drawn(OneInTrained, 7, "0", "a", run, fold, 10),
				d.Drawn(OneInTrained, 7, "0", "a", run, fold, 10), "%d, %d", run, fold)
		}
	}
}

// A print that another process has written tells as much as one of this process.
func TestPrintsAsText(t *testing.T) {
	t.Parallel()
	n := 0
	f := func(ctx context.Context, a *Attempt, seed uint64) error {
		n++
		require.NoError(t, guess(ctx, a, seed))
		a.PredictFurther(ctx, 1000, func(ctx context.Context, all *Attempt) error {
			err := guess(ctx, all, seed)
			all.Predictions.Predicted[0] = n / 3
			return err
		})
		return nil
	}
	p, q := twice(t, "l", f)
	other, _ := twice(t, "l", f)
	text, err := p.MarshalText()
	require.NoError(t, err)
	var read Print
	require.NoError(t, read.UnmarshalText(text))
	assert.True(t, read.Taken() && read.Wide() && read.Same(q))
	assert.Equal(t, mostFurther, read.Again().wanted())
	assert.False(t, read.Same(other))
	near, _ := twice(t, "guess", guess)
	text, err = near.MarshalText()
	require.NoError(t, err)
	var narrow Print
	require.NoError(t, narrow.UnmarshalText(text))
	assert.True(t, narrow.Taken() && !narrow.Wide() && narrow.Same(near))
}

// FuzzPrint reads texts as prints, and writes each accepted one with its meaning unchanged.
func FuzzPrint(f *testing.F) {
	for _, text := range []string{
		"", "0", "00000000000000ff", "00000000000000ff 300 0000000000000001",
		"x", "1 2", "1 0 2", "1 -1 2", "1 x 2", "1 2 x", "1 2 3 4",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p, q Print
		if p.UnmarshalText([]byte(text)) != nil {
			return
		}
		require.True(t, p.Taken())
		written, err := p.MarshalText()
		require.NoError(t, err)
		require.NoError(t, q.UnmarshalText(written))
		require.True(t, p.Same(&q))
		require.Equal(t, p.Wide(), q.Wide())
		require.Equal(t, p.Again(), q.Again())
	})
}

// Fingerprints are kept in files: a change of the sum would invalidate all of these.
func TestFingerprintIsFNV(t *testing.T) {
	t.Parallel()
	a := Attempt{Predictions: metric.Predictions{
		Classes: []string{"a", "b"}, Predicted: []int{1, 0, -1},
		Truth: []int{0, 0, 1}, Probabilities: []float64{0.25, 0.75, 1, 0, 0, 0},
		Costs: map[string]float64{"nodes": 3, "depth": 2},
	}}
	h := fnv.New64a()
	put := func(x uint64) { h.Write(binary.BigEndian.AppendUint64(nil, x)) }
	for _, c := range a.Predictions.Predicted {
		put(uint64(c))
	}
	for _, p := range a.Predictions.Probabilities {
		put(math.Float64bits(p))
	}
	h.Write([]byte("depth"))
	put(math.Float64bits(2))
	h.Write([]byte("nodes"))
	put(math.Float64bits(3))
	require.Equal(t, h.Sum64(), a.Fingerprint())

	a.Predictions = metric.Predictions{TrueValues: []float64{1}, PredictedValues: []float64{-1.5}}
	h = fnv.New64a()
	put(math.Float64bits(-1.5))
	require.Equal(t, h.Sum64(), a.Fingerprint())
}
