package study

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The networks in the repository are those that the search finds.
func TestNetworksAreFoundBySearch(t *testing.T) {
	if !*update {
		citest.Need(t, citest.Slow)
	}
	t.Parallel()
	for _, target := range targets() {
		found, err := target.search(t.Context(), runtime.GOMAXPROCS(0))
		require.NoError(t, err)
		if *update {
			text := fmt.Sprintf("# Found by the search with seed %d: go test ./learntest/study -run TestNetworksAreFoundBySearch -update\n%v", target.seed, found)
			require.NoError(t, os.WriteFile(filepath.Join("networks", target.name+".txt"), []byte(text), 0o666))
			continue
		}
		text, err := networkFiles.ReadFile("networks/" + target.name + ".txt")
		require.NoError(t, err)
		kept, err := ParseNetwork(target.name, string(text))
		require.NoError(t, err)
		assert.Equal(t, found, kept)
	}
}

// The accuracies are those of the papers, on data sets that the search has not seen.
func TestNetworksMeetTheirTargets(t *testing.T) {
	t.Parallel()
	networks, err := Networks()
	require.NoError(t, err)
	require.Len(t, networks, 4)
	for i, n := range networks {
		want := targets()[i]
		g, err := n.grade(t.Context(), 500, 77, runtime.GOMAXPROCS(0))
		require.NoError(t, err)
		require.Less(t, g.gap.se(), 0.12)
		assert.InDelta(t, want.gap, g.gap.mean(), 0.3, n.Name())
		assert.LessOrEqual(t, math.Abs(g.bayes.mean()-want.bayes), 1.0, n.Name())
		assert.LessOrEqual(t, math.Abs(g.tree.mean()-want.tree), 1.0, n.Name())
		if i == 0 {
			assert.InDelta(t, 50, g.tree.mean(), 1e-9)
			assert.InDelta(t, 50, g.bayes.mean(), 1e-9)
		}
	}
}
