package perceptron

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

func TestEqualsWeka(t *testing.T) {
	t.Parallel()
	for _, src := range fixture.Sources() {
		cases, err := src.Cases()
		require.NoError(t, err)
		checked := 0
		for _, c := range cases {
			table, ref, err := c.Load()
			require.NoError(t, err)
			if !slices.Contains(ref.Learners, fixture.VP) {
				continue
			}
			checked++
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				assert.NoError(t, ref.Check(fixture.VP, New(Config{}), table, 1e-9))
			})
		}
		assert.GreaterOrEqual(t, checked, 3, src.Name)
	}
}

func TestEqualsWekaWithParameters(t *testing.T) {
	t.Parallel()
	cases, err := fixture.Parameters().Cases()
	require.NoError(t, err)
	checked := 0
	for _, c := range cases {
		table, ref, err := c.Load()
		require.NoError(t, err)
		if table.NumClasses() != 2 {
			continue
		}
		checked++
		weighted, err := fixture.Weighted(table)
		require.NoError(t, err)
		cfg := Config{Epochs: 3, Exponent: 2, Shuffle: 7, MaxAlterations: 50}
		assert.NoError(t, ref.Check("vp3e2", New(cfg), table, 1e-9))
		assert.NoError(t, ref.Check("vpw", New(Config{}), weighted, 1e-9))
	}
	assert.Equal(t, 2, checked)
}
