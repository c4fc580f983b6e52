package replicate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

// Every exported function that takes a slice, on input that it might be tempted
// to sort, center or scale.
func TestNoFunctionChangesItsInput(t *testing.T) {
	t.Parallel()
	fresh := func() (x []float64, d stat.Differences, counts []int) {
		x = []float64{0.5, -0.25, 3, 0.125, -2, 1, 0.75, -0.5, 0.3, 0.1}
		d = stat.Differences{Runs: 5, Folds: 2, X: []float64{
			0.5, -0.25, 3, 0.125, -2, 1, 0.75, -0.5, 0.3,
			0.1,
		}, Ratio: 1}
		return x, d, []int{3, 0, 10}
	}
	x, d, counts := fresh()
	wantX, wantD, wantCounts := fresh()
	for name, call := range map[string]func() error{
		"PartitionSufficiency": func() error {
			_, err := PartitionSufficiency(x, 9, 0.025,
				0.05)
			return err
		},
		"ReplicabilityOver": func() error { _, err := ReplicabilityOver(counts, 10); return err },
		"Retest.Predict":    func() error { _, err := retest(d.Runs).Predict(d); return err },
		"Retest.Count":      func() error { _, err := retest(2).Count(d, 2); return err },
		"Retest.Pooled":     func() error { _, err := retest(2).Pooled(d, 20, 1); return err },
		"Retest.Adaptive": func() error {
			_, err := retest(2).Adaptive(d,
				Rule{Required: 0.9})
			return err
		},
	} {
		require.NoError(t, call(), name)
		require.Equal(t, wantX, x, "%s changed its argument", name)
		require.Equal(t, wantD, d, "%s changed its argument", name)
		require.Equal(t, wantCounts, counts, "%s changed its argument", name)
	}
}
