package record

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// without returns the answers without those to some items.
func without(t *testing.T, b *Block, ids ...string) *Block {
	t.Helper()
	h := b.Header
	items := slices.DeleteFunc(ItemsOf(b), func(it Item) bool { return slices.Contains(ids, it.ID) })
	require.NoError(t, h.SetItems(items))
	less, err := NewBlock(h, b.Learners, b.Units, 0)
	require.NoError(t, err)
	for tr := range b.Trials() {
		if tr.Fold = 1 + slices.IndexFunc(items,
			func(it Item) bool { return it.ID == tr.Item }); tr.Fold > 0 {
			require.NoError(t, less.Add(tr))
		}
	}
	return less
}

const fortyIDs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"

func common(b *Block) Selection {
	s := selectionOf(b)
	s.Common = true
	return s
}

// TestPairsOfCommonItems has both selections ask for common items, or one of them.
func TestPairsOfCommonItems(t *testing.T) {
	t.Parallel()
	score := func(item, repeat int) float64 { return float64((item*repeat + item) % 3 / 2) }
	a, b := answers(t, "agent", fortyIDs, 2, score), answers(t, "old", fortyIDs, 1,
		func(item, _ int) float64 { return float64(item % 2) })
	whole, err := Pair(selectionOf(a), selectionOf(b), "correct")
	require.NoError(t, err)
	fewer, less := without(t, a, "c"), without(t, b, "A")
	for _, sides := range [][2]Selection{
		{selectionOf(fewer), selectionOf(less)},
		{common(fewer), selectionOf(less)},
		{selectionOf(fewer), common(less)},
	} {
		_, err = Pair(sides[0], sides[1], "correct")
		require.ErrorIs(t, err, ErrMismatch)
		require.ErrorContains(t, err, "the items differ: only baseline old has c; only candidate agent has A")
	}
	p, err := Pair(common(fewer), common(less), "correct")
	require.NoError(t, err)
	require.Equal(t, LeftOut{Candidate: 1, Baseline: 1}, p.Items.LeftOut)
	require.Equal(t, 38, p.Folds)
	k := 0
	for i, it := range whole.Items.Items {
		if slices.Contains([]string{"c", "A"}, it.ID) {
			continue
		}
		require.Equal(t, it, p.Items.Items[k])
		require.Equal(t, []float64{whole.A[i], whole.B[i], whole.Items.A[1][i]}, []float64{
			p.A[k], p.B[k],
			p.Items.A[1][k],
		}, it.ID)
		k++
	}
	require.Equal(t, 38, k)

	for _, id := range []string{"z", "A"} { // the last one and the first one
		p, err = Pair(common(without(t, a, id)), common(b), "correct")
		require.NoError(t, err)
		require.Equal(t, LeftOut{Baseline: 1}, p.Items.LeftOut)
		p, err = Pair(common(a), common(without(t, b, id)), "correct")
		require.NoError(t, err)
		require.Equal(t, LeftOut{Candidate: 1}, p.Items.LeftOut)
	}

	p, err = Pair(common(a), common(b), "correct")
	require.NoError(t, err)
	require.Equal(t, whole, p, "nothing is left out")
}

func TestCommonItemsThatAreRefused(t *testing.T) {
	t.Parallel()
	one := func(int, int) float64 { return 1 }
	a, b := answers(t, "agent", fortyIDs, 1, one), answers(t, "old", fortyIDs, 1, one)
	for name, c := range map[string]struct {
		a, b *Block
		says string
	}{
		"too few on one side": {
			without(t, a, "a", "b", "c"), b,
			"3 of the 40 items of baseline old are on that side only, more than 5%: a, b, c",
		},
		"too many on the other one": {
			a, without(t, b, "a", "b", "c"),
			"3 of the 40 items of candidate agent are on that side only, more than 5%: a, b, c",
		},
	} {
		_, err := Pair(common(c.a), common(c.b), "correct")
		require.ErrorIs(t, err, ErrMismatch, name)
		require.ErrorContains(t, err, c.says, name)
	}
	changed := without(t, a, "a")
	items := ItemsOf(changed)
	items[3].Content = "ffffffff"
	require.NoError(t, changed.Header.SetItems(items))
	again, err := NewBlock(changed.Header, changed.Learners, changed.Units, 0)
	require.NoError(t, err)
	for tr := range changed.Trials() {
		require.NoError(t, again.Add(tr))
	}
	_, err = Pair(common(again), common(b), "correct")
	require.ErrorContains(t, err, "the items differ: content or cluster differ of "+items[3].ID)

	graded := without(t, a, "a")
	graded.Header.Grader = "rubric 3"
	_, err = Pair(common(graded), common(b), "correct")
	require.ErrorContains(t, err, "Grader")

	// An answer that failed cannot be left out by leaving out its item on the other side.
	failed, err := NewBlock(a.Header, a.Learners, a.Units, 0)
	require.NoError(t, err)
	for tr := range a.Trials() {
		if tr.Item == "b" {
			tr.Values, tr.Err = nil, "status 500"
		}
		require.NoError(t, failed.Add(tr))
	}
	_, err = Pair(common(failed), common(without(t, b, "b")), "correct")
	require.ErrorIs(t, err, ErrFailedTrial)
}

func TestClusterNumbers(t *testing.T) {
	t.Parallel()
	n, of := ClusterNumbers([]Item{
		{Cluster: "a"},
		{},
		{Cluster: "b"},
		{Cluster: "a"},
		{},
		{Cluster: "b"},
	})
	require.Equal(t, 4, n)
	require.Equal(t, []int{0, 1, 2, 0, 3, 2}, of)
	n, of = ClusterNumbers(make([]Item, 3))
	require.Equal(t, 3, n)
	require.Nil(t, of)
}

// TestOddEven compares the first and the third repeat with the second one.
func TestOddEven(t *testing.T) {
	t.Parallel()
	b := answers(t, "agent", "abc", 3,
		func(item, repeat int) float64 { return float64((item + repeat) % 2) })
	p, err := Pair(selectionOf(b), selectionOf(b), "correct")
	require.NoError(t, err)
	q := p.OddEven()
	require.Equal(t, []float64{1, 0, 1}, q.A)
	require.Equal(t, []float64{0, 1, 0}, q.B)
	require.Len(t, q.Items.A, 2)
	require.Len(t, q.Items.B, 1)
	require.Len(t, p.Items.A, 3, "the pairs are unchanged")
	require.Equal(t, p.Items.Items, q.Items.Items)
}
