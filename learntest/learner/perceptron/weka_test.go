package perceptron

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/learner/internal/wekaref"
)

func TestEqualsWekaOnSharedReference(t *testing.T) {
	t.Parallel()
	fsys, ok := wekaref.Shared()
	if !ok {
		t.Skip(wekaref.SharedVar + " is not set")
	}
	names, err := wekaref.Names(fsys)
	require.NoError(t, err)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := wekaref.SharedTable(name)
			require.NoError(t, err)
			ref, err := wekaref.Load(fsys, name)
			require.NoError(t, err)
			if !slices.Contains(ref.Learners, wekaref.VP) {
				t.Skip("not two classes")
			}
			for _, cfg := range []Config{{}} {
				require.NoError(t, ref.Check(wekaref.VP, New(cfg), table, 1e-9))
			}
		})
	}
}
