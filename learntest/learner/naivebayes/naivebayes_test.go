package naivebayes

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

func TestConformance(t *testing.T) {
	t.Parallel()
	require.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(New(Config{}),
		learnercheck.Options{OrderFree: true})))
	require.NoError(t, learnercheck.Check(t.Context(),
		learnercheck.Classifier(New(Config{Kernel: true}), learnercheck.Options{OrderFree: true})))
	require.NoError(t, learnercheck.Check(t.Context(),
		learnercheck.Classifier(New(Config{WekaOrder: true}), learnercheck.Options{
			OrderFree: true,
			Tolerance: 1e-9,
		})))
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "naivebayes", New(Config{}).Name())
	assert.Equal(t, "naivebayes(order=weka)", New(Config{WekaOrder: true}).Name())
	assert.Equal(t, "naivebayes(kernel)", New(Config{Kernel: true}).Name())
	assert.Equal(t, "naivebayes(kernel,order=weka)", New(Config{Kernel: true, WekaOrder: true}).Name())
}

func fit(t require.TestingT, c *Classifier, tb *dataset.Table, rows []int) *Model {
	m, err := c.Fit(tb, rows, 1)
	require.NoError(t, err)
	return m.(*Model)
}

func TestNominalFrequenciesAreSmoothed(t *testing.T) {
	t.Parallel()
	nan := int32(-1)
	tb := fixture.Table(
		t, nil,
		fixture.Nominal("colour", []string{"red", "green", "blue"}, 0, 0, 1, nan, 2, 1),
		fixture.Nominal("class", []string{"a", "b", "absent"}, 0, 0, 0, 0, 1, nan),
	)
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	assert.Equal(t, []float64{5.0 / 8, 2.0 / 8, 1.0 / 8}, m.Prior())
	p, ok := m.Frequencies(0, 0)
	require.True(t, ok)
	assert.Equal(t, []float64{3.0 / 6, 2.0 / 6, 1.0 / 6}, p, "the missing value does not count")
	p, ok = m.Frequencies(0, 2)
	require.True(t, ok)
	assert.Equal(t, []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}, p)
	_, ok = m.Frequencies(1, 0)
	assert.False(t, ok, "the class is no attribute")
	_, ok = m.Frequencies(0, 3)
	assert.False(t, ok)
	_, ok = m.Normal(0, 0)
	assert.False(t, ok)

	// red: 5/8*3/6, 2/8*1/4, 1/8*1/3
	got := fixture.Distributions(m, tb)[:3]
	sum := 5.0/16 + 1.0/16 + 1.0/24
	require.NoError(t, floatcmp.Slices(got, []float64{5.0 / 16 / sum, 1.0 / 16 / sum, 1.0 / 24 / sum},
		0, 1e-15))
	// A missing value leaves the prior.
	require.NoError(t, floatcmp.Slices(fixture.Distributions(m, tb)[9:12], []float64{
		5.0 / 8, 2.0 / 8,
		1.0 / 8,
	}, 0, 1e-15))
}

func TestNormalHasPrecisionAndDeviation(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 4, 0, 2, nan, 10, 10, 0),
		fixture.Numeric("constant", 3, 3, 3, 3, 3, 3, 3),
		fixture.Numeric("unknown", nan, nan, nan, nan, nan, nan, nan),
		fixture.Nominal("class", []string{"a", "b", "absent"}, 0, 0, 0, 0, 1, 1, 0),
	)
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	// Distinct values 0 2 4 10: the mean gap is 10/3. Rounded to its
	// multiples, class a has 0, 0, 10/3 (2/(10/3) = 0.6) and 10/3 (1.2).
	precision := 10.0 / 3
	n, ok := m.Normal(0, 0)
	require.True(t, ok)
	assert.Equal(t, precision, n.Precision)
	require.NoError(t, floatcmp.Slices([]float64{n.Mean, n.SD}, []float64{5.0 / 3, 5.0 / 3}, 0, 1e-15))
	n, _ = m.Normal(0, 1)
	assert.Equal(t, Normal{3 * precision, precision / 6, precision}, n, "no variance in class b")
	n, _ = m.Normal(0, 2)
	assert.Equal(t, Normal{0, precision / 6, precision}, n, "no value in the absent class")
	n, _ = m.Normal(1, 0)
	assert.Equal(t, Normal{3, 0.01 / 6, 0.01}, n, "one distinct value")
	n, _ = m.Normal(2, 0)
	assert.Equal(t, Normal{0, 0.01 / 6, 0.01}, n, "no value")
	_, ok = m.Normal(3, 0)
	assert.False(t, ok)
}

