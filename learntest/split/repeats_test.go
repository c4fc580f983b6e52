package split

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDistinctRunsCountsPartitions(t *testing.T) {
	t.Parallel()
	a, b := Fold{Train: []int{0, 1, 2}, Test: []int{3, 4}},
		Fold{Train: []int{3, 4}, Test: []int{0, 1, 2}}
	reordered := Fold{Train: []int{2, 0, 1}, Test: []int{4, 3}}
	smaller := Fold{Train: []int{0, 1}, Test: []int{3, 4}}
	tests := []struct {
		name string
		p    Protocol
		ex   Examples
		want int
	}{
		{"a fold order does not count", Predefined([]Fold{a, b}, []Fold{b, a}), Examples{N: 5}, 1},
		{
			"an example order does not count", Predefined([]Fold{a, b}, []Fold{b, reordered}),
			Examples{N: 5},
			1,
		},
		{"another training set counts", Predefined([]Fold{a, b}, []Fold{smaller, b}), Examples{N: 5}, 2},
		{"a fold twice counts", Predefined([]Fold{a, b}, []Fold{a, a}), Examples{N: 5}, 2},
		{"one run", LeaveOneOut(), Examples{N: 5}, 1},
		{"three examples in two folds of two and one", CV(50, 2), Examples{N: 3}, 3},
		{"four examples in two halves", CV(50, 2).Stratified(false), Examples{N: 4}, 3},
		{"four examples in two strata", CV(50, 2), Examples{N: 4, Class: []int{0, 0, 1, 1}}, 2},
		{"three groups in two folds", Groups(50, 2), Examples{N: 3, Group: []int{0, 1, 2}}, 3},
		{
			"groups of very different sizes", Groups(50, 2),
			Examples{N: 7, Group: []int{0, 1, 1, 2, 2, 2, 2}},
			1,
		},
		{"Weka's order of training", Weka(50, 3), Examples{N: 3}, 1},
		{"Weka's, of four examples in two halves", Weka(50, 2), Examples{N: 4}, 3},
		{"four groups in three folds", Groups(50, 3), Examples{N: 12, Group: []int{
			0, 0, 0, 1, 1, 1, 2, 2,
			2, 3, 3, 3,
		}}, 6},
		{"three groups in two folds, once", Groups(1, 2), Examples{N: 3, Group: []int{0, 1, 2}}, 1},
		{"one of three left out", Subsample(50, 0.6), Examples{N: 3}, 3},
		{"one of two, and the other", Subsample(50, 0.5), Examples{N: 2}, 2},
		{"large enough", TenByTen(), Examples{N: 100}, 10},
		{"very large", TenByTen(), Examples{N: 2000}, 10},
		{"Weka's, very large", Weka(10, 10), Examples{N: 2000}, 10},
		{
			"alike in many examples", Groups(50, 2),
			Examples{N: 5000, Group: slices.Concat(make([]int, 2000), slices.Repeat([]int{1}, 2000),
				slices.Repeat([]int{2}, 999), []int{3})},
			2,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			plan, err := test.p.Plan(test.ex)
			require.NoError(t, err)
			assert.Equal(t, test.want, plan.DistinctRuns())
		})
	}
}

// The fast way for complementary test sets and the general one agree: as
// predefined partitions the same runs are counted set by set.
func TestDistinctRunsOfTheSamePartitions(t *testing.T) {
	t.Parallel()
	repeated := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 9).Draw(t, "n")
		ex := Examples{N: n, Class: make([]int, n), Group: make([]int, n)}
		for i := range n {
			ex.Class[i], ex.Group[i] = i%2, i/rapid.IntRange(1, 2).Draw(t, "group")
		}
		runs := rapid.IntRange(2, 12).Draw(t, "runs")
		folds := rapid.IntRange(2, 3).Draw(t, "folds")
		p := rapid.SampledFrom([]Protocol{
			CV(runs, folds), CV(runs, folds).Stratified(false), Subsample(runs, 0.7),
			Subsample(runs, 0.5).Stratified(true),
			Groups(runs, folds), Groups(runs, folds).Stratified(true), Weka(runs, folds),
		}).Draw(t, "protocol").WithSeed(rapid.Uint64().Draw(t, "seed"))
		plan, err := p.Plan(ex)
		if err != nil {
			return
		}
		var all [][]Fold
		for run := 1; run <= plan.Runs(); run++ {
			var fs []Fold
			for fold := 1; fold <= plan.Folds(); fold++ {
				train, test := plan.Trial(run, fold, nil, nil)
				fs = append(fs, Fold{train, test})
			}
			all = append(all, fs)
		}
		same, err := Predefined(all...).Plan(ex)
		if err != nil {
			return // a fold without a group
		}
		want := same.DistinctRuns()
		require.Equal(t, want, plan.DistinctRuns())
		if want < runs {
			repeated++
		}
	})
	require.NotZero(t, repeated)
}
