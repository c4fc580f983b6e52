package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStudiesOfRealDataAreListed(t *testing.T) {
	t.Parallel()
	all := parts()
	for _, name := range strings.Fields("bf1 bf2 bf3 bf4 bf-text bf bb1 bb2 bb3 bb4 bb-groups bb-partitions bb-combinations bb-fig1 bb-fig2 bb-fig3 bb-fig4 bb-fig5 bb") {
		s, err := paper.Find(all, name)
		require.NoError(t, err)
		assert.True(t, s.Data, name)
		_, err = s.Run(t.Context(), lab.Config{Sets: 3})
		require.ErrorIs(t, err, lab.ErrConfig, name)
	}
	for _, s := range all {
		if !s.Data {
			s, err := paper.Find(all, s.Name)
			require.NoError(t, err)
			_, err = s.Run(t.Context(), lab.Config{Data: t.TempDir()})
			require.ErrorIs(t, err, lab.ErrConfig, s.Name)
			require.ErrorContains(t, err, s.Name+" reads no directory of data sets")
		}
	}
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"papers": main})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
	})
}

// Each name occurs once, and names its table or figure.
func TestNames(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, p := range parts() {
		assert.False(t, names[p.Name], p.Name)
		names[p.Name] = true
		assert.NotEmpty(t, p.Doc)
	}
	assert.Len(t, names, 33)
}
