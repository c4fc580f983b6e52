package c45

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

func TestEqualsWeka(t *testing.T) {
	t.Parallel()
	cases, err := fixture.Cases()
	require.NoError(t, err)
	for _, c := range cases {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			table, ref, err := c.Load()
			require.NoError(t, err)
			assert.NoError(t, ref.Check(fixture.J48, New(Config{}), table, 1e-9))
			checkSizes(t, ref, table)
			text, err := ref.Text("j48_run1.txt")
			require.NoError(t, err)
			trees := strings.Split(text, "== fold ")[1:]
			require.Len(t, trees, 10)
			for i, f := range ref.Folds[:10] {
				_, want, _ := strings.Cut(trees[i], "\n")
				assert.Equal(t, strings.TrimSpace(want), printed(t, New(Config{}), table, f.Train), "fold %d",
					f.Fold)
			}
		})
	}
}

// checkSizes compares the numbers of leaves and nodes.
func checkSizes(t *testing.T, ref *fixture.Set, table *dataset.Table) {
	t.Helper()
	models, err := ref.Text("models.csv")
	require.NoError(t, err)
	want := map[string]string{}
	for _, line := range strings.Split(models, "\n") {
		if f := strings.Split(line, ","); f[0] == fixture.J48 {
			want[f[1]+","+f[2]] = f[3]
		}
	}
	require.Len(t, want, len(ref.Folds))
	c := New(Config{})
	for _, f := range ref.Folds {
		m := fit(t, c, table, f.Train)
		assert.Equal(t, want[fmt.Sprintf("%d,%d", f.Run, f.Fold)], fmt.Sprintf("leaves=%d size=%d",
			m.Leaves(), m.Size()), "run %d fold %d", f.Run, f.Fold)
		require.NoError(t, m.Close())
	}
}

// printed returns the text of the tree for a training set.
func printed(t *testing.T, c *Classifier, table *dataset.Table, rows []int) string {
	t.Helper()
	m := fit(t, c, table, rows)
	defer m.Close()
	return strings.TrimSpace(m.String())
}

// variants are the learners of the reference in testdata.
var variants = map[string]Config{
	"j48u":  {Pruning: Unpruned},
	"j48s":  {NoRaising: true},
	"j48m5": {MinLeaf: 5},
	"j48c1": {Confidence: 0.1},
	"j48a":  {Laplace: true},
	"j48w":  {},
}

func TestEqualsWekaWithParametersAndWeights(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"parameters", "weighted"} {
		fsys := os.DirFS("testdata/" + dir)
		names, err := fixture.Names(fsys)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			t.Run(dir+"/"+name, func(t *testing.T) {
				t.Parallel()
				ref, err := fixture.Load(fsys, name)
				require.NoError(t, err)
				table, err := uci.Load(name)
				require.NoError(t, err)
				if dir == "weighted" {
					table, err = fixture.Weighted(table)
					require.NoError(t, err)
				}
				for _, learner := range ref.Learners {
					checkVariant(t, ref, learner, table)
				}
			})
		}
	}
}

// checkVariant compares predictions, printed trees and, where there are some,
// distributions.
func checkVariant(t *testing.T, ref *fixture.Set, learner string, table *dataset.Table) {
	cfg, ok := variants[learner]
	require.True(t, ok, learner)
	tol := -1.0
	if ref.Folds[0].Distributions[learner] != nil {
		tol = 1e-9
	}
	assert.NoError(t, ref.Check(learner, New(cfg), table, tol))
	text, err := ref.Text("j48_all.txt")
	require.NoError(t, err)
	trees := map[string]string{}
	for _, part := range strings.Split(text, "== ")[1:] {
		head, tree, _ := strings.Cut(part, "\n")
		trees[head] = strings.TrimSpace(tree)
	}
	for _, f := range ref.Folds {
		want, ok := trees[fmt.Sprintf("%s run %d fold %d", learner, f.Run, f.Fold)]
		require.True(t, ok)
		assert.Equal(t, want, printed(t, New(cfg), table, f.Train), "%s fold %d", learner, f.Fold)
	}
}
