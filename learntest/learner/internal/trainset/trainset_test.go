package trainset

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

func table(t *testing.T, class int, codes ...int32) *dataset.Table {
	t.Helper()
	numbers := make([]float64, len(codes))
	tb, err := dataset.New("toy", []dataset.Column{
		{Attribute: dataset.Attribute{Name: "x"}, Numbers: numbers},
		{
			Attribute: dataset.Attribute{Name: "y", Kind: dataset.Nominal, Values: []string{"a", "b"}},
			Codes:     codes,
		},
	}, class, nil)
	require.NoError(t, err)
	return tb
}

func TestKnownKeepsOrderAndRepetitions(t *testing.T) {
	t.Parallel()
	got, err := Known(make([]int32, 0, 8), table(t, 1, 0, -1, 1, 0), []int{3, 1, 0, 3, 2})
	require.NoError(t, err)
	assert.Equal(t, []int32{3, 0, 3, 2}, got)
}

func TestKnownRejectsWhatCannotBeLearned(t *testing.T) {
	t.Parallel()
	empty, err := dataset.New("empty", []dataset.Column{
		{Attribute: dataset.Attribute{Name: "y", Kind: dataset.Nominal}, Codes: []int32{-1}},
	}, 0, nil)
	require.NoError(t, err)
	tests := []struct {
		name  string
		table *dataset.Table
		rows  []int
		want  string
	}{
		{"no table", nil, []int{0}, "no table"},
		{"no class", table(t, -1, 0, 1), []int{0}, `"toy": the table has no class`},
		{"numeric class", table(t, 0, 0, 1), []int{0}, `the class "x" is not nominal`},
		{"no class values", empty, []int{0}, `the class "y" declares no values`},
		{"no rows", table(t, 1, 0, 1), nil, "no row with a known class among 0"},
		{"unknown classes only", table(t, 1, 0, -1), []int{1, 1}, "no row with a known class among 2"},
		{"row too great", table(t, 1, 0, 1), []int{0, 2}, "rows[1] is 2, the table has 2 rows"},
		{"negative row", table(t, 1, 0, 1), []int{-1}, "rows[0] is -1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Known(nil, test.table, test.rows)
			require.ErrorIs(t, err, learner.ErrTraining)
			assert.ErrorContains(t, err, test.want)
		})
	}
}
