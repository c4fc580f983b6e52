package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

func generated(t *testing.T, c config) (string, *record.File) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, generate(&out, c))
	text := out.String()
	f, err := record.Read(&out, "f.txt")
	require.NoError(t, err)
	require.NoError(t, f.Check())
	return text, f
}

func TestWhatIsWrittenIsCompleteAndComparable(t *testing.T) {
	t.Parallel()
	c := config{data: 3, learners: 2, runs: 2, folds: 4, examples: 30, seed: 1, commit: "a"}
	text, f := generated(t, c)
	require.Len(t, f.Blocks(), 3)
	require.Equal(t, []string{"data0", "data1", "data2"}, f.DataSets())
	for _, b := range f.Blocks() {
		require.Equal(t, 16, b.Len())
		require.False(t, b.Timeless)
	}
	again, _ := generated(t, c)
	require.Equal(t, text, again, "equal flags give equal bytes")

	c.seed, c.commit, c.timeless = 2, "b", true
	other, g := generated(t, c)
	require.NotEqual(t, text, other)
	require.True(t, g.Blocks()[0].Timeless)
	p, err := record.Pair(g.Of("data1", "learner1"), f.Of("data1", "learner1"), "accuracy")
	require.NoError(t, err)
	require.Len(t, p.A, 8)
	require.NotEqual(t, p.A, p.B)
}

func TestDirectoryHasTheDataSetsOfTheFile(t *testing.T) {
	t.Parallel()
	c := config{data: 3, learners: 2, runs: 2, folds: 4, examples: 30, seed: 1, commit: "a"}
	whole, _ := generated(t, c)
	c.dir = filepath.Join(t.TempDir(), "side")
	require.NoError(t, generate(nil, c))
	f, err := record.Open(c.dir)
	require.NoError(t, err)
	var text bytes.Buffer
	for _, b := range f.Blocks() {
		require.NoError(t, record.Write(&text, b))
		text.WriteByte('\n')
	}
	require.Equal(t, whole, text.String())
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	for _, c := range []config{
		{data: 1, learners: 0, runs: 1, folds: 2, examples: 4},
		{data: 1, learners: 1, runs: 0, folds: 2, examples: 4},
		{data: 1, learners: 1, runs: 1, folds: 0, examples: 4},
		{data: 1, learners: 1, runs: 1, folds: 5, examples: 4},
	} {
		require.ErrorIs(t, generate(new(bytes.Buffer), c), record.ErrInvalid)
	}
}
