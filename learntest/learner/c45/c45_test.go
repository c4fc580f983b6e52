package c45

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

func fit(t fixture.T, c *Classifier, table *dataset.Table, rows []int) *Model {
	m, err := c.Fit(table, rows, 1)
	if err != nil {
		t.Errorf("%v", err)
		t.FailNow()
	}
	return m.(*Model)
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{
		{},
		{Pruning: Unpruned, NoCollapse: true, NoMDL: true, MinLeaf: 1},
		{Pruning: CostComplexity, Folds: 3, Laplace: true},
		{NoRaising: true},
	} {
		assert.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(New(cfg),
			learnercheck.Options{})), New(cfg).Name())
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "c45", New(Config{}).Name())
	assert.Equal(t, "c45", New(Config{MinLeaf: 2, Confidence: 0.25}).Name())
	assert.Equal(t, "c45(minleaf=5)", New(Config{MinLeaf: 5}).Name())
	assert.Equal(t, "c45(confidence=0.1,minleaf=3,noraising=true,laplace=true)",
		New(Config{Confidence: 0.1, MinLeaf: 3, NoRaising: true, Laplace: true}).Name())
	assert.Equal(t, "c45(pruning=none,nocollapse=true,nomdl=true)",
		New(Config{Pruning: Unpruned, NoCollapse: true, NoMDL: true}).Name())
	assert.Equal(t, "c45(pruning=cost-complexity,folds=5,leasterror=true)",
		New(Config{Pruning: CostComplexity, Folds: 5, LeastError: true}).Name())
}

func TestFitRefusesImpossibleParameters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cfg  Config
		want string
	}{
		{Config{Pruning: 3}, "unknown pruning Pruning(3)"},
		{Config{MinLeaf: -1}, "instances in a leaf is -1"},
		{Config{Confidence: 0.6}, "confidence 0.6 is not in [1e-6, 0.5]"},
		{Config{Confidence: math.NaN()}, "confidence NaN"},
		{Config{Pruning: CostComplexity, Folds: 1}, "1 folds"},
		{Config{Pruning: Unpruned, Confidence: 0.1}, "do not apply to pruning none"},
		{Config{Pruning: CostComplexity, NoRaising: true}, "do not apply to pruning cost-complexity"},
		{Config{LeastError: true}, "do not apply to pruning pessimistic"},
	} {
		_, err := New(test.cfg).Fit(uci.Iris(), []int{0, 1}, 1)
		require.ErrorIs(t, err, ErrConfig)
		assert.ErrorContains(t, err, test.want)
	}
}

func TestFitRefusesTooManyClasses(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range maxClasses + 1 {
		values = append(values, string(rune('a'+i)))
	}
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2), fixture.Nominal("class", values, 0, 1))
	_, err := New(Config{}).Fit(table, []int{0, 1}, 1)
	require.ErrorIs(t, err, learner.ErrTraining)
	assert.ErrorContains(t, err, "2 rows and 4097 classes, the most are 67108864 and 4096")
}

func TestTreeOfIris(t *testing.T) {
	t.Parallel()
	m := fit(t, New(Config{}), uci.Iris(), fixture.Rows(uci.Iris()))
	// Printed by Weka 3.6.14 for the whole data set.
	assert.Equal(t, `J48 pruned tree
------------------

petalwidth <= 0.6: Iris-setosa (50.0)
petalwidth > 0.6
|   petalwidth <= 1.7
|   |   petallength <= 4.9: Iris-versicolor (48.0/1.0)
|   |   petallength > 4.9
|   |   |   petalwidth <= 1.5: Iris-virginica (3.0)
|   |   |   petalwidth > 1.5: Iris-versicolor (3.0/1.0)
|   petalwidth > 1.7: Iris-virginica (46.0/1.0)

Number of Leaves  : 	5

Size of the tree : 	9
`, m.String())
	assert.Equal(t, 5, m.Leaves())
	assert.Equal(t, 9, m.Size())
	assert.Zero(t, m.Factor())
}

