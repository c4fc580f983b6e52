//go:build linux

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
)

func TestReadWarm(t *testing.T) {
	t.Parallel()
	got := make(map[job]duration)
	require.NoError(t, readWarm(strings.NewReader(`a message
warm 0 weka.classifiers.trees.J48 1.5E3 20.0
warm 11 weka.classifiers.lazy.IBk 7.0 8.25
`), got))
	assert.Equal(t, map[job]duration{{0, "c45"}: {1500, 20}, {11, "nn"}: {7, 8.25}}, got)
	require.EqualError(t, readWarm(strings.NewReader("warm 0 other 1 2"), got),
		`unexpected scheme "other"`)
}

func TestMeasureLearner(t *testing.T) {
	t.Parallel()
	file, err := writeNoise(t.TempDir())
	require.NoError(t, err)
	table, err := dataset.Open(file, dataset.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, 333, table.Len())
	assert.Equal(t, 11, table.NumAttributes())
	d, err := measureLearner(t.Context(), table, naivebayes.New(naivebayes.Config{}), 0)
	require.NoError(t, err)
	assert.Positive(t, d.fit)
	assert.Positive(t, d.predict)
}

func TestWarmTable(t *testing.T) {
	t.Parallel()
	table := warmTable()
	warmRow(table, "iris", "nn", duration{1000, 2000}, duration{3000, 9000})
	assert.Equal(t, `                  │      learnbench      │         Weka         │           ratio            │
data set  learner │ training  prediction │ training  prediction │ training  prediction  both │
iris      nn             1.0         2.0        3.0         9.0        3.0         4.5   4.0
`, table.String())
}
