package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A union names the predictions of all of its parts, each once, whether they were kept or scored.
func TestUnionNamesThePredictions(t *testing.T) {
	t.Parallel()
	one, two := strings.Repeat("1", 64), strings.Repeat("2", 64)
	part := func(fold int, kept, from string) *record.Block {
		h := record.Header{
			Data: "iris", Protocol: "cv runs=1 folds=2 stratified seed=1 v1", DataDigest: strings.Repeat("a",
				64), SplitDigest: strings.Repeat("b", 64),
			Predictions: kept, RescoredFrom: from,
		}
		b, err := record.NewBlock(h, []string{"nn"},
			[]unit.Unit{{Name: "accuracy", Better: unit.Higher, Max: 1}}, 4)
		require.NoError(t, err)
		require.NoError(t, b.Add(record.Trial{
			Data: "iris", Learner: "nn", Run: 1, Fold: fold, TrainN: 2,
			TestN: 2, Values: []float64{0.5},
		}))
		return b
	}
	u, err := record.Union(part(1, one, two), part(2, two+" "+one, two))
	require.NoError(t, err)
	require.Equal(t, one+" "+two, u.Header.Predictions)
	require.Equal(t, two, u.Header.RescoredFrom)
	var text strings.Builder
	require.NoError(t, record.Write(&text, u))
	require.Contains(t, text.String(), "\nRescored-from: "+two+"\n")
	again, err := record.Read(strings.NewReader(text.String()), "x")
	require.NoError(t, err)
	require.Equal(t, two, again.Blocks()[0].Header.RescoredFrom)
	for _, bad := range []string{"1", one + " " + one, one + ";" + two} {
		_, err := record.NewBlock(record.Header{
			Data: "iris", Protocol: "cv runs=1 folds=2 stratified seed=1 v1", DataDigest: one,
			SplitDigest: one, RescoredFrom: bad,
		}, []string{"nn"}, u.Units, 4)
		require.ErrorContains(t, err, "Rescored-from: ")
	}
}
