package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

func generate(t *testing.T, c config) (string, *record.File) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, write(&out, c))
	text := out.String()
	f, err := record.Read(&out, "f.txt")
	require.NoError(t, err)
	require.NoError(t, f.Check())
	return text, f
}

func TestWhatIsWrittenIsCompleteAndComparable(t *testing.T) {
	t.Parallel()
	c := config{data: 3, learners: 2, runs: 2, folds: 4, examples: 30, seed: 1, commit: "a"}
	text, f := generate(t, c)
	require.Len(t, f.Blocks(), 3)
	require.Equal(t, []string{"data0", "data1", "data2"}, f.DataSets())
	for _, b := range f.Blocks() {
		require.Equal(t, 16, b.Len())
		require.False(t, b.Timeless)
	}
	again, _ := generate(t, c)
	require.Equal(t, text, again, "equal flags give equal bytes")

	c.seed, c.commit, c.timeless = 2, "b", true
	other, g := generate(t, c)
	require.NotEqual(t, text, other)
	require.True(t, g.Blocks()[0].Timeless)
	p, err := record.Pair(record.Selection{File: g, Data: "data1", Learner: "learner1"}, record.Selection{File: f, Data: "data1", Learner: "learner1"}, "accuracy")
	require.NoError(t, err)
	require.Len(t, p.A, 8)
	require.NotEqual(t, p.A, p.B)
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	for _, c := range []config{
		{data: 1, learners: 0, runs: 1, folds: 2, examples: 4},
		{data: 1, learners: 1, runs: 0, folds: 2, examples: 4},
		{data: 1, learners: 1, runs: 1, folds: 0, examples: 4},
		{data: 1, learners: 1, runs: 1, folds: 5, examples: 4},
	} {
		require.ErrorIs(t, write(new(bytes.Buffer), c), record.ErrInvalid)
	}
}
