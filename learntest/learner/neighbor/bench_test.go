package neighbor

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/wekaref"
)

// binary returns a table of n rows with random binary attributes and a random
// binary class.
func binary(b *testing.B, n, attributes int) *dataset.Table {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	cols := make([]dataset.Column, attributes+1)
	for j := range cols {
		cols[j].Attribute = dataset.Attribute{Name: string(rune('a' + j)), Kind: dataset.Nominal, Values: []string{"0", "1"}}
		for range n {
			cols[j].Codes = append(cols[j].Codes, rng.Int32N(2))
		}
	}
	t, err := dataset.New("binary", cols, attributes, nil)
	require.NoError(b, err)
	return t
}

// folds splits the rows into a test set of every tenth row and a training set
// of the others.
func folds(t *dataset.Table) (train, test []int) {
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
	b.Run("predict", func(b *testing.B) {
		b.ReportAllocs()
		dist := make([]float64, table.NumClasses())
		for b.Loop() {
			b.StopTimer()
			m, err := c.Fit(table, train, 1)
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			for _, r := range test {
				m.Distribution(table, r, dist)
			}
			m.Close()
		}
	})
}

func BenchmarkShared(b *testing.B) {
	if _, ok := wekaref.Shared(); !ok {
		b.Skip(wekaref.SharedVar + " is not set")
	}
	for _, name := range []string{"iris", "vehicle", "soybean", "arrhythmia", "letter"} {
		b.Run(name, func(b *testing.B) {
			t, err := wekaref.SharedTable(name)
			require.NoError(b, err)
			train, test := folds(t)
			benchmark(b, t, train, test)
		})
	}
}

func BenchmarkBinary300x10(b *testing.B) {
	t := binary(b, 300, 10)
	rows := make([]int, t.Len())
	for i := range rows {
		rows[i] = i
	}
	benchmark(b, t, rows, rows[:30])
}
