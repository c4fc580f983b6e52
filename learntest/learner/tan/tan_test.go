package tan

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
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
	for _, cfg := range []Config{{}, {Alpha: 1}} {
		// Tables have weights that are fractions, whose sums depend on the order.
		assert.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(New(cfg),
			learnercheck.Options{OrderFree: true, Tolerance: 1e-9})), New(cfg).Name())
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "tan", New(Config{}).Name())
	assert.Equal(t, "tan", New(Config{Alpha: 0.5}).Name())
	assert.Equal(t, "tan(alpha=2)", New(Config{Alpha: 2}).Name())
}

func TestFitRefusesWhatCannotBeLearned(t *testing.T) {
	t.Parallel()
	for _, alpha := range []float64{-1, math.Inf(1), math.NaN()} {
		_, err := New(Config{Alpha: alpha}).Fit(uci.Iris(), []int{0, 1}, 1)
		require.ErrorIs(t, err, ErrConfig)
	}
	values := make([]string, 10000)
	for i := range values {
		values[i] = fmt.Sprint(i)
	}
	table := fixture.Table(t, nil, fixture.Nominal("a", values, 1), fixture.Nominal("b", values[:2000],
		1), fixture.Nominal("c", values, 1),
		fixture.Nominal("class", values[:3], 1))
	_, err := New(Config{}).Fit(table, []int{0}, 1)
	require.ErrorIs(t, err, learner.ErrTraining)
	assert.ErrorContains(t, err, "the class and the columns 0 and 2 have 300000000 combinations of values, more than 67108864")
}

func TestProbabilitiesAreSmoothedFrequencies(t *testing.T) {
	t.Parallel()
	ab := []string{"a", "b"}
	table := fixture.Table(t, nil,
		fixture.Nominal("u", ab, 0, 0, 1, 1, 0, 1),
		fixture.Nominal("v", ab, 0, 0, 1, 1, 1, 0),
		fixture.Nominal("class", ab, 0, 0, 0, 1, 1, 1))
	m := fit(t, New(Config{Alpha: 1}), table, fixture.Rows(table))
	// The gains of both directions are equal, so that u is the first head and v
	// the first tail: u becomes the parent of v.
	assert.Equal(t, []int{-1, 0, -1}, m.Parents())
	assert.Equal(t, "u: class\nv: class, u\nclass\n", m.String())
	dist := make([]float64, 2)
	m.Distribution(table, 0, dist) // u = a, v = a
	// P(0) = 4/8, P(u=a|0) = 3/5, P(v=a|0,u=a) = 3/4; P(u=a|1) = 2/5, P(v=a|1,u=a) = 1/3.
	p, q := 0.5*0.6*0.75, 0.5*0.4/3
	require.NoError(t, floatcmp.Slices(dist, []float64{p / (p + q), q / (p + q)}, 0, 1e-14))
}

func TestMissingValuesAreTheMostFrequent(t *testing.T) {
	t.Parallel()
	ab := []string{"a", "b"}
	nan := math.NaN()
	with := fixture.Table(t, nil,
		fixture.Nominal("u", ab, 1, 1, 0, -1, 0, 1, 0, 1),
		fixture.Numeric("x", 1, 2, 1, 9, 8, 9, nan, nan),
		fixture.Nominal("class", ab, 0, 0, 0, 1, 1, 1, -1, 0))
	rows := []int{0, 1, 2, 3, 4, 5}
	m := fit(t, New(Config{}), with, rows)
	filled := fixture.Table(t, nil,
		fixture.Nominal("u", ab, 1, 1, 0, 1, 0, 1, 0, 1),
		fixture.Numeric("x", 1, 2, 1, 9, 8, 9, 1, 1),
		fixture.Nominal("class", ab, 0, 0, 0, 1, 1, 1, 0, 0))
	want := fixture.Distributions(fit(t, New(Config{}), filled, rows), filled)
	require.NoError(t, floatcmp.Slices(fixture.Distributions(m, with), want, 0, 0))
	assert.Equal(t, []float64{5}, m.Cuts(1))
	assert.Empty(t, m.Cuts(0))
	assert.Empty(t, m.Cuts(2))
}

func TestWithoutAttributesTheClassDecides(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Nominal("class", []string{"a", "b", "c"}, 0, 0, 1))
	m := fit(t, New(Config{}), table, fixture.Rows(table))
	dist := make([]float64, 3)
	m.Distribution(table, 0, dist)
	require.NoError(t, floatcmp.Slices(dist, []float64{2.5 / 4.5, 1.5 / 4.5, 0.5 / 4.5}, 0, 1e-14))
}

// drawNominal draws a table of nominal attributes without missing values.
func drawNominal(t *rapid.T) *dataset.Table {
	n := rapid.IntRange(1, 150).Draw(t, "rows")
	names := make([]string, 40)
	for i := range names {
		names[i] = string(rune('A' + i))
	}
	codes := func(values int) []int32 {
		return rapid.SliceOfN(rapid.Int32Range(0, int32(values)-1), n, n).Draw(t, "codes")
	}
	var cols []dataset.Column
	for j := range rapid.IntRange(1, 7).Draw(t, "attributes") {
		values := rapid.SampledFrom([]int{1, 2, 2, 3, 5, 20}).Draw(t, "values")
		if j > 0 && rapid.IntRange(0, 4).Draw(t, "copy") == 0 { // gains that are equal
			c := cols[j-1]
			c.Name = names[j]
			cols = append(cols, c)
			continue
		}
		cols = append(cols, fixture.Nominal(names[j], names[:values], codes(values)...))
	}
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	return fixture.Table(t, nil, append(cols, fixture.Nominal("class", names[:classes],
		codes(classes)...))...)
}

