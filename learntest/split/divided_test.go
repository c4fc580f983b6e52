package split

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Under any protocol the share comes of comparing each test example with each training example, and
// partitions that are given one by one do not change it.
func TestDividedIsThatOfAllPairs(t *testing.T) {
	t.Parallel()
	some := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(12, 40).Draw(t, "n")
		of := rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(0, 60).Draw(t, "values")), n, n).Draw(t,
			"set")
		ex := Examples{N: n, Group: rapid.SliceOfN(rapid.IntRange(0, 9), n, n).Draw(t, "groups")}
		plan, err := rapid.SampledFrom([]Protocol{
			CV(2, 3), CV(1, 10), LeaveOneOut(), Groups(1, 2), Subsample(3, 0.7), TimeSeries(3, Window{}),
			Halves(2, 2), GroupHalves(1, 2), Weka(2, 3),
		}).Draw(t, "protocol").Plan(ex)
		if err != nil {
			t.Skip(err)
		}
		sets := make([][]int, 61)
		for i, set := range of {
			if set%7 != 0 { // which are of no set
				sets[set] = append(sets[set], i)
			}
		}
		divided, all := 0, 0
		var same [][]Fold
		for run := 1; run <= plan.Runs(); run++ {
			same = append(same, nil)
			for fold := 1; fold <= plan.Folds(); fold++ {
				train, test := plan.Trial(run, fold, nil, nil)
				same[run-1] = append(same[run-1], Fold{train, test})
				for _, i := range test {
					all++
					if of[i]%7 != 0 && slices.ContainsFunc(train, func(j int) bool { return of[j] == of[i] }) {
						divided++
					}
				}
			}
		}
		require.InDelta(t, float64(divided)/float64(all), plan.Divided(sets), 0)
		if one, err := Predefined(same...).Plan(ex); err == nil {
			require.InDelta(t, plan.Divided(sets), one.Divided(sets), 0)
		}
		if divided > 0 && divided < all {
			some++
		}
	})
	require.NotZero(t, some)
}

func TestDividedOfNoSets(t *testing.T) {
	t.Parallel()
	for _, p := range []Protocol{CV(2, 3), LeaveOneOut()} {
		plan, err := p.Plan(Examples{N: 10})
		require.NoError(t, err)
		require.Zero(t, plan.Divided(nil))
		require.Zero(t, plan.Divided([][]int{{}, {3}, {4}}))
		require.InDelta(t, 0.2, plan.Divided([][]int{{3, 4}}), 0.2)
		require.Panics(t, func() { plan.Divided([][]int{{9, 10}}) })
	}
}
