package logistic

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// Provenance: ../testdata/sklearn_reference.py, scikit-learn 1.2.1.
func TestProbabilitiesEqualScikitLearns(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Set      string
		C        float64
		Weighted bool
		Columns  int
		Test     []int
		P        [][]float64
	}
	fixture.Sklearn(t, "logistic", &cases)
	require.Len(t, cases, 10)
	for _, c := range cases {
		t.Run(fmt.Sprint(c.Set, " ", c.C), func(t *testing.T) {
			t.Parallel()
			table, err := uci.Load(c.Set)
			require.NoError(t, err)
			if c.Weighted {
				table, err = fixture.Weighted(table)
				require.NoError(t, err)
			}
			var train []int
			for i := range table.Len() {
				if i%3 > 0 {
					train = append(train, i)
				}
			}
			m, err := New(Config{C: c.C}).Fit(table, train, 1)
			require.NoError(t, err)
			require.Equal(t, c.Columns, m.(*Model).lent.Space.design.Columns)
			dist := make([]float64, table.NumClasses())
			for i, row := range c.Test {
				m.Distribution(table, row, dist)
				assert.InDeltaSlice(t, c.P[i], dist, 1e-8, "row %d", row)
			}
			require.NoError(t, m.Close())
		})
	}
}