// score is the logarithm of the marginal likelihood of column h given the
// class and, unless tail is negative, another column, by its definition and
// in Weka's order of summation.
func score(t *dataset.Table, h, tail int) float64 {
	values := len(t.Attribute(h).Values)
	tails := 1
	if tail >= 0 {
		tails = len(t.Attribute(tail).Values)
	}
	counts := make([]float64, t.NumClasses()*tails*values)
	for i := range t.Len() {
		u := 0
		if tail >= 0 {
			u = int(t.Codes(tail)[i])
		}
		counts[(t.Class(i)*tails+u)*values+int(t.Codes(h)[i])]++
	}
	sum := 0.0
	for len(counts) > 0 {
		total := 0.0
		for _, n := range counts[:values] {
			sum += detmath.LogGamma(0.5 + n)
			total += 0.5 + n
		}
		sum -= detmath.LogGamma(total)
		sum -= float64(float64(values) * detmath.LogGamma(0.5))
		sum += detmath.LogGamma(float64(values) * 0.5)
		counts = counts[values:]
	}
	return sum
}

// parents finds the second parents by looking at all pairs in each step.
func parents(t *dataset.Table) []int {
	n := t.ClassIndex()
	parent := make([]int, n+1)
	gain := make([][]float64, n)
	for h := range gain {
		parent[h] = -1
		for tail := range n {
			gain[h] = append(gain[h], score(t, h, tail)-score(t, h, -1))
		}
	}
	parent[n] = -1
	linked := make([]bool, n)
	for step := range n - 1 {
		head, tail := -1, -1
		for h := range n {
			for u := range n {
				if h == u || step > 0 && linked[h] == linked[u] {
					continue
				}
				if head < 0 || gain[h][u] > gain[head][tail] {
					head, tail = h, u
				}
			}
		}
		linked[head], linked[tail] = true, true
		if parent[tail] < 0 {
			parent[tail] = head
		} else {
			parent[head] = tail
		}
	}
	return parent
}

func TestTreeIsThatOfTheGreedySearch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawNominal(t)
		m := fit(t, New(Config{}), table, fixture.Rows(table))
		want := parents(table)
		got := m.Parents()
		for j := range want {
			if got[j] != want[j] {
				t.Fatalf("parents %v, want %v", got, want)
			}
		}
	})
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := rapid.SampledFrom([]*dataset.Table{uci.Labor(), uci.Zoo(), uci.Iris()}).Draw(t, "table")
		rows := rapid.Permutation(fixture.Rows(table)).Draw(t, "rows")
		want := fixture.Distributions(fit(t, New(Config{}), table, fixture.Rows(table)), table)
		if err := floatcmp.Slices(fixture.Distributions(fit(t, New(Config{}), table, rows), table), want,
			0, 0); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSmallTrainingSetOfLargeTable(t *testing.T) {
	t.Parallel()
	// Such a sample is sorted by itself, unless weights are fractions.
	table := uci.Vehicle()
	var rows []int
	for i := 0; i < table.Len(); i += 17 {
		rows = append(rows, i, i)
	}
	var cols []dataset.Column
	for j := range table.NumAttributes() {
		c := dataset.Column{Attribute: table.Attribute(j)}
		for _, r := range rows {
			if c.Kind == dataset.Numeric {
				c.Numbers = append(c.Numbers, table.Numbers(j)[r])
			} else {
				c.Codes = append(c.Codes, table.Codes(j)[r])
			}
		}
		cols = append(cols, c)
	}
	alone := fixture.Table(t, nil, cols...)
	got, want := fit(t, New(Config{}), table, rows), fit(t, New(Config{}), alone, fixture.Rows(alone))
	assert.Equal(t, fixture.Distributions(want, table), fixture.Distributions(got, table))
}

func FuzzFit(f *testing.F) {
	f.Add([]byte("\x03\x02abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"))
	f.Add([]byte("\x05\x03\x80\x01\xff\x00\x80\x01\x02\xff\x00\x00\x07\x07\x06\x05\x04\x03\x02\x01\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 3 {
			t.Skip()
		}
		attributes, classes := int(data[0]%8), int32(data[1]%4)+1
		data = data[2:]
		n := min(len(data)/(attributes+1), 60)
		if n == 0 {
			t.Skip()
		}
		names := []string{"a", "b", "c", "d", "e"}
		cols := make([]dataset.Column, attributes+1)
		for i := range n {
			for j := range cols {
				c, b := &cols[j], data[i*(attributes+1)+j]
				c.Name = string(rune('A' + j))
				switch {
				case j < attributes && j%2 == 0 && b%8 == 7:
					c.Numbers = append(c.Numbers, math.NaN())
				case j < attributes && j%2 == 0:
					c.Numbers = append(c.Numbers, math.Ldexp(float64(int8(b)), 1017*(j/2)))
				default:
					c.Kind, c.Values = dataset.Nominal, names[:j%5]
					if j == attributes {
						c.Values = names[:classes]
					}
					c.Codes = append(c.Codes, int32(b)%int32(len(c.Values)+1)-1)
				}
			}
		}
		table, err := dataset.New("fuzz", cols, attributes, nil)
		if err != nil {
			t.Skip()
		}
		m, err := New(Config{}).Fit(table, fixture.Rows(table), 1)
		if err != nil {
			t.Skip()
		}
		dist := make([]float64, classes)
		for i := range n {
			m.Distribution(table, i, dist)
			sum := 0.0
			for _, p := range dist {
				sum += p
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("row %d: %v", i, dist)
			}
		}
	})
}
