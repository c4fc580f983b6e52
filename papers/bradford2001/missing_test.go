package bradford2001

import (
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/papers/internal/papertest"
	"github.com/stretchr/testify/require"
)

func TestMissingAsValue(t *testing.T) {
	t.Parallel()
	nominal := func(name string, values ...string) dataset.Attribute {
		return dataset.Attribute{Name: name, Kind: dataset.Nominal, Values: values}
	}
	given, err := dataset.New("given", []dataset.Column{
		{Attribute: nominal("a", "x", "?"), Codes: []int32{-1, 1, 0}},
		{Attribute: dataset.Attribute{Name: "b"}, Numbers: []float64{1, 2, 3}},
		{Attribute: nominal("c", "x", "y"), Codes: []int32{1, 1, 0}},
		{Attribute: nominal("class", "no", "yes"), Codes: []int32{0, -1, 1}},
	}, 3, []float64{1, 2, 1})
	require.NoError(t, err)
	got, changed, err := missingAsValue(given)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, []string{"x", "?", "??"}, got.Attribute(0).Values)
	require.Equal(t, []int32{2, 1, 0}, got.Codes(0))
	require.Equal(t, []int32{-1, 1, 0}, given.Codes(0))
	require.Equal(t, []string{"x", "?"}, given.Attribute(0).Values)
	for j := 1; j < 4; j++ {
		require.Equal(t, given.Attribute(j), got.Attribute(j))
		require.Equal(t, given.Codes(j), got.Codes(j))
		require.Equal(t, given.Numbers(j), got.Numbers(j))
	}
	require.Equal(t, given.Weights(), got.Weights())
	_, changed, err = missingAsValue(uci.Zoo())
	require.NoError(t, err)
	require.False(t, changed, "a class that is missing, or a number, stays missing")
}

// Naive Bayes is as accurate on soybean as in print if a missing value is a value, and three points
// more accurate if missing values are left out.
func TestSoybeanHasMissingValues(t *testing.T) {
	t.Parallel()
	of := func(s lab.Subject) float64 {
		p := split.CV(5, 10).Stratified(false).WithSeed(1)
		table, err := uci.Load("soybean")
		require.NoError(t, err)
		plan, err := p.Plan(split.Examples{N: table.Len()})
		require.NoError(t, err)
		scores, err := s.Bind().Scores(t.Context(), table, plan)
		require.NoError(t, err)
		var m lab.Mean
		for _, x := range scores {
			m.Add(100 * x)
		}
		return m.Mean()
	}
	require.InDelta(t, 89.8, of(withMissing(bbBayes())), 0.4)
	require.InDelta(t, 92.8, of(bbBayes()), 0.4)
}

// Table 1 has both where nominal values are missing.
func TestTable1HasBothTreatmentsOfMissingValues(t *testing.T) {
	t.Parallel()
	r, err := smallBB()
	require.NoError(t, err)
	one := papertest.Table(t, r, "table 1")
	rows := make(map[string]int)
	for _, row := range one.Rows {
		rows[row[0]]++
	}
	require.Equal(t, map[string]int{"labor-neg": 8, "zoo": 6, "glass2": 6}, rows)
	labor := slices.DeleteFunc(slices.Clone(one.Rows),
		func(row []string) bool {
			return row[0] != "labor-neg" || !strings.HasPrefix(row[3],
				"naive-bayes")
		})
	require.Len(t, labor, 4)
	for i := range 2 {
		left, value := labor[i], labor[2+i]
		require.Equal(t, left[3]+asValue, value[3])
		require.Equal(t, left[4], value[4])
		require.NotEqual(t, left[5], value[5], "accuracies")
		require.Equal(t, left[7], value[7], "printed")
	}
}
