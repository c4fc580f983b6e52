package tan

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

// checkWeka compares predictions, distributions, parents and numbers of
// intervals with those of Weka 3.6.14.
func checkWeka(t *testing.T, fsys fs.FS, name string, table *dataset.Table) {
	s, err := wekaref.Load(fsys, name)
	require.NoError(t, err)
	c := New(Config{})
	require.NoError(t, s.Check(wekaref.TAN, c, table, 1e-9))

	models, err := s.Text("models.csv")
	require.NoError(t, err)
	infos := map[string]string{}
	for _, line := range strings.Split(models, "\n") {
		if f := strings.Split(line, ","); f[0] == wekaref.TAN {
			infos[f[1]+","+f[2]] = f[3]
		}
	}
	for _, f := range s.Folds {
		m, err := c.Fit(table, f.Train, 1)
		require.NoError(t, err)
		want, ok := infos[fmt.Sprintf("%d,%d", f.Run, f.Fold)]
		require.True(t, ok)
		assert.Equal(t, want, info(table, m.(*Model)), "run %d fold %d", f.Run, f.Fold)
		require.NoError(t, m.Close())
	}
}

// info describes a model in the form of the reference: the parents of each
// column, separated by bars, and the number of values of each.
func info(t *dataset.Table, m *Model) string {
	var parents, cards []string
	for j, p := range m.Parents() {
		s := fmt.Sprint(t.ClassIndex())
		switch {
		case j == t.ClassIndex():
			s = ""
		case p >= 0:
			s += fmt.Sprint(" ", p)
		}
		card := len(t.Attribute(j).Values)
		if t.Attribute(j).Kind == dataset.Numeric {
			card = len(m.Cuts(j)) + 1
		}
		parents = append(parents, s)
		cards = append(cards, fmt.Sprint(card))
	}
	return "parents=" + strings.Join(parents, "|") + " card=" + strings.Join(cards, " ")
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
