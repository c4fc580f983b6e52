package discretize

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

func TestCutsEqualWeka(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/cuts.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")[1:]
	require.Len(t, lines, 70)
	for _, line := range lines {
		f := strings.Fields(line)
		table, err := uci.Load(f[0])
		require.NoError(t, err)
		column, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		d, err := Fit(table, fixture.Rows(table))
		require.NoError(t, err)
		var want []float64
		for _, s := range f[2:] {
			x, err := strconv.ParseFloat(s, 64)
			require.NoError(t, err)
			want = append(want, x)
		}
		assert.Equal(t, want, d.Cuts(column), line)
	}
}

func TestFilteredC45EqualsWeka(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS("testdata/filtered")
	names, err := fixture.Names(fsys)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		ref, err := fixture.Load(fsys, name)
		require.NoError(t, err)
		table, err := uci.Load(name)
		require.NoError(t, err)
		assert.NoError(t, ref.Check("j48f", New(c45.New(c45.Config{})), table, 1e-9))
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, inner := range []learner.Classifier{
		naivebayes.New(naivebayes.Config{}),
		c45.New(c45.Config{}),
	} {
		assert.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(New(inner),
			learnercheck.Options{})), inner.Name())
	}
}

func TestApplyReplacesNumericColumns(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	ab := []string{"a", "b"}
	x := []float64{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, nan, 1.5, 1.6}
	y := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, -1}
	table := fixture.Table(t, nil,
		fixture.Numeric("x", x...), fixture.Nominal("v", ab, y...), fixture.Numeric("constant",
			make([]float64, len(x))...), fixture.Nominal("class", ab, y...))
	d, err := Fit(table, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14})
	require.NoError(t, err)
	assert.Equal(t, []float64{1.5}, d.Cuts(0))
	assert.Empty(t, d.Cuts(1))
	assert.Empty(t, d.Cuts(2))
	assert.Equal(t, []int{0, 1, -1, 0, 1}, []int{
		d.Bin(0, 1.5), d.Bin(0, 1.6), d.Bin(0, nan),
		d.Bin(0, math.Inf(-1)), d.Bin(0, math.Inf(1)),
	})
	got, err := d.Apply(table)
	require.NoError(t, err)
	assert.Equal(t, []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1, 0, 1}, got.Codes(0))
	assert.Equal(t, dataset.Attribute{
		Name: "x", Kind: dataset.Nominal,
		Values: []string{"'(-inf-1.5]'", "'(1.5-inf)'"},
	}, got.Attribute(0))
	assert.Equal(t, []string{"'All'"}, got.Attribute(2).Values)
	assert.Equal(t, table.Codes(1), got.Codes(1))
	assert.Equal(t, table.ClassIndex(), got.ClassIndex())
}

func TestLabelsTellIntervalsApart(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"'(-inf-0.5]'", "'(0.5-1]'", "'(1-inf)'"}, labels([]float64{0.5, 1}))
	assert.Equal(t, []string{"'(-inf-0.5]'", "'(0.5-0.50000001]'", "'(0.50000001-inf)'"},
		labels([]float64{0.5, 0.50000001}))
}

func TestApplyRefusesOtherColumns(t *testing.T) {
	t.Parallel()
	ab := []string{"a", "b"}
	class := fixture.Nominal("class", ab, 0, 1)
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2), class)
	d, err := Fit(table, []int{0, 1})
	require.NoError(t, err)
	_, err = d.Apply(fixture.Table(t, nil, class))
	require.ErrorIs(t, err, ErrColumns)
	assert.ErrorContains(t, err, "has 1 columns, the class at 0; the cut points are for 2 columns, the class at 1")
	_, err = d.Apply(fixture.Table(t, nil, fixture.Nominal("x", ab, 0, 1), class))
	require.ErrorIs(t, err, ErrColumns)
	assert.ErrorContains(t, err, "column 0 (x) of table \"toy\" is nominal, the cut points are for a numeric one")
	_, err = Fit(table, nil)
	assert.ErrorIs(t, err, learner.ErrTraining)
}

func TestModelOfAnotherTable(t *testing.T) {
	t.Parallel()
	c := New(c45.New(c45.Config{}))
	assert.Equal(t, "discretized(c45)", c.Name())
	table := uci.Iris()
	m, err := c.Fit(table, fixture.Rows(table), 1)
	require.NoError(t, err)
	cols := make([]dataset.Column, table.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{
			Attribute: table.Attribute(j), Numbers: table.Numbers(j),
			Codes: table.Codes(j),
		}
	}
	other := fixture.Table(t, nil, cols...)
	want := fixture.Distributions(m, table)
	assert.Equal(t, want, fixture.Distributions(m, other))
	assert.Equal(t, want, fixture.Distributions(m, table))
	tree := m.(*Model).Inner().(*c45.Model).String()
	assert.Contains(t, tree, "petalwidth = '(-inf-0.8]': Iris-setosa (50.0)")
	assert.Equal(t, []float64{0.8, 1.75}, m.(*Model).Discretizer().Cuts(3))
	assert.Panics(t, func() { m.Distribution(uci.Glass(), 0, make([]float64, 3)) })
	require.NoError(t, m.Close())
}

func TestInnerErrorsNameTheClassifier(t *testing.T) {
	t.Parallel()
	_, err := New(c45.New(c45.Config{MinLeaf: -1})).Fit(uci.Iris(), []int{0, 1}, 1)
	require.ErrorIs(t, err, c45.ErrConfig)
	assert.ErrorContains(t, err, "discretized(c45(minleaf=-1)): ")
	_, err = New(c45.New(c45.Config{})).Fit(uci.Iris(), []int{-1}, 1)
	assert.ErrorIs(t, err, learner.ErrTraining)
}

func TestBinsFollowTheCuts(t *testing.T) {
	t.Parallel()
	table := uci.Glass()
	d, err := Fit(table, fixture.Rows(table))
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		j := rapid.IntRange(0, 8).Draw(t, "column")
		x := rapid.Float64Range(-1, 80).Draw(t, "x")
		k := d.Bin(j, x)
		cuts := d.Cuts(j)
		if k > 0 && x <= cuts[k-1] || k < len(cuts) && x > cuts[k] {
			t.Fatalf("%v is in interval %d of %v", x, k, cuts)
		}
	})
}