func TestLeafAloneIsPrinted(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 3),
		fixture.Nominal("class", []string{"a", "b"}, 1, 1, 0))
	m := fit(t, New(Config{}), table, fixture.Rows(table))
	assert.Equal(t, "J48 pruned tree\n------------------\n: b (3.0/1.0)\n\nNumber of Leaves  : \t1\n\nSize of the tree : \t1\n", m.String())
}

func TestMissingValuesTakeAllBranches(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	x := []float64{1, 1, 1, 1, 2, 2, 2, 2, 2, 2, nan}
	table := fixture.Table(t, nil, fixture.Numeric("x", x...),
		fixture.Nominal("class", []string{"a", "b"}, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1))
	m := fit(t, New(Config{Pruning: Unpruned}), table, fixture.Rows(table))
	// The last instance goes left with weight 4/10 and right with 6/10.
	assert.Equal(t, `J48 unpruned tree
------------------

x <= 1: a (4.4/0.4)
x > 1: b (6.6)

Number of Leaves  : 	2

Size of the tree : 	3
`, m.String())
	dist := make([]float64, 2)
	m.Distribution(table, 10, dist)
	require.NoError(t, floatcmp.Slices(dist, []float64{4.0 / 11, 7.0 / 11}, 0, 1e-15))
	m.Distribution(table, 0, dist)
	require.NoError(t, floatcmp.Slices(dist, []float64{4 / 4.4, 0.4 / 4.4}, 0, 1e-15))
}

func TestBranchWithoutInstancesIsDecidedAbove(t *testing.T) {
	t.Parallel()
	values := []string{"p", "q", "r"}
	table := fixture.Table(t, nil,
		fixture.Nominal("v", values, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2),
		fixture.Nominal("class", []string{"a", "b"}, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0))
	m := fit(t, New(Config{}), table, []int{0, 1, 2, 3, 4, 5, 6, 7, 8})
	assert.Contains(t, m.String(), "v = r: b (0.0)")
	dist := make([]float64, 2)
	m.Distribution(table, 9, dist)
	assert.Equal(t, []float64{4.0 / 9, 5.0 / 9}, dist)
}

func TestPlaceOfConstantAttributeDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, true)
		cols := columns(table)
		constant := fixture.Numeric("constant", make([]float64, table.Len())...)
		place := rapid.IntRange(0, len(cols)-1).Draw(t, "place")
		first := fixture.Table(t, table.Weights(), slices.Insert(slices.Clone(cols), 0, constant)...)
		other := fixture.Table(t, table.Weights(), slices.Insert(slices.Clone(cols), place, constant)...)
		want := fit(t, New(Config{}), first, fixture.Rows(first))
		got := fit(t, New(Config{}), other, fixture.Rows(other))
		if err := floatcmp.Slices(fixture.Distributions(got, other), fixture.Distributions(want, first),
			1e-12, 0); err != nil {
			t.Fatalf("%v: %v\nwith the constant attribute in front:\n%v", err, got, want)
		}
	})
}

func TestRelabelledClassesAreRelabelledInPredictions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, false)
		classes := table.NumClasses()
		perm := rapid.Permutation(fixture.Rows(table)[:classes]).Draw(t, "relabelling")
		cols := columns(table)
		last := &cols[len(cols)-1]
		last.Codes = slices.Clone(last.Codes)
		for i, y := range last.Codes {
			if y >= 0 {
				last.Codes[i] = int32(perm[y])
			}
		}
		other := fixture.Table(t, nil, cols...)
		want := fixture.Distributions(fit(t, New(Config{}), table, fixture.Rows(table)), table)
		got := fixture.Distributions(fit(t, New(Config{}), other, fixture.Rows(other)), other)
		for i, p := range want {
			if q := got[i/classes*classes+perm[i%classes]]; q != p {
				t.Fatalf("row %d: %v became %v", i/classes, want[i/classes*classes:][:classes],
					got[i/classes*classes:][:classes])
			}
		}
	})
}

