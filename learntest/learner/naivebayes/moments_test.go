package naivebayes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// shifted returns 200 rows of one number, which is offset plus one of the
// integers from 0 to 18, with two classes that differ by 5 in the mean.
func shifted(t *testing.T, offset float64) *dataset.Table {
	x, class := make([]float64, 200), make([]int32, 200)
	for i := range x {
		class[i] = int32(i % 2)
		x[i] = offset + float64(i*i/7%7+i/3%8+5*(i%2))
	}
	return fixture.Table(t, nil, fixture.Numeric("x", x...),
		fixture.Nominal("class", []string{"u", "v"}, class...))
}

// correct returns how many rows of its training set a model predicts rightly.
func correct(m *Model, tb *dataset.Table) int {
	n := 0
	dist := make([]float64, tb.NumClasses())
	for i := range tb.Len() {
		m.Distribution(tb, i, dist)
		if learner.Best(dist) == tb.Class(i) {
			n++
		}
	}
	return n
}

// Provenance: NaiveBayes of Weka 3.6.14 on the same instances. Its deviations at 0 are the
// expected deviations at every offset.
func TestLargeOffsets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		offset float64
		right  int        // of Weka
		sd     [2]float64 // of Weka
	}{
		{0, 157, [2]float64{3.2753, 3.2034}},
		{1e6, 157, [2]float64{3.2753, 3.2034}},
		{1e9, 100, [2]float64{31.3535, 12.8}},
		{-1e9, 100, [2]float64{28.6217, 31.3535}},
		{1.7e12, 100, [2]float64{37072.76, 64211.9039}},
	} {
		tb := shifted(t, test.offset)
		m := fit(t, New(Config{}), tb, fixture.Rows(tb))
		weka := fit(t, New(Config{WekaOrder: true}), tb, fixture.Rows(tb))
		assert.Equal(t, 157, correct(m, tb), test.offset)
		assert.Equal(t, test.right, correct(weka, tb), test.offset)
		for c, sd := range test.sd {
			n, _ := m.Normal(0, c)
			assert.Equal(t, test.offset+[]float64{5.75, 11.09}[c], n.Mean, test.offset)
			assert.InDelta(t, []float64{3.2753, 3.2034}[c], n.SD, 5e-5, test.offset)
			n, _ = weka.Normal(0, c)
			assert.InDelta(t, sd, n.SD, 5e-5, test.offset)
		}
	}
}

func TestShiftOfAnAttributeShiftsItsMeans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.IntRange(2, 300).Draw(t, "values")
		n := values + rapid.IntRange(1, 100).Draw(t, "more rows")
		// 2^40 leaves the values 12 bits behind the point, so that the shift is
		// exact; each of the values occurs, so that the precision stays 1/4.
		offset := float64(rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign")) *
			math.Ldexp(1, rapid.IntRange(0, 40).Draw(t, "exponent"))
		x, y := make([]float64, n), make([]float64, n)
		class := make([]int32, n)
		for i := range x {
			v := i
			if i >= values {
				v = rapid.IntRange(0, values-1).Draw(t, "value")
			}
			x[i] = float64(v) / 4
			y[i] = x[i] + offset
			class[i] = int32(i) // each class occurs
			if i > 2 {
				class[i] = rapid.Int32Range(0, 2).Draw(t, "class")
			}
		}
		var weights []float64
		if rapid.Bool().Draw(t, "weighted") {
			weights = rapid.SliceOfN(rapid.SampledFrom([]float64{0.1, 0.7, 1, 3}), n, n).Draw(t, "weights")
		}
		at := func(x []float64) (*Model, *dataset.Table) {
			tb := fixture.Table(t, weights, fixture.Numeric("x", x...),
				fixture.Nominal("class", []string{"u", "v", "w"}, class...))
			return fit(t, New(Config{}), tb, fixture.Rows(tb)), tb
		}
		m, tb := at(x)
		moved, other := at(y)
		for c := range 3 {
			a, _ := m.Normal(0, c)
			b, _ := moved.Normal(0, c)
			if !floatcmp.Equal(b.Mean-offset, a.Mean, 1e-3, 0) || !floatcmp.Equal(b.SD, a.SD, 0, 1e-7) ||
				b.Precision != 0.25 {
				t.Fatalf("class %d: %+v, at %v %+v", c, a, offset, b)
			}
		}
		if err := floatcmp.Slices(fixture.Distributions(moved, other), fixture.Distributions(m, tb), 1e-2,
			0); err != nil {
			t.Fatal(err)
		}
	})
}

func TestConstantClassFarFromZeroHasNoDeviation(t *testing.T) {
	t.Parallel()
	x := make([]float64, 1000)
	class := make([]int32, len(x))
	for i := range x {
		x[i] = 1e9 + 1.0/3 // of which no sum is exact
		if i%2 == 1 {
			x[i], class[i] = 1e9+float64(i%100), 1
		}
	}
	tb := fixture.Table(t, nil, fixture.Numeric("x", x...),
		fixture.Nominal("class", []string{"u", "v"}, class...))
	n, ok := fit(t, New(Config{}), tb, fixture.Rows(tb)).Normal(0, 0)
	require.True(t, ok)
	assert.Equal(t, n.Precision/6, n.SD)
	assert.InDelta(t, 1e9+1.0/3, n.Mean, n.Precision)
}
