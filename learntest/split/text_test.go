package split_test

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

func TestPartsOfAText(t *testing.T) {
	t.Parallel()
	text := "timeseries folds=5 test=20 gap=2 seed=1 v1"
	require.Equal(t, "timeseries", split.KindOf(text))
	require.Equal(t, "2", split.SettingOf(text, "gap"))
	require.Equal(t, "20", split.SettingOf(text, "test"))
	for _, name := range []string{"maxtrain", "ga", "timeseries", "v1"} {
		require.Empty(t, split.SettingOf(text, name))
	}
	require.Empty(t, split.KindOf(""))
	require.Empty(t, split.SettingOf("", "gap"))
}
