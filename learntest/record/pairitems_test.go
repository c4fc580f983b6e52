package record

import (
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// answers is a block of one learner whose score of an item in a repeat is given.
func answers(t *testing.T, learner string, ids string, repeats int,
	score func(item, repeat int) float64,
) *Block {
	t.Helper()
	h := itemsHeader(repeats)
	var items []Item
	for i, id := range ids {
		items = append(items, Item{
			ID: string(id), Content: fmt.Sprintf("%08x", id),
			Cluster: []string{"", "c"}[i%2],
		})
	}
	require.NoError(t, h.SetItems(items))
	b, err := NewBlock(h, []string{learner}, []unit.Unit{correct}, 0)
	require.NoError(t, err)
	for i := range items {
		for repeat := 1; repeat <= repeats; repeat++ {
			require.NoError(t, b.Add(Trial{
				Data: "faq", Learner: learner, Run: repeat, Fold: i + 1, TestN: 1,
				Values: []float64{score(i, repeat)},
			}))
		}
	}
	return b
}

func selectionOf(b *Block) Selection {
	return NewFile(b).Of("faq", b.Learners[0])
}

// Pairs are of item means, whatever the numbers of repeats.
func TestPairsOfItems(t *testing.T) {
	t.Parallel()
	now := answers(t, "agent", "abcd", 4, func(item, repeat int) float64 {
		if repeat > item {
			return 1
		}
		return 0
	})
	before := answers(t, "agent", "abcd", 1, func(item, _ int) float64 { return float64(item % 2) })
	now.Header.Binary, now.Header.Reproduce = digest("program"), "go test"
	before.Header.Binary, before.Header.Reproduce = digest("program"), "go test"
	p, err := Pair(selectionOf(now), selectionOf(before), "correct")
	require.NoError(t, err)
	require.Equal(t, []float64{1, 0.75, 0.5, 0.25}, p.A)
	require.Equal(t, []float64{0, 1, 0, 1}, p.B)
	require.Equal(t, []int32{1, 1, 1, 1}, p.TestN)
	require.Equal(t, []int{1, 0, 4, 0}, []int{p.Runs, p.More, p.Folds, p.Planned})
	require.Equal(t, [][]float64{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}}, p.Items.A)
	require.Equal(t, [][]float64{{0, 1, 0, 1}}, p.Items.B)
	require.Equal(t, "c", p.Items.Items[3].Cluster)
	require.False(t, p.SameProgram)

	same := answers(t, "agent", "abcd", 4, func(int, int) float64 { return 1 })
	same.Header.Binary, same.Header.Reproduce = digest("program"), "go test"
	p, err = Pair(selectionOf(same), selectionOf(same), "correct")
	require.NoError(t, err)
	require.False(t, p.SameProgram, "an equal program that asks a model proves nothing")
}

// Suites that differ are never compared, and the error names the items.
func TestPairsOfOtherItems(t *testing.T) {
	t.Parallel()
	one := func(int, int) float64 { return 1 }
	now := answers(t, "agent", "bcdefgh", 1, one)
	before := answers(t, "agent", "abcd", 1, one)
	_, err := Pair(selectionOf(now), selectionOf(before), "correct")
	require.ErrorIs(t, err, ErrMismatch)
	require.EqualError(t, err, "results do not belong together: the items differ: only baseline agent has a; only candidate agent has e, f, g and 1 more; content or cluster differ of b, c, d")

	before = answers(t, "agent", "bcdefgh", 1, one)
	before.Header.Grader = ""
	_, err = Pair(selectionOf(now), selectionOf(before), "correct")
	require.EqualError(t, err, `results do not belong together: Grader is "rubric 2" for candidate agent but "" for baseline agent`)

	before = answers(t, "agent", "bcdefgh", 1, one)
	before.Header.Data = "other"
	sel := selectionOf(before)
	sel.Data = "other"
	_, err = Pair(selectionOf(now), sel, "correct")
	require.ErrorIs(t, err, ErrMismatch)

	cv := sampleBlock(t, "faq", 1, 7, "agent")
	_, err = Pair(selectionOf(now), NewFile(cv).Of("faq", "agent"),
		"accuracy")
	require.ErrorIs(t, err, ErrNotFound)
	cv.Units[0] = correct
	_, err = Pair(selectionOf(now), NewFile(cv).Of("faq", "agent"),
		"correct")
	require.ErrorIs(t, err, ErrMismatch)
}

// A failed answer, a missing one and a score out of range leave no pairs.
func TestPairsWithoutAllAnswers(t *testing.T) {
	t.Parallel()
	one := func(int, int) float64 { return 1 }
	before := selectionOf(answers(t, "agent", "abc", 2, one))
	b := answers(t, "agent", "abc", 2, one)
	h := b.Header
	for _, c := range []struct {
		trial *Trial
		kind  error
		msg   string
	}{
		{
			&Trial{Err: "status 500"}, ErrFailedTrial,
			"trials failed: data set faq, learner agent, item c, repeat 2 (status 500)",
		},
		{nil, ErrIncomplete, "trials are missing: data set faq, learner agent, item c, repeat 2"},
		{&Trial{Values: []float64{1.5}}, ErrValue, "item c, repeat 2 (correct is 1.5)"},
	} {
		now, err := NewBlock(h, b.Learners, b.Units, 0)
		require.NoError(t, err)
		for tr := range b.Trials() {
			if tr.Run == 2 && tr.Item == "c" {
				if c.trial == nil {
					continue
				}
				tr.Values, tr.Err = c.trial.Values, c.trial.Err
			}
			require.NoError(t, now.Add(tr))
		}
		_, err = Pair(selectionOf(now), before, "correct")
		require.ErrorIs(t, err, c.kind)
		require.ErrorContains(t, err, c.msg)
	}
}
