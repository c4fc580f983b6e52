package ols_test

import (
	"math"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(t *testing.T, text, target string) *dataset.Table {
	t.Helper()
	table, err := dataset.ReadCSV(strings.NewReader(text), "t.csv",
		dataset.ReadOptions{Target: target})
	require.NoError(t, err)
	return table
}

// values returns the predictions for all rows of a model trained on some.
func values(t *testing.T, cfg ols.Config, table *dataset.Table, rows ...int) []float64 {
	t.Helper()
	m, err := ols.New(cfg).Fit(table, rows, 1)
	require.NoError(t, err)
	ys := make([]float64, table.Len())
	for i := range ys {
		ys[i], err = m.Value(table, i)
		require.NoError(t, err)
	}
	require.NoError(t, m.Close())
	return ys
}

func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// longley is the data set Longley of the Statistical Reference Datasets of NIST,
// whose columns are nearly dependent.
const longley = `y,x1,x2,x3,x4,x5,x6
60323,83.0,234289,2356,1590,107608,1947
61122,88.5,259426,2325,1456,108632,1948
60171,88.2,258054,3682,1616,109773,1949
61187,89.5,284599,3351,1650,110929,1950
63221,96.2,328975,2099,3099,112075,1951
63639,98.1,346999,1932,3594,113270,1952
64989,99.0,365385,1870,3547,115094,1953
63761,100.0,363112,3578,3350,116219,1954
66019,101.2,397469,2904,3048,117388,1955
67857,104.6,419180,2822,2857,118734,1956
68169,108.4,442769,2936,2798,120445,1957
66513,110.8,444546,4681,2637,121950,1958
68655,112.6,482704,3813,2552,123366,1959
69564,114.2,502601,3931,2514,125368,1960
69331,115.7,518173,4806,2572,127852,1961
70551,116.9,554894,4007,2827,130081,1962
`

func TestCertifiedResultOfLongley(t *testing.T) {
	t.Parallel()
	table := read(t, longley, "y")
	// The certified coefficients, of 1 and x1 to x6, and the certified residual
	// standard deviation: 9 degrees of freedom.
	beta := []float64{
		-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683,
		-1.03322686717359, -0.511041056535807e-01, 1829.15146461355,
	}
	squares := 0.0
	for i, y := range values(t, ols.Config{}, table, upTo(16)...) {
		want := beta[0]
		for j := 1; j <= 6; j++ {
			want += beta[j] * table.Numbers(j)[i]
		}
		assert.InEpsilon(t, want, y, 1e-10, "row %d", i)
		squares += (y - table.Target(i)) * (y - table.Target(i))
	}
	assert.InEpsilon(t, 304.854073561965, math.Sqrt(squares/9), 1e-9)
}

// The one-hot columns sum to 1, so that the solution is not unique; predictions are unique where
// the training data suffice.
func TestNominalAttributes(t *testing.T) {
	t.Parallel()
	// y = 2 + 3x + 10 if red, 20 if green
	table := read(t, "x,colour,twin,y\n0,red,red,12\n1,green,green,25\n2,red,red,18\n3,blue,blue,11\n1,blue,blue,5\n5,green,green,37\n7,blue,blue,23\n2,green,green,28\n9,white,white,0\n", "y")
	ys := values(t, ols.Config{}, table, 0, 1, 2, 3, 4, 5)
	for i := range 8 {
		assert.InDelta(t, table.Target(i), ys[i], 1e-9, "row %d", i)
	}
	// A colour that training has never seen counts as the mean of the colours that it has
	// seen: the coefficients of least norm sum to 0.
	assert.InDelta(t, 2+27+10, ys[8], 1e-9)
}

func TestWeightsAreRepetitions(t *testing.T) {
	t.Parallel()
	column := func(name string, xs ...float64) dataset.Column {
		return dataset.Column{Attribute: dataset.Attribute{Name: name}, Numbers: xs}
	}
	weighted, err := dataset.New("w", []dataset.Column{column("x", 1, 2, 4), column("y", 1, 5, 2)}, 1,
		[]float64{1, 2, 3})
	require.NoError(t, err)
	repeated, err := dataset.New("r", []dataset.Column{
		column("x", 1, 2, 4, 2, 4, 4),
		column("y", 1, 5, 2, 5, 2, 2),
	}, 1, nil)
	require.NoError(t, err)
	assert.InDeltaSlice(t, values(t, ols.Config{}, repeated, upTo(6)...)[:3],
		values(t, ols.Config{}, weighted, 0, 1, 2), 1e-12)
	// Not the values of equal weights: line through the mean (7/3, 8/3) with slope 1/14.
	assert.NotEqual(t, values(t, ols.Config{}, repeated, 0, 1, 2)[0],
		values(t, ols.Config{}, weighted, 0, 1, 2)[0])
	assert.InDelta(t, 8./3-4./3/14, values(t, ols.Config{}, repeated, 0, 1, 2)[0], 1e-12)
}

func TestMissingValues(t *testing.T) {
	t.Parallel()
	table := read(t, "x,y\n1,1\n2,2\n?,7\n4,4\n?,7\n3,?\n", "y")
	assert.InDeltaSlice(t, []float64{1, 2, 7, 4, 7, 3},
		values(t, ols.Config{Missing: dataset.MissingIndicator}, table, upTo(6)...), 1e-9)
	_, err := ols.New(ols.Config{}).Fit(table, upTo(3), 1)
	require.ErrorIs(t, err, dataset.ErrEncoding)
	m, err := ols.New(ols.Config{}).Fit(table, upTo(2), 1)
	require.NoError(t, err)
	_, err = m.Value(table, 2)
	require.ErrorIs(t, err, dataset.ErrEncoding)
	require.ErrorContains(t, err, `row 2: attribute "x": the value is missing`)
	assert.Equal(t, "ols", ols.New(ols.Config{}).Name())
	assert.Equal(t, "ols(missing=indicator)",
		ols.New(ols.Config{Missing: dataset.MissingIndicator}).Name())
}

func TestConstantRowsPredictTheMean(t *testing.T) {
	t.Parallel()
	table := read(t, "x,c,y\n0.1,a,1\n0.1,a,2\n0.1,a,6\n5,b,0\n", "y")
	assert.InDeltaSlice(t, []float64{3, 3, 3, 3}, values(t, ols.Config{}, table, 0, 1, 2), 1e-12)
	assert.InDeltaSlice(t, []float64{2, 2, 2, 2}, values(t, ols.Config{}, table, 1), 0)
	// Sevenths do not sum to 1, but rounding is no effect of c.
	table = read(t, "x,c,y\n1,a,1\n1,a,2\n1,a,4\n1,a,8\n1,a,16\n1,a,32\n1,a,7\n1,b,0\n", "y")
	assert.InDelta(t, 10, values(t, ols.Config{}, table, upTo(7)...)[7], 1e-9)
}

func TestUnusableTables(t *testing.T) {
	t.Parallel()
	table := read(t, "x,y\n1,1\n2,?\n1e308,1e308\n-1e308,-1e308\n1,-1.7e308\n2,1.7e308\n", "y")
	for text, c := range map[string]struct {
		table *dataset.Table
		cfg   ols.Config
		rows  []int
	}{
		"has no numeric target":                      {uci.Iris(), ols.Config{}, []int{0}},
		"the target of all training rows is missing": {table, ols.Config{}, []int{1}},
		"it has 6 rows, no row 6":                    {table, ols.Config{}, []int{6}},
		"choose dataset.MissingIndicator": {
			table,
			ols.Config{Missing: dataset.MissingNaN},
			[]int{0},
		},
		"its numbers are too large": {table, ols.Config{}, []int{4, 5, 5}},
	} {
		_, err := ols.New(c.cfg).Fit(c.table, c.rows, 1)
		require.ErrorIs(t, err, learner.ErrTraining)
		require.ErrorContains(t, err, text)
	}
}
