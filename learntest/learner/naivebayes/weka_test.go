package naivebayes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
			assert.NoError(t, ref.Check(fixture.NB, New(Config{}), table, 1e-9))
			assert.NoError(t, ref.Check(fixture.NB, New(Config{WekaOrder: true}), table, 1e-9))
		})
	}
}

func TestEqualsWekaWithParameters(t *testing.T) {
	t.Parallel()
	cases, err := fixture.Parameters().Cases()
	require.NoError(t, err)
	for _, c := range cases {
		table, ref, err := c.Load()
		require.NoError(t, err)
		weighted, err := fixture.Weighted(table)
		require.NoError(t, err)
		for _, order := range []bool{false, true} {
			assert.NoError(t, ref.Check("nbw", New(Config{WekaOrder: order}), weighted, 1e-9))
			assert.NoError(t, ref.Check("nbk", New(Config{WekaOrder: order, Kernel: true}), table, 1e-9))
			assert.NoError(t, ref.Check("nbkw", New(Config{WekaOrder: order, Kernel: true}), weighted, 1e-9))
		}
	}
}

// Provenance: the instances of the file after Instances.sort by each numeric
// attribute in turn, Weka 3.6.14.
func TestOrderOfSummationEqualsWeka(t *testing.T) {
	t.Parallel()
	m := fit(t, New(Config{WekaOrder: true}), uci.Labor(), fixture.Rows(uci.Labor()))
	want := []int32{
		24, 17, 37, 56, 32, 33, 23, 31, 29, 38, 34, 44, 45, 12, 25, 26, 15, 18, 8, 40, 49, 21, 43, 35, 30,
		1, 36, 14, 54,
		46, 9, 0, 28, 50, 2, 53, 48, 4, 7, 16, 55, 39, 41, 20, 42, 27, 5, 6, 13, 10, 52, 19, 11,
		22, 47, 3, 51,
	}
	assert.Equal(t, want, m.lent.Space.sampler.order)
	m = fit(t, New(Config{WekaOrder: true}), uci.Iris(), fixture.Rows(uci.Iris()))
	assert.Equal(t, []int32{
		9, 32, 37, 13, 34, 12, 7, 22, 3, 20, 10, 48, 30, 25, 46, 39, 27, 29, 33,
		4,
	}, m.lent.Space.sampler.order[:20])
	assert.Equal(t, []int32{135, 145, 115, 148, 141, 143, 118, 120, 114, 140, 136, 100, 109, 144},
		m.lent.Space.sampler.order[136:])
}
