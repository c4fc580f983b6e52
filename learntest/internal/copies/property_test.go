package copies

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// Two examples are of one set just if their keys are equal.
func TestSetsAreOfEqualtexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(0, 10)).Draw(t, "keys")
		s := setsOf(t, keys)
		set := make(map[int]int) // of an example
		before := -1
		for at, m := range s.All {
			require.GreaterOrEqual(t, len(m), 2)
			require.Greater(t, m[0], before, "sets are in the order of their first example")
			before = m[0]
			for _, i := range m {
				require.NotContains(t, set, i)
				set[i] = at
			}
		}
		require.Equal(t, len(set), s.Examples())
		for i := range keys {
			for j := range keys[:i] {
				a, inA := set[i]
				b, inB := set[j]
				require.Equal(t, keys[i] == keys[j], inA && inB && a == b, "%d and %d", i, j)
			}
		}
	})
}

// Joined groups are the finest that keep equal examples and given groups together, and leave no
// copies to training.
func TestJoinedGroups(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		keys := rapid.SliceOfN(rapid.IntRange(0, 30), n, n).Draw(t, "keys")
		var groups []int
		if rapid.Bool().Draw(t, "grouped") {
			groups = rapid.SliceOfN(rapid.IntRange(0, 30), n, n).Draw(t, "groups")
		}
		s := setsOf(t, keys)
		joined := s.Join(groups)
		require.Len(t, joined, n)

		// The examples that are reached from an example over equal keys and groups.
		for from := range n {
			reached := make([]bool, n)
			reached[from] = true
			for changed := true; changed; {
				changed = false
				for i := range n {
					for j := range n {
						if reached[i] && !reached[j] && (keys[i] == keys[j] || groups != nil &&
							groups[i] == groups[j]) {
							reached[j], changed = true, true
						}
					}
				}
			}
			for i := range n {
				require.Equal(t, reached[i], joined[i] == joined[from], "%d and %d", from, i)
			}
			require.True(t, reached[joined[from]], "a group has the number of an example of it")
			require.LessOrEqual(t, joined[from], from)
		}
		plan, err := split.Groups(1, 2).Plan(split.Examples{N: n, Group: joined})
		if err == nil {
			require.Zero(t, plan.Divided(s.All))
		}
	})
}

// texts returns the texts of n examples.
func texts[X any](n int, example func(i int) X) ([]string, error) {
	text := Texts(example)
	all := make([]string, n)
	for i := range all {
		buf, err := text(i, []byte("before "))
		if err != nil {
			return nil, err
		}
		all[i] = string(buf)
	}
	return all, nil
}

func TestTexts(t *testing.T) {
	t.Parallel()
	zero := 0.0
	type pair struct {
		A any
		b float64
	}
	same := func(equal bool, xs ...pair) {
		t.Helper()
		keys, err := texts(len(xs), func(i int) pair { return xs[i] })
		require.NoError(t, err)
		for _, k := range keys[1:] {
			require.Equal(t, equal, k == keys[0])
		}
	}
	same(true, pair{1, math.NaN()}, pair{1, math.Float64frombits(0x7ff8000000000099)})
	same(true, pair{1, 0}, pair{1, -zero}, pair{1, math.Copysign(0, -1)})
	same(true, pair{map[float64]int{0: 1}, 0}, pair{map[float64]int{math.Copysign(0, -1): 1}, 0})
	same(true, pair{&zero, 1}, pair{new(float64), 1})
	same(false, pair{1, 2}, pair{2, 2}, pair{1, 3}, pair{nil, 2}, pair{"1", 2})
	_, err := texts(2, func(i int) any { return []any{1, func() {}}[i] })
	require.ErrorContains(t, err, "value cannot be digested: value of type func()")
	_, err = Find(2, Texts(func(i int) any { return []any{1, func() {}}[i] }))
	require.ErrorContains(t, err, "example 1: value cannot be digested: value of type func()")
}

// Rows are equal if their tables have the same attributes and they the same values, but for the
// class.
func TestTextsOfRows(t *testing.T) {
	t.Parallel()
	table := func(values []string, x float64, code int32, class int32) *dataset.Table {
		weights := []float64{2}
		tab, err := dataset.New("t", []dataset.Column{
			{
				Attribute: dataset.Attribute{Name: "c", Kind: dataset.Nominal, Values: []string{"no", "yes"}},
				Codes:     []int32{class},
			},
			{Attribute: dataset.Attribute{Name: "x"}, Numbers: []float64{x}},
			{
				Attribute: dataset.Attribute{Name: "v", Kind: dataset.Nominal, Values: values},
				Codes:     []int32{code},
			},
		}, 0, weights)
		require.NoError(t, err)
		return tab
	}
	ab := []string{"a", "b"}
	first := table(ab, 0, 1, 0)
	for i, c := range []struct {
		table *dataset.Table
		equal bool
	}{
		{first, true},
		{table(ab, 0, 1, 1), true},
		{table(ab, math.Copysign(0, -1), 1, 1), true},
		{table(ab, 1, 1, 0), false},
		{table(ab, math.NaN(), 1, 0), false},
		{table(ab, 0, 0, 0), false},
		{table(ab, 0, -1, 0), false},
		{table([]string{"b", "a"}, 0, 1, 0), false},
	} {
		rows := []dataset.Row{first.Example(0), c.table.Example(0), first.Example(0)}
		keys, err := texts(len(rows), func(i int) dataset.Row { return rows[i] })
		require.NoError(t, err)
		require.Equal(t, c.equal, keys[0] == keys[1], "%d", i)
		require.Equal(t, keys[0], keys[2])
	}
	missing := table(ab, math.NaN(), -1, 0)
	keys, err := texts(2, func(i int) dataset.Row {
		return []dataset.Row{missing.Example(0), table(ab, math.Float64frombits(0x7ff8000000000099), -1,
			1).Example(0)}[i]
	})
	require.NoError(t, err)
	require.Equal(t, keys[0], keys[1])
}
