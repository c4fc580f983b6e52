package record

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

func TestCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"1": 1, "9": 9, "10": 10, "16777216": maxCount} {
		n, ok := parseCount(text)
		require.True(t, ok)
		require.Equal(t, want, n)
	}
	for _, text := range []string{
		"", "0", "-1", "1a", "a", "16777217", "99999999", "100000000",
		"1 ",
	} {
		require.False(t, isCount(text), text)
	}
}

// The first trial says how many examples there are, where the protocol uses them
// all.
func TestSizesMustAgreeWithinABlock(t *testing.T) {
	t.Parallel()
	h := sampleHeader("vehicle", 1, 2)
	tr := Trial{
		Data: "vehicle", Learner: "a", Run: 1, Fold: 1, TrainN: 5, TestN: 6,
		Values: []float64{1},
	}
	other := tr
	other.Fold, other.TrainN = 2, 6
	b, err := NewBlock(h, []string{"a"}, []unit.Unit{accuracy}, 0)
	require.NoError(t, err)
	require.NoError(t, b.Add(tr))
	require.EqualError(t, b.Add(other),
		"invalid record: data set vehicle, learner a, run 1, fold 2: 6 training and 6 test examples are 12, not the 11 of the data set")
	h.Protocol = "predefined runs=1 folds=2 sha256=5f seed=1 v1"
	b, err = NewBlock(h, []string{"a"}, []unit.Unit{accuracy}, 0)
	require.NoError(t, err)
	require.NoError(t, b.Add(tr))
	require.NoError(t, b.Add(other))
}
