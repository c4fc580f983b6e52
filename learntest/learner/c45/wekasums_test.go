package c45

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// noisyTable returns a table whose classes depend on some of its columns, many
// values of which are missing, so that trees are deep and weights fractions.
func noisyTable(t fixture.T, rng *rand.Rand) *dataset.Table {
	n, classes := 60+rng.IntN(140), 2+rng.IntN(3)
	names := []string{"k", "l", "m", "n", "o", "p", "q"}
	missing := 0.05 + rng.Float64()/5
	score := make([]float64, n)
	var cols []dataset.Column
	for j := range 3 + rng.IntN(5) {
		weight := 2*rng.Float64() - 1
		distinct := []int{2, 5, 30, 1000}[rng.IntN(4)]
		x, codes := make([]float64, n), make([]int32, n)
		for i := range n {
			v := rng.IntN(distinct)
			score[i] += weight * float64(v) / float64(distinct)
			x[i], codes[i] = float64(v)/4, int32(v%len(names))
			if rng.Float64() < missing {
				x[i], codes[i] = math.NaN(), -1
			}
		}
		if distinct <= 5 {
			cols = append(cols, fixture.Nominal(names[j], names, codes...))
		} else {
			cols = append(cols, fixture.Numeric(names[j], x...))
		}
	}
	class := make([]int32, n)
	for i := range class {
		class[i] = int32(math.Floor(math.Abs(score[i]+rng.Float64()/2)*4)) % int32(classes)
	}
	cols = append(cols, fixture.Nominal("class", names[:classes], class...))
	var weights []float64
	if rng.IntN(3) == 0 {
		for range n {
			weights = append(weights, []float64{0.3, 0.7, 1, 2}[rng.IntN(4)])
		}
	}
	return fixture.Table(t, weights, cols...)
}

// TestWekasSums compares the distributions that have Weka's order of summation, bit by bit,
// with the distributions of trees that were grown in that order as a whole. Every other configuration
// is for LEARNBENCH_CI=slow.
func TestWekasSums(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/wekasums.txt")
	require.NoError(t, err)
	configs := []Config{
		{},
		{MinLeaf: 5},
		{NoRaising: true},
		{Confidence: 0.1},
		{Pruning: Unpruned},
		{Pruning: Unpruned, NoCollapse: true, MinLeaf: 1},
		{Pruning: CostComplexity, Folds: 3},
		{Pruning: CostComplexity, Folds: 3, LeastError: true, MinLeaf: 1},
	}
	want := strings.Split(strings.TrimSpace(string(file)), "\n")[1:]
	require.Len(t, want, len(configs))
	tables := make([]*dataset.Table, 200)
	for seed := range tables {
		tables[seed] = noisyTable(t, rand.New(rand.NewPCG(uint64(seed), 45)))
	}
	for i, cfg := range configs {
		if i%2 == 1 && !citest.Has(citest.Slow) {
			continue
		}
		c, h := New(cfg), sha256.New()
		var bits []byte
		for _, table := range tables {
			var rows []int
			for i := range table.Len() {
				if i%5 != 0 {
					rows = append(rows, i)
				}
			}
			m := fit(t, c, table, rows)
			dist := make([]float64, table.NumClasses())
			for i := range table.Len() {
				if p := &m.predictor; m.source != nil {
					p.sums = m.wekaSums()
					p.predict(&p.sums.tree, table, i, dist)
				} else {
					p.predict(&m.tree, table, i, dist)
				}
				bits = bits[:0]
				for _, x := range dist {
					bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(x))
				}
				h.Write(bits)
			}
			require.NoError(t, m.Close())
		}
		assert.Equal(t, want[i], fmt.Sprintf("%s %x", c.Name(), h.Sum(nil)[:12]))
	}
}

// repeat returns x so often that the first training set of it gets ranks of its own, nil for nil.
func repeat[T any](x []T) []T {
	if x == nil {
		return nil
	}
	return slices.Repeat(x, localFactor+1)
}

// TestWekasSumsOfSmallTrainingSets has a table that exceeds the training set so far that the training
// set gets ranks of its own.
func TestWekasSumsOfSmallTrainingSets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, true)
		cols := make([]dataset.Column, table.NumAttributes())
		for j := range cols {
			cols[j] = dataset.Column{
				Attribute: table.Attribute(j),
				Numbers:   repeat(table.Numbers(j)),
				Codes:     repeat(table.Codes(j)),
			}
		}
		large, err := dataset.New("large", cols, table.ClassIndex(), repeat(table.Weights()))
		require.NoError(t, err)
		c, rows := New(Config{Pruning: Unpruned}), fixture.Rows(table)
		got, want := fit(t, c, large, rows), fit(t, c, table, rows)
		if got.String() != want.String() || !slices.Equal(got.inWekaOrder().dist, want.inWekaOrder().dist) {
			t.Fatalf("%v\nby itself:\n%v", got, want)
		}
	})
}
