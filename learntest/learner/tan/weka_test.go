package tan

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
			assert.NoError(t, ref.Check(fixture.TAN, New(Config{}), table, 1e-9))
			checkStructure(t, ref, table)
		})
	}
}

// checkStructure compares the parents and the numbers of values.
func checkStructure(t *testing.T, ref *fixture.Set, table *dataset.Table) {
	t.Helper()
	models, err := ref.Text("models.csv")
	require.NoError(t, err)
	want := map[string]string{}
	for _, line := range strings.Split(models, "\n") {
		if f := strings.Split(line, ","); f[0] == fixture.TAN {
			want[f[1]+","+f[2]] = f[3]
		}
	}
	require.Len(t, want, len(ref.Folds))
	c := New(Config{})
	for _, f := range ref.Folds {
		m := fit(t, c, table, f.Train)
		assert.Equal(t, want[fmt.Sprintf("%d,%d", f.Run, f.Fold)], structure(table, m), "run %d fold %d",
			f.Run, f.Fold)
		require.NoError(t, m.Close())
	}
}

// structure describes a model in the form of the reference: the parents of each
// column, separated by bars, and the number of values of each.
func structure(t *dataset.Table, m *Model) string {
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

func TestEqualsWekaWithWeights(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS("testdata/weighted")
	names, err := fixture.Names(fsys)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		ref, err := fixture.Load(fsys, name)
		require.NoError(t, err)
		table, err := uci.Load(name)
		require.NoError(t, err)
		weighted, err := fixture.Weighted(table)
		require.NoError(t, err)
		assert.NoError(t, ref.Check("tanw", New(Config{}), weighted, 1e-9))
	}
}