func TestStringListsTheParameters(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 1, 2, 3, 5), // rounded: 1, 2, 2 and 4 times 4/3
		fixture.Nominal("y", []string{"p", "q"}, 0, 1, 0, 0),
		fixture.Nominal("class", []string{"a", "b"}, 0, 0, 1, 1),
	)
	want := `naive Bayes: 2 classes, 4 training rows
prior: a=0.5 b=0.5
x: precision 1.333
  a: mean 2 sd 0.6667
  b: mean 4 sd 1.333
y:
  a: p=0.5 q=0.5
  b: p=0.75 q=0.25
`
	assert.Equal(t, want, fit(t, New(Config{}), tb, fixture.Rows(tb)).String())
}

func TestKernelDensityOfFewValues(t *testing.T) {
	t.Parallel()
	tb := fixture.Table(
		t, nil,
		fixture.Numeric("x", 0, 4, 4, 2),
		fixture.Nominal("class", []string{"a", "b", "absent"}, 0, 0, 0, 1),
	)
	m := fit(t, New(Config{Kernel: true}), tb, fixture.Rows(tb))
	// The precision is 2; class a has kernels of weight 1 at 0 and 2 at 4.
	_, ok := m.Normal(0, 0)
	assert.False(t, ok)
	assert.Contains(t, m.String(),
		"a: 2 kernels sd 2.309\n  b: 1 kernels sd 0.3333\n  absent: 0 kernels sd 0.3333\n")
	sd := 4 / math.Sqrt(3)
	interval := func(mean, sd float64) float64 { return normalCDF((4-mean+1)/sd) - normalCDF((4-mean-1)/sd) }
	a := (4.0 / 7) * (interval(0, sd) + 2*interval(4, sd)) / 3
	b := (2.0 / 7) * interval(2, 2.0/6)
	absent := (1.0 / 7) * interval(0, 2.0/6)
	sum := a + b + absent
	require.NoError(t, floatcmp.Slices(fixture.Distributions(m, tb)[3:6], []float64{
		a / sum, b / sum,
		absent / sum,
	}, 1e-12, 0))
}

func TestDistributionPanicsOnMisuse(t *testing.T) {
	t.Parallel()
	tb := uci.Iris()
	m := fit(t, New(Config{}), tb, fixture.Rows(tb))
	assert.PanicsWithValue(t, "naivebayes: 2 probabilities for 3 classes",
		func() { m.Distribution(tb, 0, make([]float64, 2)) })
	assert.Panics(t, func() { m.Distribution(uci.Vote(), 0, make([]float64, 3)) })
	assert.Panics(t, func() {
		small := fixture.Table(t, nil, fixture.Nominal("class", []string{"a", "b", "c"}, 0))
		m.Distribution(small, 0, make([]float64, 3))
	})

	want := fixture.Distributions(m, tb)
	assert.Panics(t, func() {
		half := fixture.Table(t, nil, fixture.Numeric("x", 9),
			fixture.Nominal("class", []string{"a", "b", "c"}, 0))
		m.Distribution(half, 0, make([]float64, 3))
	})
	assert.Equal(t, want, fixture.Distributions(m, tb), "the columns of the other table are forgotten")

	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	assert.PanicsWithValue(t, "naivebayes: Distribution after Close",
		func() { m.Distribution(tb, 0, make([]float64, 3)) })
}

func TestFitRefusesWhatCannotBeLearned(t *testing.T) {
	t.Parallel()
	_, err := New(Config{}).Fit(uci.Iris(), []int{0, 150}, 1)
	require.ErrorIs(t, err, learner.ErrTraining)
	assert.ErrorContains(t, err, "rows[1] is 150, the table has 150 rows")
}

