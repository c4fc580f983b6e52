package study

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/require"
)

func TestHierarchicalStudy(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	one, err := runHierarchical(t.Context(), lab.Config{Sets: 6, Parallel: 1})
	require.NoError(t, err)
	two, err := runHierarchical(t.Context(), lab.Config{Sets: 6, Parallel: 3})
	require.NoError(t, err)
	require.Equal(t, one.String(), two.String(), "the number of goroutines changes nothing")
	other, err := runHierarchical(t.Context(), lab.Config{Sets: 6, Seed: 2})
	require.NoError(t, err)
	require.NotEqual(t, one.String(), other.String())
	require.Len(t, one.Tables[0].Rows, 12)
	for _, row := range one.Tables[0].Rows {
		total := 0
		for _, cell := range row[1 : len(row)-1] {
			n, err := strconv.Atoi(cell)
			require.NoError(t, err)
			total += n
		}
		require.Equal(t, 6, total)
	}
	_, err = runHierarchical(t.Context(), lab.Config{Store: "x"})
	require.ErrorIs(t, err, lab.ErrConfig)
}

// Ranks that pile up have a small p, even ones a large one.
func TestRankRow(t *testing.T) {
	t.Parallel()
	var even, odd [][]float64
	for i := range 100 {
		even = append(even, []float64{0, float64(i) / 100})
		odd = append(odd, []float64{0, math.Sqrt(float64(i) / 100)})
	}
	row, err := rankRow("x", even, 1)
	require.NoError(t, err)
	require.Equal(t, []string{
		"x", "10", "10", "10", "10", "10", "10", "10", "10", "10", "10",
		"1.000",
	}, row)
	row, err = rankRow("x", odd, 1)
	require.NoError(t, err)
	require.Less(t, row[11], "0.050")
}

func TestGammaDraw(t *testing.T) {
	t.Parallel()
	for _, shape := range []float64{0.5, 1, 5} {
		r := rand.New(rand.NewPCG(1, 2))
		var mean, square float64
		const n = 200000
		for range n {
			x := gammaDraw(r, shape)
			mean, square = mean+x/n, square+x*x/n
		}
		require.InDelta(t, shape, mean, 0.02*math.Sqrt(shape)+0.005)
		require.InDelta(t, shape, square-mean*mean, 0.05*shape)
	}
}
