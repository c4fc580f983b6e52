package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// weighted is a block of two clusters, of three items and of one, with the given weight. The
// candidate is right on the large one alone.
func weighted(t *testing.T, weight string, repeats int) *Block {
	t.Helper()
	h := itemsHeader(repeats)
	h.Weight = weight
	require.NoError(t, h.SetItems([]Item{
		{ID: "a1", Content: "00c0ffee", Cluster: "a"},
		{ID: "a2", Content: "00c0ffee", Cluster: "a"},
		{ID: "a3", Content: "00c0ffee", Cluster: "a"},
		{ID: "b1", Content: "00c0ffee", Cluster: "b", Slices: []string{"rare"}},
	}))
	b, err := NewBlock(h, []string{"now", "before"}, []unit.Unit{correct}, 0)
	require.NoError(t, err)
	for repeat := 1; repeat <= repeats; repeat++ {
		for i := range 4 {
			for l, name := range b.Learners {
				score := float64((i/3 + l + 1) % 2) // now: 1 1 1 0; before: 0 0 0 1
				require.NoError(t, b.Add(Trial{
					Data: "faq", Learner: name, Run: repeat, Fold: i + 1, TestN: 1,
					Values: []float64{score},
				}))
			}
		}
	}
	return b
}

// The weight is a line of the block, and a block that is read back has the weighted means.
func TestWeightsAreStored(t *testing.T) {
	t.Parallel()
	for _, repeats := range []int{1, 3} {
		b := weighted(t, ByCluster, repeats)
		b.SetMeans()
		full := text(t, b)
		require.Contains(t, full, "\nWeight: cluster\n")
		require.Contains(t, full, "Means: now/correct=0.5 before/correct=0.5")
		f, err := Read(strings.NewReader(full), "f")
		require.NoError(t, err)
		back := f.Experiments()[0]
		require.Equal(t, ByCluster, back.Header.Weight)
		require.Equal(t, full, text(t, back))
		p, err := Pair(f.Of("faq", "now"), f.Of("faq", "before"), "correct")
		require.NoError(t, err)
		now, before := p.Means()
		require.Equal(t, []float64{0.5, 0.5}, []float64{now, before})

		_, err = Read(strings.NewReader(strings.Replace(full, "Weight: cluster\n", "", 1)), "f")
		require.Error(t, err, "the line is under the checksum")
		unsigned := strings.Join(slices.DeleteFunc(strings.SplitAfter(full, "\n"),
			func(line string) bool {
				return strings.HasPrefix(line, "Checksum:") || strings.HasPrefix(line, "Weight:")
			}), "")
		_, err = Read(strings.NewReader(unsigned), "f")
		require.ErrorContains(t, err, "Means says now/correct=0.5, and the mean of the trials is 0.75")
	}
	byItem := weighted(t, "", 1)
	require.NotContains(t, text(t, byItem), "Weight")
	mean, ok := byItem.Mean("now", "correct")
	require.True(t, ok)
	require.InDelta(t, 0.75, mean, 0)
}

// Answers that were weighed otherwise are not paired, with -common neither.
func TestOtherWeightsAreNotPaired(t *testing.T) {
	t.Parallel()
	for _, common := range []bool{false, true} {
		now := Selection{
			File: NewFile(weighted(t, ByCluster, 1)), Data: "faq", Learner: "now",
			Common: common,
		}
		old := Selection{File: NewFile(weighted(t, "", 1)), Data: "faq", Learner: "now", Common: common}
		for _, sides := range [][2]Selection{{now, old}, {old, now}} {
			_, err := Pair(sides[0], sides[1], "correct")
			require.ErrorIs(t, err, ErrMismatch)
			require.ErrorContains(t, err, "the weights differ: items weigh equally in ")
		}
		_, err := Pair(now, now, "correct{rare}")
		require.NoError(t, err)
	}
	require.ErrorContains(t, ItemsDiffer(weighted(t, "", 1), weighted(t, ByCluster, 1), "the baseline",
		"the suite"),
		"items weigh equally in the baseline, and clusters in the suite, which are two questions")
}

func TestWeightsThatAreNone(t *testing.T) {
	t.Parallel()
	full := text(t, weighted(t, ByCluster, 1))
	for _, c := range []struct{ from, to, msg string }{
		{
			"Weight: cluster", "Weight: items",
			`Weight: "items" is not cluster: items that weigh equally have no such line`,
		},
		{"Weight: cluster", "Weight: Cluster", "is not cluster"},
	} {
		_, err := Read(strings.NewReader(strings.Replace(full, c.from, c.to, 1)), "f")
		require.ErrorContains(t, err, c.msg)
	}
	h := itemsHeader(1)
	h.Protocol, h.Weight, h.Grader = "cv runs=1 folds=2 stratified seed=1 v1", ByCluster, ""
	h.DataDigest, h.SplitDigest = strings.Repeat("0", 64), strings.Repeat("0", 64)
	_, err := NewBlock(h, []string{"now"}, []unit.Unit{correct}, 0)
	require.ErrorContains(t, err, "Weight is of items, and the protocol is")
}

// Without clusters all items weigh alike, also those beside clusters.
func TestWeightsOfItems(t *testing.T) {
	t.Parallel()
	require.Equal(t, []float64{0.25, 0.25, 0.25, 0.25}, weightsOf(make([]Item, 4)))
	require.Equal(t, []float64{1. / 6, 1. / 3, 1. / 6, 1. / 3},
		weightsOf([]Item{{Cluster: "a"}, {}, {Cluster: "a"}, {}}))
}

// Suites that have changed are not paired under other weights either, however few items are left
// out.
func TestCommonItemsOfOtherWeights(t *testing.T) {
	t.Parallel()
	of := func(weight string, n int) Selection {
		h := itemsHeader(1)
		h.Weight = weight
		var items []Item
		for i := range n {
			items = append(items, Item{
				ID: fmt.Sprintf("q%02d", i), Content: "00c0ffee",
				Cluster: fmt.Sprint("c", i%7),
			})
		}
		require.NoError(t, h.SetItems(items))
		b, err := NewBlock(h, []string{"now"}, []unit.Unit{correct}, 0)
		require.NoError(t, err)
		for i := range n {
			require.NoError(t, b.Add(Trial{
				Data: "faq", Learner: "now", Run: 1, Fold: i + 1, TestN: 1,
				Values: []float64{1},
			}))
		}
		return Selection{File: NewFile(b), Data: "faq", Learner: "now", Common: true}
	}
	_, err := Pair(of(ByCluster, 40), of(ByCluster, 39), "correct")
	require.NoError(t, err)
	_, err = Pair(of(ByCluster, 40), of("", 39), "correct")
	require.ErrorIs(t, err, ErrMismatch)
	require.ErrorContains(t, err, "weigh equally in")
}
