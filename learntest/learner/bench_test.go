package learner_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/forest"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
	"github.com/learnbench/learnbench/learntest/learner/tan"
)

// BenchmarkFit measures the training of each learner on the training set of
// one fold of ten, with memory reused from training to training.
func BenchmarkFit(b *testing.B) {
	eachLearner(b, func(b *testing.B, t *dataset.Table, c learner.Classifier, train, _ []int) {
		for b.Loop() {
			m, err := c.Fit(t, train, 1)
			require.NoError(b, err)
			require.NoError(b, m.Close())
		}
	})
}

// BenchmarkPredict measures the prediction of all rows of the test set of one fold of ten by a
// fresh model, because models may cache results.
func BenchmarkPredict(b *testing.B) {
	eachLearner(b, func(b *testing.B, t *dataset.Table, c learner.Classifier, train, test []int) {
		dist := make([]float64, t.NumClasses())
		for b.Loop() {
			b.StopTimer()
			m, err := c.Fit(t, train, 1)
			require.NoError(b, err)
			b.StartTimer()
			for _, row := range test {
				m.Distribution(t, row, dist)
			}
			b.StopTimer()
			require.NoError(b, m.Close())
			b.StartTimer()
		}
	})
}

// BenchmarkPredictAgain measures the prediction with one model.
func BenchmarkPredictAgain(b *testing.B) {
	eachLearner(b, func(b *testing.B, t *dataset.Table, c learner.Classifier, train, test []int) {
		dist := make([]float64, t.NumClasses())
		m, err := c.Fit(t, train, 1)
		require.NoError(b, err)
		for b.Loop() {
			for _, row := range test {
				m.Distribution(t, row, dist)
			}
		}
		require.NoError(b, m.Close())
	})
}

// eachLearner calls f with each learner on each data set that it can learn,
// and with the rows of the first fold of ten.
func eachLearner(b *testing.B, f func(b *testing.B, t *dataset.Table, c learner.Classifier, train,
	test []int),
) {
	tables := benchTables(b)
	for _, c := range []learner.Classifier{
		naivebayes.New(naivebayes.Config{}), c45.New(c45.Config{}), neighbor.New(neighbor.Config{}),
		tan.New(tan.Config{}), perceptron.New(perceptron.Config{}),
		logistic.New(logistic.Config{}), forest.New(forest.Config{}),
	} {
		for _, t := range tables {
			if !learns(c, t) {
				continue
			}
			b.Run(c.Name()+"/"+t.Name(), func(b *testing.B) {
				plan, err := tenFolds(t)
				require.NoError(b, err)
				train, test := plan.Trial(1, 1, nil, nil)
				b.ReportAllocs()
				f(b, t, c, train, test)
			})
		}
	}
}

// benchTables returns small, wide, long and random data sets. The wide and the
// long ones are read if LEARNBENCH_SHARED says where they are, and imitated if
// not.
func benchTables(b *testing.B) []*dataset.Table {
	b.Helper()
	tables := []*dataset.Table{
		uci.Iris(), uci.Vehicle(), uci.Soybean(), uci.Vote(),
		uci.GermanCredit(), uci.Ionosphere(), randomBits(b),
	}
	if _, ok := fixture.Shared(); !ok {
		return append(tables, arrhythmiaLike(b), letterLike(b))
	}
	for _, name := range []string{"arrhythmia", "letter", "kr-vs-kp"} {
		t, err := fixture.SharedTable(name)
		require.NoError(b, err)
		tables = append(tables, t)
	}
	return tables
}

// randomBits returns 333 instances of 10 random bits with a random class, of
// which 300 are trained on.
func randomBits(tb testing.TB) *dataset.Table {
	rng := rand.New(rand.NewPCG(1, 2))
	var cols []dataset.Column
	for j := range 11 {
		cols = append(cols, nominal(fmt.Sprintf("a%d", j), 2, 333,
			func(int) int32 { return rng.Int32N(2) }))
	}
	return newTable(tb, "random-bits", cols)
}

// arrhythmiaLike returns 452 instances of 206 numeric and 73 binary attributes,
// one of which is mostly missing, with 13 classes, one of which is frequent.
func arrhythmiaLike(tb testing.TB) *dataset.Table {
	const rows = 452
	rng := rand.New(rand.NewPCG(3, 4))
	class := make([]int32, rows)
	for i := range class {
		if rng.Float64() < 0.46 {
			class[i] = 1 + rng.Int32N(12)
		}
	}
	var cols []dataset.Column
	for j := range 206 {
		shift, informative := rng.Float64()*20, rng.IntN(4) == 0
		missing := 0.001
		if j == 13 {
			missing = 0.83
		}
		cols = append(cols, numeric(fmt.Sprintf("n%d", j), rows, func(i int) float64 {
			x := float64(rng.IntN(60))
			if informative {
				x += shift * float64(class[i]%5)
			}
			if rng.Float64() < missing {
				return math.NaN()
			}
			return x
		}))
	}
	for j := range 73 {
		cols = append(cols, nominal(fmt.Sprintf("b%d", j), 2, rows, func(i int) int32 {
			if rng.IntN(20) == 0 {
				return 1 - min(class[i], 1)
			}
			return 0
		}))
	}
	return newTable(tb, "arrhythmia-like",
		append(cols, nominal("class", 13, rows, func(i int) int32 { return class[i] })))
}

// letterLike returns 20,000 instances of 16 numeric attributes with integers
// from 0 to 15, and 26 equally frequent classes.
func letterLike(tb testing.TB) *dataset.Table {
	const rows = 20000
	rng := rand.New(rand.NewPCG(5, 6))
	class := make([]int32, rows)
	for i := range class {
		class[i] = rng.Int32N(26)
	}
	var cols []dataset.Column
	for j := range 16 {
		var centre [26]float64
		for c := range centre {
			centre[c] = 3 + 9*rng.Float64()
		}
		cols = append(cols, numeric(fmt.Sprintf("n%d", j), rows, func(i int) float64 {
			return float64(min(15, max(0, int(centre[class[i]]+1.8*rng.NormFloat64()))))
		}))
	}
	return newTable(tb, "letter-like",
		append(cols, nominal("class", 26, rows, func(i int) int32 { return class[i] })))
}

func nominal(name string, values, rows int, value func(i int) int32) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{Name: name, Kind: dataset.Nominal}}
	for v := range values {
		c.Values = append(c.Values, fmt.Sprint(v))
	}
	for i := range rows {
		c.Codes = append(c.Codes, value(i))
	}
	return c
}

func numeric(name string, rows int, value func(i int) float64) dataset.Column {
	c := dataset.Column{Attribute: dataset.Attribute{Name: name, Kind: dataset.Numeric}}
	for i := range rows {
		c.Numbers = append(c.Numbers, value(i))
	}
	return c
}

func newTable(tb testing.TB, name string, cols []dataset.Column) *dataset.Table {
	t, err := dataset.New(name, cols, len(cols)-1, nil)
	require.NoError(tb, err)
	return t
}
