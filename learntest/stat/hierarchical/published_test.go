package hierarchical

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/stat"
)

// Ten pairs of five classifiers on 54 data sets, in points, with a rope of one point. Where slow
// tests are not asked for, it is the pair of Corani et al. (2017) alone, with fewer draws: the
// standard error of its probability of 0.997 is then about 0.001.
func TestPublishedPairs(t *testing.T) {
	t.Parallel()
	var accuracies map[string][][]float64
	load(t, "accuracies.json.gz", &accuracies)
	for _, c := range []struct {
		first, second       string
		worse, rope, better float64 // the second
	}{
		{"nbc", "aode", 0, 0.3116, 0.6884},
		{"nbc", "hnb", 0.0004, 0.0026, 0.9970},
		{"nbc", "j48", 0.2011, 0.0143, 0.7845},
		{"nbc", "j48gr", 0.1608, 0.0104, 0.8289},
		{"aode", "hnb", 0, 1, 0},
		{"aode", "j48", 0.4606, 0.5113, 0.0282},
		{"aode", "j48gr", 0.4198, 0.5481, 0.0321},
		{"hnb", "j48", 0.9103, 0.0576, 0.0321},
		{"hnb", "j48gr", 0.9185, 0.0480, 0.0335},
		{"j48", "j48gr", 0, 1, 0},
	} {
		t.Run(c.second+" against "+c.first, func(t *testing.T) {
			t.Parallel()
			if c.first != "nbc" || c.second != "hnb" {
				citest.Need(t, citest.Slow)
			}
			samples := make([]Sample, 54)
			for i := range samples {
				x := make([]float64, 100)
				for k := range x {
					x[k] = accuracies[c.second][i][k] - accuracies[c.first][i][k]
				}
				samples[i] = Sample{Differences: stat.Differences{X: x, Runs: 10, Folds: 10, Ratio: 1. / 9}}
			}
			got, err := Test(samples, Options{Rope: 1, Seed: 1, draws: sized(2500, 10000)})
			require.NoError(t, err)
			t.Logf("%+v ± %+v", got.P, got.SE)
			require.InDelta(t, c.worse, got.P.Worse, 0.01)
			require.InDelta(t, c.rope, got.P.Rope, 0.01)
			require.InDelta(t, c.better, got.P.Better, 0.01)
			if c.first == "nbc" && c.second == "hnb" { // Corani et al. (2017)
				require.InDelta(t, 0.998, got.P.Better, 0.002)
				require.InDelta(t, 0.002, got.P.Rope, 0.002)
				require.InDelta(t, 0, got.P.Worse, 0.001)
			}
		})
	}
}
