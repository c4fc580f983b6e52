package c45

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/wekaref"
)

// checkWeka compares predictions, distributions, sizes and printed trees with
// those of Weka 3.6.14.
func checkWeka(t *testing.T, fsys fs.FS, name string, table *dataset.Table) {
	s, err := wekaref.Load(fsys, name)
	require.NoError(t, err)
	require.NoError(t, s.Check(wekaref.J48, New(Config{}), table, 1e-9))
	checkTrees(t, s, New(Config{}), table)
}

// checkTrees compares sizes and printed trees.
func checkTrees(t *testing.T, s *wekaref.Set, c *Classifier, table *dataset.Table) {
	models, err := s.Text("models.csv")
	require.NoError(t, err)
	sizes := map[string]string{}
	for _, line := range strings.Split(models, "\n") {
		if f := strings.Split(line, ","); f[0] == wekaref.J48 {
			sizes[f[1]+","+f[2]] = f[3]
		}
	}
	text, err := s.Text("j48_run1.txt")
	require.NoError(t, err)
	trees := strings.Split(text, "== fold ")[1:]
	require.Len(t, trees, 10)
	for _, f := range s.Folds {
		m, err := c.Fit(table, f.Train, 1)
		require.NoError(t, err)
		tree := m.(*Model)
		want, ok := sizes[fmt.Sprintf("%d,%d", f.Run, f.Fold)]
		require.True(t, ok)
		assert.Equal(t, want, fmt.Sprintf("leaves=%d size=%d", tree.Leaves(), tree.Size()), "run %d fold %d", f.Run, f.Fold)
		if f.Run == 1 {
			_, want, _ := strings.Cut(trees[f.Fold-1], "\n")
			assert.Equal(t, strings.TrimSpace(want), strings.TrimSpace(tree.String()), "fold %d", f.Fold)
		}
		require.NoError(t, m.Close())
	}
}

func TestAgreesWithWekaOnEmbeddedData(t *testing.T) {
	t.Parallel()
	fsys := wekaref.Embedded()
	names, err := wekaref.Names(fsys)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := uci.Load(name)
			require.NoError(t, err)
			checkWeka(t, fsys, name, table)
		})
	}
}

func TestAgreesWithWekaOnSharedData(t *testing.T) {
	t.Parallel()
	fsys, ok := wekaref.Shared()
	if !ok {
		t.Skip(wekaref.SharedVar + " is not set")
	}
	names, err := wekaref.Names(fsys)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := wekaref.SharedTable(name)
			require.NoError(t, err)
			checkWeka(t, fsys, name, table)
		})
	}
}
