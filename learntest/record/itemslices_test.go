package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inSlices returns the answers again, of items in slices by id.
func inSlices(t *testing.T, b *Block, slicesOf map[string][]string) *Block {
	t.Helper()
	items := ItemsOf(b)
	for i := range items {
		items[i].Slices = slicesOf[items[i].ID]
	}
	h := b.Header
	require.NoError(t, h.SetItems(items))
	sliced, err := NewBlock(h, b.Learners, b.Units, 0)
	require.NoError(t, err)
	for tr := range b.Trials() {
		require.NoError(t, sliced.Add(tr))
	}
	return sliced
}

func sixAnswers(t *testing.T, learner string, repeats int) *Block {
	return answers(t, learner, "abcdef", repeats,
		func(item, repeat int) float64 { return float64((item*repeat + len(learner)) % 3 / 2) })
}

var inLanguages = map[string][]string{
	"a": {"lang=de"}, "b": {"lang=en", "hard"},
	"c": {"hard", "lang=de"}, "e": {"lang=de"},
}

func TestSlicesOfItems(t *testing.T) {
	t.Parallel()
	plain := sixAnswers(t, "agent", 2)
	b := inSlices(t, plain, inLanguages)
	assert.Equal(t, plain.Header.DataDigest, b.Header.DataDigest, "slices do not change the data")
	assert.Contains(t, b.Header.Items, "\nb 00000062 cluster=c hard lang=en\n")
	b.Timeless = true
	full := text(t, b)
	again := readText(t, full).Blocks()[0]
	assert.Equal(t, ItemsOf(b), ItemsOf(again))
	of := SlicesOfItems(ItemsOf(again))
	var names []string
	for _, s := range of {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"hard", "lang=de", "lang=en"}, names)
	assert.Equal(t, []int{2, 3, 1}, []int{of[0].Members, of[1].Members, of[2].Members})

	// By hand: noticed if there is a checksum.
	changed := strings.Replace(full, " lang=en", "", 1)
	_, err := Read(strings.NewReader(changed), "f.txt")
	require.ErrorContains(t, err, "were changed after they were written")

	h, old := plain.Header, []Slice{{"a", 3, "01234567"}}
	h.SetSlices(old)
	_, err = NewBlock(h, plain.Learners, append([]unit.Unit{correct},
		SliceUnits(old, []unit.Unit{correct}, 1)...), 0)
	require.ErrorContains(t, err, "key Slices is not for items")
}

// Scores on a slice are the scores of its items, in all repeats, and the rest does not see the
// slices.
func TestPairsOnASliceOfItems(t *testing.T) {
	t.Parallel()
	a, b := sixAnswers(t, "agent", 3), sixAnswers(t, "old", 2)
	whole, err := Pair(selectionOf(a), selectionOf(b), "correct")
	require.NoError(t, err)
	x, y := selectionOf(inSlices(t, a, inLanguages)), selectionOf(inSlices(t, b, inLanguages))
	same, err := Pair(x, y, "correct")
	require.NoError(t, err)
	assert.Equal(t, whole.A, same.A)
	assert.Nil(t, same.Slice)

	p, err := Pair(x, y, "correct{lang=de}")
	require.NoError(t, err)
	require.Equal(t, "lang=de", p.Slice.Name)
	assert.Equal(t, 3, p.Slice.Members)
	assert.Equal(t, []int{1, 0, 3}, []int{p.Runs, p.More, p.Folds})
	assert.Equal(t, "correct{lang=de}", p.Unit.Name)
	assert.True(t, p.Unit.Mean)
	var ids []string
	for k, it := range p.Items.Items {
		ids = append(ids, it.ID)
		i := slices.IndexFunc(whole.Items.Items, func(have Item) bool { return have.ID == it.ID })
		assert.Equal(t, whole.A[i], p.A[k])
		assert.Equal(t, whole.B[i], p.B[k])
		for repeat := range 3 {
			assert.Equal(t, whole.Items.A[repeat][i], p.Items.A[repeat][k])
		}
	}
	assert.Equal(t, []string{"a", "c", "e"}, ids)
	assert.Len(t, p.Items.B, 2)
	assert.Len(t, p.TestN, 3)
	assert.NotEqual(t, whole.Unit.Name, p.Unit.Name)
}

