package dataset_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A bound on numbers is a slice; a column that has such a name comes first.
func TestBoundsAreSlices(t *testing.T) {
	t.Parallel()
	table, err := dataset.New("visits", []dataset.Column{
		{Attribute: dataset.Attribute{Name: "age", Kind: dataset.Numeric}, Numbers: []float64{
			59, 60,
			math.NaN(), 61,
		}},
		{Attribute: dataset.Attribute{
			Name: "age<60", Kind: dataset.Nominal,
			Values: []string{"no", "yes"},
		}, Codes: []int32{1, 0, 0, 0}},
	}, 1, nil)
	require.NoError(t, err)
	for text, want := range map[string]dataset.Slice{
		"age>=60": {Name: "age>=60", Rows: []int{1, 3}}, " age > 60": {Name: "age>60", Rows: []int{3}},
		"age<=60": {Name: "age<=60", Rows: []int{0, 1}}, "age< 60": {Name: "age<60", Rows: []int{0}},
		"age>-inf": {Name: "age>-inf", Rows: []int{0, 1, 3}},
	} {
		of, err := table.WithSlice(text)
		require.NoError(t, err, text)
		require.Equal(t, []dataset.Slice{want}, of.Slices(), text)
	}
	of, err := table.WithSlice("age<60")
	require.NoError(t, err)
	require.Equal(t, []dataset.Slice{
		{Name: "age<60=no", Rows: []int{1, 2, 3}},
		{Name: "age<60=yes", Rows: []int{0}},
	}, of.Slices())
	of, err = of.WithSlice("age>=60")
	require.NoError(t, err)
	require.Len(t, of.Slices(), 3)
	_, err = of.WithSlice("age >=60")
	require.ErrorContains(t, err, `slice "age>=60" is there already`)
	for text, want := range map[string]string{
		"age>61": "no row has age>61", "age>": `"" is no number`, "age>NaN": "is no number",
		"age":    "give a bound, as in \"age>=60\"",
		"size>3": "there is no column", "age<60>1": `"60>1" is no number`,
	} {
		_, err := table.WithSlice(text)
		require.ErrorIs(t, err, dataset.ErrTable, text)
		require.ErrorContains(t, err, want, text)
	}
}
