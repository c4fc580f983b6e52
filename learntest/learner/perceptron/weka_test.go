package perceptron

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/wekaref"
)

func TestEqualsWeka(t *testing.T) {
	t.Parallel()
	for _, src := range wekaref.Sources() {
		names, err := wekaref.Names(src.FS)
		require.NoError(t, err)
		checked := 0
		for _, name := range names {
			ref, err := wekaref.Load(src.FS, name)
			require.NoError(t, err)
			if !slices.Contains(ref.Learners, wekaref.VP) {
				continue
			}
			checked++
			t.Run(src.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				table, err := src.Table(name)
				require.NoError(t, err)
				assert.NoError(t, ref.Check(wekaref.VP, New(Config{}), table, 1e-9))
			})
		}
		assert.GreaterOrEqual(t, checked, 3, src.Name)
	}
}

func TestEqualsWekaWithParameters(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"labor", "breast-cancer"} {
		table, err := uci.Load(name)
		require.NoError(t, err)
		weighted, err := wekaref.Weighted(table)
		require.NoError(t, err)
		ref, err := wekaref.Load(wekaref.Parameters(), name)
		require.NoError(t, err)
		cfg := Config{Epochs: 3, Exponent: 2, Shuffle: 7, MaxAlterations: 50}
		assert.NoError(t, ref.Check("vp3e2", New(cfg), table, 1e-9))
		assert.NoError(t, ref.Check("vpw", New(Config{}), weighted, 1e-9))
	}
}
