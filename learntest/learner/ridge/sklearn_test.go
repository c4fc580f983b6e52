package ridge

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// Provenance: ../testdata/sklearn_reference.py, scikit-learn 1.2.1.
func TestPredictionsEqualScikitLearns(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Set, Target string
		Alpha       float64
		Weighted    bool
		Columns     int
		Train, Test []int
		Y           []float64
	}
	fixture.Sklearn(t, "ridge", &cases)
	require.Len(t, cases, 6)
	for _, c := range cases {
		t.Run(fmt.Sprint(c.Set, " ", c.Alpha), func(t *testing.T) {
			t.Parallel()
			table, err := dataset.Open(filepath.Join("..", "..", "dataset", "uci", "data", c.Set+".arff.gz"),
				dataset.ReadOptions{Target: c.Target})
			require.NoError(t, err)
			if c.Weighted {
				table, err = fixture.Weighted(table)
				require.NoError(t, err)
			}
			m, err := New(Config{Alpha: c.Alpha}).Fit(table, c.Train, 1)
			require.NoError(t, err)
			require.Equal(t, c.Columns, m.(*model).design.Columns)
			for i, row := range c.Test {
				y, err := m.Value(table, row)
				require.NoError(t, err)
				assert.InEpsilon(t, c.Y[i], y, 1e-8, "row %d", row)
			}
			require.NoError(t, m.Close())
		})
	}
}