func TestSlicesOfItemsThatDoNotPair(t *testing.T) {
	t.Parallel()
	a, b := sixAnswers(t, "agent", 1), sixAnswers(t, "old", 1)
	x := selectionOf(inSlices(t, a, inLanguages))
	for name, c := range map[string]struct {
		baseline *Block
		metric   string
		want     error
		says     string
	}{
		"one side": {
			b, "correct{lang=de}", ErrNotFound,
			"slice lang=de on data set faq is on one side only: the results of old do not have it",
		},
		"renamed": {
			inSlices(t, b, map[string][]string{"a": {"lang=fr"}}), "correct{lang=fr}",
			ErrNotFound, "the results of agent do not have it",
		},
		"unknown": {
			inSlices(t, b, inLanguages), "correct{lang=fr}", ErrNotFound,
			`slice lang=fr on data set faq; there are: "hard", "lang=de", "lang=en"`,
		},
		"other metric": {inSlices(t, b, inLanguages), "usd{lang=de}", ErrNotFound, "usd"},
		"other members": {inSlices(t, b, map[string][]string{
			"a": {"lang=de"}, "b": {"lang=de"},
			"c": {"lang=de"},
		}), "correct{lang=de}", ErrMismatch, "is of other items on one side, 3 members"},
	} {
		_, err := Pair(x, selectionOf(c.baseline), c.metric)
		require.ErrorIs(t, err, c.want, name)
		require.ErrorContains(t, err, c.says, name)
	}
	failed := inSlices(t, b, inLanguages)
	empty, err := NewBlock(failed.Header, failed.Learners, failed.Units, 0)
	require.NoError(t, err)
	for tr := range failed.Trials() {
		if tr.Fold == 2 {
			tr.Values, tr.Err = nil, "status 500"
		}
		require.NoError(t, empty.Add(tr))
	}
	_, err = Pair(x, selectionOf(empty), "correct{lang=de}")
	require.ErrorIs(t, err, ErrFailedTrial, "though the item is in no such slice")
}

// Parts of an experiment have their items in the same slices, and two experiments of a learner
// agree on a slice.
func TestSlicesOfItemsInUnions(t *testing.T) {
	t.Parallel()
	a, b := inSlices(t, sixAnswers(t, "agent", 1), inLanguages), sixAnswers(t, "old", 1)
	_, err := Union(a, b)
	require.ErrorIs(t, err, ErrMismatch)
	require.ErrorContains(t, err, "have other slices of items: a, b, c and 1 more")
	u, err := Union(a, inSlices(t, b, inLanguages))
	require.NoError(t, err)
	require.Equal(t, 12, u.Len())

	other := inSlices(t, sixAnswers(t, "agent", 1), map[string][]string{
		"a": {"lang=de"},
		"b": {"lang=de"}, "c": {"lang=de"},
	})
	other.Header.Test = "TestOther"
	two := Selection{File: NewFile(a, other), Data: "faq", Learner: "agent"}
	_, err = Pair(two, two, "correct")
	require.NoError(t, err)
	_, err = Pair(two, two, "correct{lang=de}")
	require.ErrorIs(t, err, ErrAmbiguous)
	alike := func(_, _ int) float64 { return 1 }
	one, another := inSlices(t, answers(t, "agent", "abcdef", 1, alike), inLanguages),
		inSlices(t, answers(t, "agent", "abcdef", 1, alike), map[string][]string{
			"a": {"lang=de"},
			"b": {"lang=de"}, "c": {"lang=de"},
		})
	another.Header.Test = "TestOther"
	two = Selection{File: NewFile(one, another), Data: "faq", Learner: "agent"}
	_, err = Pair(two, two, "correct{lang=de}")
	require.ErrorIs(t, err, ErrAmbiguous, "equal scores of other items")
	plain := sixAnswers(t, "agent", 1)
	plain.Header.Test = "TestOther"
	two = Selection{File: NewFile(a, plain), Data: "faq", Learner: "agent"}
	p, err := Pair(two, two, "correct{lang=de}")
	require.NoError(t, err)
	require.Equal(t, 3, p.Folds)
}
