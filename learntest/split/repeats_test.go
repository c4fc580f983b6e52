package split

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDistinctRunsCountsPartitions(t *testing.T) {
	t.Parallel()
	a, b := Fold{Train: []int{0, 1, 2}, Test: []int{3, 4}}, Fold{Train: []int{3, 4}, Test: []int{0, 1, 2}}
	reordered := Fold{Train: []int{2, 0, 1}, Test: []int{4, 3}}
	smaller := Fold{Train: []int{0, 1}, Test: []int{3, 4}}
	tests := []struct {
		name string
		p    Protocol
		ex   Examples
		want int
	}{
		{"a fold order does not count", Predefined([]Fold{a, b}, []Fold{b, a}), Examples{N: 5}, 1},
		{"an example order does not count", Predefined([]Fold{a, b}, []Fold{b, reordered}), Examples{N: 5}, 1},
		{"another training set counts", Predefined([]Fold{a, b}, []Fold{smaller, b}), Examples{N: 5}, 2},
		{"a fold twice counts", Predefined([]Fold{a, b}, []Fold{a, a}), Examples{N: 5}, 2},
		{"one run", LeaveOneOut(), Examples{N: 5}, 1},
		{"three examples in two folds of two and one", CV(50, 2), Examples{N: 3}, 3},
		{"four examples in two halves", CV(50, 2).Stratified(false), Examples{N: 4}, 3},
		{"four examples in two strata", CV(50, 2), Examples{N: 4, Class: []int{0, 0, 1, 1}}, 2},
		{"three groups in two folds", Groups(50, 2), Examples{N: 3, Group: []int{0, 1, 2}}, 3},
		{"groups of very different sizes", Groups(50, 2), Examples{N: 7, Group: []int{0, 1, 1, 2, 2, 2, 2}}, 1},
		{"Weka's order of training", Weka(50, 3), Examples{N: 3}, 1},
		{"large enough", TenByTen(), Examples{N: 100}, 10},
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
