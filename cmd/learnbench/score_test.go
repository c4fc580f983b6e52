package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
)

// Scores of stored predictions are the scores of the run, to the last bit, also of shards that were
// put together.
func TestScoresAreComputedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	do := func(args ...string) {
		t.Helper()
		var out, messages bytes.Buffer
		require.Equal(t, cli.Clean, run(t.Context(), args, &out, &messages), "%s", &messages)
	}
	train := func(name string, more ...string) {
		t.Helper()
		args := []string{
			"run", "-quiet", "-data", "uci:iris", "-runs", "2", "-folds", "5", "-metric",
			"accuracy,logloss,mcc", "-probabilities", "full",
		}
		do(append(append(append(args, "-o", at(name+".txt"), "-predictions", at(name+".pred.gz")),
			more...), "c45", "naivebayes")...)
	}
	train("whole")
	var both []byte
	for shard := 1; shard <= 2; shard++ {
		name := fmt.Sprint("shard", shard)
		train(name, "-shard", fmt.Sprintf("%d/2", shard))
		part, err := os.ReadFile(at(name + ".pred.gz"))
		require.NoError(t, err)
		both = append(both, part...)
	}
	require.NoError(t, os.WriteFile(at("both.pred.gz"), both, 0o666))
	want, err := record.Open(at("whole.txt"))
	require.NoError(t, err)
	for _, name := range []string{"whole", "both"} {
		do("score", "-metric", "accuracy", "-metric", "logloss,mcc", "-o", at(name+".again.txt"),
			at(name+".pred.gz"))
		got, err := record.Open(at(name + ".again.txt"))
		require.NoError(t, err)
		require.NoError(t, got.Check())
		a, b := want.Blocks()[0], got.Blocks()[0]
		require.Len(t, b.Header.RescoredFrom, map[string]int{"whole": 64, "both": 129}[name])
		require.Empty(t, a.Header.RescoredFrom)
		require.Equal(t, a.Header.Identity(), b.Header.Identity())
		require.Equal(t, a.Header.Majority, b.Header.Majority)
		scores := make(map[record.Cell]record.Trial)
		for x := range b.Trials() {
			scores[x.Cell()] = x
		}
		require.Len(t, scores, 20)
		for x := range a.Trials() {
			y := scores[x.Cell()]
			require.Equal(t, [2]int{x.TrainN, x.TestN}, [2]int{y.TrainN, y.TestN})
			for i := range x.Values {
				require.Equal(t, math.Float64bits(x.Values[i]), math.Float64bits(y.Values[i]), "%v, metric %d",
					x.Cell(), i)
			}
		}
	}
	// Shards on their own lack trials, which is no result to be judged.
	var out, messages bytes.Buffer
	require.Equal(t, cli.Unjudged, run(t.Context(), []string{
		"score", "-metric", "accuracy",
		at("shard1.pred.gz"),
	}, &out, &messages))
	require.Contains(t, messages.String(), "nothing was predicted")
}
