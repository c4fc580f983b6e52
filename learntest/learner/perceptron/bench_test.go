package perceptron

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/wekaref"
)

// BenchmarkTable measures training on nine tenths of a table, and prediction
// of the other tenth.
func BenchmarkTable(b *testing.B) {
	for _, name := range []string{"vote", "german-credit", "ionosphere"} {
		b.Run(name, func(b *testing.B) {
			table, err := uci.Load(name)
			require.NoError(b, err)
			train, test := tenth(table)
			benchmark(b, table, train, test)
		})
	}
	if _, ok := wekaref.Shared(); !ok {
		return
	}
	for _, name := range []string{"kr-vs-kp"} {
		b.Run(name, func(b *testing.B) {
			table, err := wekaref.SharedTable(name)
			require.NoError(b, err)
			train, test := tenth(table)
			benchmark(b, table, train, test)
		})
	}
}

// tenth puts every tenth row into the test set.
func tenth(t *dataset.Table) (train, test []int) {
	for i := range t.Len() {
		if i%10 == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

func benchmark(b *testing.B, table *dataset.Table, train, test []int) {
	c := New(Config{})
	b.Run("fit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m, err := c.Fit(table, train, 1)
			if err != nil {
				b.Fatal(err)
			}
			m.Close()
		}
	})
	// A fresh model each time, as models may remember what they have computed.
	b.Run("fit+predict", func(b *testing.B) {
		b.ReportAllocs()
		dist := make([]float64, table.NumClasses())
		for b.Loop() {
			m, err := c.Fit(table, train, 1)
			if err != nil {
				b.Fatal(err)
			}
			for _, r := range test {
				m.Distribution(table, r, dist)
			}
			m.Close()
		}
	})
	b.Run("predict-again", func(b *testing.B) {
		b.ReportAllocs()
		dist := make([]float64, table.NumClasses())
		m, err := c.Fit(table, train, 1)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			for _, r := range test {
				m.Distribution(table, r, dist)
			}
		}
	})
}