func TestDuplicatedInstancesAreWeights(t *testing.T) {
	t.Parallel()
	// Numeric attributes are left out, since their splits depend on the number
	// of instances besides their weight, as in Weka.
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "rows")
		codes := func(values int32) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(0, values-1), n, n).Draw(t, "codes")
		}
		v := []string{"p", "q", "r"}
		cols := []dataset.Column{
			fixture.Nominal("u", v[:2], codes(2)...), fixture.Nominal("v", v[:2], codes(2)...),
			fixture.Nominal("class", v, codes(3)...),
		}
		weights := make([]float64, n)
		var rows []int
		for i := range n {
			w := rapid.IntRange(1, 3).Draw(t, "weight")
			weights[i] = float64(w)
			for range w {
				rows = append(rows, i)
			}
		}
		weighted := fixture.Table(t, weights, cols...)
		plain := fixture.Table(t, nil, cols...)
		want := fixture.Distributions(fit(t, New(Config{}), plain, rows), plain)
		got := fixture.Distributions(fit(t, New(Config{}), weighted, fixture.Rows(weighted)), weighted)
		if err := floatcmp.Slices(got, want, 1e-12, 0); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAttributesMayBePermuted(t *testing.T) {
	t.Parallel()
	// Apart from ties, which these data sets do not have.
	for _, table := range []*dataset.Table{uci.Vehicle(), uci.Wine(), uci.Sonar()} {
		cols := columns(table)
		perm := rand.New(rand.NewPCG(3, 4)).Perm(len(cols) - 1)
		other := slices.Clone(cols)
		for i, j := range perm {
			other[i] = cols[j]
		}
		permuted := fixture.Table(t, nil, other...)
		rows := fixture.Rows(table)
		assert.Equal(t, fixture.Distributions(fit(t, New(Config{}), table, rows), table),
			fixture.Distributions(fit(t, New(Config{}), permuted, rows), permuted), table.Name())
	}
}

func TestSmallTrainingSetOfLargeTable(t *testing.T) {
	t.Parallel()
	// Such a sample is ranked by itself; the tree must equal the tree of a table of its own.
	table := uci.Vehicle()
	rows := rand.New(rand.NewPCG(5, 6)).Perm(table.Len())[:60]
	rows = append(rows, rows[:20]...)
	var own []dataset.Column
	for _, c := range columns(table) {
		d := dataset.Column{Attribute: c.Attribute}
		for _, r := range rows {
			if c.Kind == dataset.Numeric {
				d.Numbers = append(d.Numbers, c.Numbers[r])
			} else {
				d.Codes = append(d.Codes, c.Codes[r])
			}
		}
		own = append(own, d)
	}
	alone := fixture.Table(t, nil, own...)
	assert.Equal(t, fit(t, New(Config{}), alone, fixture.Rows(alone)).String(),
		fit(t, New(Config{}), table, rows).String())
}

func TestModelOutlivesLaterTrainings(t *testing.T) {
	t.Parallel()
	c := New(Config{})
	a := fit(t, c, uci.Labor(), fixture.Rows(uci.Labor()))
	want := a.String()
	for _, table := range []*dataset.Table{uci.Iris(), uci.Soybean(), uci.Labor()} {
		require.NoError(t, fit(t, c, table, fixture.Rows(table)).Close())
	}
	assert.Equal(t, want, a.String())
}

// columns returns the columns of a table.
func columns(t *dataset.Table) []dataset.Column {
	var cols []dataset.Column
	for j := range t.NumAttributes() {
		cols = append(cols, dataset.Column{
			Attribute: t.Attribute(j), Numbers: t.Numbers(j),
			Codes: t.Codes(j),
		})
	}
	return cols
}
