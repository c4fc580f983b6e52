package storage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// A journal of items has their answers, what else was noted of them, and those under way, by their
// ids.
func TestJournalsOfItems(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out.txt")
	h := record.Header{Data: "faq", Protocol: record.ItemsProtocol(2)}
	require.NoError(t, h.SetItems([]record.Item{
		{ID: "a b/c", Content: "01234567"},
		{ID: "d", Content: "01234567"},
	}))
	j, err := CreateJournal(path)
	require.NoError(t, err)
	require.NoError(t, j.Begin(h, []string{"agent"},
		[]unit.Unit{{Name: "correct", Better: unit.Higher, Max: 1}}, 0))
	first := record.Cell{Data: "faq", Learner: "agent", Item: "a b/c", Run: 1}
	second := record.Cell{Data: "faq", Learner: "agent", Item: "d", Run: 2}
	j.Started(first)
	j.Started(second)
	j.Note(second, "spent=0.5")
	j.Append(record.Trial{
		Data: "faq", Learner: "agent", Run: 1, Fold: 1, TestN: 1,
		Values: []float64{0.5},
	})
	require.NoError(t, j.Close())

	r, err := ReadJournal(j.Path())
	require.NoError(t, err)
	require.Equal(t, []record.Cell{second}, r.Running)
	require.Equal(t, []Note{{second, "spent=0.5"}}, r.Notes)
	require.Empty(t, r.Dropped)
	require.Equal(t, 1, r.Blocks()[0].Len())

	text, err := os.ReadFile(j.Path())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(j.Path(),
		append(text, "--- NOTE: data=faq/learner=agent/item=d/repeat=2 spent=0.7"...), 0o666))
	r, err = ReadJournal(j.Path())
	require.NoError(t, err)
	require.Len(t, r.Notes, 1, "the last line is torn")
	require.NotEmpty(t, r.Dropped)
}
