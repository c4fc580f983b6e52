package hierarchical

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

// sized returns the first number, or the second one where slow tests are asked for.
func sized(quick, slow int) int {
	if citest.Has(citest.Slow) {
		return slow
	}
	return quick
}

// load reads a compressed JSON file of testdata.
func load(t *testing.T, name string, to any) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(r).Decode(to))
}

// realSamples returns the differences nb less another classifier on ten data sets.
func realSamples(t *testing.T, other string) []Sample {
	t.Helper()
	var scores map[string]map[string][][]float64
	load(t, "scores.json.gz", &scores)
	var samples []Sample
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		d, err := stat.NewDifferences(scores[name]["nb"], scores[name][other], stat.TableOptions{})
		require.NoError(t, err)
		samples = append(samples, Sample{Differences: d})
	}
	return samples
}

// samplesOf returns samples of one run each.
func samplesOf(differences ...[]float64) []Sample {
	samples := make([]Sample, len(differences))
	for i, x := range differences {
		samples[i].Differences = stat.Differences{X: x, Runs: 1, Folds: len(x)}
	}
	return samples
}

func TestReferenceNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range vectors.Of(t, "hierarchical", "bayes_hierarchical_correlated_t") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			switch c.ID { // the other case of the prior, or of the classifier, stays
			case "realcv_nb_tree_corani2017prior", "realcv_nb_nn":
				citest.Need(t, citest.Slow)
			}
			var in struct {
				Classifier string
				Diffs      [][]float64
				Rho, Rope  float64
				NuAlpha    [2]float64 `json:"nu_alpha"`
				NuBeta     [2]float64 `json:"nu_beta"`
			}
			c.In(t, &in)
			samples := samplesOf(in.Diffs...)
			if in.Classifier != "" {
				samples = realSamples(t, in.Classifier)
			}
			for i := range samples {
				samples[i].Ratio = in.Rho / (1 - in.Rho)
				samples[i].Tested = 20
			}
			got, err := Test(samples, Options{
				Rope: in.Rope, Seed: 1, Nu: Prior{in.NuAlpha, in.NuBeta},
				draws: sized(5000, 10000),
			})
			require.NoError(t, err)
			var want struct {
				Left   float64   `json:"p_left"`
				Rope   float64   `json:"p_rope"`
				Right  float64   `json:"p_right"`
				Theta  []float64 `json:"mean_theta"`
				Mean   float64   `json:"mean_delta0"`
				Each   []float64 `json:"mean_delta_each"`
				Spread float64   `json:"geomean_sigma0"`
			}
			c.Want(t, &want)
			require.InDelta(t, want.Left, got.P.Worse, c.Tolerance.Abs)
			require.InDelta(t, want.Rope, got.P.Rope, c.Tolerance.Abs)
			require.InDelta(t, want.Right, got.P.Better, c.Tolerance.Abs)
			require.InDeltaSlice(t, want.Theta, []float64{got.Theta.Worse, got.Theta.Rope, got.Theta.Better},
				c.Tolerance.Abs/2)
			require.InDelta(t, want.Mean, got.Mean, 0.1*want.Spread)
			require.InEpsilon(t, want.Spread, got.Spread, 0.05)
			require.Len(t, got.Sets, len(want.Each))
			for i, s := range got.Sets {
				require.InDelta(t, want.Each[i], s.Mean, 0.0015, "data set %d", i+1)
			}
			require.Less(t, max(got.SE.Worse, got.SE.Rope, got.SE.Better), 0.004)
			require.GreaterOrEqual(t, got.ESS, 400.)
			require.LessOrEqual(t, got.RHat, 1.01)
		})
	}
}
