package c45

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/wekaref"
)

// benchmarks calls f with each data set, and with training and test rows that
// are nine tenths and one tenth of it.
func benchmarks(b *testing.B, f func(b *testing.B, t *dataset.Table, train, test []int)) {
	run := func(name string, load func() (*dataset.Table, error)) {
		b.Run(name, func(b *testing.B) {
			t, err := load()
			if err != nil {
				b.Skip(err)
			}
			perm := rand.New(rand.NewPCG(1, 1)).Perm(t.Len())
			k := t.Len() / 10
			f(b, t, perm[k:], perm[:k])
		})
	}
	for _, name := range []string{"iris", "vehicle", "soybean", "german-credit"} {
		run(name, func() (*dataset.Table, error) { return uci.Load(name) })
	}
	for _, name := range []string{"vowel", "hepatitis", "arrhythmia", "letter"} {
		run(name, func() (*dataset.Table, error) { return wekaref.SharedTable(name) })
	}
	run("noise", func() (*dataset.Table, error) { return noise(300*10/9, 10), nil })
}

// noise returns a table of binary attributes and a binary class, drawn at random.
func noise(rows, attrs int) *dataset.Table {
	rng := rand.New(rand.NewPCG(1, 2))
	var cols []dataset.Column
	for j := range attrs + 1 {
		c := dataset.Column{
			Attribute: dataset.Attribute{Name: string(rune('a' + j)), Kind: dataset.Nominal, Values: []string{"0", "1"}},
			Codes:     make([]int32, rows),
		}
		for i := range c.Codes {
			c.Codes[i] = rng.Int32N(2)
		}
		cols = append(cols, c)
	}
	t, err := dataset.New("noise", cols, attrs, nil)
	if err != nil {
		panic(err)
	}
	return t
}

func BenchmarkFit(b *testing.B) {
	benchmarks(b, func(b *testing.B, t *dataset.Table, train, _ []int) {
		c := New(Config{})
		b.ReportAllocs()
		for b.Loop() {
			m, err := c.Fit(t, train, 1)
			require.NoError(b, err)
			m.Close()
		}
	})
}

func BenchmarkDistribution(b *testing.B) {
	benchmarks(b, func(b *testing.B, t *dataset.Table, train, test []int) {
		m, err := New(Config{}).Fit(t, train, 1)
		require.NoError(b, err)
		dist := make([]float64, t.NumClasses())
		b.ReportAllocs()
		for b.Loop() {
			for _, r := range test {
				m.Distribution(t, r, dist)
			}
		}
	})
}
