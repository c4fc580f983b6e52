package process

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// BenchmarkTrial measures a trial of 10-fold cross-validation of 1,000 examples of 20 numbers
// with two classes, by a program that learns nothing: what sending, reading and answering
// take.
func BenchmarkTrial(b *testing.B) {
	table := noise(b, 1000, 20)
	for _, mode := range []string{"tables", "inline"} {
		b.Run(mode, func(b *testing.B) {
			benchTrial(b, Config{Args: []string{self(b), "serve", "seedless", mode}}, table)
		})
	}
}

// benchTrial measures trials that train on nine tenths of a table.
func benchTrial(b *testing.B, cfg Config, table *dataset.Table) {
	b.Helper()
	l := started(b, cfg)
	var train []int
	var test []dataset.Row
	for i := range table.Len() {
		if i%10 == 0 {
			test = append(test, table.Example(i))
		} else {
			train = append(train, i)
		}
	}
	run := func() {
		m, err := l.Fit(b.Context(), table, train, 1)
		require.NoError(b, err)
		_, err = m.Predict(b.Context(), test)
		require.NoError(b, err)
		require.NoError(b, m.Close())
	}
	run() // starts the program, which takes longer
	b.ReportAllocs()
	for b.Loop() {
		run()
	}
}

// noise returns a table of normal numbers with two classes.
func noise(tb testing.TB, rows, columns int) *dataset.Table {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var cols []dataset.Column
	for j := range columns {
		c := dataset.Column{
			Attribute: dataset.Attribute{Name: "x" + string(rune('a'+j))},
			Numbers:   make([]float64, rows),
		}
		for i := range c.Numbers {
			c.Numbers[i] = random.NormFloat64()
		}
		cols = append(cols, c)
	}
	class := dataset.Column{Attribute: dataset.Attribute{
		Name: "class", Kind: dataset.Nominal,
		Values: []string{"no", "yes"},
	}, Codes: make([]int32, rows)}
	for i := range class.Codes {
		class.Codes[i] = int32(i % 2)
	}
	table, err := dataset.New("noise", append(cols, class), columns, nil)
	require.NoError(tb, err)
	return table
}
