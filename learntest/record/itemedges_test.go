package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// Items are in the order of their ids, not of the spelling of these in files, in which / is %2f and
// comes before -.
func TestItemsAreWalkedByTheirIDs(t *testing.T) {
	t.Parallel()
	block := func(ids ...string) *Block {
		h := itemsHeader(1)
		var items []Item
		for _, id := range ids {
			items = append(items, Item{ID: id, Content: "00c0ffee"})
		}
		require.NoError(t, h.SetItems(items))
		b, err := NewBlock(h, []string{"agent"}, []unit.Unit{correct}, 0)
		require.NoError(t, err)
		for i := range items {
			require.NoError(t, b.Add(Trial{
				Data: "faq", Learner: "agent", Run: 1, Fold: i + 1, TestN: 1,
				Values: []float64{1},
			}))
		}
		return b
	}
	err := ItemsDiffer(block("a-b", "a/b", "c"), block("a/b", "c"), "the one", "the other")
	require.EqualError(t, err, ErrMismatch.Error()+": the items differ: only the one has a-b")
}

// TestHowManyItemsMayBeLeftOut leaves out one item in twenty. Other suites have no common items.
func TestHowManyItemsMayBeLeftOut(t *testing.T) {
	t.Parallel()
	one := func(int, int) float64 { return 1 }
	a, b := answers(t, "agent", fortyIDs, 1, one), answers(t, "old", fortyIDs, 1, one)
	p, err := Pair(common(without(t, a, "a", "b")), common(b), "correct")
	require.NoError(t, err)
	require.Equal(t, LeftOut{Baseline: 2}, p.Items.LeftOut)

	h := b.Header
	h.Data = "other"
	other, err := NewBlock(h, b.Learners, b.Units, 0)
	require.NoError(t, err)
	for tr := range b.Trials() {
		tr.Data = "other"
		require.NoError(t, other.Add(tr))
	}
	theirs := common(other)
	theirs.Data = "other"
	_, err = Pair(common(a), theirs, "correct")
	require.ErrorIs(t, err, ErrMismatch)
}

// The digest of a slice does not depend on the order in which its items are given.
func TestSlicesOfItemsInAnyOrder(t *testing.T) {
	t.Parallel()
	items := []Item{
		{ID: "a", Slices: []string{"x"}},
		{ID: "b", Slices: []string{"x", "y"}},
		{ID: "c", Slices: []string{"x"}},
	}
	want := SlicesOfItems(items)
	slices.Reverse(items)
	require.Equal(t, want, SlicesOfItems(items))
}

// A line of a file without times is read to its end, also where the lines before it were as
// expected.
func TestLinesOfItemsThatGoOn(t *testing.T) {
	t.Parallel()
	b := answers(t, "agent", "abc", 2, func(int, int) float64 { return 1 })
	for _, timeless := range []bool{true, false} {
		b.Timeless = timeless
		full := withoutChecksum(text(t, b))
		_, err := Read(strings.NewReader(full), "f.txt")
		require.NoError(t, err)
		const last = "item=c/repeat=2 1 1 correct"
		require.Contains(t, full, last)
		for _, more := range []string{" 3 retries", "x 3 retries", " x"} {
			_, err = Read(strings.NewReader(strings.Replace(full, last, last+more, 1)), "f.txt")
			require.Error(t, err, "%v %q", timeless, more)
		}
		if !timeless {
			_, err = Read(strings.NewReader(strings.Replace(full, last+" ", last+"x", 1)), "f.txt")
			require.Error(t, err)
		}
	}
}

// Of a slice, a metric is a mean over examples just if it is one of the whole.
func TestSlicesOfMeans(t *testing.T) {
	t.Parallel()
	accuracy := unit.Unit{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}
	h := itemsHeader(1)
	require.NoError(t, h.SetItems([]Item{
		{ID: "a", Content: "00c0ffee", Slices: []string{"x"}},
		{ID: "b", Content: "00c0ffee", Slices: []string{"x"}},
	}))
	b, err := NewBlock(h, []string{"agent"}, []unit.Unit{accuracy}, 0)
	require.NoError(t, err)
	for i := range 2 {
		require.NoError(t, b.Add(Trial{
			Data: "faq", Learner: "agent", Run: 1, Fold: i + 1, TestN: 1,
			Values: []float64{1},
		}))
	}
	p, err := Pair(selectionOf(b), selectionOf(b), unit.OfSlice("accuracy", "x"))
	require.NoError(t, err)
	require.True(t, accuracy.IsMean())
	require.True(t, p.Unit.IsMean())
	require.Equal(t, "accuracy{x}", p.Unit.Name)
}

// TestMeansOfTwoRepeats has the fewest repeats that have a mean.
func TestMeansOfTwoRepeats(t *testing.T) {
	t.Parallel()
	require.Equal(t, []float64{0.5, 1}, itemMeans([][]float64{{0, 1}, {1, 1}}, 2))
}
