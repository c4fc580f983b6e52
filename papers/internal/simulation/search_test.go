package simulation

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the networks of package lab")

// kept is the directory of the networks in the repository.
var kept = filepath.Join("..", "..", "..", "internal", "lab", "networks")

// The search finds the networks in the repository.
func TestNetworksAreFoundBySearch(t *testing.T) {
	if !*update {
		citest.Need(t, citest.Slow)
	}
	t.Parallel()
	for _, target := range slices.Concat(targets(), denseTargets()) {
		dir := kept
		if target.arrows > 0 {
			dir = "networks"
		}
		found, err := target.search(t.Context(), runtime.GOMAXPROCS(0))
		require.NoError(t, err)
		if *update {
			text := fmt.Sprintf("# Found by the search with seed %d: go -C papers test ./internal/simulation -run TestNetworksAreFoundBySearch -update\n%v", target.seed, found)
			require.NoError(t, os.WriteFile(filepath.Join(dir, target.name+".txt"), []byte(text), 0o666))
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, target.name+".txt"))
		require.NoError(t, err)
		n, err := lab.ParseNetwork(target.name, string(text))
		require.NoError(t, err)
		assert.Equal(t, found, n)
	}
}

// The accuracies of the denser networks are near their targets, and the lead on half of the
// examples is as small as its target.
func TestDenseNetworksMeetTheirTargets(t *testing.T) {
	t.Parallel()
	networks, err := Dense()
	require.NoError(t, err)
	for i, n := range networks {
		want := denseTargets()[i]
		g, err := gradeOf(t.Context(), n, 500, 77, runtime.GOMAXPROCS(0), true)
		require.NoError(t, err)
		assert.InDelta(t, want.gap, g.gap.Mean(), 0.4, n.Name)
		assert.LessOrEqual(t, math.Abs(g.bayes.Mean()-want.bayes), 1.0, n.Name)
		assert.LessOrEqual(t, math.Abs(g.tree.Mean()-want.tree), 1.0, n.Name)
		assert.LessOrEqual(t, g.half.Mean(), want.half+0.6, n.Name)
	}
}

// The accuracies are the papers', on data sets that the search has not seen.
func TestNetworksMeetTheirTargets(t *testing.T) {
	t.Parallel()
	networks, err := lab.Networks()
	require.NoError(t, err)
	require.Len(t, networks, 4)
	for i, n := range networks {
		want := targets()[i]
		g, err := gradeOf(t.Context(), n, 500, 77, runtime.GOMAXPROCS(0), false)
		require.NoError(t, err)
		require.Less(t, g.gap.SE(), 0.12)
		assert.InDelta(t, want.gap, g.gap.Mean(), 0.3, n.Name)
		assert.LessOrEqual(t, math.Abs(g.bayes.Mean()-want.bayes), 1.0, n.Name)
		assert.LessOrEqual(t, math.Abs(g.tree.Mean()-want.tree), 1.0, n.Name)
		if i == 0 {
			assert.InDelta(t, 50, g.tree.Mean(), 1e-9)
			assert.InDelta(t, 50, g.bayes.Mean(), 1e-9)
		}
	}
}