func TestSmallSubsetsOfLargeTablesAndRepeatedRows(t *testing.T) {
	t.Parallel()
	// Rows are sorted in one of several ways; each must give what a table of
	// just these rows gives.
	tb := uci.Vehicle()
	for _, rows := range [][]int{
		{5, 700, 3, 20, 99},
		{1, 1, 2, 500, 2, 1},
		fixture.Rows(tb)[100:],
		append(fixture.Rows(tb), 7),
	} {
		m := fit(t, New(Config{}), tb, rows)
		alone := fit(t, New(Config{}), selectRows(t, tb, rows), fixture.Rows(selectRows(t, tb, rows)))
		assert.Equal(t, fixture.Distributions(alone, tb), fixture.Distributions(m, tb))
	}
}

// selectRows returns a table of the given rows.
func selectRows(t require.TestingT, tb *dataset.Table, rows []int) *dataset.Table {
	cols := make([]dataset.Column, tb.NumAttributes())
	var weights []float64
	for j := range cols {
		cols[j].Attribute = tb.Attribute(j)
		for _, r := range rows {
			if cols[j].Kind == dataset.Numeric {
				cols[j].Numbers = append(cols[j].Numbers, tb.Numbers(j)[r])
			} else {
				cols[j].Codes = append(cols[j].Codes, tb.Codes(j)[r])
			}
		}
	}
	if w := tb.Weights(); w != nil {
		for _, r := range rows {
			weights = append(weights, w[r])
		}
	}
	out, err := dataset.New(tb.Name(), cols, tb.ClassIndex(), weights)
	require.NoError(t, err)
	return out
}

func TestManyEqualRowsOfOneClassAreCounted(t *testing.T) {
	t.Parallel()
	// More rows of a class than a packed field can count.
	tb := fixture.Table(t, nil, fixture.Nominal("v", []string{"p", "q", "r"}, 1, 2, -1),
		fixture.Nominal("class", []string{"a", "b"}, 0, 0, 0))
	rows := slices.Concat(slices.Repeat([]int{0}, 1000), slices.Repeat([]int{1}, 300),
		slices.Repeat([]int{2}, 777))
	m := fit(t, New(Config{}), tb, rows)
	p, _ := m.Frequencies(0, 0)
	assert.Equal(t, []float64{1.0 / 1303, 1001.0 / 1303, 301.0 / 1303}, p)
}

// tables draws a table with attributes of both kinds and missing values.
func tables(t *rapid.T, weighted bool) *dataset.Table {
	n := rapid.IntRange(4, 40).Draw(t, "rows")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	var cols []dataset.Column
	for j := range rapid.IntRange(0, 6).Draw(t, "attributes") {
		c := dataset.Column{Attribute: dataset.Attribute{Name: string(rune('a' + j))}}
		if rng.IntN(2) == 0 {
			for range n {
				x := float64(rng.IntN(20)) / 4
				if rng.IntN(8) == 0 {
					x = math.NaN()
				}
				c.Numbers = append(c.Numbers, x)
			}
		} else {
			c.Kind = dataset.Nominal
			c.Values = []string{"p", "q", "r"}[:1+rng.IntN(3)]
			for range n {
				c.Codes = append(c.Codes, int32(rng.IntN(len(c.Values)+1))-1)
			}
		}
		cols = append(cols, c)
	}
	class := fixture.Nominal("class", []string{"u", "v", "w"})
	for range n {
		class.Codes = append(class.Codes, int32(rng.IntN(3)))
	}
	var weights []float64
	if weighted {
		for range n {
			weights = append(weights, float64(1+rng.IntN(4)))
		}
	}
	return fixture.Table(t, weights, append(cols, class)...)
}

