package learntest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keeping is a configuration that keeps results and predictions.
func keeping(t *testing.T, p split.Protocol) Config {
	dir := t.TempDir()
	return Config{Protocol: p, Parallel: 1, Results: Results{
		Out:         filepath.Join(dir, "r.txt"),
		Predictions: filepath.Join(dir, "r.pred.gz"),
	}}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// An interrupted run goes on with its predictions, and comes to the same files.
func TestPredictionsAreResumed(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets(), []Learner[int, bool]{guesser("a"), guesser("b")}
	whole := keeping(t, split.CV(2, 3))
	_, err := Run(t.Context(), data, learners, whole)
	require.NoError(t, err)
	want, kept := textWithoutTimes(t, whole.Results.Out), read(t, whole.Results.Predictions)
	ends := []int{2, 23}
	if citest.Has(citest.Slow) {
		ends = []int{1, 2, 7, 13, 23}
	}
	for _, first := range ends {
		cfg := keeping(t, split.CV(2, 3))
		c := counter{fits: make(map[string]int)}
		counted := []Learner[int, bool]{c.wrap(learners[0]), c.wrap(learners[1])}
		interruptAfter(t, first, data, counted, cfg)
		require.NoFileExists(t, cfg.Results.Predictions)
		forget(cfg.Results.Out)
		cfg.Results.Resume = true
		_, err := Run(t.Context(), data, counted, cfg)
		require.NoError(t, err)
		require.Equal(t, want, textWithoutTimes(t, cfg.Results.Out))
		require.Equal(t, kept, read(t, cfg.Results.Predictions))
		for _, n := range c.fits {
			require.LessOrEqual(t, n, 3)
		}
		proven(t, cfg.Results.Out, cfg.Results.Predictions)

		// Complete results are taken over, if their predictions are there.
		trained := func() int {
			forget(cfg.Results.Out)
			clear(c.fits)
			_, err := Run(t.Context(), data, counted, cfg)
			require.NoError(t, err)
			require.Equal(t, kept, read(t, cfg.Results.Predictions))
			return len(c.fits)
		}
		require.Zero(t, trained())
		require.NoError(t, os.Remove(cfg.Results.Predictions))
		require.Equal(t, 24, trained())
		cfg.Results.Probabilities = "truth" // which the file does not have
		forget(cfg.Results.Out)
		clear(c.fits)
		_, err = Run(t.Context(), data, counted, cfg)
		require.NoError(t, err)
		require.Len(t, c.fits, 24)
	}
}

// Trials of an interrupted run that kept no predictions are trained again.
func TestTrialsWithoutPredictionsAreTrainedAgain(t *testing.T) {
	t.Parallel()
	cfg := keeping(t, split.CV(2, 3))
	c := counter{fits: make(map[string]int)}
	learners := []Learner[int, bool]{c.wrap(guesser("a")), c.wrap(guesser("b"))}
	without := cfg
	without.Results.Predictions = ""
	interruptAfter(t, 7, twoDataSets()[:1], learners, without)
	clear(c.fits)
	forget(cfg.Results.Out)
	cfg.Results.Resume = true
	mustRun(t, twoDataSets()[0], cfg, learners...)
	require.Len(t, c.fits, 12)
	require.Equal(t, 12, proven(t, cfg.Results.Out, cfg.Results.Predictions)[0].Trials)
}

// A journal has the predictions of the trials in it, and a torn line is dropped.
func TestJournalsHavePredictions(t *testing.T) {
	t.Parallel()
	cfg := keeping(t, split.CV(2, 3))
	interruptAfter(t, 5, twoDataSets()[:1], []Learner[int, bool]{guesser("a"), guesser("b")}, cfg)
	journal := cfg.Results.Out + ".partial-1"
	remains, err := storage.ReadJournal(journal)
	require.NoError(t, err)
	require.Len(t, remains.Notes, 5)
	text := read(t, journal)
	last := strings.LastIndex(text, "--- NOTE: ")
	require.NoError(t, os.WriteFile(journal, []byte(text[:last+60]), 0o666))
	remains, err = storage.ReadJournal(journal)
	require.NoError(t, err)
	require.Less(t, len(remains.Dropped), 300)
	require.Len(t, remains.Notes, 4)
}

// Shards with their predictions are the whole.
func TestPredictionsOfShards(t *testing.T) {
	t.Parallel()
	data, learners := twoDataSets(), []Learner[int, bool]{guesser("a"), guesser("b")}
	whole := keeping(t, split.CV(2, 3))
	_, err := Run(t.Context(), data, learners, whole)
	require.NoError(t, err)
	want, err := predictions.Open(whole.Results.Predictions)
	require.NoError(t, err)
	var outs []string
	var among []*predictions.Block
	for i := range 5 {
		cfg := keeping(t, split.CV(2, 3))
		cfg.Results.Shard = split.Shard{Index: i + 1, Count: 5}
		_, err := Run(t.Context(), data, learners, cfg)
		require.NoError(t, err)
		blocks, err := predictions.Open(cfg.Results.Predictions)
		require.NoError(t, err)
		outs, among = append(outs, cfg.Results.Out), append(among, blocks...)
	}
	f, err := record.Open(outs...)
	require.NoError(t, err)
	for i, b := range f.Experiments() {
		got, proof, err := predictions.Of(b, among)
		require.NoError(t, err)
		require.Equal(t, 12, proof.Trials)
		for _, name := range []string{"a", "b"} {
			for run := 1; run <= 2; run++ {
				for example := range got.Examples {
					require.Equal(t, want[i].Run(name, run).Class(example), got.Run(name, run).Class(example))
				}
			}
		}
	}
	// Judged together, they keep the checksums of all parts.
	in := Config{Protocol: split.CV(2, 3), Results: Results{
		Out: filepath.Join(t.TempDir(), "in.txt"),
		In:  outs,
	}}
	_, err = Run(t.Context(), data, learners, in)
	require.NoError(t, err)
	for _, b := range open(t, in.Results.Out).Experiments() {
		_, _, err := predictions.Of(b, among)
		require.NoError(t, err)
	}
}

// Further runs, other comparisons of a test, and trials that fail.
func TestPredictionsOfFurtherTrials(t *testing.T) {
	t.Parallel()
	cfg := keeping(t, split.CV(2, 5))
	cfg.Repeats = 2
	failing := Func("failing", func(_ context.Context, _ Sample[int, bool],
		seed uint64,
	) (func(int) bool, error) {
		if seed%3 == 0 {
			return nil, errors.New("out of luck")
		}
		return func(int) bool { return true }, nil
	})
	f := mustRun(t, numbers(60), cfg, guesser("a"), failing)
	failed := len(record.NewFile(f).Failures())
	require.NotZero(t, failed)
	require.Equal(t, 40-failed, proven(t, cfg.Results.Out, cfg.Results.Predictions)[0].Trials)

	r := newRecorder(t)
	cfg = keeping(t, split.CV(2, 5))
	CompareWith(r, cfg, numbers(60), guesser("a"), constant("odd", true))
	CompareWith(r, cfg, numbers(60), guesser("b"), constant("odd", true))
	CompareWith(r, cfg, numbers(40), guesser("b"), constant("odd", true))
	require.Len(t, r.errors, 1, "%v", r.errors) // the data sets differ under one name
	require.Equal(t, 30, proven(t, cfg.Results.Out, cfg.Results.Predictions)[0].Trials)
	require.Len(t, open(t, cfg.Results.Out).Blocks(), 2)
}

// Predictions are of all runs, even if the first ones settle the claims.
func TestPredictionsOfSettledClaims(t *testing.T) {
	t.Parallel()
	cfg := keeping(t, split.TenByTen())
	cfg.Settle = 0.01
	r := newRecorder(t)
	CompareWith(r, cfg, numbers(60), constant("even", false), constant("odd", true))
	require.Empty(t, r.errors)
	require.Equal(t, 200, proven(t, cfg.Results.Out, cfg.Results.Predictions)[0].Trials)
}

// Predictions may be kept without results.
func TestPredictionsAlone(t *testing.T) {
	t.Setenv("LEARNTEST_PREDICTIONS", filepath.Join(t.TempDir(), "new.pred"))
	t.Setenv("LEARNTEST_PROBABILITIES", "truth")
	t.Setenv("LEARNTEST_RUNS", "2")
	r := newRecorder(t)
	Compare(r, numbers(60), guesser("a"), constant("odd", true))
	require.Empty(t, r.errors)
	blocks, err := predictions.Open(os.Getenv("LEARNTEST_PREDICTIONS"))
	require.NoError(t, err)
	require.Len(t, blocks, 1)
	assert.Equal(t, []string{"a", "odd"}, blocks[0].Learners())
	assert.Equal(t, r.Name(), blocks[0].Test)
	assert.Equal(t, "truth", blocks[0].Probabilities)
	_, err = blocks[0].Partition()
	require.NoError(t, err)
}

// Configurations that make no sense with predictions are refused before training.
func TestPredictionsThatCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	result := filepath.Join(dir, "r.txt")
	mustRun(t, numbers(60), Config{Protocol: split.CV(2, 3), Results: Results{Out: result}},
		guesser("a"))
	never := Func("never", func(context.Context, Sample[int, bool], uint64) (func(int) bool, error) {
		t.Error("something was trained")
		return nil, errors.New("no")
	})
	twice := split.Predefined([]split.Fold{
		{Train: []int{0, 1}, Test: []int{2, 3}},
		{Train: []int{4, 5}, Test: []int{2, 3}},
	})
	less := split.Predefined([]split.Fold{{Train: []int{0, 1}, Test: []int{2, 3}}})
	for want, cfg := range map[string]Config{
		"will not be changed": {Results: Results{Predictions: result}},
		"make the directory first": {Results: Results{Predictions: filepath.Join(dir, "no",
			"new.pred")}},
		"exclude each other": {Results: Results{Predictions: filepath.Join(dir,
			"new.pred"), In: []string{result}}},
		"probabilities \"some\" to be kept": {Results: Results{Predictions: filepath.Join(dir,
			"new.pred"), Probabilities: "some"}},
		"probabilities to be kept without": {Results: Results{Probabilities: "full"}},
		"is tested in folds 1 and 2 of run 1": {
			Protocol: twice,
			Results:  Results{Predictions: filepath.Join(dir, "new.pred")},
		},
		"train each fold on all other": {
			Protocol: less,
			Results:  Results{Predictions: filepath.Join(dir, "new.pred")},
		},
	} {
		_, err := Run(t.Context(), []Data[int, bool]{numbers(60)}, []Learner[int, bool]{never}, cfg)
		require.ErrorIs(t, err, ErrConfig, want)
		require.ErrorContains(t, err, want)
	}
	for name, value := range map[string]string{
		"LEARNTEST_PREDICTIONS":   "new.pred",
		"LEARNTEST_PROBABILITIES": "some",
	} {
		_, err := parseEnvironment(func(n string) (string,
			bool,
		) {
			return map[string]string{name: value}[n], n == name
		}, nil)
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorContains(t, err, name+"="+value)
	}
	require.ErrorContains(t, Config{
		degrade: 0.1,
		Results: Results{Predictions: "x"},
	}.checkDegrade(false, ""), "predictions that are kept")
}
