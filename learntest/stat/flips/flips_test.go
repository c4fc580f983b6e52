package flips

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestFlipsReference(t *testing.T) {
	t.Parallel()
	for _, v := range vectors.Of(t, "flips", "flips") {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var in struct {
				Truth    []int
				Old, New [][]int
			}
			v.In(t, &in)
			var want struct {
				Runs []struct {
					RightToWrong int `json:"right_to_wrong"`
					WrongToRight int `json:"wrong_to_right"`
					Both         int
					Neither      int
					Churn        int
				} `json:"flips_by_run"`
				Negative float64   `json:"negative_flip_rate"`
				Positive float64   `json:"positive_flip_rate"`
				Churn    float64   `json:"churn"`
				Change   []float64 `json:"hit_rate_change_by_example"`
			}
			v.Want(t, &want)
			var tally Tally
			for run := range in.Old {
				require.NoError(t, tally.Add(in.Truth, in.Old[run], in.New[run]))
			}
			require.Len(t, tally.Runs, len(want.Runs))
			for run, c := range tally.Runs {
				w := want.Runs[run]
				require.Equal(t, Counts{
					len(in.Truth), w.RightToWrong, w.WrongToRight, w.Both, w.Neither,
					w.Churn,
				}, c)
			}
			sum := tally.Sum()
			require.InDelta(t, want.Negative, sum.NegativeRate(), 1e-15)
			require.InDelta(t, want.Positive, sum.PositiveRate(), 1e-15)
			require.InDelta(t, want.Churn, sum.Churn(), 1e-15)
			for i, change := range want.Change {
				e := tally.Examples[i]
				require.Equal(t, len(in.Old), e.Compared)
				require.InDelta(t, change, float64(e.NewRight-e.OldRight)/float64(e.Compared), 1e-15,
					"example %d", i)
			}
		})
	}
}

// Exchanged sides exchange the flips, counts add up, and examples and runs have the same hits.
func TestFlipsProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, runs := rapid.IntRange(1, 20).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "runs")
		class := rapid.SliceOfN(rapid.IntRange(-1, 3), n, n)
		truth := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "truth")
		var one, other Tally
		for range runs {
			a, b := class.Draw(t, "old"), class.Draw(t, "new")
			if skip := rapid.IntRange(1, n).Draw(t, "skip"); skip < n {
				a[skip], b[skip] = Missing, Missing
			}
			require.NoError(t, one.Add(truth, a, b))
			require.NoError(t, other.Add(truth, b, a))
		}
		c, d := one.Sum(), other.Sum()
		require.Equal(t, Counts{c.Compared, c.WrongToRight, c.RightToWrong, c.Both, c.Neither, c.Changed},
			d)
		require.Equal(t, c.Compared, c.RightToWrong+c.WrongToRight+c.Both+c.Neither)
		require.LessOrEqual(t, c.RightToWrong+c.WrongToRight, c.Changed)
		require.LessOrEqual(t, c.Changed, c.Compared-c.Both)
		require.Equal(t, c.Overlap(), d.Overlap())
		require.InDelta(t, 1, c.Oracle()+c.of(c.Neither), 1e-12)
		var compared, before, after int
		for _, e := range one.Examples {
			compared, before, after = compared+e.Compared, before+e.OldRight, after+e.NewRight
		}
		require.Equal(t, [3]int{c.Compared, c.Both + c.RightToWrong, c.Both + c.WrongToRight},
			[3]int{compared, before, after})
		p := c.Pairs()
		require.Equal(t, [4]int{c.Both, c.WrongToRight, c.RightToWrong, c.Neither},
			[4]int{p.Both, p.OnlyFirst, p.OnlySecond, p.Neither})
	})
}

// Errors name the example, and leave the counts alone.
func TestFlipsRefuse(t *testing.T) {
	t.Parallel()
	var tally Tally
	require.NoError(t, tally.Add([]int{0, 1, 1}, []int{0, 1, Missing}, []int{0, -1, Missing}))
	before := tally.Sum()
	for _, c := range []struct {
		truth, old, new []int
		is              error
		says            string
	}{
		{
			[]int{0, 1},
			[]int{0, 1},
			[]int{0, 1},
			stat.ErrSampleSize,
			"2 examples, old predictions of 2 and new ones of 2",
		},
		{
			[]int{0, 1, 1},
			[]int{0, 1},
			[]int{0, 1, 1},
			stat.ErrSampleSize,
			"3 examples, old predictions of 2 and new ones of 3",
		},
		{[]int{0, 1, 1}, []int{0, 1, 1}, []int{0, 1}, stat.ErrSampleSize, "new ones of 2"},
		{
			[]int{0, 1, 1},
			[]int{0, 1, 1},
			[]int{0, Missing, 1},
			stat.ErrDomain,
			"example 1 was predicted by one of the two only",
		},
		{
			[]int{0, 1, 1},
			[]int{0, 1, Missing},
			[]int{0, 1, 1},
			stat.ErrDomain,
			"example 2 was predicted by one of the two only",
		},
		{
			[]int{0, Missing, 1},
			[]int{0, 1, 1},
			[]int{0, 1, 1},
			stat.ErrDomain,
			"the true class of example 1 is -2",
		},
		{
			[]int{0, 1, 1},
			[]int{Missing, Missing, Missing},
			[]int{Missing, Missing, Missing},
			stat.ErrSampleSize, "nothing was predicted",
		},
	} {
		err := tally.Add(c.truth, c.old, c.new)
		require.ErrorIs(t, err, c.is)
		require.ErrorContains(t, err, c.says)
	}
	require.Equal(t, before, tally.Sum())
	require.Len(t, tally.Runs, 1)
	require.Equal(t, Example{}, tally.Examples[2])
	require.Equal(t, 1.0, Counts{Compared: 3, Both: 3}.Overlap(), "no errors are all shared")
}