func TestDuplicatedRowsAreWeights(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := tables(t, true)
		if tb.Weights() == nil {
			return
		}
		cols := make([]dataset.Column, tb.NumAttributes())
		for j := range cols {
			cols[j] = dataset.Column{Attribute: tb.Attribute(j), Numbers: tb.Numbers(j), Codes: tb.Codes(j)}
		}
		var rows []int
		for i, w := range tb.Weights() {
			rows = append(rows, slices.Repeat([]int{i}, int(w))...)
		}
		weighted := fixture.Distributions(fit(t, New(Config{}), tb, fixture.Rows(tb)), tb)
		repeated := fixture.Distributions(fit(t, New(Config{}), fixture.Table(t, nil, cols...), rows), tb)
		if err := floatcmp.Slices(weighted, repeated, 1e-9, 0); err != nil {
			t.Fatal(err)
		}
	})
}

func TestOrderOfAttributesDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := tables(t, false)
		var cols []dataset.Column
		for j := range tb.NumAttributes() {
			cols = append(cols, dataset.Column{
				Attribute: tb.Attribute(j), Numbers: tb.Numbers(j),
				Codes: tb.Codes(j),
			})
		}
		slices.Reverse(cols[:len(cols)-1])
		reversed := fixture.Table(t, nil, cols...)
		want := fixture.Distributions(fit(t, New(Config{}), tb, fixture.Rows(tb)), tb)
		got := fixture.Distributions(fit(t, New(Config{}), reversed, fixture.Rows(tb)), reversed)
		if err := floatcmp.Slices(got, want, 1e-9, 0); err != nil {
			t.Fatal(err)
		}
	})
}

func TestNamesOfClassesDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tb := tables(t, false)
		perm := rapid.Permutation([]int32{0, 1, 2}).Draw(t, "permutation")
		var cols []dataset.Column
		for j := range tb.NumAttributes() {
			cols = append(cols, dataset.Column{
				Attribute: tb.Attribute(j), Numbers: tb.Numbers(j),
				Codes: slices.Clone(tb.Codes(j)),
			})
		}
		class := cols[len(cols)-1].Codes
		for i, c := range class {
			class[i] = perm[c]
		}
		relabelled := fixture.Table(t, nil, cols...)
		want := fixture.Distributions(fit(t, New(Config{}), tb, fixture.Rows(tb)), tb)
		got := fixture.Distributions(fit(t, New(Config{}), relabelled, fixture.Rows(tb)), relabelled)
		for i := range want {
			if other := got[i/3*3+int(perm[i%3])]; !floatcmp.Equal(other, want[i], 1e-12, 0) {
				t.Fatalf("row %d class %d: %v, relabelled %v", i/3, i%3, want[i], other)
			}
		}
	})
}

func FuzzDistributionIsValid(f *testing.F) {
	f.Add(uint64(1), 1.0, 0.0)
	f.Add(uint64(2), math.MaxFloat64, 1e300)
	f.Add(uint64(3), 5e-324, 0.0)
	f.Add(uint64(4), 1e-300, 1e308)
	f.Fuzz(func(t *testing.T, seed uint64, scale, shift float64) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 1 + rng.IntN(30)
		x := make([]float64, n)
		var codes, class []int32
		for i := range x {
			x[i] = float64(rng.IntN(9)-4)/4*scale + shift
			if math.IsInf(x[i], 0) || rng.IntN(9) == 0 {
				x[i] = math.NaN()
			}
			codes = append(codes, int32(rng.IntN(5))-1)
			class = append(class, int32(rng.IntN(4))-1)
		}
		class[0] = 0
		tb := fixture.Table(t, nil, fixture.Numeric("x", x...),
			fixture.Nominal("y", []string{"a", "b", "c", "d"}, codes...),
			fixture.Nominal("class", []string{"u", "v", "w"}, class...))
		for _, cfg := range []Config{{}, {WekaOrder: true}, {Kernel: true}} {
			m := fit(t, New(cfg), tb, fixture.Rows(tb))
			d := fixture.Distributions(m, tb)
			for i := 0; i < len(d); i += 3 {
				sum := d[i] + d[i+1] + d[i+2]
				if slices.Min(d[i:i+3]) < 0 || !floatcmp.Equal(sum, 1, 1e-12, 0) {
					t.Fatalf("row %d: %v", i/3, d[i:i+3])
				}
			}
		}
	})
}
